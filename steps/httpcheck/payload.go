package httpcheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// payload makes the body of a request and its media type.
type payload func(ctx context.Context, e steps.Env) (body []byte, kind string, err error)

// payload decodes the one key of json, form, body and file that is there; nil if there is none.
func (c decoder) payload(k map[string]spec.Node) payload {
	if n, ok := k["json"]; ok {
		v := c.json(n)
		return func(ctx context.Context, e steps.Env) ([]byte, string, error) {
			var b bytes.Buffer
			err := v.write(ctx, &b, e)
			return b.Bytes(), "application/json", err
		}
	}
	if n, ok := k["form"]; ok {
		list, _ := c.fields(n, "form")
		return func(ctx context.Context, e steps.Env) ([]byte, string, error) {
			text, err := pairs(ctx, list, "form", e)
			return []byte(text), "application/x-www-form-urlencoded", err
		}
	}
	if n, ok := k["body"]; ok {
		t := c.text(n, "body")
		return func(ctx context.Context, e steps.Env) ([]byte, string, error) {
			text, err := t.String(ctx, e.Values, e.Reader)
			return []byte(text), "text/plain; charset=utf-8", wrap("body", err)
		}
	}
	n, ok := k["file"]
	if !ok {
		return nil
	}
	t := c.text(n, "file")
	if s, static := t.Static(); static && s == "" && n.Quoted() {
		c.Errs.AddWide(n.Pos(), n.Width(), `"file" is empty`, "name a file beside the suite")
	}
	return func(ctx context.Context, e steps.Env) ([]byte, string, error) {
		name, err := t.String(ctx, e.Values, e.Reader)
		if err != nil {
			return nil, "", wrap("file", err)
		}
		if err := allowed(e, name); err != nil {
			return nil, "", err
		}
		body, err := readFile(e.Dir, name, maxFile)
		return body, mediaType(name, body), err
	}
}

// wrap says which key could not be rendered.
func wrap(key string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("rendering %s of http: %w", key, err)
}

// readFile reads a file that the suite names, at most limit bytes of it.
func readFile(dir, name string, limit int64) ([]byte, error) {
	at := filepath.FromSlash(name)
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	f, err := os.Open(at)
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			err = p.Err // the rest names the file by where the project happens to lie
		}
		return nil, fmt.Errorf("reading %q: %w", name, err)
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", name, err)
	}
	if int64(len(body)) > limit {
		return nil, fmt.Errorf("reading %q: it is larger than %s", name, size(limit))
	}
	return body, nil
}

// mediaTypes are told by the end of the name, alike on every machine; else the content tells.
var mediaTypes = map[string]string{
	".json": "application/json", ".xml": "application/xml", ".html": "text/html; charset=utf-8", ".txt": "text/plain; charset=utf-8",
	".csv": "text/csv; charset=utf-8", ".pdf": "application/pdf", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
	".gif": "image/gif", ".svg": "image/svg+xml", ".zip": "application/zip", ".yaml": "application/yaml", ".yml": "application/yaml",
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
}

func mediaType(name string, body []byte) string {
	if t, ok := mediaTypes[strings.ToLower(path.Ext(filepath.ToSlash(name)))]; ok {
		return t
	}
	return http.DetectContentType(body)
}

// pairs encodes fields as a query or a form has them.
func pairs(ctx context.Context, list []field, key string, e steps.Env) (string, error) {
	var b strings.Builder
	for _, f := range list {
		values, err := f.render(ctx, key, e)
		if err != nil {
			return "", err
		}
		for _, v := range values {
			if b.Len() > 0 {
				b.WriteByte('&')
			}
			b.WriteString(url.QueryEscape(f.name) + "=" + url.QueryEscape(v))
		}
	}
	return b.String(), nil
}

// render gives the values of a field; one that is nothing but a ${{ }} may give a list.
func (f field) render(ctx context.Context, key string, e steps.Env) ([]string, error) {
	var out []string
	for _, t := range f.values {
		v, err := t.Value(ctx, e.Values, e.Reader)
		if err != nil {
			return nil, wrap(key+"."+f.name, err)
		}
		items := []any{v}
		if list, ok := v.([]any); ok {
			items = list
		}
		for _, item := range items {
			s, err := spec.FormatValue(item)
			if err != nil {
				return nil, wrap(key+"."+f.name, err)
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// value is a piece of JSON that is known, or a text, or a list or map of values.
type value struct {
	known []byte
	text  *spec.Text
	list  []value
	dict  []member // of a map, in written order
}

type member struct {
	name  []byte // as JSON
	value value
}

// json compiles any YAML value into JSON. Numbers go as they are written where JSON allows it: 1.10 stays 1.10, and a
// long one keeps its digits.
func (c decoder) json(n spec.Node) value {
	if n.IsMap() {
		v := value{dict: []member{}}
		for _, e := range n.Entries("a map", c.Errs) {
			v.dict = append(v.dict, member{encode(e.Name), c.json(e.Value)})
		}
		return v.fold()
	}
	if items, ok := n.Seq(); ok {
		v := value{list: make([]value, len(items))}
		for i, item := range items {
			v.list[i] = c.json(item)
		}
		return v.fold()
	}
	text, _ := n.Text()
	if strings.Contains(text, "${{") {
		t := spec.CompileText(n, c.Scope, c.Errs)
		if s, static := t.Static(); static {
			return value{known: encode(s)}
		}
		return value{text: &t}
	}
	v := n.Value(c.Errs)
	switch v.(type) {
	case int, float64:
		if json.Valid([]byte(text)) {
			return value{known: []byte(text)}
		}
	}
	out := encode(v)
	if out == nil {
		c.Errs.AddWide(n.Pos(), n.Width(), text+" cannot stand in JSON", "")
	}
	return value{known: out}
}

// fold makes a list or map one known piece if all of it is known.
func (v value) fold() value {
	for _, item := range v.list {
		if item.known == nil {
			return v
		}
	}
	for _, m := range v.dict {
		if m.value.known == nil {
			return v
		}
	}
	var b bytes.Buffer
	if err := v.write(context.Background(), &b, steps.Env{}); err != nil {
		return v
	}
	return value{known: b.Bytes()}
}

func (v value) write(ctx context.Context, b *bytes.Buffer, e steps.Env) error {
	switch {
	case v.known != nil:
		b.Write(v.known)
	case v.text != nil:
		x, err := v.text.Value(ctx, e.Values, e.Reader)
		if err != nil {
			return wrap("json", err)
		}
		out := encode(x)
		if out == nil {
			return &diag.Error{Pos: v.text.Pos(), Msg: "rendering json of http: this value cannot stand in JSON"}
		}
		b.Write(out)
	case v.dict != nil:
		return v.writeMap(ctx, b, e)
	default:
		b.WriteByte('[')
		for i, item := range v.list {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := item.write(ctx, b, e); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	}
	return nil
}

func (v value) writeMap(ctx context.Context, b *bytes.Buffer, e steps.Env) error {
	b.WriteByte('{')
	for i, m := range v.dict {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(m.name)
		b.WriteByte(':')
		if err := m.value.write(ctx, b, e); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// encode gives JSON as it is sent, without the escapes that HTML would need; nil if there is none for v.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// size prints a number of bytes.
func size(n int64) string {
	switch {
	case n == 1:
		return "1 byte"
	case n < 10_000:
		return strconv.FormatInt(n, 10) + " bytes"
	case n < 1<<20:
		return strconv.FormatInt((n+512)>>10, 10) + " KB"
	}
	return strconv.FormatFloat(float64(n)/(1<<20), 'f', -1, 64) + " MB"
}
