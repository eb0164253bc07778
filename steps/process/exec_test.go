package process_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/proc"
	"github.com/checkrow/checkrow/steps/process"
)

// spawner runs real processes.
type spawner struct{}

func (spawner) Run(ctx context.Context, c steps.Command) (steps.Exit, error) {
	x, err := proc.Run(ctx, proc.Spec{Argv: c.Argv, Dir: c.Dir, Env: c.Env, Stdin: c.Stdin, Limit: c.Limit, Grace: c.Grace}, nil)
	return steps.Exit{Code: x.Code, Signal: x.Signal, Stdout: x.Stdout, Stderr: x.Stderr, Dropped: x.Dropped, PID: x.PID, Took: x.Took}, err
}

var _ = Describe("exec", func() {
	var root string

	BeforeEach(func() {
		root = GinkgoT().TempDir()
		script := "#!/bin/sh\necho \"$PWD $1 $CITY\"\ncat\necho oops >&2\nexit ${2:-0}\n"
		Expect(os.WriteFile(filepath.Join(root, "prog"), []byte(script), 0o755)).To(Succeed())
	})

	// step decodes one step with vars.n.
	step := func(yaml string) steps.Step {
		GinkgoHelper()
		var l diag.List
		src := "suite: s\ntests:\n  - name: t\n    steps:\n      - " + strings.ReplaceAll(yaml, "\n", "\n        ") + "\n"
		s := spec.Parse("s.yaml", []byte(src), &l).Suite
		sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Steps: map[string]spec.Type{}, Names: map[string]spec.Type{
			"vars": {Base: spec.Struct, Fields: map[string]spec.Type{"n": {Base: spec.Int}}}}}
		d := &steps.Decoder{Errs: &l, Scope: sc, Kinds: map[string]steps.Kind{"exec": process.Kind}}
		list := d.Steps(s.Tests[0].Steps, sc)
		Expect(l.Err()).NotTo(HaveOccurred())
		return list[0]
	}
	run := func(ctx context.Context, yaml string) steps.Observation {
		GinkgoHelper()
		body := step(yaml).Body.(steps.Opaque)
		Expect(body.Safe).To(BeFalse())
		Expect(body.Checks).To(BeTrue())
		return body.Run(ctx, steps.Env{Proc: spawner{}, Root: root, Environ: []string{"PATH=" + os.Getenv("PATH"), "CITY=Kyiv"},
			Values: spec.Values{"vars": map[string]any{"n": 3}}})
	}

	It("runs in the project root with the declared environment and input", func(ctx SpecContext) {
		o := run(ctx, `exec: [./prog, "${{ vars.n }}"]
stdin: "in ${{ vars.n }}\n"
env: { CITY: Lviv }`)
		Expect(o.Error).To(BeEmpty())
		Expect(o.Success).To(BeTrue())
		real, err := filepath.EvalSymlinks(root)
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Data).To(HaveKeyWithValue("exit", 0))
		Expect(o.Data["stdout"]).To(BeElementOf(root+" 3 Lviv\nin 3\n", real+" 3 Lviv\nin 3\n"))
		Expect(o.Data).To(HaveKeyWithValue("stderr", "oops\n"))
		Expect(o.Value).To(HaveSuffix("in 3"))
		Expect(o.Argv).To(Equal([]string{"./prog", "3"}))
	}, SpecTimeout(time.Minute))

	It("fails on an exit code", func(ctx SpecContext) {
		o := run(ctx, `exec: [./prog, x, "4"]`)
		Expect(o.Success).To(BeFalse())
		Expect(o.Category).To(Equal(steps.Process))
		Expect(o.Sub).To(Equal("exit-status"))
		Expect(o.Error).To(Equal(`"./prog" exited with 4, expected 0`))
		Expect(o.Detail.Output).To(ContainSubstring("oops"))
		Expect(o.Data).To(HaveKeyWithValue("exit", 4))
	}, SpecTimeout(time.Minute))

	It("leaves the exit code to an expect that reads it", func(ctx SpecContext) {
		o := run(ctx, "exec: [./prog, x, \"4\"]\nexpect: [exit == 4, stderr != \"\"]")
		Expect(o.Success).To(BeTrue())
		Expect(run(ctx, "exec: [./prog, x, \"4\"]\nexpect: stderr != \"\"").Success).To(BeFalse())
	}, SpecTimeout(time.Minute))

	It("says that a program cannot be started", func(ctx SpecContext) {
		for _, program := range []string{"./nope", "nope-nope-nope"} {
			o := run(ctx, "exec: ["+program+"]")
			Expect(o.Category).To(Equal(steps.Process))
			Expect(o.Sub).To(Equal("not-startable"))
			Expect(o.Error).To(ContainSubstring(program))
		}
	}, SpecTimeout(time.Minute))

	It("says that a signal ended it", func(ctx SpecContext) {
		o := run(ctx, `exec: [sh, -c, "kill -9 $$"]`)
		Expect(o.Category).To(Equal(steps.Process))
		Expect(o.Sub).To(Equal("signal"))
		Expect(o.Error).To(ContainSubstring("killed"))
	}, SpecTimeout(time.Minute))

	It("ends with the time it has", func(ctx SpecContext) {
		short, cancel := context.WithTimeoutCause(ctx, 500*time.Millisecond, errors.New("this step ran longer than 100ms"))
		defer cancel()
		started := time.Now()
		o := run(short, "exec: [sleep, \"20\"]\ntimeout: 100ms")
		Expect(time.Since(started)).To(BeNumerically("<", 15*time.Second))
		Expect(o.Category).To(Equal(steps.Timeout))
		Expect(o.Error).To(Equal("this step ran longer than 100ms"))
	}, SpecTimeout(time.Minute))

	It("makes text of output that is none", func(ctx SpecContext) {
		o := run(ctx, `exec: [printf, 'a\377b']`)
		Expect(o.Data).To(HaveKeyWithValue("stdout", "a\uFFFDb"))
	}, SpecTimeout(time.Minute))

	It("shows the end of long output", func(ctx SpecContext) {
		o := run(ctx, `exec: [sh, -c, "seq 1 5000; exit 1"]`)
		Expect(len(o.Detail.Output)).To(BeNumerically("<", 5000))
		Expect(o.Detail.Output).To(HaveSuffix("\n5000"))
	}, SpecTimeout(time.Minute))

	It("fails on a text that cannot be rendered", func(ctx SpecContext) {
		body := step(`exec: [echo, "${{ vars.n }}"]`).Body.(steps.Opaque)
		o := body.Run(ctx, steps.Env{Proc: spawner{}, Root: root, Values: spec.Values{"vars": map[string]any{"n": nil}}})
		Expect(o.Category).To(Equal(steps.Validation))
		Expect(o.Error).To(ContainSubstring("argument 1"))
	})
})
