package httpcheck_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

// person makes a certificate of its own and its key, as PEM.
func person(name string) (cert, key []byte) {
	GinkgoHelper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	Expect(err).NotTo(HaveOccurred())
	t := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	der, err := x509.CreateCertificate(rand.Reader, t, t, &secret.PublicKey, secret)
	Expect(err).NotTo(HaveOccurred())
	bytes, err := x509.MarshalECPrivateKey(secret)
	Expect(err).NotTo(HaveOccurred())
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: bytes})
}

var _ = It("shows the certificate of the client", func(ctx SpecContext) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(r.TLS.PeerCertificates[0].Subject.CommonName))
	}))
	srv.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	srv.StartTLS()
	DeferCleanup(srv.Close)
	e := env(srv.URL)
	e.Dir = GinkgoT().TempDir()
	cert, key := person("ada")
	for name, text := range map[string][]byte{"ada.pem": cert, "ada.key": key, "both.pem": append(append([]byte{}, cert...), key...)} {
		Expect(os.WriteFile(filepath.Join(e.Dir, name), text, 0o600)).To(Succeed())
	}
	for _, files := range []string{"client_cert: ada.pem, client_key: ada.key", "client_cert: both.pem"} {
		o := body(`http: { url: /, tls: { insecure: true, `+files+` } }`).Run(ctx, e)
		Expect(o.Error).To(BeEmpty())
		Expect(o.Full.Value).To(Equal("ada"))
	}
	o := body(`http: { url: /, tls: { insecure: true } }`).Run(ctx, e)
	Expect(o.Sub).To(Equal("transport"))
	o = body(`http: { url: /, tls: { client_cert: ada.pem } }`).Run(ctx, e)
	Expect(o.Category).To(Equal(steps.Validation))
	Expect(o.Error).To(ContainSubstring(`"ada.pem" and "ada.pem": they are no certificate with its key`))
})
