//go:build linux || darwin

package proc_test

import (
	"context"
	"os"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/checkrow/checkrow/steps/proc"
)

var _ = Describe("Process", func() {
	BeforeEach(func() {
		before := gleak.Goroutines()
		DeferCleanup(func() { Eventually(gleak.Goroutines).ShouldNot(gleak.HaveLeaked(before)) })
	})

	both("a service", func() {
		It("runs until it is stopped, and its whole group goes", func(ctx SpecContext) {
			id, ready := uniqueSleep(), make(chan string, 1)
			s := sh("echo ready; sleep " + id + " & sleep " + id + " & wait")
			s.Line = func(_ bool, line string) { ready <- line }
			p, err := proc.Start(s, nil)
			Expect(err).NotTo(HaveOccurred())
			Eventually(ctx, ready).Should(Receive(Equal("ready")))
			Consistently(p.Done(), "50ms").ShouldNot(BeClosed())
			Eventually(func() []string { return withArg("sleep " + id) }).Should(HaveLen(3)) // sh's own argv too
			exit := p.Stop(ctx)
			Expect(p.Done()).To(BeClosed())
			Expect(p.Err()).NotTo(HaveOccurred())
			Expect(exit.Signal).To(Equal("terminated"))
			Expect(string(exit.Stdout)).To(Equal("ready\n"))
			Expect(withArg(id)).To(BeEmpty())
			Expect(p.Stop(ctx)).To(Equal(exit))
		})

		It("is killed when the context of Stop ends before the grace", func(ctx SpecContext) {
			self, err := os.Executable()
			Expect(err).NotTo(HaveOccurred())
			ready := make(chan string, 1)
			p, err := proc.Start(proc.Spec{Argv: []string{self, stubbornMode}, Env: environment(), Grace: time.Hour,
				Line: func(_ bool, line string) { ready <- line }}, nil)
			Expect(err).NotTo(HaveOccurred())
			Eventually(ctx, ready).Should(Receive())
			short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
			defer cancel()
			Expect(p.Stop(short).Signal).To(Equal("killed"))
		})

		It("is stopped though it is suspended", func(ctx SpecContext) {
			p, err := proc.Start(sh("kill -STOP $$; sleep 60"), nil)
			Expect(err).NotTo(HaveOccurred())
			Eventually(func() string { return strings.Join(withArg("kill -STOP"), "") }).Should(MatchRegexp(`^\d+ T`))
			Expect(p.Stop(ctx).Signal).To(Equal("terminated"))
		})

		It("tells of its own end", func(ctx SpecContext) {
			p, err := proc.Start(sh("exit 4"), nil)
			Expect(err).NotTo(HaveOccurred())
			Eventually(ctx, p.Done()).Should(BeClosed())
			Expect(p.Exit().Code).To(Equal(4))
			Expect(p.Stop(ctx).Code).To(Equal(4))
		})
	})
})

var _ = Describe("StartIdentity", func() {
	It("is the same for a process as long as it lives, and differs between two", func(ctx SpecContext) {
		p, err := proc.Start(sh("sleep 60"), nil)
		Expect(err).NotTo(HaveOccurred())
		first, err := proc.StartIdentity(p.PID())
		Expect(err).NotTo(HaveOccurred())
		Expect(proc.StartIdentity(p.PID())).To(Equal(first))
		Expect(proc.StartIdentity(os.Getppid())).NotTo(Equal(first)) // our own may have begun in the same hundredth of a second
		p.Stop(ctx)
		_, err = proc.StartIdentity(p.PID())
		Expect(err).To(MatchError(syscall.ENOENT))
	})
})

var _ = Describe("Environ", func() {
	base := []string{"PATH=/bin", "HOME=/h", "SECRET=1", "LC_ALL=C", "TERM=xterm", "GOPROXY=p", "npm_config__auth=t", "https_proxy=x",
		proc.MarkEnv + "=outer"}

	DescribeTable("passes", func(make func(base, declared []string, mark string) []string, declared, want []string) {
		Expect(make(base, declared, "m")).To(Equal(want))
	},
		Entry("the pass-list, the declared ones and the mark", proc.Environ, []string{"A=1", "PATH=/mine", "A=2"},
			[]string{"PATH=/mine", "HOME=/h", "LC_ALL=C", "GOPROXY=p", "https_proxy=x", "A=2", proc.MarkEnv + "=m"}),
		Entry("three under a policy", proc.StrictEnviron, []string{"A=1"}, []string{"PATH=/bin", "HOME=/h", "A=1", proc.MarkEnv + "=m"}),
		Entry("the mark even if it was declared", proc.StrictEnviron, []string{proc.MarkEnv + "=forged"},
			[]string{"PATH=/bin", "HOME=/h", proc.MarkEnv + "=m"}),
	)
})
