package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/checkrow/checkrow/steps/browser/install"
)

// hasBrowser tells whether this machine can run browser rows. Under CI a missing browser is an error.
var hasBrowser = sync.OnceValues(func() (bool, error) {
	_, err := install.Find(context.Background(), install.Env{Environ: os.Environ()})
	if err != nil && os.Getenv("CI") == "true" {
		return false, fmt.Errorf("no browser, though this is CI: %w", err)
	}
	return err == nil, nil
})

// condition answers [browser].
func condition(cond string) (bool, error) {
	if cond == "browser" {
		return hasBrowser()
	}
	return false, fmt.Errorf("unknown condition %q", cond)
}

// procsGone waits until every process that a journal says was started has ended, and what was in its process group too,
// for at most two seconds. The journal must name at least one browser.
func procsGone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: procsgone JOURNAL")
	}
	groups, browsers := map[int]string{}, 0
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var e struct {
			Kind string
			Body struct {
				What string
				PID  int
			}
		}
		if json.Unmarshal([]byte(line), &e) != nil || e.Kind != "proc-start" {
			continue // a torn last line is no event
		}
		groups[e.Body.PID] = e.Body.What
		if e.Body.What == "browser" {
			browsers++
		}
	}
	if browsers == 0 {
		ts.Fatalf("%s names no browser: %v", args[0], groups)
	}
	var left []string
	if !eventually(2*time.Second, func() bool { left = members(groups); return len(left) == 0 }) {
		ts.Fatalf("two seconds later there is still %s", strings.Join(left, ", "))
	}
}

// members lists the living processes of some groups.
func members(groups map[int]string) []string {
	var out []string
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		var pid, parent, group int
		var state string
		head, rest, _ := strings.Cut(string(text), " (")
		if _, err := fmt.Sscan(head, &pid); err != nil {
			continue
		}
		if _, err := fmt.Sscan(rest[strings.LastIndex(rest, ") ")+2:], &state, &parent, &group); err != nil {
			continue
		}
		if what, ok := groups[group]; ok && state != "Z" {
			out = append(out, fmt.Sprintf("process %d of the %s", pid, what))
		}
	}
	return out
}
