package runner_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// noMask masks nothing.
type noMask struct{}

func (noMask) Mask(b []byte) []byte { return b }

// script is a program of the suites under test: it notes its first argument in the log and exits with the second.
const script = "#!/bin/sh\necho \"$1\" >> \"$LOG\"\nexit ${2:-0}\n"

// outcome is what a run left.
type outcome struct {
	exit  int
	err   error
	state *journal.State
	dir   string // of the suites
	run   string // run folder
}

// log gives what the script noted, in order.
func (o outcome) log() []string {
	b, err := os.ReadFile(filepath.Join(o.dir, "log.txt"))
	if err != nil {
		return nil
	}
	return strings.Fields(string(b))
}

// test finds the state of a test by its name.
func (o outcome) test(name string) *journal.Test {
	GinkgoHelper()
	for _, t := range o.state.Tests {
		if t.Planned.Key.Name == name {
			return t
		}
	}
	Fail("no test " + name)
	return nil
}

// last is the last attempt of a test.
func (o outcome) last(name string) *journal.Attempt {
	GinkgoHelper()
	a := o.test(name).Attempts
	Expect(a).NotTo(BeEmpty())
	return a[len(a)-1]
}

// setting changes the options of a run.
type setting func(*runner.Options, *plan.Options)

// write puts files into a new folder, with the script beside them.
func write(files map[string]string) string {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
		Expect(os.WriteFile(path, []byte(strings.ReplaceAll(text, "\t", "  ")), 0o600)).To(Succeed())
	}
	Expect(os.WriteFile(filepath.Join(dir, "note"), []byte(script), 0o700)).To(Succeed())
	return dir
}

// load compiles the suites of a folder and expects no error.
func load(dir string, o plan.Options) *plan.Plan {
	GinkgoHelper()
	o.Kinds, o.NeedEnv, o.Dir = append(standard.Kinds(), o.Kinds...), true, dir
	var l diag.List
	p := plan.Load([]string{"."}, o, &l)
	Expect(l.Err()).NotTo(HaveOccurred())
	return p
}

// play runs suites and gives what became of them.
func play(ctx context.Context, files map[string]string, settings ...setting) outcome {
	GinkgoHelper()
	out := outcome{dir: write(files), run: GinkgoT().TempDir()}
	w, err := journal.Create(out.run, noMask{}, nil)
	Expect(err).NotTo(HaveOccurred())
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	po := plan.Options{}
	o := runner.Options{Journal: w, Dir: out.run, Self: self, Workers: 2,
		Environ: append(os.Environ(), "SELF="+self)}
	po.LookupEnv = func(name string) (string, bool) {
		if name == "SELF" {
			return self, true
		}
		return os.LookupEnv(name)
	}
	for _, s := range settings {
		s(&o, &po)
	}
	out.exit, out.err = runner.Run(ctx, load(out.dir, po), o)
	Expect(w.Close()).To(Succeed())
	out.state, err = journal.Load(out.run)
	Expect(err).NotTo(HaveOccurred())
	return out
}

// suite gives the text of a suite whose children note into log.txt.
func suite(body string) map[string]string {
	return map[string]string{"a.yaml": "suite: a\nenv: { LOG: \"${{ suite.dir }}/log.txt\" }\n" + body}
}

var _ steps.Engine = (*fakeEngine)(nil)
