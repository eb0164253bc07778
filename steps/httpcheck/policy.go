package httpcheck

import (
	"context"
	"net"
	"path/filepath"
	"syscall"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// guarded connects to hosts that a policy allows, whoever asks, and to the addresses only that they may have: a listed
// name may lead anywhere. No proxy stands between, for it would choose the address.
func guarded(p *steps.Policy) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		if err := p.Host(host); err != nil {
			return nil, err
		}
		d := net.Dialer{Timeout: 30 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
			at, _, err := net.SplitHostPort(address)
			if err != nil {
				return err
			}
			return p.Address(host, net.ParseIP(at))
		}}
		return d.DialContext(ctx, network, addr)
	}
}

// allowed judges that a file is read that the suite names.
func allowed(e steps.Env, name string) error {
	at := filepath.FromSlash(name)
	if !filepath.IsAbs(at) {
		at = filepath.Join(e.Dir, at)
	}
	return e.Policy.File(at)
}
