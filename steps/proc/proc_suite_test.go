//go:build linux || darwin

package proc_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/proc"
)

// Child modes of the test binary, by argv[1].
const (
	runnerMode   = "test:runner"   // MARK ID: a runner with a watchdog, which starts processes of every sort and waits
	parentMode   = "test:parent"   // ID: starts a grandchild and waits, as `go run` does
	stubbornMode = "test:stubborn" // ignores SIGTERM
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == proc.WatchdogArg {
		os.Exit(proc.WatchdogMain(os.Stdin, os.Args[2:]))
	}
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case runnerMode:
			os.Exit(runnerMain(os.Args[2], os.Args[3]))
		case parentMode:
			_ = exec.Command("sleep", os.Args[2]).Run()
			os.Exit(0)
		case stubbornMode:
			signal.Ignore(syscall.SIGTERM)
			fmt.Println("ready")
			time.Sleep(time.Minute)
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

func TestProc(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(30 * time.Second) // what must come, comes late on a busy machine
	RunSpecs(t, "steps/proc")
}

// runnerMain is a runner that is going to be killed. Every process it starts has the id as an argument of a sleep.
func runnerMain(mark, id string) int {
	self, err := os.Executable()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	dog, err := proc.StartWatchdog(self, mark)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	env := proc.Environ(os.Environ(), nil, mark)
	for _, argv := range [][]string{
		{"sh", "-c", "sleep " + id + " & sleep " + id},
		{self, parentMode, id},
		{"sh", "-c", "setsid sleep " + id + " & sleep " + id},
		{"sh", "-c", "(setsid sh -c 'sleep " + id + " & sleep " + id + "' &) & exec sleep " + id},
		{"env", "-i", "/bin/sh", "-c", "sleep " + id + " & sleep " + id},
		{"sh", "-c", "trap '' TERM; sleep " + id + " & wait; wait; sleep " + id},
	} {
		if _, err := proc.Start(proc.Spec{Argv: argv, Env: env}, dog); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	fmt.Println("ready", dog.PID())
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	if err := dog.Close(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// withArg lists the processes that have an argument, with state and argv, zombies left out.
func withArg(arg string) []string {
	out, err := exec.Command("ps", "-axww", "-o", "pid=,stat=,args=").Output()
	Expect(err).NotTo(HaveOccurred())
	var list []string
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) > 2 && fields[1][0] != 'Z' && strings.Contains(line, arg) {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

// uniqueSleep is a time to sleep that no other process sleeps.
func uniqueSleep() string {
	return fmt.Sprintf("7%d%06d", os.Getpid(), time.Now().Nanosecond()/1000)
}

// environment is what the children of the specs get.
func environment() []string { return proc.Environ(os.Environ(), nil, "") }

// script is a program file in a temporary folder.
func script(name, text string) string {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), name)
	Expect(os.WriteFile(path, []byte(text), 0o700)).To(Succeed())
	return path
}
