package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// partFlags choose a part of what paths, --grep and --tag select: what failed last time, or one shard.
type partFlags struct {
	lastFailed string
	shard      string
	timings    string
}

func (p *partFlags) flags(fs *pflag.FlagSet) {
	fs.StringVar(&p.lastFailed, "last-failed", "", "only tests that the last run planned and that did not pass; `RUN` is another run than the last")
	fs.Lookup("last-failed").NoOptDefVal = lastName
	fs.StringVar(&p.shard, "shard", "", "only part `I/N` of the tests, see merge; locks do not hold across shards")
	fs.StringVar(&p.timings, "timings", "", "divide shards by the times in `FILE`, the timings.json of a run (default: by name)")
}

func (p *partFlags) failedOnly() bool { return p.lastFailed != "" }

// shardOf reads I/N.
func (p *partFlags) shardOf() (index, of int, err error) {
	if p.shard == "" {
		return 0, 0, nil
	}
	i, n, ok := strings.Cut(p.shard, "/")
	index, errI := strconv.Atoi(i)
	of, errN := strconv.Atoi(n)
	if !ok || errI != nil || errN != nil || of < 1 || index < 1 || index > of {
		return 0, 0, usagef("--shard %q is no I/N with I from 1 to N, such as 1/3", p.shard)
	}
	return index, of, nil
}

// validateParts refuses what cannot be meant.
func (p *partFlags) validateParts() error {
	if p.timings != "" && p.shard == "" {
		return usagef("--timings divides shards: it needs --shard I/N")
	}
	_, _, err := p.shardOf()
	return err
}

// previous reads the run that --last-failed means, before this run takes its place. nil: the flag is not set.
func (p *partFlags) previous(a *app) (*journal.State, error) {
	if p.lastFailed == "" {
		return nil, nil
	}
	dir, err := a.findRun(p.lastFailed)
	if err != nil {
		return nil, err
	}
	s, err := journal.Load(dir)
	var damage *journal.DamageError
	if err != nil && !errors.As(err, &damage) {
		return nil, usagef("--last-failed: %w", err)
	}
	return s, nil
}

// unmet tells a verdict that --last-failed runs again.
func unmet(s steps.Status) bool {
	switch s {
	case steps.Passed, steps.Flaky, steps.Skipped, steps.Quarantined, steps.KnownBug:
		return false
	}
	return true
}

// anyUnmet tells that a run has something for --last-failed.
func anyUnmet(s *journal.State) bool {
	if len(s.Broken) > 0 || unplanned(s) {
		return true
	}
	for _, t := range s.Tests {
		if unmet(t.Status) {
			return true
		}
	}
	return false
}

// noneFailed answers --last-failed when no test of the run before failed. That is well only if that run was: one that could
// not start, or was stopped while a suite was torn down, has nothing to choose from and is no reason to be green.
func (a *app) noneFailed(before *journal.State) error {
	code := journal.ExitLoaded(before)
	if code != ExitPassed && code != ExitFlaky {
		why := before.End.Reason
		if !before.Ended {
			why = "it was killed"
		}
		if why != "" {
			why = ": " + why
		}
		return usagef("--last-failed: no test of the last run failed, but that run ended with exit code %d%s; run without --last-failed", code, why)
	}
	a.printf("nothing to run: no test of the last run failed\n")
	return nil
}

// sameSuites gives the suites of the run that --last-failed means, if no path is given and they are there.
func (a *app) sameSuites(paths []string, before *journal.State) []string {
	if len(paths) > 0 || before == nil {
		return paths
	}
	for _, s := range before.Suites {
		if _, err := os.Stat(a.abs(s.Planned.File)); err == nil {
			paths = append(paths, s.Planned.File)
		}
	}
	return paths
}

// unplanned tells a run that ended, or was killed, before it knew its tests: none of them passed.
func unplanned(s *journal.State) bool {
	return len(s.Tests) == 0 && (!s.Ended || s.End.Exit != ExitPassed)
}

// maxGone is how many tests --last-failed names of those that are gone.
const maxGone = 5

// gone names the tests that did not pass last time and are not in the plan any more: renamed, removed, or their suite is.
// Where paths say which suites are meant it knows of these alone, and of a file with errors nothing.
func gone(before *journal.State, whole *plan.Plan, keys []steps.TestKey, paths bool) []string {
	have, here, broken := make(map[steps.TestKey]bool, len(keys)), map[string]bool{}, map[string]bool{}
	for i, t := range whole.Tests {
		have[keys[i]], here[t.Key.Suite] = true, true
	}
	for _, b := range whole.Broken {
		broken[b.File] = true
	}
	var out []string
	for _, t := range before.Tests {
		if key := t.Planned.Key; unmet(t.Status) && !have[key] && !broken[key.Suite] && (!paths || here[key.Suite]) {
			out = append(out, key.Suite+" › "+key.Name)
		}
	}
	if n := len(out) - maxGone; n > 0 {
		out = append(out[:maxGone], fmt.Sprintf("and %d more", n))
	}
	return out
}

// part takes a part of a plan and gives the tests that other shards run. paths: the command line names suites.
func (p *partFlags) part(a *app, whole *plan.Plan, m journal.Masker, before *journal.State, info *journal.RunInfo, paths bool) ([]journal.Other, error) {
	if before != nil {
		keys, err := journal.Keys(planned(whole, *info), m)
		if err != nil {
			return nil, err
		}
		if !whole.Partial { // else what is not there was left out
			if lost := gone(before, whole, keys, paths); len(lost) > 0 {
				a.warnf("--last-failed: not there any more, and not run: %s", strings.Join(lost, ", "))
			}
		}
		wanted := make(map[steps.TestKey]bool, len(keys))
		for i, t := range whole.Tests {
			was := before.Test(keys[i])
			broken := slices.ContainsFunc(before.Broken, func(b journal.BrokenFile) bool { return b.File == t.Key.Suite })
			wanted[t.Key] = was != nil && unmet(was.Status) || was == nil && (broken || unplanned(before))
		}
		whole.Only(func(t *plan.Test) bool { return wanted[t.Key] })
		if len(whole.Tests) == 0 {
			return nil, usagef("no test selected: none of those that did not pass last time is there")
		}
	}
	index, n, err := p.shardOf()
	if err != nil || n == 0 {
		return nil, err
	}
	timings, err := a.readTimings(p.timings)
	if err != nil {
		return nil, err
	}
	split := whole.Split(n, timings)
	var others []journal.Other
	for _, t := range whole.Tests {
		if at := split.At(t.Key); at != index {
			others = append(others, journal.Other{Key: t.Key, Shard: at})
		}
	}
	whole.Only(func(t *plan.Test) bool { return split.At(t.Key) == index })
	info.Shard = &journal.Shard{Index: index, Of: n, Plan: split.Digest}
	if len(whole.Tests) == 0 {
		a.warnf("shard %s is empty: the others run all %s", p.shard, plural(len(others), "test"))
	}
	return others, nil
}

// timingsFile is the form of timings.json.
type timingsFile struct {
	Version int            `json:"version"`
	Tests   []timingOfTest `json:"tests"`
}

// timingOfTest is how long a test took, all its attempts.
type timingOfTest struct {
	Suite string `json:"suite"`
	Name  string `json:"name"`
	MS    int64  `json:"ms"`
}

// readTimings reads the times of tests. A file that is not there yet, as before the first run of a CI, is no error.
func (a *app) readTimings(name string) (map[steps.TestKey]time.Duration, error) {
	if name == "" {
		return nil, nil
	}
	text, err := os.ReadFile(a.abs(name))
	if errors.Is(err, fs.ErrNotExist) {
		a.warnf("--timings: there is no %s yet, shards are divided by name", name)
		return nil, nil
	}
	if err != nil {
		return nil, environment(fmt.Errorf("reading the timings: %w", err))
	}
	var f timingsFile
	if err := json.Unmarshal(text, &f); err != nil || f.Version != 1 {
		return nil, usagef("--timings: %s is no timings.json of checkrow", name)
	}
	out := make(map[steps.TestKey]time.Duration, len(f.Tests))
	for _, t := range f.Tests {
		out[steps.TestKey{Suite: t.Suite, Name: t.Name}] = time.Duration(t.MS) * time.Millisecond
	}
	return out, nil
}
