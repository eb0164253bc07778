package mask_test

import (
	"bytes"
	"errors"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal/mask"
)

// secret has a character of every kind that some encoder escapes.
const secret = "p\"w <&'é>\\+/%\tz☃𝄞"

func masker(values ...string) *mask.Masker {
	GinkgoHelper()
	m := &mask.Masker{}
	for _, v := range values {
		Expect(m.Add("S", v)).To(Succeed())
	}
	return m
}

var _ = Describe("Mask", func() {
	forms := []any{func(_, text string) {
		out := masker(secret).String("before " + text + " after")
		Expect(out).To(Equal("before " + mask.Replacement + " after"))
	}}
	for name, encode := range encoders {
		forms = append(forms, Entry(name, name, encode(secret)))
	}
	DescribeTable("finds a secret in each form", forms...)

	DescribeTable("finds base64 at each alignment, in both alphabets", func(before string) {
		for name, encode := range base64s {
			text := encode(before + secret + "tail")
			out := masker(secret).String(text)
			Expect(out).To(ContainSubstring(mask.Replacement), name)
			first, last, _ := strings.Cut(out, mask.Replacement)
			Expect(len(first)).To(BeNumerically("<=", len(before)*8/6+2*(len(before)/6)), "%s: %s", name, out)
			Expect(len(last)).To(BeNumerically("<=", len("dGFpbA%3D%3D")), "%s: %s", name, out)
		}
	},
		Entry("0", ""), Entry("1", "u"), Entry("2", "u:"), Entry("3", "us:"), Entry("a user", "ada.lovelace:"))

	It("leaves text without a secret alone, without a copy", func() {
		b := []byte(`{"v":1,"kind":"done","body":{"argv":["click","#buy"],"p":"\"\\%41&amp;+"}}`)
		out := masker("hunter22", secret).Mask(b)
		Expect(&out[0]).To(BeIdenticalTo(&b[0]))
	})

	It("never changes what it was given", func() {
		b := []byte("x hunter22 y")
		Expect(string(masker("hunter22").Mask(b))).To(Equal("x ••• y"))
		Expect(string(b)).To(Equal("x hunter22 y"))
	})

	DescribeTable("replaces", func(in, want string, values ...string) {
		Expect(masker(values...).String(in)).To(Equal(want))
	},
		Entry("all occurrences", "hunter22hunter22 hunter2", "•••••• hunter2", "hunter22"),
		Entry("the longer of two that begin alike", "hunter22!", "•••!", "hunter", "hunter22"),
		Entry("overlapping secrets as one", "abcdefghij-", "•••-", "abcdef", "defghij"),
		Entry("a secret within another", "--abcdefgh--", "--•••--", "cdefgh", "abcdefgh"),
		Entry("a line of a secret with lines", "key: line-two!", "key: •••!", "line-one\nline-two\n"),
		Entry("a secret read without its line end", "hunter22 ", "••• ", "hunter22\r\n"),
		Entry("mixed spellings", "a%20b+c d&#101;f", "•••", "a b c def"),
		Entry("a doubled percent encoding", "a%2520b%253Dcd", "•••", "a b=cd"),
		Entry("a secret that looks encoded", "x%41%42cdef", "x•••", "%41%42cdef"),
		Entry("the same one encoded", "%2541%2542cdef", "•••", "%41%42cdef"),
		Entry("entities over entities", "a&amp;amp;b&amp;lt;cd", "•••", "a&b<cd"),
		Entry("a JSON string in a JSON string", `{"a":"{\"b\":\"x\\\"y\\\\zzz\"}"}`, `{"a":"{\"b\":\"•••\"}"}`, `x"y\zzz`))

	It("refuses short secrets, without their value in the message", func() {
		_, err := mask.New(mask.Secret{Name: "PIN", Value: "12345"}, mask.Secret{Name: "PW", Value: "hunter22"})
		var short *mask.ShortError
		Expect(errors.As(err, &short)).To(BeTrue())
		Expect(short).To(HaveField("Name", "PIN"))
		Expect(err.Error()).NotTo(ContainSubstring("12345"))
		Expect(masker().Add("U", "ééééé")).To(HaveOccurred())
	})

	It("takes secrets while others mask", func() {
		m := masker("hunter22")
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 200 {
					m.Mask([]byte("hunter22 and hunter33"))
				}
			})
		}
		Expect(m.Add("B", "hunter33")).To(Succeed())
		wg.Wait()
		Expect(m.String("hunter22 and hunter33")).To(Equal("••• and •••"))
	})
})

var _ = Describe("Writer", func() {
	It("masks however the stream is cut", func() {
		for name, encode := range encoders {
			text := "ready on :80\n" + encode(secret) + " and " + encode(secret)[:4] + "\n"
			for size := 1; size < len(text); size++ {
				var out bytes.Buffer
				w := mask.NewWriter(&out, masker(secret))
				for i := 0; i < len(text); i += size {
					_, err := w.Write([]byte(text[i:min(i+size, len(text))]))
					Expect(err).NotTo(HaveOccurred())
				}
				Expect(w.Flush()).To(Succeed())
				Expect(out.String()).To(Equal("ready on :80\n••• and "+encode(secret)[:4]+"\n"), "%s by %d", name, size)
			}
		}
	})

	It("does not delay a line that begins no secret", func() {
		var out bytes.Buffer
		w := mask.NewWriter(&out, masker("hunter22"))
		_, err := w.Write([]byte("listening, my friend\nhun"))
		Expect(err).NotTo(HaveOccurred())
		Expect(out.String()).To(Equal("listening, my friend\n"))
	})
})
