package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// command prepares one side; output is kept to explain a failure.
func (b *bench) command(ctx context.Context, argv []string) (*exec.Cmd, *bytes.Buffer) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "BENCH_URL="+b.url, "BENCH_BROWSER="+b.browser, "CHECKROW_BROWSER="+b.browser,
		"BENCH_OUT="+filepath.Join(b.dir, "peer-out"))
	return cmd, &out
}

// wall is the time in seconds from start to exit. A side that fails is an error: its time means nothing.
func (b *bench) wall(argv ...string) (float64, error) {
	cmd, out := b.command(b.ctx, argv)
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", argv[0], err, out)
	}
	return time.Since(start).Seconds(), nil
}

// maxRSS is the peak resident size of the process itself, in MB.
func (b *bench) maxRSS(argv ...string) (float64, error) {
	cmd, out := b.command(b.ctx, argv)
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", argv[0], err, out)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, fmt.Errorf("no resource usage on this system")
	}
	return float64(usage.Maxrss) / 1024, nil
}

// memory is the peak of the proportional set size of the whole process tree, in MB, sampled ten times a second.
func (b *bench) memory(argv ...string) (float64, error) {
	cmd, out := b.command(b.ctx, argv)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	peak, tick := 0.0, time.NewTicker(100*time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			if err != nil {
				return 0, fmt.Errorf("%s: %w\n%s", argv[0], err, out)
			}
			return peak, nil
		case <-tick.C:
			peak = max(peak, treePSS(cmd.Process.Pid))
		}
	}
}

// treePSS sums the proportional set size of a process and all below it, in MB.
func treePSS(root int) float64 {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has just ended
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		parent, _ := strconv.Atoi(fields[1])
		children[parent] = append(children[parent], pid)
	}
	total, todo := 0, []int{root}
	for len(todo) > 0 {
		pid := todo[0]
		todo = append(todo[1:], children[pid]...)
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
				kb, _ := strconv.Atoi(strings.Fields(rest)[0])
				total += kb
			}
		}
	}
	return float64(total) / 1024
}
