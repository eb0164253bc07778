package install_test

import (
	"os"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/install"
)

var _ = Describe("what a run can do without", func() {
	part := func(env install.Env, what string) install.Part {
		GinkgoHelper()
		for _, p := range install.Parts(env) {
			if p.What == what {
				return p
			}
		}
		Fail("no part " + what)
		return install.Part{}
	}

	It("is told with the way to get it", func() {
		root := GinkgoT().TempDir()
		env := install.Env{Root: root, Environ: []string{"PATH=" + filepath.Join(root, "bin")}}
		p := part(env, "video")
		Expect(p.OK).To(BeFalse())
		Expect(p.Fix).To(ContainSubstring("ffmpeg"))
		Expect(os.MkdirAll(filepath.Join(root, "bin"), 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(root, "bin", "ffmpeg"), []byte("#!/bin/sh\n"), 0o700)).To(Succeed())
		Expect(part(env, "video").OK).To(BeTrue())
	})

	It("knows fonts by their files", func() {
		if runtime.GOOS != "linux" {
			Skip("the fonts of other systems are always there")
		}
		root := GinkgoT().TempDir()
		env := install.Env{Root: root}
		Expect(part(env, "fonts")).To(And(HaveField("OK", false), HaveField("Fix", ContainSubstring("fonts-liberation"))))
		folder := filepath.Join(root, "usr", "share", "fonts", "truetype")
		Expect(os.MkdirAll(folder, 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(folder, "README"), nil, 0o600)).To(Succeed())
		Expect(part(env, "fonts").OK).To(BeFalse())
		Expect(os.WriteFile(filepath.Join(folder, "Sans.TTF"), nil, 0o600)).To(Succeed())
		Expect(part(env, "fonts").OK).To(BeTrue())
	})

	It("says what keeps the browser from its sandbox", func() {
		if runtime.GOOS != "linux" || os.Geteuid() == 0 {
			Expect(part(install.Env{}, "sandbox").Detail).NotTo(BeEmpty())
			return
		}
		root := GinkgoT().TempDir()
		Expect(part(install.Env{Root: root}, "sandbox").OK).To(BeTrue())
		Expect(os.MkdirAll(filepath.Join(root, "proc/sys/user"), 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(root, "proc/sys/user/max_user_namespaces"), []byte("0\n"), 0o600)).To(Succeed())
		Expect(part(install.Env{Root: root}, "sandbox").Fix).To(ContainSubstring("sysctl"))
	})
})
