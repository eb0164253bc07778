package runner_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/proc"
)

// TestMain lets the test binary stand for the programs that suites start: the watchdog and a small server.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case proc.WatchdogArg:
			os.Exit(proc.WatchdogMain(os.Stdin, os.Args[2:]))
		case "serve":
			os.Exit(serve(os.Args[2]))
		}
	}
	os.Exit(m.Run())
}

// serve answers on a port; /die ends it with 7.
func serve(port string) int {
	l, err := net.Listen("tcp", "localhost:"+port)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("listening on " + port)
	http.HandleFunc("/die", func(http.ResponseWriter, *http.Request) {
		fmt.Println("dying as told")
		os.Exit(7)
	})
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "hello") })
	fmt.Println(http.Serve(l, nil))
	return 1
}

func TestRunner(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(30 * time.Second) // what must come, comes late on a busy machine
	RunSpecs(t, "runner")
}
