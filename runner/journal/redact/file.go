package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"path"
	"strings"
)

// Mask replaces declared secrets; it gives its argument back, the same slice, if there is none.
type Mask func([]byte) []byte

// File hides secrets in the content of a file that goes to the run folder: declared ones in every text and archive, and
// what looks like a credential in HAR files, traces and saved states of a browser. The content itself comes back, the same
// slice, if there is nothing to hide. An error says that the file cannot be searched and must not be kept.
func File(name string, content []byte, mask Mask) ([]byte, error) {
	return search{mask: mask}.whole(name, content)
}

// Declared is File for a content that is to stay as it was got: it hides the secrets that mask knows, and nothing that only
// looks like a credential.
func Declared(name string, content []byte, mask Mask) ([]byte, error) {
	return search{mask: mask, declared: true}.whole(name, content)
}

// search is what is looked for in a file.
type search struct {
	mask     Mask
	declared bool // nothing but what mask knows
}

// whole hides secrets in a file.
func (s search) whole(name string, content []byte) ([]byte, error) {
	mask := s.mask
	switch ext := strings.ToLower(path.Ext(name)); {
	case bytes.HasPrefix(content, []byte("PK\x03\x04")), bytes.HasPrefix(content, []byte("PK\x05\x06")):
		return s.archive(content, 0)
	case gzipped(content):
		return s.unzip(name, content, 0)
	case tarred(content):
		return s.untar(content, 0)
	case s.declared:
	case ext == ".har":
		if out, changed := har(content, mask); changed {
			return maskJSON(out, mask), nil
		}
	case state(content):
		if out, changed := inner(content, 0); changed {
			content = indented(out)
		}
	}
	return maskJSON(content, mask), nil
}

// state tells the saved state of a browser: cookies and storage of origins.
func state(b []byte) bool {
	if !bytes.Contains(b[:min(len(b), 4<<10)], []byte(`"cookies"`)) {
		return false
	}
	var doc struct {
		Cookies []json.RawMessage `json:"cookies"`
		Origins []json.RawMessage `json:"origins"`
	}
	return json.Unmarshal(b, &doc) == nil && doc.Cookies != nil && doc.Origins != nil
}

// maskJSON masks a text. What was JSON stays JSON, also where a secret stood without quotes.
func maskJSON(b []byte, mask Mask) []byte {
	if mask == nil {
		return b
	}
	out := mask(b)
	if same(out, b) || json.Valid(out) || !json.Valid(b) {
		return out
	}
	v, err := decode(b)
	if err != nil {
		return out
	}
	text, err := encode(maskTree(v, mask))
	if err != nil {
		return out
	}
	return indented(text)
}

func maskTree(v any, mask Mask) any {
	switch v := v.(type) {
	case string:
		return string(mask([]byte(v)))
	case json.Number:
		if out := mask([]byte(v.String())); string(out) != v.String() {
			return string(out)
		}
	case []any:
		for i := range v {
			v[i] = maskTree(v[i], mask)
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[string(mask([]byte(k)))] = maskTree(x, mask)
		}
		return out
	}
	return v
}

func same(a, b []byte) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

func decode(b []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

func indented(b []byte) []byte {
	var out bytes.Buffer
	if json.Indent(&out, b, "", "  ") != nil {
		return b
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// har hides credentials in a HAR file, also in bodies that are base64.
func har(b []byte, mask Mask) ([]byte, bool) {
	v, err := decode(b)
	if err != nil {
		return b, false
	}
	before, err := encode(v)
	if err != nil {
		return b, false
	}
	bodies(v, mask)
	after, err := encode(tree(v, "", 0))
	if err != nil || bytes.Equal(before, after) {
		return b, false
	}
	return indented(after), true
}

// bodies goes through the bodies of a HAR that are written in base64.
func bodies(v any, mask Mask) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			bodies(x, mask)
		}
	case map[string]any:
		text, is := v["text"].(string)
		if is && v["encoding"] == "base64" {
			if raw, err := base64.StdEncoding.DecodeString(text); err == nil {
				if clean := body(raw, mask); !bytes.Equal(clean, raw) {
					v["text"] = base64.StdEncoding.EncodeToString(clean)
				}
			}
			return
		}
		for _, x := range v {
			bodies(x, mask)
		}
	}
}

// body hides secrets in the body of a request or an answer, whatever it is.
func body(b []byte, mask Mask) []byte {
	if out, changed := JSON(b); changed {
		b = out
	} else if out, changed := Form(string(b)); changed {
		b = []byte(out)
	}
	return maskJSON(b, mask)
}
