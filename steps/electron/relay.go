package electron

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"time"
)

// relay stands between the driver and the debugging port of an app. The driver works in pages alone, so a webview is told
// to it as one; nothing else is changed. Both words are made equally long, so that no frame has to be written anew.
type relay struct {
	listener net.Listener
	port     int // of the app
	wg       sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool // nil: closed
}

var (
	asWebview = []byte(`"type":"webview"`)
	asPage    = []byte(`"type":"page"   `)
	// The browser must not compress what it says, or nothing would be found in it.
	extensions = []byte("sec-websocket-extensions:")
)

// newRelay begins to serve.
func newRelay(port int) (*relay, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("making a way to the webviews of the app: %w", err)
	}
	r := &relay{listener: l, port: port, conns: map[net.Conn]bool{}}
	r.wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r.wg.Go(func() { r.serve(c) })
		}
	})
	return r, nil
}

// address is what the driver connects to.
func (r *relay) address() string { return "http://" + r.listener.Addr().String() }

// close ends every connection and waits for that.
func (r *relay) close() {
	_ = r.listener.Close()
	r.mu.Lock()
	for c := range r.conns {
		_ = c.Close()
	}
	r.conns = nil
	r.mu.Unlock()
	r.wg.Wait()
}

// keep remembers a connection; false if the relay is closed.
func (r *relay) keep(c net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conns == nil {
		_ = c.Close()
		return false
	}
	r.conns[c] = true
	return true
}

func (r *relay) drop(c net.Conn) {
	_ = c.Close()
	r.mu.Lock()
	delete(r.conns, c)
	r.mu.Unlock()
}

// serve carries one connection, both ways.
func (r *relay) serve(c net.Conn) {
	if !r.keep(c) {
		return
	}
	defer r.drop(c)
	app, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(r.port)), 5*time.Second)
	if err != nil || !r.keep(app) {
		return
	}
	defer r.drop(app)
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() {
		defer c.Close()
		disguise(c, app)
	})
	defer app.Close()
	forward(app, bufio.NewReader(c))
}

// forward carries what the driver asks: heads of requests line by line, until one opens a WebSocket.
func forward(to io.Writer, from *bufio.Reader) {
	upgrade := false
	for {
		line, err := from.ReadSlice('\n')
		if low := bytes.ToLower(line); bytes.HasPrefix(low, extensions) {
			line = append([]byte("x-"), line...)
		} else {
			upgrade = upgrade || bytes.HasPrefix(low, []byte("upgrade:"))
		}
		if _, werr := to.Write(line); werr != nil || err != nil && err != bufio.ErrBufferFull { //nolint:errorlint // it is returned as it is
			return
		}
		if upgrade && len(bytes.TrimSpace(line)) == 0 {
			_, _ = io.Copy(to, from)
			return
		}
	}
}

// disguise carries what the app says and tells its webviews as pages. What may be the beginning of the word waits for the
// rest of it: no message ends so.
func disguise(to io.Writer, from io.Reader) {
	buf, n := make([]byte, 64<<10), 0
	for {
		m, err := from.Read(buf[n:])
		n += m
		keep := 0
		for k := min(len(asWebview)-1, n); k > 0 && keep == 0; k-- {
			if bytes.HasSuffix(buf[:n], asWebview[:k]) {
				keep = k
			}
		}
		for at := bytes.Index(buf[:n], asWebview); at >= 0; at = bytes.Index(buf[:n], asWebview) {
			copy(buf[at:], asPage)
		}
		if err != nil {
			keep = 0
		}
		if _, werr := to.Write(buf[:n-keep]); werr != nil || err != nil {
			return
		}
		n = copy(buf, buf[n-keep:n])
	}
}
