package electron_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing/iotest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/electron"
)

var _ = Describe("The way to a webview", func() {
	It("tells it as a page wherever the word is cut, and nothing else", func() {
		const said = `{"type":"webview","url":"x"}{"type":"page"}{"text":"\"type\":\"webview\""}{"type":"webview"}"type":"web`
		want := strings.ReplaceAll(said, `"type":"webview"`, `"type":"page"   `)
		for _, in := range []io.Reader{strings.NewReader(said), iotest.OneByteReader(strings.NewReader(said)), iotest.HalfReader(strings.NewReader(said))} {
			var out bytes.Buffer
			electron.Disguise(&out, in)
			Expect(out.String()).To(Equal(want))
		}
	})

	It("asks for no compression, and ends with all its connections", func(ctx SpecContext) {
		heads := make(chan http.Header, 3)
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			heads <- r.Header
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				DeferCleanup(c.Close)
				_, _ = fmt.Fprint(c, "HTTP/1.1 101 Switching Protocols\r\n\r\n"+`{"type":"webview"}`)
			}
		}))
		DeferCleanup(srv.Close)
		r, err := electron.NewRelay(srv.Listener.Addr().(*net.TCPAddr).Port)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(r.Close)
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(r.Address(), "http://"))
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(c.Close)
		Expect(c.SetDeadline(time.Now().Add(patience))).To(Succeed())
		_, err = fmt.Fprint(c, "GET /devtools HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
		Expect(err).NotTo(HaveOccurred())
		head := <-heads
		Expect(head.Get("Upgrade")).To(Equal("websocket"))
		Expect(head).NotTo(HaveKey("Sec-Websocket-Extensions"))
		got := make([]byte, 256)
		n, said := 0, ""
		for !strings.HasSuffix(said, "}") {
			n, err = c.Read(got)
			Expect(err).NotTo(HaveOccurred())
			said += string(got[:n])
		}
		Expect(said).To(HaveSuffix(`{"type":"page"   }`))
		r.Close()
		_, err = c.Read(got)
		Expect(err).To(HaveOccurred())
	}, SpecTimeout(patience))
})
