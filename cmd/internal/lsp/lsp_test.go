package lsp_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/cmd/internal/lsp"
)

var _ = DescribeTable("the messages of a stream", func(in string, end error, bodies ...string) {
	got, err := lsp.Frames(strings.NewReader(in))
	Expect(errors.Is(err, end) || end == nil && err != nil).To(BeTrue(), "%v", err)
	texts := []string{}
	for _, b := range got {
		texts = append(texts, string(b))
	}
	Expect(texts).To(Equal(append([]string{}, bodies...)))
},
	Entry("two", "Content-Length: 2\r\n\r\n{}Content-Length: 4\r\nContent-Type: x; charset=utf-8\r\n\r\ntrue", io.EOF, "{}", "true"),
	Entry("in another case, with bare line ends", "content-length:2\n\n{}", io.EOF, "{}"),
	Entry("none", "", io.EOF),
	Entry("an empty one", "Content-Length: 0\r\n\r\n", io.EOF, ""),
	Entry("cut off in a header", "Content-Len", io.ErrUnexpectedEOF),
	Entry("cut off in the body", "Content-Length: 5\r\n\r\n{}", io.ErrUnexpectedEOF),
	Entry("without a length", "Content-Type: x\r\n\r\n{}", nil),
	Entry("a length that is none", "Content-Length: two\r\n\r\n{}", nil),
	Entry("a negative length", "Content-Length: -1\r\n\r\n{}", nil),
	Entry("two lengths", "Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}", nil),
	Entry("more than there may be", "Content-Length: 999999999\r\n\r\n{}", nil),
	Entry("no header", "hello\r\n\r\n", nil),
	Entry("a header without end", strings.Repeat("x", 1<<20), nil),
	Entry("headers without end", strings.Repeat("x: y\r\n", 1<<18), nil),
)

var _ = Describe("a server", func() {
	serve := func(ctx context.Context, in io.Reader) (string, error) {
		var out bytes.Buffer
		err := lsp.Serve(ctx, lsp.Options{In: in, Out: &out})
		return out.String(), err
	}

	It("ends with its stream, and says if nobody has shut it down", func(ctx SpecContext) {
		_, err := serve(ctx, strings.NewReader(""))
		Expect(err).To(MatchError(lsp.ErrAborted))
		_, err = serve(ctx, strings.NewReader("hello\n\n"))
		Expect(err).To(MatchError(ContainSubstring("Content-Length")))
		var in bytes.Buffer
		for _, m := range []string{`{"id":1,"method":"initialize"}`, `nonsense`, `{"id":2,"method":"shutdown"}`, `{"id":3,"method":"textDocument/hover"}`} {
			Expect(lsp.WriteFrame(&in, []byte(m))).To(Succeed())
		}
		out, err := serve(ctx, &in)
		Expect(err).NotTo(HaveOccurred())
		Expect(out).To(And(ContainSubstring(`"id":null,"error":{"code":-32700`), ContainSubstring(`"id":3,"error":{"code":-32600`)))
	})

	It("ends with its context", func(ctx SpecContext) {
		cctx, cancel := context.WithCancel(ctx)
		r, w := io.Pipe()
		DeferCleanup(w.Close)
		cancel()
		_, err := serve(cctx, r)
		Expect(err).To(MatchError(context.Canceled))
	})
})

func FuzzFrames(f *testing.F) {
	for _, s := range []string{"Content-Length: 2\r\n\r\n{}", "Content-Length: 7\r\n\r\n{}", "a: b\n\n", "Content-Length: 99999999999999999999\r\n\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		bodies, err := lsp.Frames(bytes.NewReader(in))
		if err == nil {
			t.Fatal("a stream that does not end")
		}
		var again bytes.Buffer
		total := 0
		for _, b := range bodies {
			total += len(b)
			if err := lsp.WriteFrame(&again, b); err != nil {
				t.Fatal(err)
			}
		}
		if total > len(in) {
			t.Fatal("more came out than went in")
		}
		same, err := lsp.Frames(&again)
		if !errors.Is(err, io.EOF) || len(same) != len(bodies) {
			t.Fatalf("%d messages written, %d read: %v", len(bodies), len(same), err)
		}
	})
}

func FuzzAround(f *testing.F) {
	for _, s := range []string{"suite: s\ntests:\n  - name: t\n    steps:\n      - [click, \"#a\"]\n      - { use: ./x.yaml }\n", "- - a: [b, {c: d", "a: |\n  b\n c", "\"é\": '", "-\t- :", "x - |\n y"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		if len(text) < 2000 {
			lsp.Around(text)
		}
	})
}
