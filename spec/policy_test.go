package spec_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

var _ = DescribeTable("A policy that is wrong", func(text, want string) {
	var l diag.List
	Expect(spec.ParsePolicy("p.yaml", []byte(text), &l)).To(BeNil())
	Expect(l.Err()).To(MatchError(ContainSubstring(want)))
},
	Entry("is empty", "# nothing\n", "the policy is empty"),
	Entry("has an unknown key", "domain: [a.test]\n", `p.yaml:1:1: unknown key "domain" in a policy (did you mean "domains"?)`),
	Entry("has a URL for a host", "domains:\n  - https://a.test:8443/x\n", `p.yaml:2:5: "https://a.test:8443/x" is no host (write the host alone: a.test)`),
	Entry("has a port", "domains: [\"a.test:80\"]\n", "every port of a listed host counts: write a.test"),
	Entry("has a star in the middle", "domains: [\"a.*.test\"]\n", "is no host"),
	Entry("has no list", "env: BASE\n", "write [BASE]"),
	Entry("has a switch without dashes", "browser_args: [lang]\n", "write --lang"),
	Entry("has no duration", "max_time: 5\n", "write 5s or 5ms"))

var _ = DescribeTable("What a browser may reach", func(keys, want string) {
	var l diag.List
	spec.Parse("s.yaml", []byte("suite: s\nbrowser: { "+keys+" }\ntests: [{ name: a, steps: [[open, /]] }]\n"), &l)
	Expect(l.Err()).To(MatchError(ContainSubstring(want)))
},
	Entry("is no URL", "allowed_domains: [\"http://a.test\"]", "write the host alone: a.test"),
	Entry("is not nothing", "allowed_domains: []", "is an empty list"),
	Entry("has schemes that there are", "allowed_schemes: [htps]", `did you mean "https"?`),
	Entry("has schemes without a colon", "allowed_schemes: [\"https:\"]", "write https"))

func FuzzPolicy(f *testing.F) {
	for _, s := range []string{"policy: x\ndomains: [a.test]\n", "env: [A]\nmax_rows: 3\nfiles: ['**']\n", "rows: eval\n", "{", "x-a: &a [b]\nenv: *a\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var l diag.List
		if p := spec.ParsePolicy("p.yaml", src, &l); p == nil && l.Len() == 0 {
			t.Fatal("no policy and no error")
		}
	})
}
