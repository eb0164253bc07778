package mask_test

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/checkrow/checkrow/runner/journal/mask"
)

// encoders are the spellings that a secret may be met in.
var encoders = map[string]func(string) string{
	"raw":               func(s string) string { return s },
	"query":             url.QueryEscape,
	"path":              url.PathEscape,
	"percent, low case": func(s string) string { return everyByte(s, "%%%02x") },
	"percent, all":      func(s string) string { return everyByte(s, "%%%02X") },
	"percent twice":     func(s string) string { return url.QueryEscape(url.QueryEscape(s)) },
	"json":              jsonText,
	"json in json":      func(s string) string { return jsonText(jsonText(s)) },
	"json three deep":   func(s string) string { return jsonText(jsonText(jsonText(s))) },
	"json, ascii only":  asciiJSON,
	"json, html safe": func(s string) string {
		b, _ := json.Marshal(s)
		return string(b[1 : len(b)-1])
	},
	"html":        html.EscapeString,
	"html twice":  func(s string) string { return html.EscapeString(html.EscapeString(s)) },
	"xml":         xmlText,
	"xml decimal": func(s string) string { return everyRune(s, "&#%d;") },
	"xml hex":     func(s string) string { return everyRune(s, "&#x%X;") },
	"xml padded":  func(s string) string { return everyRune(s, "&#x%06x;") },
	"html in json": func(s string) string {
		return jsonText(html.EscapeString(s))
	},
}

var base64s = map[string]func(string) string{
	"std":      func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"raw std":  func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(s)) },
	"url":      func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) },
	"raw url":  func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"in query": func(s string) string { return url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(s))) },
	"wrapped":  wrapped,
}

func wrapped(s string) string {
	text := base64.StdEncoding.EncodeToString([]byte(s))
	var b strings.Builder
	for i := 0; i < len(text); i += 10 {
		b.WriteString(text[i:min(i+10, len(text))] + "\r\n")
	}
	return b.String()
}

func everyByte(s, format string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, format, s[i])
	}
	return b.String()
}

func everyRune(s, format string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, format, r)
	}
	return b.String()
}

func jsonText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return b.String()[1 : b.Len()-2]
}

func asciiJSON(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, `\u%04x`, u)
	}
	return b.String()
}

func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

// FuzzMask looks for a secret that survives in any form, and for masking of what holds none.
func FuzzMask(f *testing.F) {
	f.Add(secret, "before ", " after")
	f.Add("hunter22", "a\\", "%")
	f.Add(`\\\\\\"`, `"`, `\`)
	f.Add("%25%25%25", "%", "25")
	f.Add("&amp;&", "&", "amp;")
	f.Add("aaaaaa", "a", "aa")
	f.Add("      ", " +", "+ ")
	f.Fuzz(func(t *testing.T, value, before, after string) {
		if !utf8.ValidString(value) || strings.Trim(value, "\r\n") != value || utf8.RuneCountInString(value) < mask.MinRunes {
			t.Skip()
		}
		m, err := mask.New(mask.Secret{Name: "S", Value: value})
		if err != nil {
			t.Fatal(err)
		}
		for name, encode := range encoders {
			form := encode(value)
			if name == "xml" && strings.ContainsRune(form, utf8.RuneError) {
				continue // the encoder has thrown a control character away
			}
			out := m.String(before + form + after)
			if !strings.Contains(out, mask.Replacement) {
				t.Fatalf("%s: %q survives in %q", name, form, out)
			}
			if strings.Contains(out, form) && !strings.Contains(mask.Replacement, form) {
				t.Fatalf("%s: %q is left in %q", name, form, out)
			}
			var b strings.Builder
			w := mask.NewWriter(&b, m)
			for _, c := range []byte(before + form + after) {
				if _, err := w.Write([]byte{c}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(b.String(), form) && !strings.Contains(mask.Replacement, form) {
				t.Fatalf("%s: %q is left in the stream %q", name, form, b.String())
			}
		}
		for name, encode := range base64s {
			if out := m.String(encode(before + value + after)); !strings.Contains(out, mask.Replacement) {
				t.Fatalf("base64 %s at %d survives in %q", name, len(before)%3, out)
			}
		}
	})
}

func BenchmarkMaskLine(b *testing.B) {
	line := []byte(`{"v":1,"seq":812,"at":"2026-11-30T18:49:24.404Z","kind":"done","suite":"suites/shop/checkout.yaml","test":"a customer buys two","attempt":1,"phase":"steps","step":"4","pos":{"file":"suites/shop/checkout.yaml","line":34,"col":9},"body":{"name":"click","obs":{"success":true,"summary":"clicked #buy"}}}`)
	m, _ := mask.New(mask.Secret{Name: "A", Value: "hunter22hunter22"}, mask.Secret{Name: "B", Value: "s3cr3t-t0ken-0123456789"},
		mask.Secret{Name: "C", Value: "correct horse battery staple"})
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		m.Mask(line)
	}
}
