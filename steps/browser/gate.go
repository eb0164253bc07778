package browser

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// gate is a proxy of this machine that holds a browser to the schemes it may use. What a scheme that is not allowed would
// send is led here and goes no further. WebSockets of both schemes are led here too, for the browser knows no proxy for one
// of them alone: they get through if they begin as their scheme does, with TLS or without.
type gate struct {
	l          net.Listener
	plain, tls bool // what gets through
	o          steps.SessionOptions
	name       string // that the browser knows it by

	mu    sync.Mutex
	conns map[net.Conn]struct{} // nil: closed
	wg    sync.WaitGroup
}

// gated tells that schemes of the network are not allowed.
func gated(o steps.SessionOptions) bool {
	return o.Schemes != nil && !(slices.Contains(o.Schemes, "http") && slices.Contains(o.Schemes, "https"))
}

// gateTime bounds what a connection through the gate takes to begin.
const gateTime = 30 * time.Second

// openGate opens the gate for a browser; it is closed with the engine.
func (e *Engine) openGate(o steps.SessionOptions) (*gate, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("holding the browser to allowed_schemes: %w", err)
	}
	var r [16]byte
	_, _ = rand.Read(r[:]) // never fails
	g := &gate{l: l, plain: slices.Contains(o.Schemes, "http"), tls: slices.Contains(o.Schemes, "https"), o: o, conns: map[net.Conn]struct{}{},
		name: "127.0.0.1"}
	if o.Hosts != nil {
		g.name = hex.EncodeToString(r[:]) + ".invalid" // no page can guess it
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		_ = l.Close()
		return nil, errClosed
	}
	e.gates = append(e.gates, g)
	g.wg.Go(g.serve)
	return g, nil
}

// args lead the browser through the gate, loopback addresses too.
func (g *gate) args() []string {
	at := fmt.Sprintf("http://%s:%d", g.name, g.l.Addr().(*net.TCPAddr).Port)
	way := func(free bool) string {
		if free {
			return "direct://"
		}
		return at
	}
	return []string{"--proxy-server=http=" + way(g.plain) + ";https=" + way(g.tls) + ";socks=" + at, "--proxy-bypass-list=<-loopback>"}
}

func (g *gate) serve() {
	for {
		c, err := g.l.Accept()
		if err != nil {
			return
		}
		if g.keep(c) {
			g.wg.Go(func() {
				defer g.drop(c)
				g.pass(c)
			})
		}
	}
}

func (g *gate) keep(c net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.conns == nil {
		_ = c.Close()
		return false
	}
	g.conns[c] = struct{}{}
	return true
}

func (g *gate) drop(c net.Conn) {
	_ = c.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c)
}

// close ends the gate and all that goes through it.
func (g *gate) close() {
	_ = g.l.Close()
	g.mu.Lock()
	for c := range g.conns {
		_ = c.Close()
	}
	g.conns = nil
	g.mu.Unlock()
	g.wg.Wait()
}

// pass serves one connection: only a tunnel that begins as an allowed scheme does is let through.
func (g *gate) pass(c net.Conn) {
	_ = c.SetDeadline(time.Now().Add(gateTime))
	in := bufio.NewReader(c)
	q, err := http.ReadRequest(in)
	if err != nil || q.Method != http.MethodConnect {
		return // it says nothing: an answer would be taken for the site's
	}
	if _, err := io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	first, err := in.Peek(1)
	if err != nil {
		return
	}
	const handshake = 0x16 // the first byte of TLS
	if tls := first[0] == handshake; tls && !g.tls || !tls && !g.plain {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), gateTime)
	defer cancel()
	far, err := g.dial(ctx, q.Host)
	if err != nil || !g.keep(far) {
		return
	}
	defer g.drop(far)
	_ = c.SetDeadline(time.Time{})
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(c, far)
		_ = c.Close()
	})
	_, _ = io.Copy(far, in)
	_ = far.Close()
	back.Wait()
}

// dial reaches a host that may be: the browser's resolver, which knows no other, is not asked here.
func (g *gate) dial(ctx context.Context, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("reading the address %q: %w", address, err)
	}
	if g.o.Hosts != nil && !steps.Hosted(g.o.Hosts, host) {
		return nil, errors.New("not an allowed host")
	}
	at, err := pinned(ctx, host, g.o.Public)
	if err != nil {
		return nil, err
	}
	switch at {
	case notFound:
		return nil, errors.New("the host has no address")
	case "":
		at = host
	}
	return new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort(strings.Trim(at, "[]"), port))
}
