// Package specs registers checkrow suites as Ginkgo specs: a container for each suite, a spec for each test, tags as labels.
// `ginkgo -p` spreads them over its processes, each of which starts one browser; focus, label filters and Ginkgo's reports
// work as for any spec.
//
//	var checks = specs.Register(specs.Options{Paths: []string{"suites"}, Environ: os.Environ()})
//
//	var _ = AfterSuite(checks.Close)
//
// Every spec is a run of its own: setup, teardown and services of its suite happen for each. Where that costs too much, a
// single spec that runs the whole suite by [runner.Run] is the better form.
package specs

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// Options say which suites become specs and what they run with.
type Options struct {
	Paths   []string // files and folders; default: the folder Dir
	Dir     string   // relative paths start here; "": the folder of the test
	Tag     string   // a tag expression: "smoke and not slow"; "": all tests
	Vars    map[string]string
	Environ []string // NAME=value: env.NAME, secrets and what children inherit; mostly os.Environ()
	// Self is the path of a checkrow binary, for what runs in children of it: code steps, and the watchdog that ends
	// browsers and services when the test binary is killed. Without it code steps fail.
	Self string
	// Output is the folder for the run folders of specs that failed; "": .checkrow/specs below Dir.
	Output string
	// Engine opens browser sessions; nil: the browser of this machine. Whoever gives one closes it.
	Engine steps.Engine
	// Timeout ends a spec; 0: five minutes.
	Timeout time.Duration
}

// Checks are the registered specs.
type Checks struct {
	o      Options
	engine *engine
}

// Register builds the containers and specs. It is called while Ginkgo builds its tree: at the top level of a test file, or
// in a container. Suites that are not valid become one spec that fails and says why.
func Register(o Options) *Checks {
	c := newChecks(o)
	p, err := c.load(c.o.Paths, nil)
	if err != nil {
		ginkgo.It("has suites that are valid", func() { ginkgo.Fail(err.Error()) })
		return c
	}
	for _, s := range p.Suites {
		c.suite(s)
	}
	return c
}

func newChecks(o Options) *Checks {
	if len(o.Paths) == 0 {
		o.Paths = []string{"."}
	}
	o.Dir = cmp.Or(o.Dir, ".")
	o.Output = cmp.Or(o.Output, filepath.Join(o.Dir, ".checkrow", "specs"))
	o.Timeout = cmp.Or(o.Timeout, 5*time.Minute)
	return &Checks{o: o, engine: &engine{environ: o.Environ, own: o.Engine}}
}

// Close ends the browser of this process. It is meant for AfterSuite.
func (c *Checks) Close(ctx context.Context) { c.engine.close(ctx) }

// load compiles suites; only names the one test that is wanted.
func (c *Checks) load(paths []string, only *steps.TestKey) (*plan.Plan, error) {
	dir, err := filepath.Abs(c.o.Dir)
	if err != nil {
		return nil, fmt.Errorf("finding %q: %w", c.o.Dir, err)
	}
	o := plan.Options{Kinds: standard.Kinds(), Tag: c.o.Tag, Vars: c.o.Vars, Dir: dir, LookupEnv: c.lookup, NeedEnv: only != nil}
	if only != nil {
		o.Grep = regexp.MustCompile("^" + regexp.QuoteMeta(only.Suite) + " › .* › " + regexp.QuoteMeta(only.Name) + "$")
	}
	var l diag.List
	p := plan.Load(paths, o, &l)
	if err := l.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

func (c *Checks) lookup(name string) (string, bool) {
	for _, e := range slices.Backward(c.o.Environ) {
		if k, v, ok := strings.Cut(e, "="); ok && k == name {
			return v, true
		}
	}
	return "", false
}

// suite registers one suite. Tests that run in file order are an ordered container; a lock is held over all processes by
// a serial spec.
func (c *Checks) suite(s *plan.Suite) {
	args := []any{}
	if s.Serial {
		args = append(args, ginkgo.Ordered)
	}
	args = append(args, func() {
		for _, t := range s.Tests {
			key := t.Key
			decorations := []any{ginkgo.Label(labels(t.Tags)...), ginkgo.SpecTimeout(c.o.Timeout)}
			if len(t.Locks) > 0 && !s.Serial {
				decorations = append(decorations, ginkgo.Serial)
			}
			decorations = append(decorations, func(ctx ginkgo.SpecContext) { c.test(ctx, s.File, key) })
			ginkgo.It(key.Name, decorations...)
		}
	})
	if s.Serial && slices.ContainsFunc(s.Tests, func(t *plan.Test) bool { return len(t.Locks) > 0 }) {
		args = append([]any{ginkgo.Serial}, args...)
	}
	ginkgo.Describe(cmp.Or(s.Name, s.File), args...)
}

// labels makes labels of tags: some characters mean something in a filter.
func labels(tags []string) []string {
	out := make([]string, len(tags))
	for i, t := range tags {
		out[i] = strings.Map(func(r rune) rune {
			if strings.ContainsRune("&|!,()/: ", r) {
				return '-'
			}
			return r
		}, t)
	}
	return out
}
