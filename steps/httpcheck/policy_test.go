package httpcheck_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("http under a policy", func() {
	policy := func(text, root string) *steps.Policy {
		GinkgoHelper()
		var l diag.List
		p := spec.ParsePolicy("p.yaml", []byte(text), &l)
		Expect(l.Err()).NotTo(HaveOccurred())
		return steps.NewPolicy("", root, p, nil)
	}

	It("goes to listed hosts only, and follows no redirect elsewhere", func(ctx SpecContext) {
		hits := 0
		base := serve(func(w http.ResponseWriter, r *http.Request) {
			if hits++; strings.HasPrefix(r.Host, "localhost") {
				Fail("the other host was reached")
			}
			if r.URL.Path == "/away" {
				http.Redirect(w, r, "http://localhost:"+r.Host[strings.LastIndexByte(r.Host, ':')+1:]+"/", http.StatusFound)
			}
		})
		e := env(base)
		e.Policy = policy("domains: [127.0.0.1]\n", "")
		Expect(body("http: { url: / }").Run(ctx, e).Success).To(BeTrue())
		for _, step := range []string{"http: { url: /away }", "http: { url: 'http://localhost:1/' }"} {
			o := body(step).Run(ctx, e)
			Expect(o.Category).To(Equal(steps.PolicyDenied), step)
			Expect(o.Error).To(ContainSubstring(`the host "localhost" is denied`))
		}
		Expect(hits).To(Equal(2))
	})

	It("does not follow a name into a private network", func(ctx SpecContext) {
		base := serve(func(http.ResponseWriter, *http.Request) { Fail("it was reached") })
		e := env(base)
		e.Policy = policy("domains: [ip6-localhost, box.test]\n", "")
		o := body("http: { url: 'http://box.test/' }").Run(ctx, e)
		Expect(o.Category).NotTo(Equal(steps.PolicyDenied), "it has no address at all: %s", o.Error)
		if _, err := os.Stat("/etc/hosts"); err == nil {
			if hosts, _ := os.ReadFile("/etc/hosts"); strings.Contains(string(hosts), "ip6-localhost") {
				o = body("http: { url: 'http://ip6-localhost:1/' }").Run(ctx, e)
				Expect(o.Category).To(Equal(steps.PolicyDenied), o.Error)
				Expect(o.Error).To(ContainSubstring("in a private network"))
			}
		}
	})

	It("sends listed files only, wherever links lead", func(ctx SpecContext) {
		base, dir := serve(echo), GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(dir, "a.txt"), []byte("x"), 0o600)).To(Succeed())
		Expect(os.Symlink("/etc/hostname", filepath.Join(dir, "b.txt"))).To(Succeed())
		e := env(base)
		e.Dir, e.Policy = dir, policy("domains: [127.0.0.1]\nfiles: ['*.txt']\n", dir)
		Expect(body("http: { url: /, file: a.txt }").Run(ctx, e).Success).To(BeTrue())
		o := body("http: { url: /, file: b.txt }").Run(ctx, e)
		Expect(o.Category).To(Equal(steps.PolicyDenied), o.Error)
	})
})
