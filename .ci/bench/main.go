// Command bench holds checkrow against a yardstick in the same run, on the same machine, with the same browser binary:
// Playwright Test from npm for what runs in a browser, a bash loop for processes. It prints ratios: below 1 checkrow
// needs less. Absolute figures depend on the machine and are shown for orientation only.
//
//	go run ./.ci/bench -checkrow bin/checkrow [-n RUNS] [-only NAME]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

// workload is one comparison: what both sides do, and the most that checkrow's share may be.
type workload struct {
	name string
	goal float64 // the ratio that is aimed for, the figure itself where nobody is compared with; 0: none
	ours func(b *bench) (float64, error)
	peer func(b *bench) (float64, error)
	unit string // of both figures: "s", "MB" or "%"
	runs int    // 0: as the flag says
}

// bench is one run of the whole table.
type bench struct {
	ctx      context.Context
	checkrow string // our binary, absolute
	browser  string // the browser binary of both sides
	dir      string // scratch
	peerDir  string // where Playwright Test is installed
	url      string // the page under test
}

func main() {
	binary := flag.String("checkrow", "bin/checkrow", "the checkrow binary")
	runs := flag.Int("n", 3, "runs of each side; the median counts")
	only := flag.String("only", "", "run only workloads whose name contains this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *binary, *runs, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary string, runs int, only string) error {
	abs, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "checkrow-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{ctx: ctx, checkrow: abs, dir: dir}
	if b.browser, err = findBrowser(); err != nil {
		return err
	}
	stop, err := b.serve()
	if err != nil {
		return err
	}
	defer stop()
	if err := b.write(); err != nil {
		return err
	}
	if b.peerDir, err = installPeer(ctx); err != nil {
		return err
	}
	fmt.Printf("browser of both sides: %s\n\n", b.browser)
	fmt.Printf("%-44s %10s %10s %7s %7s\n", "workload", "checkrow", "yardstick", "ratio", "goal")
	for _, w := range workloads() {
		if !strings.Contains(w.name, only) {
			continue
		}
		if err := b.compare(w, runs); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
	}
	return nil
}

// compare runs both sides in turns, so that a slow minute of the machine hits both, and prints the row of medians.
func (b *bench) compare(w workload, runs int) error {
	if w.runs > 0 {
		runs = w.runs
	}
	var ours, peer []float64
	for range runs {
		o, err := w.ours(b)
		if err != nil {
			return fmt.Errorf("checkrow: %w", err)
		}
		ours = append(ours, o)
		if w.peer == nil {
			continue
		}
		p, err := w.peer(b)
		if err != nil {
			return fmt.Errorf("yardstick: %w", err)
		}
		peer = append(peer, p)
	}
	show := func(v float64) string {
		if w.unit == "ms" {
			return fmt.Sprintf("%.1f ms", v*1000)
		}
		return fmt.Sprintf("%.3f %s", v, w.unit)
	}
	if w.peer == nil && w.goal > 0 {
		fmt.Printf("%-44s %10s %10s %7s %7.2f\n", w.name, show(median(ours)), "", "", w.goal)
		return nil
	}
	if w.peer == nil {
		fmt.Printf("%-44s %10s\n", w.name, show(median(ours)))
		return nil
	}
	goal := ""
	if w.goal > 0 {
		goal = fmt.Sprintf("%.2f", w.goal)
	}
	fmt.Printf("%-44s %10s %10s %7.2f %7s\n", w.name, show(median(ours)), show(median(peer)), median(ours)/median(peer), goal)
	return nil
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	if len(s)%2 == 1 {
		return s[len(s)/2]
	}
	return (s[len(s)/2-1] + s[len(s)/2]) / 2
}
