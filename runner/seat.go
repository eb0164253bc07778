package runner

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/target"
)

// seat is one session of an attempt: its browser context is opened when something first happens in it, and closed at the
// end of the attempt.
type seat struct {
	name      string
	session   steps.Session
	dead      *steps.Observation // the session is lost: rows do not run any more
	lastWrite *journal.RowRef
	bare      bool               // a login is going on in it: nothing seeds it
	notes     map[string]string  // what steps keep for the rest of the attempt, by their kind
	barred    *steps.Observation // it could not be made ready: nothing is done in it
	apps      []launched         // that were launched in it; the last is the one that its rows run in
}

// seated begins a player with the session that its steps run in.
func seated(name string) (*seat, []*seat) {
	s := &seat{name: name}
	return s, []*seat{s}
}

// home is the session of the test itself.
func (p *player) home() *seat { return p.seats[0] }

// sit goes to another session until leave is called. It begins with its whole page, whatever scope is left for it; a
// session that we are in already changes nothing.
func (p *player) sit(name string) (leave func()) {
	if name == p.seat.name {
		return func() {}
	}
	was, in := p.seat, p.in
	p.seat, p.in = p.seatOf(name), nil
	return func() { p.seat, p.in = was, in }
}

func (p *player) seatOf(name string) *seat {
	for _, s := range p.seats {
		if s.name == name {
			return s
		}
	}
	s := &seat{name: name}
	p.seats = append(p.seats, s)
	return s
}

// enter goes into a scope until leave is called. Its target is rendered once and looked for again by each row.
func (p *player) enter(ctx context.Context, f *frame, s *steps.Scope) (leave func(), bad *steps.Observation) {
	if s.Session != "" {
		return p.sit(s.Session), nil
	}
	src, err := s.Target.String(ctx, f.vals, p.reader())
	if err != nil {
		o := p.trouble(ctx, err)
		o.Pos = s.Pos
		return nil, &o
	}
	t, err := parseTarget(src, s.Pos)
	if err != nil {
		o := steps.Fail(steps.Validation, "bad-target", "scope: "+err.Error())
		o.Pos = s.Pos
		return nil, &o
	}
	was := p.in
	p.in = append(was[:len(was):len(was)], steps.ScopePart{Target: t, Frame: s.Frame})
	return func() { p.in = was }, nil
}

// parseTarget parses a target that was rendered.
func parseTarget(src string, at diag.Pos) (target.Target, error) {
	var l diag.List
	if strings.TrimSpace(src) == "" {
		return target.Target{}, errors.New("the target is empty")
	}
	t := target.Parse(src, at, &l)
	for _, e := range l.All() {
		if e.Severity != diag.Lint {
			return t, errors.New(e.Msg)
		}
	}
	return t, nil
}

// labels names the scopes for the failure block, outermost first.
func labels(in []steps.ScopePart) []string {
	if len(in) == 0 {
		return nil
	}
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = s.Label()
	}
	return out
}

// elsewhere names the session of the player for an event, "" in that of the test.
func (p *player) elsewhere() string {
	if p.phase == journal.PhaseLogin || p.seat != p.home() {
		return p.seat.name
	}
	return ""
}

// back returns to the session where a failure happened, for its evidence, until leave is called.
func (p *player) back(f *failed) (leave func()) {
	if f == nil || f.seat == nil {
		return func() {}
	}
	was, in := p.seat, p.in
	p.seat, p.in = f.seat, nil
	return func() { p.seat, p.in = was, in }
}

// suffixed names a file of the evidence after the session, where there are several.
func (p *player) suffixed(name string) string {
	if len(p.seats) < 2 {
		return name
	}
	stem, ext, _ := strings.Cut(name, ".")
	return stem + "-" + p.seat.name + "." + ext
}

// nameFaults says of faults in which session they came, where it is not that of the test.
func (p *player) nameFaults(s steps.Session, list []steps.Fault) {
	for _, x := range p.seats[1:] {
		if x.session != s {
			continue
		}
		for i := range list {
			list[i].Session = x.name
		}
	}
}

// forget drops what is known of a browser context that is closed before its attempt ends.
func (p *player) forget(s steps.Session) {
	p.watches = slices.DeleteFunc(p.watches, func(w *watch) bool { return w.session == s })
}

// collateral tells that a session died of what this attempt did not cause.
func (p *player) collateral() bool {
	for _, s := range p.seats {
		if s.dead != nil && s.dead.Collateral {
			return true
		}
	}
	return false
}

// dismissDialogs answers dialogs that are held in any session, so that cleanup is not blocked by them.
func (p *player) dismissDialogs(ctx context.Context) {
	for _, s := range p.seats {
		if d, can := s.session.(dialogs); can && s.dead == nil {
			d.DismissDialog(ctx)
		}
	}
}

// errNoScopes is told by engines that cannot look inside scopes.
var errNoScopes = errors.New("this browser engine does not know scopes")

// readIn answers a page function where the player is.
func (p *player) readIn(ctx context.Context, s steps.Session, fn string, args []any) (any, error) {
	if err := p.scripted(fn); err != nil {
		return nil, err
	}
	if len(p.in) == 0 {
		return s.Read(ctx, fn, args)
	}
	if r, can := s.(steps.ScopedReader); can {
		return r.ReadIn(ctx, p.in, fn, args)
	}
	return nil, errNoScopes
}
