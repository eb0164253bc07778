//go:build linux || darwin

package proc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/checkrow/checkrow/steps/proc"
)

func sh(text string) proc.Spec {
	return proc.Spec{Argv: []string{"sh", "-c", text}, Env: environment()}
}

// both runs the same specs over both ways of moving the output.
func both(text string, body func()) {
	Context(text+", by poll", func() { body() })
	Context(text+", by pipes", func() {
		BeforeEach(func() { DeferCleanup(proc.UsePipes()) })
		body()
	})
}

var _ = Describe("Run", func() {
	BeforeEach(func() {
		before := gleak.Goroutines()
		DeferCleanup(func() { Eventually(gleak.Goroutines).ShouldNot(gleak.HaveLeaked(before)) })
	})

	both("a process that ends", func() {
		It("tells code, output, pid and time", func(ctx SpecContext) {
			exit, err := proc.Run(ctx, sh("echo out; echo err >&2; exit 7"), nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(exit.Code).To(Equal(7))
			Expect(exit.Signal).To(BeEmpty())
			Expect(string(exit.Stdout)).To(Equal("out\n"))
			Expect(string(exit.Stderr)).To(Equal("err\n"))
			Expect(exit.Dropped).To(BeZero())
			Expect(exit.PID).To(BeNumerically(">", 1))
			Expect(exit.Took).To(BeNumerically(">", 0))
		})

		It("tells the signal that ended it", func(ctx SpecContext) {
			exit, err := proc.Run(ctx, sh("kill -9 $$"), nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(exit.Code).To(Equal(-1))
			Expect(exit.Signal).To(Equal("killed"))
		})

		It("gives it its input, more than a pipe holds", func(ctx SpecContext) {
			s := sh("cat")
			s.Stdin = bytes.Repeat([]byte("0123456789abcde\n"), 20_000)
			exit, err := proc.Run(ctx, s, nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(bytes.Equal(exit.Stdout, s.Stdin)).To(BeTrue(), "%d bytes of %d", len(exit.Stdout), len(s.Stdin))
		})

		It("bears a child that does not read its input", func(ctx SpecContext) {
			s := sh("exec <&-; echo done")
			s.Stdin = make([]byte, 1<<20)
			exit, err := proc.Run(ctx, s, nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(string(exit.Stdout)).To(Equal("done\n"))
		})

		It("has an empty input otherwise", func(ctx SpecContext) {
			exit, err := proc.Run(ctx, sh("cat; echo end"), nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(string(exit.Stdout)).To(Equal("end\n"))
		})

		It("keeps head and tail of much output and counts the rest", func(ctx SpecContext) {
			s := sh("seq 1 3000000; echo last; echo bad >&2")
			s.Limit = 10_000
			exit, err := proc.Run(ctx, s, nil)
			Expect(err).NotTo(HaveOccurred())
			out := string(exit.Stdout)
			Expect(len(out)).To(BeNumerically("<", 10_100))
			Expect(out).To(HavePrefix("1\n2\n3\n"))
			Expect(out).To(HaveSuffix("2999999\n3000000\nlast\n"))
			Expect(out).To(MatchRegexp(`\n\n\.\.\. %d bytes dropped \.\.\.\n[0-9]{7}\n`, exit.Dropped))
			kept := len(out) - len(fmt.Sprintf("\n... %d bytes dropped ...\n", exit.Dropped))
			Expect(kept + exit.Dropped).To(Equal(seqBytes(3_000_000) + len("last\n")))
			Expect(string(exit.Stderr)).To(Equal("bad\n"))
		})

		It("needs little memory for much output, be it one line", func(ctx SpecContext) {
			for _, line := range []func(bool, string){nil, func(bool, string) {}} {
				s := sh("head -c 200000000 /dev/zero; head -c 50000000 /dev/zero >&2")
				s.Line = line
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				exit, err := proc.Run(ctx, s, nil)
				Expect(err).NotTo(HaveOccurred())
				runtime.ReadMemStats(&after)
				Expect(len(exit.Stdout)).To(BeNumerically("<", 1<<20+100))
				Expect(exit.Dropped).To(BeNumerically(">=", 250_000_000-2<<20))
				Expect(after.TotalAlloc-before.TotalAlloc).To(BeNumerically("<", 16<<20), "all that was allocated, not only what was held")
			}
		})

		It("hands out lines as they come, cut at 64 KiB", func(ctx SpecContext) {
			var lines []string
			s := sh(`echo one; echo two >&2; head -c 100000 /dev/zero | tr '\0' x; echo; printf 'cr\r\nlast'`)
			s.Line = func(stderr bool, line string) { lines = append(lines, fmt.Sprint(stderr, " ", line)) }
			_, err := proc.Run(ctx, s, nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(lines).To(ConsistOf("false one", "true two", "false "+strings.Repeat("x", 64<<10), "false cr", "false last"))
		})

		It("does not wait for a grandchild that left the group and holds the output", func(ctx SpecContext) {
			id := uniqueSleep()
			DeferCleanup(func() { // it may be on its way to its own session yet
				Eventually(func() []string {
					_ = exec.Command("pkill", "-9", "-f", "sleep "+id).Run()
					return withArg(id)
				}).Should(BeEmpty())
			})
			began := time.Now()
			exit, err := proc.Run(ctx, sh("setsid sleep "+id+" & echo started"), nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(string(exit.Stdout)).To(Equal("started\n"))
			Expect(time.Since(began)).To(BeNumerically("<", 5*time.Second))
		})

		It("ends what the process left behind in its group", func(ctx SpecContext) {
			id := uniqueSleep()
			exit, err := proc.Run(ctx, sh("sleep "+id+" & echo started"), nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(exit.Code).To(BeZero())
			Expect(string(exit.Stdout)).To(Equal("started\n"))
			Expect(withArg(id)).To(BeEmpty())
		})

		It("reads on what a late member of the group says", func(ctx SpecContext) {
			exit, err := proc.Run(ctx, sh("(sleep 0.05; echo late) & echo early"), nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(string(exit.Stdout)).To(Equal("early\nlate\n"))
		})
	})

	both("a context that ends", func() {
		It("stops the group by SIGTERM and returns the cause", func(ctx SpecContext) {
			id, cause := uniqueSleep(), errors.New("too slow")
			ctx2, cancel := context.WithTimeoutCause(ctx, 2*time.Second, cause) // the shell has set its trap by then
			defer cancel()
			exit, err := proc.Run(ctx2, sh("trap 'echo bye; exit 3' TERM; sleep "+id+" & wait"), nil)
			Expect(err).To(MatchError(cause))
			Expect(exit.Code).To(Equal(3))
			Expect(string(exit.Stdout)).To(Equal("bye\n"))
			Expect(withArg(id)).To(BeEmpty())
		})

		It("kills a process that ignores SIGTERM", func(ctx SpecContext) {
			self, err := os.Executable()
			Expect(err).NotTo(HaveOccurred())
			ctx2, cancel := context.WithCancel(ctx)
			s := proc.Spec{Argv: []string{self, stubbornMode}, Env: environment(), Grace: 200 * time.Millisecond,
				Line: func(_ bool, line string) {
					if line == "ready" {
						cancel()
					}
				}}
			began := time.Now()
			exit, err := proc.Run(ctx2, s, nil)
			Expect(err).To(MatchError(context.Canceled))
			Expect(exit.Signal).To(Equal("killed"))
			Expect(time.Since(began)).To(BeNumerically("<", 5*time.Second))
		})
	})

	It("starts nothing under a context that has ended", func(ctx SpecContext) {
		ctx2, cancel := context.WithCancel(ctx)
		cancel()
		mark := filepath.Join(GinkgoT().TempDir(), "ran")
		_, err := proc.Run(ctx2, sh("touch "+mark), nil)
		Expect(err).To(MatchError(context.Canceled))
		Expect(mark).NotTo(BeAnExistingFile())
	})

	DescribeTable("a program that cannot be started", func(ctx SpecContext, argv []string, env []string, want error, text string) {
		_, err := proc.Run(ctx, proc.Spec{Argv: argv, Env: env, Dir: "/"}, nil)
		Expect(err).To(BeAssignableToTypeOf(&proc.StartError{}))
		if want != nil {
			Expect(err).To(MatchError(want))
		}
		Expect(err.Error()).To(Equal(text))
	},
		Entry("unknown name", []string{"no-such-thing"}, []string{"PATH=/bin:relative"}, proc.ErrNoProgram,
			`starting "no-such-thing": no such program (PATH is "/bin:relative")`),
		Entry("no PATH", []string{"true"}, nil, proc.ErrNoProgram, `starting "true": no such program (PATH is not set)`),
		Entry("a path", []string{"./no/such"}, nil, proc.ErrNoProgram, `starting "./no/such": no such program (looked for "/no/such")`),
		Entry("a folder", []string{"/tmp"}, nil, proc.ErrNotProgram, `starting "/tmp": not a program that may be executed ("/tmp")`),
		Entry("NUL", []string{"true", "a\x00b"}, nil, proc.ErrNUL, `starting "true": an argument or variable holds a NUL byte`),
		Entry("nothing", []string{}, nil, nil, `starting "": the argv is empty`),
	)

	It("runs ./prog of its folder, and says when the folder is not there", func(ctx SpecContext) {
		path := script("prog", "#!/bin/sh\npwd\n")
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		Expect(err).NotTo(HaveOccurred())
		exit, err := proc.Run(ctx, proc.Spec{Argv: []string{"./prog"}, Dir: dir, Env: environment()}, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(exit.Stdout)).To(Equal(dir + "\n"))
		_, err = proc.Run(ctx, proc.Spec{Argv: []string{"true"}, Dir: dir + "/none", Env: environment()}, nil)
		Expect(err).To(MatchError(ContainSubstring("its folder " + dir + "/none is not there")))
	})

	It("never runs a program from a relative entry of PATH", func(ctx SpecContext) {
		path := script("evil", "#!/bin/sh\n")
		_, err := proc.Run(ctx, proc.Spec{Argv: []string{"evil"}, Dir: filepath.Dir(path), Env: []string{"PATH=.::"}}, nil)
		Expect(err).To(MatchError(proc.ErrNoProgram))
	})
})

// seqBytes is how much `seq 1 n` prints.
func seqBytes(n int) int {
	sum := 0
	for low, digits := 1, 1; low <= n; low, digits = low*10, digits+1 {
		sum += (min(n, low*10-1) - low + 1) * (digits + 1)
	}
	return sum
}
