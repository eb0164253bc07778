package steps_test

import (
	"net"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// ceiling parses a policy.
func ceiling(text string) *spec.Policy {
	GinkgoHelper()
	var l diag.List
	p := spec.ParsePolicy("p.yaml", []byte(text), &l)
	Expect(l.Err()).NotTo(HaveOccurred())
	return p
}

var _ = Describe("Policy", func() {
	var root, bin string

	BeforeEach(func() {
		root, bin = GinkgoT().TempDir(), GinkgoT().TempDir()
		for _, f := range []string{"scripts/ok", "suites/a/x.csv", "other"} {
			Expect(os.MkdirAll(filepath.Dir(filepath.Join(root, f)), 0o700)).To(Succeed())
			Expect(os.WriteFile(filepath.Join(root, f), []byte("#!/bin/sh\n"), 0o700)).To(Succeed())
		}
		Expect(os.WriteFile(filepath.Join(bin, "tool"), nil, 0o700)).To(Succeed())
		Expect(os.Symlink(filepath.Join(root, "other"), filepath.Join(root, "scripts", "sly"))).To(Succeed())
		Expect(os.Symlink(filepath.Join(root, "scripts", "ok"), filepath.Join(bin, "alias"))).To(Succeed())
	})

	policy := func(text string) *steps.Policy { return steps.NewPolicy(bin, root, ceiling(text), nil) }

	It("is nothing where there is none, and allows everything", func() {
		var p *steps.Policy
		Expect(steps.NewPolicy("", "", nil, nil)).To(BeNil())
		Expect(p.JS()).To(Succeed())
		Expect(p.Host("x")).To(Succeed())
		Expect(p.Program("rm")).To(Succeed())
		Expect(p.ChildEnv("LD_PRELOAD")).To(Succeed())
	})

	It("denies all that it does not list", func() {
		p := policy("policy: tight\n")
		for _, err := range []error{p.JS(), p.Env("A"), p.Secret("A"), p.Service("s"), p.Host("a.test"), p.Switch("--lang"), p.Attach(),
			p.Step("code"), p.Program("tool"), p.File(filepath.Join(root, "other"))} {
			Expect(err).To(MatchError(ContainSubstring(`is denied by the policy "p.yaml"`)))
		}
		Expect(p.Step("group")).To(Succeed())
	})

	DescribeTable("judges programs by the file that they are", func(list, program string, allowed bool) {
		err := policy("programs: [" + list + "]\n").Program(program)
		Expect(err == nil).To(Equal(allowed), "%v", err)
	},
		Entry("in the project", "./scripts/*", "./scripts/ok", true),
		Entry("a link that leads elsewhere", "./scripts/*", "./scripts/sly", false),
		Entry("where the link leads", "./other", "./scripts/sly", true),
		Entry("by its name", "tool", "tool", true),
		Entry("a name that is a link into the project", "tool", "alias", false),
		Entry("that link's file", "./scripts/ok", "alias", true),
		Entry("that is not there", "nothing", "nothing", false),
		Entry("that goes out of the project", "./scripts/*", "./scripts/../other", false))

	DescribeTable("judges files by where they are", func(list, file string, allowed bool) {
		err := policy("files: [\"" + list + "\"]\n").File(filepath.Join(root, file))
		Expect(err == nil).To(Equal(allowed), "%v", err)
	},
		Entry("below a folder", "suites/**", "suites/a/x.csv", true),
		Entry("not the folder above", "suites/**", "other", false),
		Entry("by suffix", "**/*.csv", "suites/a/x.csv", true),
		Entry("everything of the project", "**", "suites/a/x.csv", true),
		Entry("nothing outside it", "**", "../etc/passwd", false),
		Entry("a link that leads elsewhere", "scripts/*", "scripts/sly", false),
		Entry("one folder is one star", "suites/*", "suites/a/x.csv", false))

	DescribeTable("judges hosts", func(list, host string, allowed bool) {
		err := policy("domains: [\"" + list + "\"]\n").Host(host)
		Expect(err == nil).To(Equal(allowed), "%v", err)
	},
		Entry("by name", "a.test", "A.test", true), Entry("not what ends alike", "a.test", "ba.test", false),
		Entry("not what is below", "a.test", "b.a.test", false), Entry("below a star", "*.a.test", "b.a.test", true),
		Entry("a star is not the name itself", "*.a.test", "a.test", false), Entry("with a dot at its end", "a.test", "a.test.", true),
		Entry("an address", "127.0.0.1", "127.0.0.1", true))

	It("lets a project narrow, and only that", func() {
		file, project := ceiling("env: [A, B]\ndomains: ['*.a.test']\njs: true\nmax_rows: 10\n"), ceiling("env: [B, C]\ndomains: [b.a.test, c.test]\nmax_rows: 5\n")
		project.File = ""
		p := steps.NewPolicy("", root, file, project)
		Expect(p.Env("B")).To(Succeed())
		Expect(p.Env("A")).To(MatchError(ContainSubstring("the policy of checkrow.yaml")))
		Expect(p.Env("C")).To(MatchError(ContainSubstring("p.yaml")))
		Expect(p.JS()).To(Succeed(), "it does not speak of js")
		list, restricted := p.Domains()
		Expect(restricted).To(BeTrue())
		Expect(list).To(Equal([]string{"b.a.test"}))
		_, rows := p.Caps()
		Expect(rows).To(Equal(5))
		alone := steps.NewPolicy("", root, nil, project)
		Expect(alone.JS()).To(Succeed())
		Expect(alone.Env("A")).To(HaveOccurred())
	})

	It("never lets a child be told what else to run", func() {
		p := policy("env: ['*']\n")
		Expect(p.ChildEnv("API")).To(Succeed())
		for _, name := range []string{"PATH", "LD_PRELOAD", "NODE_OPTIONS", "GIT_SSH_COMMAND", "BASH_ENV", "DYLD_INSERT_LIBRARIES"} {
			Expect(p.ChildEnv(name)).To(MatchError(ContainSubstring("may not be given "+name)), name)
		}
	})

	DescribeTable("reads a URL as a browser does", func(raw, host string) {
		_, got := steps.WebHost(raw)
		Expect(got).To(Equal(host))
		err := policy("domains: [a.test]\n").URL(raw)
		Expect(err == nil).To(Equal(host == "a.test" || host == ""), "%v", err)
	},
		Entry(nil, "http://a.test/x", "a.test"), Entry(nil, "HTTPS://A.TEST:8443?x", "a.test"), Entry(nil, "http://evil.test/%zz", "evil.test"),
		Entry(nil, "http:evil.test/x", "evil.test"), Entry(nil, "http:/evil.test", "evil.test"), Entry(nil, "http:///evil.test/x", "evil.test"),
		Entry(nil, `http:\\evil.test\x`, "evil.test"), Entry(nil, `http://evil.test\@a.test/`, "evil.test"), Entry(nil, " http://evil.test ", "evil.test"),
		Entry(nil, "ht\ttp://ev\nil.test/", "evil.test"), Entry(nil, "http://a.test@evil.test", "evil.test"), Entry(nil, "http://a.test:x@evil.test/", "evil.test"),
		Entry(nil, "//evil.test/x", "evil.test"), Entry(nil, `\\evil.test/x`, "evil.test"), Entry(nil, "http://[::1]:80/", "::1"), Entry(nil, "http://2130706433/", "2130706433"),
		Entry(nil, "http://0x7f.1/", "0x7f.1"), Entry(nil, "http://%65vil.test/", "evil.test"), Entry(nil, "/a%zz", ""), Entry(nil, "about:blank", ""),
		Entry(nil, "data:text/html,http://evil.test", ""), Entry(nil, "a:80", ""))

	DescribeTable("takes an address of a network inside for private", func(address string, private bool) {
		Expect(steps.PrivateAddress(net.ParseIP(address))).To(Equal(private))
	},
		Entry(nil, "100.100.100.200", true), Entry(nil, "198.18.0.1", true), Entry(nil, "0.0.0.7", true), Entry(nil, "255.255.255.255", true),
		Entry(nil, "::ffff:10.0.0.1", true), Entry(nil, "::10.0.0.1", true), Entry(nil, "64:ff9b::a9fe:a9fe", true), Entry(nil, "2002:7f00:1::", true),
		Entry(nil, "fec0::1", true), Entry(nil, "fd00::1", true), Entry(nil, "64:ff9b::808:808", false), Entry(nil, "2606:4700::1", false), Entry(nil, "100.63.255.255", false))

	It("asks for private networks only of names", func() {
		p := policy("domains: [a.test, 127.0.0.1]\n")
		Expect(p.Address("a.test", net.ParseIP("10.0.0.1"))).To(HaveOccurred())
		Expect(p.Address("a.test", net.ParseIP("169.254.169.254"))).To(HaveOccurred())
		Expect(p.Address("a.test", net.ParseIP("::1"))).To(HaveOccurred())
		Expect(p.Address("a.test", net.ParseIP("93.184.216.34"))).To(Succeed())
		Expect(p.Address("127.0.0.1", net.ParseIP("127.0.0.1"))).To(Succeed())
		Expect(policy("private_networks: true\n").Address("a.test", net.ParseIP("10.0.0.1"))).To(Succeed())
	})
})
