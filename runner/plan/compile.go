package plan

import (
	"bytes"
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
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
	share sharedServices

	projects projects
	data     datas
}

func newCompiler(o Options) *compiler {
	c := &compiler{o: o, kinds: make(map[string]steps.Kind, len(o.Kinds))}
	for _, k := range o.Kinds {
		c.kinds[k.Name] = k
	}
	c.frags.byAbs = map[string]*fragment{}
	c.projects.byRoot = map[string]*project{}
	c.data.byAbs = map[string]*dataFile{}
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

	reads    map[string]bool // services that an expression of the suite reads
	setup    spec.Type       // of setup.ID, for tests
	compiled []testState     // of each test of the file
	needing  []int           // tests that are being compiled, each needed by the one before it
	needs    spec.Type       // of needs.NAME, for the test that is being compiled

	outer map[string]outerClaim // files outside the run folder, by name in lower case

	wants  spec.Asked           // what its expressions ask for
	varies data                 // what multiplies every test
	given  map[string]spec.Type // matrix and each, for the test that is being compiled
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
	out.ReadOnly = s.ReadOnly
	out.Policy = c.policy(out.Root, s.Project)
	u := &unit{compiler: c, s: out, l: l, uses: &spec.EnvUses{}, reads: map[string]bool{}}
	if s.Project != nil {
		out.Project = c.share.of(c, s.Project, l)
		out.Sources[s.Project.File] = s.Project.Source
	}
	u.scopes()
	u.suiteVars()
	u.environment()
	u.services()
	if !s.BaseURL.IsZero() {
		out.BaseURL = spec.CompileText(s.BaseURL, u.scope(u.late, u.vars), l)
		out.HasBase = true
	}
	out.Outside = s.Outside
	if s.Project != nil {
		out.MaxRow = s.Project.MaxRow
	}
	out.Limits = limitsOf(s.Timeouts, spec.Timeouts{}, nil)
	out.Limit = cmp.Or(c.o.Timeouts.Suite, s.Timeouts.Suite)
	u.varies = u.varied(s.Matrix, s.Each, u.scope(u.early, u.early0))
	out.Browser = sessionOptions(spec.Browser{}, u.suiteBrowser(), out.Limits)
	ready := u.suiteHooks(s)
	u.setup = ready
	u.strayCheckpoints(out.Setup, out.Teardown)
	out.Rooms = u.hookRooms()
	u.sessions(ready)
	out.Dismiss = u.dismissals(s.Dismiss, u.scope(u.late, u.vars))
	u.compileTests()
	u.unique()
	for _, h := range u.allHooks {
		steps.Unused(h.before, h.used, l)
		steps.Unused(h.after, h.used, l)
	}
	u.judge()
	c.overlay(&out.Limits)
	out.cut(&out.Limits)
	out.Browser.Limits = out.Limits
	askBrowser(out)
	u.brands(out)
	out.useDirs()
	out.uses, out.reads, out.tags = u.uses.Uses, u.reads, tagsOf(out)
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
		u.lintCut(list)
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
	out := u.decoder(sc).Steps(n, sc)
	u.overrow(out)
	u.persons(out)
	return out
}

// decoder makes what steps of the suite are decoded with.
func (u *unit) decoder(sc *spec.Scope) *steps.Decoder {
	d := &steps.Decoder{Errs: u.l, Scope: sc, Kinds: u.kinds, Using: []string{u.s.Spec.File}, Sessions: sessionNames(u.s.Spec)}
	d.Load = func(path spec.Node) *spec.Fragment {
		if !u.mayRead(path) {
			return nil
		}
		f := u.fragment(path, u.l)
		if f != nil {
			u.s.Sources[f.File] = f.Source
		}
		return f
	}
	return d
}

// test compiles one test and gives its forms; none if it has no usable name.
func (u *unit) test(t *spec.Test, setup spec.Type) []*Test {
	out := &Test{Suite: u.s, Of: t, Pos: t.Pos, Tags: tags(u.s.Spec.Tags, t.Tags)}
	uses := &spec.EnvUses{}
	u.relations(t, out)
	data := u.dataOf(t, uses)
	outer := u.given
	u.given = data.shape
	defer func() { u.given = outer }()
	vars, known := u.testVars(t, out, uses)
	forms := u.former(t, out, data, vars, known, uses)
	sc := u.testScope(vars, setup, uses)
	if !t.If.IsZero() {
		out.If = spec.CompileExpr(t.If, u.withNeeds(sc), spec.Type{Base: spec.Bool}, u.l)
	}
	if !t.Skip.IsZero() {
		out.Skip, out.HasSkip = spec.CompileText(t.Skip, u.withNeeds(sc), u.l), true
	}
	out.Limits = limitsOf(u.s.Spec.Timeouts, t.Timeouts, t.Timeout)
	out.Retries = u.retries(t)
	u.verdicts(t, out)
	h := u.hooks
	if own := len(t.Vars) > 0 || t.Matrix != nil || !t.Each.IsZero(); h == nil || own {
		h = u.decodeHooks(sc, !own)
	}
	out.BeforeEach, out.AfterEach = h.before, h.after
	used := map[string]bool{}
	main := u.withNeeds(h.scope).Child()
	main.Page, main.Env, main.Used = true, uses, used
	out.Steps = u.decode(t.Steps, main)
	u.outputs(t, out, main)
	u.wanted(t, out, main)
	last := u.withNeeds(sc).Child()
	last.Page, last.Env, last.Used = true, uses, used
	addMaybe(last.Steps, h.scope.Steps)
	addMaybe(last.Steps, main.Steps)
	addVars(last, main)
	out.Finally = u.decode(t.Finally, last)
	steps.Unused(out.Steps, used, u.l)
	steps.Unused(out.Finally, used, u.l)
	maps.Copy(h.used, used)
	if len(out.Wanted) == 0 && !steps.Asserts(out.BeforeEach) && !steps.Asserts(out.Steps) && !steps.Asserts(out.Finally) && u.l.Len() == 0 {
		u.l.Lint(t.Pos, "the test asserts nothing", `end it with what must be true: - [expect, text, h1, "Thank you"]`)
	} else if u.l.Len() == 0 {
		u.lintEnding(out)
	}
	for _, list := range [][]steps.Step{out.BeforeEach, out.Steps, out.Finally, out.AfterEach} {
		out.NeedsBrowser = out.NeedsBrowser || needsBrowser(list)
	}
	for _, o := range out.Outputs {
		out.NeedsBrowser = out.NeedsBrowser || o.Expr.UsesPage()
	}
	u.checkSteps(out.Steps, out.Limits)
	u.checkSteps(out.Finally, out.Limits)
	u.lintCut(out.Steps, out.Finally)
	u.checkAttempt(out)
	out.uses = append(append(out.uses, h.uses...), uses.Uses...)
	u.where(t, out, sc)
	u.resumes(t, out)
	return forms.all(uses)
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
	u.strayCheckpoints(h.before, h.after)
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
		first := seen[t.Key.Name]
		switch {
		case first == nil:
			seen[t.Key.Name] = t
		case first.Of == t.Of && !t.row.IsZero():
			u.l.Add(t.row, `two rows make the name "`+t.Key.Name+`"`,
				"the first is at "+first.row.String()+"; a name is the identity of a test in every report")
		case sameWritten(first, t): // reported where the name stands
		default:
			u.l.Add(t.Pos, `two tests are named "`+t.Key.Name+`"`,
				"the first is at "+first.Pos.String()+"; a name is the identity of a test in every report")
		}
	}
}

// sameWritten tells that two tests have one name that is written out, which reading the file has reported.
func sameWritten(a, b *Test) bool {
	one, _ := a.Of.Name.Text()
	other, _ := b.Of.Name.Text()
	return a.Of != b.Of && one == other && !strings.Contains(one, "${{")
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
