package redact_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal/redact"
)

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"

var _ = DescribeTable("Text hides", func(in, want string) {
	Expect(redact.Text(in)).To(Equal(want))
	Expect(redact.Text(want)).To(Equal(want), "a second time")
},
	Entry("a query parameter", "GET http://x/a?id=7&access_token=abc&b=1#top 200", "GET http://x/a?id=7&access_token=[REDACTED]&b=1#top 200"),
	Entry("a fragment", "http://x/#id_token=abc&state=q", "http://x/#id_token=[REDACTED]&state=[REDACTED]"),
	Entry("the state of a sign-on", "/cb?code=1&state=2", "/cb?code=[REDACTED]&state=[REDACTED]"),
	Entry("not the state of anything else", "/list?state=open&nonce=1", "/list?state=open&nonce=1"),
	Entry("a key", "/map?key=AIzaSyA1b2C3d4E5f6G7h8I9&v=1", "/map?key=[REDACTED]&v=1"),
	Entry("a key in hex", "/map?v=1&key=0f9c1e77a3b24d58", "/map?v=1&key=[REDACTED]"),
	Entry("a key that is a UUID", "/x?key=3fa85f64-5717-4562-b3fc-2c963f66afa6", "/x?key=[REDACTED]"),
	Entry("no key that is a word", "/list?key=name&key=created_at_2024-10-01&key=customer-address-line-1", "/list?key=name&key=created_at_2024-10-01&key=customer-address-line-1"),
	Entry("SAML", "/sso?SAMLRequest=fZ&RelayState=%2Fx", "/sso?SAMLRequest=[REDACTED]&RelayState=[REDACTED]"),
	Entry("the password of a URL", "at https://ada:pw1@x.test/p", "at https://ada:[REDACTED]@x.test/p"),
	Entry("a token in its place", "https://ghp_12345@x.test", "https://[REDACTED]@x.test"),
	Entry("a bearer token", "sent Bearer abc123.def", "sent Bearer [REDACTED]"),
	Entry("not what is said of one", "the bearer token is wrong, use bearer authentication", "the bearer token is wrong, use bearer authentication"),
	Entry("a header", "curl -H 'Authorization: Token abc' /x", "curl -H 'Authorization: [REDACTED]' /x"),
	Entry("a cookie header", "Cookie: a=b; c=d", "Cookie: [REDACTED]"),
	Entry("a JWT", "got "+jwt+" back", "got [REDACTED] back"),
	Entry("an assignment", `token="abc123def" and password: hunter22`, `token="[REDACTED]" and password: [REDACTED]`),
	Entry("not a label", `textbox "Password": required, token: missing`, `textbox "Password": required, token: missing`),
	Entry("nothing in plain text", "expected the text of h1 to be \"Ada\"", "expected the text of h1 to be \"Ada\""),
	Entry("nothing where an @ stands in a path", "http://x/@ada?session=1", "http://x/@ada?session=1"),
)

var _ = DescribeTable("Argv hides", func(in, want string) {
	Expect(strings.Join(redact.Argv(strings.Split(in, "|")), "|")).To(Equal(want))
},
	Entry("a cookie", "cookies|set|theme|dark|--path|/", "cookies|set|theme|[REDACTED]|--path|/"),
	Entry("an entry of a storage", "storage|local|set|cart|[]", "storage|local|set|cart|[REDACTED]"),
	Entry("credentials", "set|credentials|ada|pw", "set|credentials|[REDACTED]|[REDACTED]"),
	Entry("the clipboard", "clipboard|write|x y", "clipboard|write|[REDACTED]"),
	Entry("a body", "network|route|/a|--body|{}|--status|200", "network|route|/a|--body|[REDACTED]|--status|200"),
	Entry("a URL", "open|/a?token=x", "open|/a?token=[REDACTED]"),
	Entry("nothing else", "click|text=Session", "click|text=Session"),
	Entry("what is masked already", "cookies|set|a|•••", "cookies|set|a|•••"),
)

var _ = DescribeTable("Row hides", func(command, data, want string) {
	var in map[string]any
	Expect(json.Unmarshal([]byte(data), &in)).To(Succeed())
	out, _ := redact.Row(command, in, nil)
	Expect(json.Marshal(out)).To(MatchJSON(want))
},
	Entry("every cookie", "cookies get", `{"cookies":[{"name":"theme","value":"dark"}]}`, `{"cookies":[{"name":"theme","value":"[REDACTED]"}]}`),
	Entry("a token in a storage", "storage local get", `{"key":"authToken","value":"abc"}`,
		`{"key":"authToken","value":"[REDACTED]","valueRedacted":true,"valueRedactionReason":"sensitive-key"}`),
	Entry("nested JSON in a storage", "storage local get", `{"key":"cart","value":"{\"token\":\"abc\"}"}`,
		`{"key":"cart","value":"[REDACTED]","valueRedacted":true,"valueRedactionReason":"nested"}`),
	Entry("nothing harmless in it", "storage local get", `{"key":"cart","value":"[1,2]"}`, `{"key":"cart","value":"[1,2]"}`),
	Entry("headers", "network requests", `{"requests":[{"headers":{"cookie":"a=b","accept":"*/*"},"url":"/?code=1","postData":"a=b&password=c"}]}`,
		`{"requests":[{"headers":{"cookie":"[REDACTED]","accept":"*/*"},"url":"/?code=[REDACTED]","postData":"a=b&password=[REDACTED]"}]}`),
	Entry("all but the beginning of a body", "network request", `{"responseBody":"`+strings.Repeat("x", 400)+`"}`,
		`{"responseBody":"`+strings.Repeat("x", 280)+`…"}`),
	Entry("fields by name", "eval", `{"result":{"user":"ada","clientSecret":"q","n":{"access_token":5,"token_type":"x"},"list":["a"]}}`,
		`{"result":{"user":"ada","clientSecret":"[REDACTED]","n":{"access_token":"[REDACTED]","token_type":"x"},"list":["a"]}}`),
)

var _ = Describe("File", func() {
	mask := func(b []byte) []byte {
		if !bytes.Contains(b, []byte("hunter22")) {
			return b
		}
		return bytes.ReplaceAll(b, []byte("hunter22"), []byte("•••"))
	}

	It("leaves what holds nothing alone", func() {
		for name, text := range map[string]string{"a.txt": "plain", "a.json": `{"a": 1}`, "a.har": `{"log": {"entries": []}}`} {
			in := []byte(text)
			out, err := redact.File(name, in, mask)
			Expect(err).NotTo(HaveOccurred())
			Expect(&out[0]).To(BeIdenticalTo(&in[0]), name)
		}
	})

	It("hides cookies, headers, parameters and bodies of a HAR", func() {
		body := base64.StdEncoding.EncodeToString([]byte(`{"token":"t0psecret","a":"hunter22"}`))
		in := `{"log":{"entries":[{"request":{"url":"http://x/?sig=q1","headers":[{"name":"Authorization","value":"Basic q1"}],
			"cookies":[{"name":"a","value":"q1"}],"queryString":[{"name":"sig","value":"q1"},{"name":"page","value":"7"}],
			"postData":{"text":"user=ada&password=q1"}},
			"response":{"headers":[{"name":"Set-Cookie","value":"a=q1"},{"name":"Server","value":"s"}],
			"content":{"text":"` + body + `","encoding":"base64"}}}]}}`
		out, err := redact.File("n.har", []byte(in), mask)
		Expect(err).NotTo(HaveOccurred())
		Expect(json.Valid(out)).To(BeTrue())
		Expect(string(out)).NotTo(Or(ContainSubstring("q1"), ContainSubstring(body)))
		Expect(string(out)).To(And(ContainSubstring(`"7"`), ContainSubstring(`"s"`), ContainSubstring("user=ada")))
	})

	It("hides the values of a saved state", func() {
		out, err := redact.File("s.json", []byte(`{"cookies":[{"name":"a","value":"q1"}],"origins":[{"origin":"http://x",
			"localStorage":[{"name":"jwt","value":"q1"},{"name":"lang","value":"en"}]}]}`), nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(out)).To(And(Not(ContainSubstring("q1")), ContainSubstring(`"en"`)))
	})

	It("keeps JSON valid where a number is the secret", func() {
		out, err := redact.File("n.json", []byte(`{"pin":123456789,"n":1}`), func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte("123456789"), []byte("•••"))
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(out).To(MatchJSON(`{"pin":"•••","n":1}`))
	})

	It("rewrites archives, one in another too", func() {
		inner := zipped(map[string]string{"deep.txt": "x hunter22 y"})
		in := zipped(map[string]string{"a.txt": "hunter22", "b.txt": "plain", "c.zip": string(inner)})
		out, err := redact.File("d.zip", in, mask)
		Expect(err).NotTo(HaveOccurred())
		files := unzipped(out)
		Expect(files).To(HaveKeyWithValue("a.txt", "•••"))
		Expect(files).To(HaveKeyWithValue("b.txt", "plain"))
		Expect(unzipped([]byte(files["c.zip"]))).To(HaveKeyWithValue("deep.txt", "x ••• y"))
		same, err := redact.File("d.zip", out, mask)
		Expect(err).NotTo(HaveOccurred())
		Expect(&same[0]).To(BeIdenticalTo(&out[0]))
	})

	It("keeps what only looks like a credential where it is told to", func() {
		trace := map[string]string{"a.trace": `{"token":"q1","b":"hunter22"}` + "\n"}
		out, err := redact.Declared("t.zip", zipped(trace), mask)
		Expect(err).NotTo(HaveOccurred())
		Expect(unzipped(out)).To(HaveKeyWithValue("a.trace", `{"token":"q1","b":"•••"}`+"\n"))
		har := `{"log":{"entries":[{"request":{"headers":[{"name":"Cookie","value":"q1 hunter22"}]}}]}}`
		Expect(redact.Declared("a.har", []byte(har), mask)).To(BeEquivalentTo(strings.ReplaceAll(har, "hunter22", "•••")))
		Expect(redact.File("a.har", []byte(har), mask)).NotTo(ContainSubstring("q1"))
	})

	It("hides credentials of a trace, line by line", func() {
		in := zipped(map[string]string{"trace.trace": `{"a":1}` + "\n", "resources/x.json": `{"token":"q1"}`,
			"trace.network": `{"headers":[{"name":"Cookie","value":"q1"}]}` + "\n" + `{"b":"hunter22"}` + "\n"})
		out, err := redact.File("t.zip", in, mask)
		Expect(err).NotTo(HaveOccurred())
		files := unzipped(out)
		Expect(files["trace.network"]).To(Equal(`{"headers":[{"name":"Cookie","value":"[REDACTED]"}]}` + "\n" + `{"b":"•••"}` + "\n"))
		Expect(files["resources/x.json"]).To(Equal(`{"token":"[REDACTED]"}`))
	})
})

var _ = Describe("gzip files", func() {
	mask := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("hunter22"), []byte("•••")) }
	packed := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Name = "log.txt"
		_, err := w.Write([]byte(text))
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Close()).To(Succeed())
		return b.Bytes()
	}
	unpacked := func(b []byte) string {
		z, err := gzip.NewReader(bytes.NewReader(b))
		Expect(err).NotTo(HaveOccurred())
		Expect(z.Name).To(Equal("log.txt"))
		text, err := io.ReadAll(z)
		Expect(err).NotTo(HaveOccurred())
		return string(text)
	}

	It("are written anew without secrets", func() {
		out, err := redact.File("log.txt.gz", packed("a hunter22 b"), mask)
		Expect(err).NotTo(HaveOccurred())
		Expect(unpacked(out)).To(Equal("a ••• b"))
		out, err = redact.File("twice.gz", packed(string(packed("x hunter22"))), mask)
		Expect(err).NotTo(HaveOccurred())
		Expect(unpacked([]byte(unpacked(out)))).To(Equal("x •••"))
		inZip, err := redact.File("a.zip", zipped(map[string]string{"b.gz": string(packed("hunter22"))}), mask)
		Expect(err).NotTo(HaveOccurred())
		Expect(unpacked([]byte(unzipped(inZip)["b.gz"]))).To(Equal("•••"))
	})

	It("stay as they are without one", func() {
		in := packed("nothing")
		Expect(redact.File("a.gz", in, mask)).To(Equal(in))
		none := []byte("\x1f\x8b\x08")
		Expect(redact.File("a.gz", none, mask)).To(Equal(none))
	})

	It("are refused where a secret cannot be taken out", func() {
		whole := packed("hunter22 " + strings.Repeat("abcdefg ", 9000))
		_, err := redact.File("a.gz", whole[:len(whole)-6], mask)
		Expect(err).To(MatchError(ContainSubstring("cannot be written anew")))
	})

	It("are written anew with a tar in them", func() {
		out, err := redact.File("a.tar.gz", packed(string(tarball("a.txt", "x hunter22"))), mask)
		Expect(err).NotTo(HaveOccurred())
		Expect(untarred([]byte(unpacked(out)))).To(Equal(map[string]string{"a.txt": "x •••"}))
	})
})

var _ = Describe("tar files", func() {
	mask := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("hunter22"), []byte("•••")) }

	It("are written anew without secrets, in their contents and their headers", func() {
		long := strings.Repeat("deep/", 40) + "hunter22.txt"
		in := tarball("a.txt", "x hunter22 y", "b.txt", "plain", long, "z", "c.zip", string(zipped(map[string]string{"d.txt": "hunter22"})),
			"e.tar", string(tarball("f.txt", "hunter22")), "t.trace", `{"token":"q1"}`+"\n")
		out, err := redact.File("all.tar", in, mask)
		Expect(err).NotTo(HaveOccurred())
		Expect(bytes.Contains(out, []byte("hunter22"))).To(BeFalse())
		files := untarred(out)
		Expect(files).To(And(HaveKeyWithValue("a.txt", "x ••• y"), HaveKeyWithValue("b.txt", "plain"), HaveKeyWithValue(strings.Repeat("deep/", 40)+"•••.txt", "z"),
			HaveKeyWithValue("t.trace", `{"token":"[REDACTED]"}`+"\n")))
		Expect(unzipped([]byte(files["c.zip"]))).To(HaveKeyWithValue("d.txt", "•••"))
		Expect(untarred([]byte(files["e.tar"]))).To(HaveKeyWithValue("f.txt", "•••"))
		again, err := redact.File("all.tar", out, mask)
		Expect(err).NotTo(HaveOccurred())
		Expect(&again[0]).To(BeIdenticalTo(&out[0]))
		inZip, err := redact.File("a.zip", zipped(map[string]string{"b.tar": string(tarball("g", "hunter22"))}), mask)
		Expect(err).NotTo(HaveOccurred())
		Expect(untarred([]byte(unzipped(inZip)["b.tar"]))).To(HaveKeyWithValue("g", "•••"))
	})

	It("stay as they are without one, and what is none too", func() {
		in := tarball("a.txt", "nothing")
		Expect(redact.File("a.tar", in, mask)).To(Equal(in))
		Expect(redact.File("a.tar", in[:700], mask)).To(Equal(in[:700]))
		Expect(redact.File("a.tar", []byte("text hunter22"), mask)).To(BeEquivalentTo("text •••"))
	})

	It("are refused where a secret cannot be taken out", func() {
		in := tarball("a.txt", "hunter22"+strings.Repeat(" ", 2000))
		_, err := redact.File("a.tar", in[:1024], mask)
		Expect(err).To(MatchError(ContainSubstring("cannot be written anew")))
	})
})

// tarball makes a tar of names and contents.
func tarball(files ...string) []byte {
	GinkgoHelper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		Expect(w.WriteHeader(&tar.Header{Name: files[i], Mode: 0o600, Size: int64(len(files[i+1]))})).To(Succeed())
		_, err := io.WriteString(w, files[i+1])
		Expect(err).NotTo(HaveOccurred())
	}
	Expect(w.Close()).To(Succeed())
	return b.Bytes()
}

func untarred(b []byte) map[string]string {
	GinkgoHelper()
	out := map[string]string{}
	r := tar.NewReader(bytes.NewReader(b))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		Expect(err).NotTo(HaveOccurred())
		text, err := io.ReadAll(r)
		Expect(err).NotTo(HaveOccurred())
		out[h.Name] = string(text)
	}
}

func zipped(files map[string]string) []byte {
	GinkgoHelper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range files {
		f, err := w.Create(name)
		Expect(err).NotTo(HaveOccurred())
		_, err = io.WriteString(f, text)
		Expect(err).NotTo(HaveOccurred())
	}
	Expect(w.Close()).To(Succeed())
	return out.Bytes()
}

func unzipped(b []byte) map[string]string {
	GinkgoHelper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	Expect(err).NotTo(HaveOccurred())
	out := map[string]string{}
	for _, f := range z.File {
		in, err := f.Open()
		Expect(err).NotTo(HaveOccurred())
		text, err := io.ReadAll(in)
		Expect(err).NotTo(HaveOccurred())
		out[f.Name] = string(text)
	}
	return out
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"?token=a&b", "Bearer abc123", "https://a:b@c/", "Cookie: a=b", `{"token":"x"}`, "a=b&code=c", "\xff?key=\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := redact.Text(s)
		if twice := redact.Text(once); twice != once {
			t.Fatalf("%q became %q, then %q", s, once, twice)
		}
		if json.Valid([]byte(s)) {
			if out, _ := redact.JSON([]byte(s)); !json.Valid(out) {
				t.Fatalf("%q became %q", s, out)
			}
		}
		_, _ = redact.File("a.har", []byte(s), nil)
	})
}
