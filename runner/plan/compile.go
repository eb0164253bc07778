package plan

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// compiler holds what all suites of one load share.
type compiler struct {
	o     Options
	kinds map[string]steps.Kind
	frags fragments
	roots sync.Map // folder -> project root
}

func newCompiler(o Options) *compiler {
	c := &compiler{o: o, kinds: make(map[string]steps.Kind, len(o.Kinds))}
	for _, k := range o.Kinds {
		c.kinds[k.Name] = k
	}
	c.frags.byAbs = map[string]*fragment{}
	return c
}

// unit is the compilation of one suite.
type unit struct {
	*compiler
	s    *Suite
	l    *diag.List
	uses *spec.EnvUses // of what every test of the suite needs

	early    *spec.Scope // env, secrets, suite, run
	late     *spec.Scope // and services
	vars     map[string]spec.Type
	early0   map[string]spec.Type // of vars, what is known before services are up
	hooks    *hooks               // before_each and after_each of tests without vars of their own
	allHooks []*hooks
}

// hooks are the decoded before_each and after_each, with the ids that before_each defines.
type hooks struct {
	before, after []steps.Step
	scope         *spec.Scope
	uses          []spec.EnvUse
	used          map[string]bool // ids that expressions read, those of the tests too
}

// compile turns a parsed suite into a plan's suite; its tests are all there, not yet selected.
func (c *compiler) compile(s *spec.Suite, l *diag.List) *Suite {
	out := &Suite{Spec: s, File: filepath.ToSlash(s.File), Name: s.Name, Sources: map[string][]byte{s.File: s.Source}}
	out.Dir = filepath.Dir(c.abs(s.File))
	out.Root = c.root(out.Dir)
	u := &unit{compiler: c, s: out, l: l, uses: &spec.EnvUses{}}
	u.scopes()
	u.suiteVars()
	u.environment()
	u.services()
	if !s.BaseURL.IsZero() {
		out.BaseURL = spec.CompileText(s.BaseURL, u.scope(u.late, u.vars), l)
		out.HasBase = true
	}
	out.Limits = limitsOf(s.Timeouts, spec.Timeouts{}, nil)
	out.Limit = s.Timeouts.Suite
	out.Browser = sessionOptions(s.Browser, spec.Browser{}, out.Limits)
	ready := u.suiteHooks(s)
	for i := range s.Tests {
		if t := u.test(&s.Tests[i], ready); t != nil {
			out.Tests = append(out.Tests, t)
		}
	}
	u.unique()
	for _, h := range u.allHooks {
		steps.Unused(h.before, h.used, l)
		steps.Unused(h.after, h.used, l)
	}
	out.UsesDir = usesDir(out.Sources)
	out.uses = u.uses.Uses
	return out
}

// suiteHooks decodes setup and teardown and gives what setup.ID is for tests.
func (u *unit) suiteHooks(s *spec.Suite) spec.Type {
	used := map[string]bool{}
	setup := u.stepScope(u.vars, spec.Type{Base: spec.Struct}, used)
	u.s.Setup = u.decode(s.Setup, setup)
	for id := range setup.Steps {
		// What tests and teardown read of it is setup.ID, which no scope collects.
		used[id] = used[id] || bytes.Contains(s.Source, []byte("setup."+id))
	}
	steps.Unused(u.s.Setup, used, u.l)
	used = map[string]bool{}
	u.s.Teardown = u.decode(s.Teardown, u.stepScope(u.vars, setupType(setup.Steps, true), used))
	steps.Unused(u.s.Teardown, used, u.l)
	for _, list := range [][]steps.Step{u.s.Setup, u.s.Teardown} {
		u.checkSteps(list, u.s.Limits)
		u.checkBatches(list)
		u.claim(list, "", map[string]diag.Pos{})
	}
	return setupType(setup.Steps, false)
}

// decode decodes a list of steps in scope sc, which takes their ids.
func (u *unit) decode(n spec.Node, sc *spec.Scope) []steps.Step {
	if n.IsZero() {
		return nil
	}
	d := &steps.Decoder{Errs: u.l, Scope: sc, Kinds: u.kinds, Using: []string{u.s.Spec.File}}
	d.Load = func(path spec.Node) *spec.Fragment {
		f := u.fragment(path, u.l)
		if f != nil {
			u.s.Sources[f.File] = f.Source
		}
		return f
	}
	return d.Steps(n, sc)
}

// test compiles one test; nil if it has no usable name.
func (u *unit) test(t *spec.Test, setup spec.Type) *Test {
	out := &Test{Suite: u.s, Pos: t.Pos, Tags: tags(u.s.Spec.Tags, t.Tags)}
	uses := &spec.EnvUses{}
	vars, known := u.testVars(t, out, uses)
	out.Key = steps.TestKey{Suite: u.s.File, Name: u.name(t, vars, known, out.Vars, uses)}
	sc := u.testScope(vars, setup, uses)
	if !t.If.IsZero() {
		out.If = spec.CompileExpr(t.If, sc, spec.Type{Base: spec.Bool}, u.l)
	}
	if !t.Skip.IsZero() {
		out.Skip, out.HasSkip = spec.CompileText(t.Skip, sc, u.l), true
	}
	out.Limits = limitsOf(u.s.Spec.Timeouts, t.Timeouts, t.Timeout)
	out.Browser = sessionOptions(u.s.Spec.Browser, t.Browser, out.Limits)
	out.Retries = u.retries(t)
	h := u.hooks
	if h == nil || len(t.Vars) > 0 {
		h = u.decodeHooks(sc, len(t.Vars) == 0)
	}
	out.BeforeEach, out.AfterEach = h.before, h.after
	used := map[string]bool{}
	main := h.scope.Child()
	main.Page, main.Env, main.Used = true, uses, used
	out.Steps = u.decode(t.Steps, main)
	last := sc.Child()
	last.Page, last.Env, last.Used = true, uses, used
	addMaybe(last.Steps, h.scope.Steps)
	addMaybe(last.Steps, main.Steps)
	addVars(last, main)
	out.Finally = u.decode(t.Finally, last)
	steps.Unused(out.Steps, used, u.l)
	steps.Unused(out.Finally, used, u.l)
	maps.Copy(h.used, used)
	if !steps.Asserts(out.BeforeEach) && !steps.Asserts(out.Steps) && !steps.Asserts(out.Finally) && u.l.Len() == 0 {
		u.l.Lint(t.Pos, "the test asserts nothing", `end it with what must be true: - [expect, text, h1, "Thank you"]`)
	}
	for _, list := range [][]steps.Step{out.BeforeEach, out.Steps, out.Finally, out.AfterEach} {
		out.NeedsBrowser = out.NeedsBrowser || needsBrowser(list)
	}
	u.checkSteps(out.Steps, out.Limits)
	u.checkSteps(out.Finally, out.Limits)
	u.checkAttempt(out)
	out.uses = append(append(out.uses, h.uses...), uses.Uses...)
	if out.Key.Name == "" {
		return nil
	}
	return out
}

// decodeHooks decodes before_each and after_each for a test's vars; shared if the test has none of its own.
func (u *unit) decodeHooks(sc *spec.Scope, shared bool) *hooks {
	uses := &spec.EnvUses{}
	h := &hooks{scope: sc.Child(), used: map[string]bool{}}
	u.allHooks = append(u.allHooks, h)
	h.scope.Page, h.scope.Env, h.scope.Used = true, uses, h.used
	h.before = u.decode(u.s.Spec.BeforeEach, h.scope)
	end := sc.Child()
	end.Page, end.Env, end.Used = true, uses, h.used
	addMaybe(end.Steps, h.scope.Steps)
	h.after = u.decode(u.s.Spec.AfterEach, end)
	u.checkSteps(h.before, u.s.Limits)
	u.checkSteps(h.after, u.s.Limits)
	h.uses = uses.Uses
	if shared {
		u.hooks = h
	}
	return h
}

// retries resolves how many further attempts a test has.
func (u *unit) retries(t *spec.Test) int {
	switch {
	case u.o.Retries != nil:
		return *u.o.Retries
	case t.Retries != nil:
		return *t.Retries
	case u.s.Spec.Retries != nil:
		return *u.s.Spec.Retries
	}
	return 0
}

// unique reports tests with the same name: it is their identity in every report.
func (u *unit) unique() {
	seen := make(map[string]*Test, len(u.s.Tests))
	for _, t := range u.s.Tests {
		if first := seen[t.Key.Name]; first != nil {
			u.l.Add(t.Pos, `two tests are named "`+t.Key.Name+`"`,
				"the first is at "+first.Pos.String()+"; a name is the identity of a test in every report")
			continue
		}
		seen[t.Key.Name] = t
	}
}

func tags(suite, test []string) []string {
	if len(test) == 0 {
		return suite
	}
	out := slices.Clone(suite)
	for _, t := range test {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}
