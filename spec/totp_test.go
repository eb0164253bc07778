package spec_test

import (
	"context"
	"encoding/base32"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// shared is the secret of the test vectors of RFC 6238, as an authenticator app would be given it.
var shared = base32.StdEncoding.EncodeToString([]byte("12345678901234567890"))

// The last six digits of the SHA-1 vectors in appendix B of RFC 6238.
var _ = DescribeTable("totp", func(at int64, want string) {
	code, masked, err := spec.TOTP(shared, time.Unix(at, 0))
	Expect(err).NotTo(HaveOccurred())
	Expect(code).To(Equal(want))
	Expect(masked).To(HaveExactElements(want))
},
	Entry(nil, int64(59), "287082"),
	Entry(nil, int64(1111111109), "081804"),
	Entry(nil, int64(1111111111), "050471"),
	Entry(nil, int64(1234567890), "005924"),
	Entry(nil, int64(2000000000), "279037"),
	Entry(nil, int64(20000000000), "353130"),
)

var _ = Describe("totp", func() {
	It("takes a secret as apps show it, in lower case with spaces", func() {
		code, _, err := spec.TOTP(" gezd gnbv-gy3t qojq GEZD GNBV GY3T QOJQ ", time.Unix(59, 0))
		Expect(err).NotTo(HaveOccurred())
		Expect(code).To(Equal("287082"))
	})
	It("shows no part of a secret that is no key", func() {
		for _, bad := range []string{"", "hunter2!", "0189"} {
			_, masked, err := spec.TOTP(bad, time.Unix(59, 0))
			Expect(err).To(MatchError("totp(): the secret is no base32 key, as authenticator apps take it"))
			Expect(masked).To(BeEmpty())
		}
	})
	It("is checked and evaluated in expressions, and tells who masks", func() {
		var l diag.List
		f := spec.Parse("s.yaml", []byte("suite: s\nvars: { a: \"${{ totp(secrets.KEY) }}\", b: \"${{ totp(4) }}\" }\ntests: [{ name: a, steps: [[open, /]] }]\n"), &l)
		Expect(l.Err()).NotTo(HaveOccurred())
		sc := &spec.Scope{Names: map[string]spec.Type{"secrets": {Base: spec.Struct, Fields: map[string]spec.Type{"KEY": {Base: spec.String}}}}}
		t := spec.CompileText(f.Suite.Vars[0].Value, sc, &l)
		Expect(l.Err()).NotTo(HaveOccurred())
		var masked []string
		v, err := t.Value(context.Background(), spec.Values{"secrets": map[string]any{"KEY": shared},
			spec.MaskName: func(s string) { masked = append(masked, s) }}, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(v).To(MatchRegexp(`^\d{6}$`))
		Expect(masked).To(HaveExactElements(v))
		spec.CompileText(f.Suite.Vars[1].Value, sc, &l)
		Expect(l.Err()).To(MatchError(ContainSubstring(`totp() takes text here, got a whole number`)))
	})
})
