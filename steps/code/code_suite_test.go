package code_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/code"
	"github.com/checkrow/checkrow/steps/proc"
)

// TestMain lets the test binary pose as checkrow: it is the child of a cell when it is asked for one.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == code.ChildArg {
		os.Exit(code.ChildMain(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

func TestCode(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Code")
}

// spawner starts children without a watchdog.
type spawner struct{}

// Run implements steps.Spawner.
func (spawner) Run(ctx context.Context, c steps.Command) (steps.Exit, error) {
	x, err := proc.Run(ctx, proc.Spec{Argv: c.Argv, Dir: c.Dir, Env: c.Env, Stdin: c.Stdin, Limit: c.Limit, Grace: c.Grace, In: c.In, Out: c.Out}, nil)
	return steps.Exit{Code: x.Code, Signal: x.Signal, Stdout: x.Stdout, Stderr: x.Stderr, Took: x.Took, PID: x.PID}, err
}

// decode compiles one step of a suite.
func decode(kind steps.Kind, step string) (steps.Body, *diag.List) {
	GinkgoHelper()
	l := &diag.List{}
	text := "suite: s\ntests:\n  - name: t\n    steps:\n      - " + strings.ReplaceAll(strings.TrimRight(step, "\n"), "\n", "\n        ") + "\n"
	f := spec.Parse("s.yaml", []byte(text), l)
	if f.Suite == nil {
		return nil, l
	}
	sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Used: map[string]bool{}, Steps: map[string]spec.Type{},
		Names: map[string]spec.Type{"vars": {Base: spec.Struct, Fields: map[string]spec.Type{"n": {Base: spec.Int}, "user": {Base: spec.String}}}}}
	d := &steps.Decoder{Errs: l, Scope: sc, Kinds: map[string]steps.Kind{kind.Name: kind}}
	list := d.Steps(f.Suite.Tests[0].Steps, sc)
	if len(list) == 0 {
		return nil, l
	}
	return list[0].Body, l
}

// world is what a cell under test drives.
type world struct {
	rows   []string // that were sent, their cells joined
	at     []diag.Pos
	answer func(row string) steps.Observation
	self   string
	keep   map[string]string
}

func (w *world) env() steps.Env {
	GinkgoHelper()
	self := w.self
	if self == "" {
		var err error
		self, err = os.Executable()
		Expect(err).NotTo(HaveOccurred())
	}
	if self == "none" {
		self = ""
	}
	return steps.Env{Proc: spawner{}, Self: self, Root: GinkgoT().TempDir(), Values: spec.Values{"vars": map[string]any{"n": 2, "user": "ada"}},
		State: func() map[string]string { return w.keep },
		Row: func(_ context.Context, r steps.InnerRow) steps.Observation {
			row := strings.Join(r.Cells, " ")
			w.rows, w.at = append(w.rows, row), append(w.at, r.Pos)
			o := steps.OK(map[string]any{"text": row}, "text")
			if w.answer != nil {
				o = w.answer(row)
			}
			return o
		}}
}

// play runs a step to its end.
func (w *world) play(ctx context.Context, step string) steps.Observation {
	GinkgoHelper()
	body, l := decode(code.Kind, step)
	Expect(l.Err()).NotTo(HaveOccurred())
	since := time.Now()
	o := body.(steps.Opaque).Run(ctx, w.env())
	Expect(time.Since(since)).To(BeNumerically("<", 20*time.Second))
	return o
}

// cell is a step with a script.
func cell(script string, more ...string) string {
	return "code: |\n  " + strings.ReplaceAll(script, "\n", "\n  ") + "\n" + strings.Join(more, "\n")
}
