package install_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/mxschmitt/playwright-go"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/install"
	"github.com/checkrow/checkrow/steps/proc"
)

// browserMode is the child mode of the test binary that opens a page, as a run does, and waits to be killed.
const browserMode = "test:browser"

// browserMain is that mode: it prints the pid of the driver when the page is open.
func browserMain(mark string) int {
	if err := openPage(mark); err != nil {
		fmt.Println(err)
		return 1
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

func openPage(mark string) error {
	found, err := install.Find(context.Background(), install.Env{Environ: os.Environ()})
	if err != nil {
		return err
	}
	vars, err := install.ShimEnv(found, self(), found.Cache)
	if err != nil {
		return err
	}
	for _, kv := range append(vars, proc.MarkEnv+"="+mark) {
		name, value, _ := strings.Cut(kv, "=")
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	dog, err := proc.StartWatchdog(self(), mark)
	if err != nil {
		return err
	}
	pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: found.Driver, SkipInstallBrowsers: true, Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		return err
	}
	if err := dog.Feed(pw.Pid()); err != nil {
		return err
	}
	b, err := pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{ExecutablePath: &found.Browser.Path})
	if err != nil {
		return err
	}
	page, err := b.NewPage()
	if err != nil {
		return err
	}
	if _, err := page.Goto("data:text/html,<title>x</title>"); err != nil {
		return err
	}
	fmt.Println("ready", pw.Pid())
	return nil
}

var _ = Describe("kill -9 of a runner with an open page", Label("browser"), func() {
	DescribeTable("leaves no driver and no browser 2 s later", func(ctx SpecContext, freeze bool) {
		if runtime.GOOS != "linux" {
			Skip("it looks into /proc")
		}
		_, err := install.Find(ctx, install.Env{Environ: os.Environ()})
		need(err, "browser")
		mark := fmt.Sprintf("mark-%d-%d", os.Getpid(), time.Now().UnixNano())
		cmd := exec.CommandContext(ctx, self(), browserMode, mark)
		in, err := cmd.StdinPipe()
		Expect(err).NotTo(HaveOccurred())
		defer func() { _ = in.Close() }()
		out, err := cmd.StdoutPipe()
		Expect(err).NotTo(HaveOccurred())
		Expect(cmd.Start()).To(Succeed())
		line, err := bufio.NewReader(out).ReadString('\n')
		Expect(err).NotTo(HaveOccurred())
		number, ok := strings.CutPrefix(strings.TrimSpace(line), "ready ")
		Expect(ok).To(BeTrue(), line)
		driver, err := strconv.Atoi(number)
		Expect(err).NotTo(HaveOccurred())
		tree := descendants(driver)
		Expect(len(tree)).To(BeNumerically(">=", 3), "the driver, the browser and its renderer")

		if freeze { // it cannot see the end of its input, nor end its browser
			Expect(syscall.Kill(driver, syscall.SIGSTOP)).To(Succeed())
		}
		Expect(cmd.Process.Kill()).To(Succeed())
		_ = cmd.Wait()
		Eventually(func() []string { return alive(tree) }).Should(BeEmpty())
	},
		Entry("a healthy driver", false),
		Entry("a driver that is frozen", true),
	)
})

// descendants maps a process and all that came from it to what they are.
func descendants(root int) map[int]string {
	GinkgoHelper()
	names := map[int]string{}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	Expect(err).NotTo(HaveOccurred())
	parents := map[int]int{}
	for _, path := range stats {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		var ppid int
		var state string
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		Expect(err).NotTo(HaveOccurred())
		if _, err := fmt.Sscan(string(raw[bytes.LastIndexByte(raw, ')')+1:]), &state, &ppid); err == nil && state != "Z" {
			parents[pid] = ppid
		}
	}
	for pid := range parents {
		for at := pid; at > 1; at = parents[at] {
			if at == root {
				names[pid] = identity(pid)
			}
		}
	}
	return names
}

// alive lists those of the processes that live still.
func alive(tree map[int]string) (list []string) {
	for pid, id := range tree {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err == nil && identity(pid) == id && !bytes.Contains(raw, []byte(") Z ")) {
			list = append(list, string(raw[:min(len(raw), 40)]))
		}
	}
	return list
}

func identity(pid int) string {
	id, err := proc.StartIdentity(pid)
	if err != nil {
		return ""
	}
	return id
}
