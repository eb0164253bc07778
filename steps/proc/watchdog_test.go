//go:build linux

package proc_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/proc"
)

// runner is a child that is a runner with a watchdog and processes of every sort.
type runner struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	dog  int
	id   string
	mark string
}

func startRunner() *runner {
	GinkgoHelper()
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	r := &runner{id: uniqueSleep()}
	r.mark = "mark" + r.id
	r.cmd = exec.Command(self, runnerMode, r.mark, r.id)
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	r.in, err = r.cmd.StdinPipe()
	Expect(err).NotTo(HaveOccurred())
	out, err := r.cmd.StdoutPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(r.cmd.Start()).To(Succeed())
	DeferCleanup(func() {
		_ = r.cmd.Process.Kill()
		_ = exec.Command("pkill", "-9", "-f", "sleep "+r.id).Run() // what a failed spec left
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	Expect(err).NotTo(HaveOccurred())
	number, ok := strings.CutPrefix(strings.TrimSpace(line), "ready ")
	Expect(ok).To(BeTrue(), line)
	r.dog, err = strconv.Atoi(number)
	Expect(err).NotTo(HaveOccurred())
	Eventually(r.sleeps).Should(HaveLen(11))
	return r
}

// sleeps are the sleeping processes it started, by whatever way.
func (r *runner) sleeps() (list []string) {
	for _, p := range withArg(r.id) {
		if fields := strings.Fields(p); fields[2] == "sleep" {
			list = append(list, p)
		}
	}
	return list
}

// others are those that are neither the runner nor its watchdog.
func (r *runner) others() (list []string) {
	for _, p := range withArg(r.id) {
		if !strings.Contains(p, runnerMode) && !strings.Contains(p, proc.WatchdogArg) {
			list = append(list, p)
		}
	}
	return list
}

var _ = Describe("Watchdog", func() {
	It("ends all that a killed runner started within 2 s, grandchildren and those that left their group too", func() {
		r := startRunner()
		Expect(r.cmd.Process.Signal(syscall.SIGKILL)).To(Succeed())
		_ = r.cmd.Wait()
		Eventually(r.others, "2s", "20ms").Should(BeEmpty())
		Eventually(func() []string { return withArg(r.mark) }, "2s").Should(BeEmpty(), "the watchdog itself")
	})

	It("survives what a terminal or a CI sends to the runner's group, and does its work after it", func() {
		r := startRunner()
		Eventually(func() (uint64, error) { return ignored(r.dog) }).Should(And(WithTransform(has(syscall.SIGTERM), BeTrue()),
			WithTransform(has(syscall.SIGHUP), BeTrue())), "it has to come up first")
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			Expect(syscall.Kill(r.dog, sig)).To(Succeed())
		}
		Expect(syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)).To(Succeed())
		_ = r.cmd.Wait()
		Eventually(r.others, "2s", "20ms").Should(BeEmpty())
	})

	It("kills nothing when it is closed in order", func() {
		r := startRunner()
		_, err := io.WriteString(r.in, "\n")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.cmd.Wait()).To(Succeed())
		Expect(syscall.Kill(r.dog, 0)).To(MatchError(syscall.ESRCH))
		Consistently(r.sleeps, "1s", "100ms").Should(HaveLen(11))
	})

	It("ends the program that go run starts", func() {
		goTool, err := exec.LookPath("go")
		if err != nil {
			Skip("no go on PATH")
		}
		dir, id, mark := GinkgoT().TempDir(), uniqueSleep(), "mark"+uniqueSleep()
		Expect(os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\nimport \"time\"\nfunc main() { time.Sleep(time.Hour) }\n"), 0o600)).To(Succeed())
		dog, in := watchdog(mark)
		s := proc.Spec{Argv: []string{goTool, "run", "main.go", id}, Dir: dir, Env: proc.Environ(os.Environ(), nil, mark)}
		p, err := proc.Start(s, nil)
		Expect(err).NotTo(HaveOccurred())
		Eventually(func() []string { return withArg(id) }, "60s", "100ms").Should(HaveLen(2), "go and the program")
		Expect(in.Close()).To(Succeed()) // as the death of the runner would
		Expect(dog.Wait()).To(Succeed())
		Expect(withArg(id)).To(BeEmpty())
		Eventually(p.Done()).Should(BeClosed())
	})

	DescribeTable("leaves alone what is not the run's", func(feed func(pid int, id string) string) {
		p, err := proc.Start(sh("exec sleep 60"), nil)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(func(ctx SpecContext) { p.Stop(ctx) })
		id, err := proc.StartIdentity(p.PID())
		Expect(err).NotTo(HaveOccurred())
		hear("no-such-mark", feed(p.PID(), id))
		Expect(p.Done()).NotTo(BeClosed())
	},
		Entry("another start identity", func(pid int, id string) string { return feedLine('+', pid, id+"0") }),
		Entry("forgotten", func(pid int, id string) string { return feedLine('+', pid, id) + feedLine('-', pid, "") }),
		Entry("closed in order", func(pid int, id string) string { return feedLine('+', pid, id) + "close\n" }),
		Entry("half a line", func(pid int, id string) string { return strings.TrimSuffix(feedLine('+', pid, id), "\n") }),
		Entry("group 1 and 0", func(int, string) string { return feedLine('+', 1, "x") + feedLine('+', 0, "x") + "+-1 x\n?\n\n" }),
	)

	It("ends a group without a mark if its leader is the one it was told of", func() {
		p, err := proc.Start(sh("exec sleep 60"), nil)
		Expect(err).NotTo(HaveOccurred())
		id, err := proc.StartIdentity(p.PID())
		Expect(err).NotTo(HaveOccurred())
		hear("no-such-mark", feedLine('+', p.PID(), id))
		Eventually(p.Done()).Should(BeClosed())
	})

	It("tells at its close that it was not there to the end", func() {
		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		dog, err := proc.StartWatchdog(self, "mark"+uniqueSleep())
		Expect(err).NotTo(HaveOccurred())
		Expect(syscall.Kill(dog.PID(), syscall.SIGKILL)).To(Succeed())
		Eventually(func() error { return dog.Feed(os.Getpid()) }).Should(MatchError(syscall.EPIPE))
		Expect(dog.Close()).To(MatchError(syscall.EPIPE))
	})

	It("does not hold up a run when it does not read", func() {
		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		dog, err := proc.StartWatchdog(self, "mark"+uniqueSleep())
		Expect(err).NotTo(HaveOccurred())
		Expect(syscall.Kill(dog.PID(), syscall.SIGSTOP)).To(Succeed())
		began := time.Now()
		for range 5_000 {
			_ = dog.Feed(os.Getpid())
		}
		Expect(time.Since(began)).To(BeNumerically("<", 10*time.Second))
		Expect(syscall.Kill(dog.PID(), syscall.SIGKILL)).To(Succeed())
		Expect(dog.Close()).To(MatchError(syscall.EAGAIN))
	})
})

// watchdog starts one by hand; in is its feed.
func watchdog(mark string) (dog *exec.Cmd, in io.WriteCloser) {
	GinkgoHelper()
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	dog = exec.Command(self, proc.WatchdogArg, mark)
	in, err = dog.StdinPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(dog.Start()).To(Succeed())
	return dog, in
}

// ignored is the mask of the signals that a process ignores.
func ignored(pid int) (uint64, error) {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(raw), "SigIgn:\t")
	return strconv.ParseUint(strings.SplitN(rest, "\n", 2)[0], 16, 64)
}

func has(sig syscall.Signal) func(uint64) bool {
	return func(mask uint64) bool { return mask&(1<<(uint(sig)-1)) != 0 }
}

// hear runs a watchdog over a feed, to its end.
func hear(mark, feed string) {
	GinkgoHelper()
	dog, in := watchdog(mark)
	_, err := io.WriteString(in, feed)
	Expect(err).NotTo(HaveOccurred())
	Expect(in.Close()).To(Succeed())
	Expect(dog.Wait()).To(Succeed())
}

func feedLine(sign rune, pid int, id string) string {
	return string(sign) + strconv.Itoa(pid) + " " + id + "\n"
}
