package runner

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// login is a session that a suite declares, while the suite runs: what its login left, for every fresh context.
type login struct {
	plan *plan.Session

	// Of the scheduler, under its lock: a worker logs in or is about to, so that others that need it wait without a worker.
	busy bool
	over bool // it was tried

	mu   sync.Mutex // held while somebody logs in
	file string     // of the storage state
	n    int        // how often it was logged in
	bad  *journal.Failure
}

func newLogins(s *plan.Suite) map[string]*login {
	if len(s.Sessions) == 0 {
		return nil
	}
	out := make(map[string]*login, len(s.Sessions))
	for _, x := range s.Sessions {
		out[x.Name] = &login{plan: x}
	}
	return out
}

// free tells that no other worker is logging in for a test. The scheduler's lock must be held.
func (s *suiteRun) free(t *plan.Test) bool {
	for _, name := range t.Logins {
		if s.logins[name].busy {
			return false
		}
	}
	return true
}

// claim notes that whoever takes the test logs in first. The scheduler's lock must be held.
func (s *suiteRun) claim(t *plan.Test) {
	for _, name := range t.Logins {
		if l := s.logins[name]; !l.over {
			l.busy = true
		}
	}
}

// logIn logs in for a test before its first attempt, outside its time, and lets the tests go on that wait for it. A
// failure is that of a login: the test does not run.
func (s *suiteRun) logIn(ctx context.Context, t *plan.Test) *journal.Failure {
	for _, name := range t.Logins {
		if _, _, bad := s.logins[name].ensure(ctx, s, 0); bad != nil {
			return bad
		}
	}
	return nil
}

// loggedIn says that the worker of a test will not log in any more: it has, or the test did not come to it.
func (s *scheduler) loggedIn(r *suiteRun, t *plan.Test) {
	if len(t.Logins) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range t.Logins {
		r.logins[name].busy = false
	}
	s.change.Broadcast()
}

// loginWords is what is said of a test whose login failed.
func loginWords(bad *journal.Failure) string {
	return "setup failed: login of " + strconv.Quote(bad.Session) + ": " + bad.Message
}

// ensure gives the storage state that is newer than the stale one, logging in if there is none.
func (l *login) ensure(ctx context.Context, s *suiteRun, stale int) (file string, n int, bad *journal.Failure) {
	if l.plan.Login == nil {
		return "", 0, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bad != nil || l.n > stale {
		return l.file, l.n, l.bad
	}
	start := time.Now()
	file, bad = l.run(ctx, s)
	if bad != nil && (bad.Category == steps.Interrupted || s.run.life.stopped() != nil) {
		return "", 0, bad // the next need, if there is one, tries again
	}
	s.run.sched.mu.Lock()
	l.over = true
	s.run.sched.mu.Unlock()
	_ = s.run.append(journal.Event{Suite: s.plan.File, Phase: journal.PhaseLogin, Session: l.plan.Name, Pos: l.plan.Pos,
		Body: journal.LoginEnd{Session: l.plan.Name, Failure: bad, Took: time.Since(start)}}, journal.Kernel)
	if bad != nil {
		l.bad = bad
		return "", 0, bad
	}
	l.file, l.n = file, l.n+1
	return l.file, l.n, nil
}

// run runs the login in a context of its own and puts what it leaves into the private store.
func (l *login) run(ctx context.Context, s *suiteRun) (string, *journal.Failure) {
	p, f, err := s.player(ctx, journal.PhaseLogin)
	if err != nil {
		return "", asLogin(s.broken(l.plan.Pos, journal.PhaseLogin, steps.Setup, err), l.plan.Name)
	}
	p.seat, p.seats = seated(l.plan.Name)
	p.seat.bare = true
	name := "login-" + s.run.slug(l.plan.Name) + s.run.suffix()
	if l.n > 0 {
		name += "-" + strconv.Itoa(l.n+1)
	}
	p.folder = s.run.store.Folder(s.folder+"/"+name, s.plan.Outside)
	defer p.folder.Close()
	defer p.closeSession()
	lctx, le := s.run.life.enter(ctx, running, p.limits.Test, &Limit{"login", p.limits.Test})
	defer le.end()
	p.clock = le
	bad := p.list(lctx, f, l.plan.Login, "")
	if bad == nil && len(p.soft) > 0 {
		bad = p.soft[0]
	}
	var b *journal.Failure
	if bad != nil {
		b = p.failure(bad)
	}
	var file string
	if b = p.healthOf(ctx, b, l.plan.Pos); b == nil {
		if file, bad = l.keep(lctx, p); bad != nil {
			b = p.failure(bad)
		}
	}
	for _, w := range p.warnings {
		s.event(journal.Warning{Text: "login of " + l.plan.Name + ": " + w}, journal.Buffered)
	}
	if b == nil {
		return file, nil
	}
	b.Rerun = rerun(diag.Pos{File: s.plan.File})
	p.collect(ctx, b)
	p.recorded(ctx, true, b)
	return "", asLogin(b, l.plan.Name)
}

// asLogin makes a failure that of a login.
func asLogin(b *journal.Failure, session string) *journal.Failure {
	b = asSetup(b)
	b.Phase, b.Session = journal.PhaseLogin, session
	return b
}

// keep puts the storage state of a login into the private store.
func (l *login) keep(ctx context.Context, p *player) (string, *failed) {
	fail := func(c steps.Category, err error) *failed {
		o := steps.Fail(c, "", "what the login left cannot be kept: "+err.Error())
		var known steps.Observed
		if errors.As(err, &known) {
			o = known.Observation()
		}
		if end, over := ended(ctx); over {
			o = end
		}
		return p.fail(call{list: l.plan.Login, path: "1"}, o)
	}
	if p.session == nil {
		return "", fail(steps.Setup, errors.New("it opened no page"))
	}
	from, can := p.session.(steps.Stored)
	if !can {
		return "", fail(steps.Internal, errors.New("this browser engine does not hand out its storage"))
	}
	state, err := from.StorageState(ctx)
	if err != nil {
		return "", fail(steps.Environment, err)
	}
	file, err := p.run.vault.Put(p.suite.plan.Name+" "+l.plan.Name+".json", state)
	if err != nil {
		return "", fail(steps.Environment, err)
	}
	return file, nil
}

// context opens a fresh browser context for the player's session, with what its login left.
func (p *player) context(ctx context.Context) (n int, bad *steps.Observation) {
	o := p.options
	o.Record = recordOf(o.Capture, p.attempt)
	if o.StorageState != "" {
		o.StorageState = p.run.abs(o.StorageState)
	}
	if bad, ok := p.restored(ctx, o); ok {
		return 0, bad
	}
	if l := p.suite.logins[p.seat.name]; l != nil && !p.seat.bare {
		file, n, bad := l.ensure(ctx, p.suite, 0)
		if bad != nil {
			return 0, notLoggedIn(bad)
		}
		if file != "" {
			o.StorageState = file
		}
		return n, p.launch(ctx, o)
	}
	return 0, p.launch(ctx, o)
}

// launch opens a browser context as the player's session.
func (p *player) launch(ctx context.Context, o steps.SessionOptions) *steps.Observation {
	if bad := p.crowded(); bad != nil {
		return bad
	}
	octx, cancel := context.WithTimeoutCause(ctx, openLimit, &Limit{"start of the browser", openLimit})
	defer cancel()
	s, err := p.run.o.Engine.Open(octx, o)
	if err != nil {
		bad := p.openFailed(octx, err)
		if bad.Category == steps.Crash {
			p.dead = &bad
		}
		return &bad
	}
	p.session, p.early = s, p.key != nil && p.seat == p.home()
	return nil
}

// notLoggedIn is the failure of a step whose session has no login.
func notLoggedIn(bad *journal.Failure) *steps.Observation {
	o := steps.Fail(steps.Setup, "login", fmt.Sprintf("the login of session %q failed: %s", bad.Session, bad.Message))
	if bad.Category == steps.Interrupted || bad.Category == steps.Environment {
		o.Category, o.Sub = bad.Category, bad.Sub
	}
	return &o
}

// welcome does what a declared session does first in a fresh context: it opens its page and sees that the login still
// holds. If it does not, the login runs once more, for this context and those after it; contexts that are open keep what
// they have.
func (p *player) welcome(ctx context.Context, n int) *steps.Observation {
	l := p.suite.logins[p.seat.name]
	if l == nil || p.seat.bare || l.plan.Open == nil {
		return nil
	}
	p.seat.bare = true // no welcome for the rows of the welcome
	defer func() { p.seat.bare = false }()
	in := p.in
	p.in = nil
	defer func() { p.in = in }()
	ok, bad := p.holdsUp(ctx, l.plan)
	if ok || bad != nil {
		return bad
	}
	p.forget(p.session)
	p.session.Close()
	p.session = nil
	file, _, failure := l.ensure(ctx, p.suite, n)
	if failure != nil {
		return notLoggedIn(failure)
	}
	o := p.options
	o.StorageState = file
	if bad := p.launch(ctx, o); bad != nil {
		return bad
	}
	if ok, bad = p.holdsUp(ctx, l.plan); ok || bad != nil {
		return bad
	}
	return l.spoil(ctx, p)
}

// spoil gives a session up: its login does not make it valid. Tests that need it fail from now on without trying.
func (l *login) spoil(ctx context.Context, p *player) *steps.Observation {
	at, _ := p.session.Read(ctx, "url", nil)
	o := steps.Fail(steps.Setup, "login", fmt.Sprintf("session %q is not valid, also after another login: %s is false on %v",
		l.plan.Name, oneLine(l.plan.Valid.Source()), at))
	o.Pos = l.plan.Valid.Pos()
	l.mu.Lock()
	defer l.mu.Unlock()
	b := p.suite.broken(o.Pos, journal.PhaseLogin, steps.Setup, errors.New(o.Error))
	b.Session, b.Sub = l.plan.Name, "login"
	l.bad = b
	_ = p.run.append(journal.Event{Suite: p.suite.plan.File, Phase: journal.PhaseLogin, Session: l.plan.Name, Pos: o.Pos,
		Body: journal.LoginEnd{Session: l.plan.Name, Failure: b}}, journal.Kernel)
	return &o
}

// holdsUp opens the page of a session and evaluates its valid, until it holds or timeouts.expect is over.
func (p *player) holdsUp(ctx context.Context, s *plan.Session) (bool, *steps.Observation) {
	f, err := p.suite.frame(ctx)
	if err != nil {
		o := p.trouble(ctx, err)
		return false, &o
	}
	if bad := p.list(ctx, f, s.Open, s.Name+".open."); bad != nil {
		o := bad.obs
		return false, &o
	}
	if s.Valid == nil {
		return true, nil
	}
	return p.holds(ctx, f, s.Valid, p.limits.Expect, 0)
}
