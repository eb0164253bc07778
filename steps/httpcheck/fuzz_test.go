package httpcheck_test

import (
	"bufio"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/checkrow/checkrow/steps/httpcheck"
)

// FuzzURL holds that a URL is refused, or can be sent as it is: one request line, to a host, by HTTP.
func FuzzURL(f *testing.F) {
	for _, s := range []string{"/", "/a b?c d#e", "a?x=\"<>", "http://h", "HTTPS://h:1/%zz", "//h/x", "?", "..", "../../x", "localhost:80", "h.test/x",
		"http://u:p@h/x", "ftp://h", "http:///x", "http:x", "/go?to=http://x", "\x00", "/\u00e4?\u00e4", "http://[::1]:80/", "a:b", "/%2f%"} {
		f.Add("http://shop.test/app/", s)
	}
	f.Add("", "/x")
	f.Add("shop", "/x")
	f.Add("http://h", "//other")
	f.Fuzz(func(t *testing.T, base, raw string) {
		u, err := httpcheck.Resolve(base, raw)
		if err != nil {
			if msg := err.Error(); msg == "" || strings.ContainsAny(msg, "\n\x00") {
				t.Fatalf("%q on %q: the message is %q", raw, base, msg)
			}
			return
		}
		if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Fragment != "" {
			t.Fatalf("%q on %q gives %q", raw, base, u)
		}
		line := u.RequestURI()
		for i := range len(line) {
			if line[i] <= ' ' || line[i] >= 0x7f {
				t.Fatalf("%q on %q asks for %q", raw, base, line)
			}
		}
		again, err := url.Parse(u.String())
		if err != nil || again.Host != u.Host || again.RequestURI() != line {
			t.Fatalf("%q on %q gives %q, which parses as %q: %v", raw, base, u, again, err)
		}
		if _, err := http.ReadRequest(bufio.NewReader(strings.NewReader("GET " + line + " HTTP/1.1\r\nHost: x\r\n\r\n"))); err != nil {
			t.Fatalf("%q on %q asks for %q: %v", raw, base, line, err)
		}
	})
}
