package runner

import (
	"net"
	"sync"
)

// ports lets the system choose ports and gives none of them to two services at a time. A port is free again until the
// service binds it, which no system call can avoid.
type ports struct {
	mu  sync.Mutex
	out map[int]bool
}

// take gives n ports.
func (p *ports) take(n int) ([]int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out == nil {
		p.out = map[int]bool{}
	}
	var held []net.Listener // a port that is held is not chosen again
	defer func() {
		for _, l := range held {
			_ = l.Close()
		}
	}()
	list := make([]int, 0, n)
	for len(list) < n {
		l, err := net.Listen("tcp", "localhost:0")
		if err != nil {
			return nil, err
		}
		held = append(held, l)
		if port := l.Addr().(*net.TCPAddr).Port; !p.out[port] {
			p.out[port] = true
			list = append(list, port)
		}
	}
	return list, nil
}

// give takes ports back whose service has ended.
func (p *ports) give(list []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, port := range list {
		delete(p.out, port)
	}
}
