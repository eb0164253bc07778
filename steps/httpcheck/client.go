package httpcheck

import (
	"context"
	"crypto/tls"
	"fmt"
	"strconv"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// identity is the certificate that a step shows to the server, and its key.
type identity struct{ cert, key spec.Text }

// identity decodes client_cert and client_key; the key may stand in the file of the certificate.
func (c decoder) identity(m map[string]spec.Node) *identity {
	cert, has := m["client_cert"]
	key, hasKey := m["client_key"]
	switch {
	case !has && hasKey:
		c.Errs.AddWide(key.KeyPos(), len("client_key"), `"client_key" needs "client_cert" beside it`, "")
		return nil
	case !has:
		return nil
	case !hasKey:
		key = cert
	}
	id := &identity{cert: c.text(cert, "client_cert")}
	id.key = id.cert
	if hasKey {
		id.key = c.text(key, "client_key")
	}
	return id
}

// load reads the certificate and its key.
func (i *identity) load(ctx context.Context, e steps.Env) (tls.Certificate, error) {
	var blocks [2][]byte
	var names [2]string
	for n, t := range []spec.Text{i.cert, i.key} {
		name, err := t.String(ctx, e.Values, e.Reader)
		if err != nil {
			return tls.Certificate{}, wrap("tls.client_cert", err)
		}
		if err := allowed(e, name); err != nil {
			return tls.Certificate{}, err
		}
		if blocks[n], err = readFile(e.Dir, name, 1<<20); err != nil {
			return tls.Certificate{}, err
		}
		names[n] = name
	}
	pair, err := tls.X509KeyPair(blocks[0], blocks[1])
	if err != nil {
		return pair, fmt.Errorf("reading %s and %s: they are no certificate with its key in PEM form: %w", strconv.Quote(names[0]), strconv.Quote(names[1]), err)
	}
	return pair, nil
}
