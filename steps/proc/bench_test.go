//go:build linux || darwin

package proc_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/checkrow/checkrow/steps/proc"
)

// BenchmarkRun runs `true` 2,500 times with 1 and 2 goroutines, with and without a watchdog, each beside a bash loop of as
// many forks and execs; x_bash is the ratio of the two times.
func BenchmarkRun(b *testing.B) {
	const runs = 2500
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	truth, err := exec.LookPath("true")
	if err != nil {
		b.Fatal(err)
	}
	for _, pipes := range []bool{false, true} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("pipes=%v/workers=%d", pipes, workers), func(b *testing.B) {
				if pipes {
					defer proc.UsePipes()()
				}
				dog, err := proc.StartWatchdog(self, "bench")
				if err != nil {
					b.Fatal(err)
				}
				defer func() { _ = dog.Close() }()
				ctx, cancel := context.WithCancel(b.Context())
				defer cancel()
				s := proc.Spec{Argv: []string{"true"}, Env: proc.Environ(os.Environ(), nil, "bench")}
				var ours, bash time.Duration
				for b.Loop() {
					began := time.Now()
					loop := fmt.Sprintf("for ((i=0;i<%d;i++)); do %s; done", runs, truth)
					if err := exec.CommandContext(ctx, "bash", "-c", loop).Run(); err != nil {
						b.Fatal(err)
					}
					bash += time.Since(began)
					began = time.Now()
					var group sync.WaitGroup
					for range workers {
						group.Go(func() {
							for range runs / workers {
								if exit, err := proc.Run(ctx, s, dog); err != nil || exit.Code != 0 {
									b.Error(exit, err)
									return
								}
							}
						})
					}
					group.Wait()
					ours += time.Since(began)
				}
				b.ReportMetric(float64(ours)/float64(bash), "x_bash")
				b.ReportMetric(float64(ours.Microseconds())/float64(b.N*runs), "µs/run")
			})
		}
	}
}
