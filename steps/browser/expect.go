package browser

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
)

// schedule is when an expect row reads again (LANGUAGE §4): at 0, 50, 100, 250 and 500 ms, then every 500 ms.
var schedule = []time.Duration{0, 50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond}

// reading is one look of an expect row at the page.
type reading struct {
	ok    bool
	value any    // what the row's value is
	shown string // the value in words
	info  *steps.TargetInfo
	never bool // neither it nor its opposite holds: the element is not there
}

// expectation is what an expect row wants: how to read, and how to say what was wanted.
type expectation struct {
	subject string // "the text of #total"
	want    string // `"€84"`
	read    func(ctx context.Context) (reading, error)
	elem    *element // for what is near if nothing matches
}

// judge reads until the expectation holds, or --not the opposite, and goes on to hold for --stays. The values seen are
// kept in order with how often they were read.
func (s *session) judge(ctx context.Context, r *row, x expectation) (steps.Observation, error) {
	not, stay := r.a.Has("--not"), stays(r.a)
	var seen []steps.Seen
	var last reading
	var since time.Time // when it began to hold
	for i := 0; ; i++ {
		got, err := x.read(ctx)
		out := asOutside(err)
		switch {
		case out != nil: // it may come yet
			since = time.Time{}
			last = reading{shown: out.Error(), never: true}
			seen = note(seen, last.shown)
		case err != nil && (!transient(err) || s.fate(err) != nil):
			return steps.Observation{}, err
		case err == nil:
			last = got
			seen = note(seen, got.shown)
		}
		if err == nil && got.ok != not && !got.never {
			if since.IsZero() {
				since = time.Now()
			}
			if time.Since(since) >= stay {
				o := steps.OK(map[string]any{"value": got.value}, "value")
				o.Detail = &steps.Detail{Want: x.want, Got: got.shown, Seen: seen}
				return o, nil
			}
		} else if err == nil && !since.IsZero() && stay > 0 {
			return steps.Observation{}, s.unmet(ctx, r, x, last, seen, fmt.Sprintf(" for %s, it held %s", span(stay),
				span(time.Since(since).Round(time.Millisecond))))
		}
		if s.again(ctx, r, i, since, stay) {
			continue
		}
		if out != nil {
			return steps.Observation{}, s.ended(ctx, out.failure(ctx, r, seen))
		}
		return steps.Observation{}, s.ended(ctx, s.unmet(ctx, r, x, last, seen, ""))
	}
}

// again waits for the next time to read; false when the row's time is over. One that holds already and must stay so is
// read every 50 ms until it did.
func (s *session) again(ctx context.Context, r *row, i int, since time.Time, stay time.Duration) bool {
	if !since.IsZero() {
		t := time.NewTimer(min(pollEach, max(stay-time.Since(since), time.Millisecond)))
		defer t.Stop()
		select {
		case <-t.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
	at := r.started.Add(schedule[len(schedule)-1] * time.Duration(i-len(schedule)+3))
	if i+1 < len(schedule) {
		at = r.started.Add(schedule[i+1])
	}
	if time.Until(at) <= 0 {
		at = time.Now().Add(pollEach)
	}
	if time.Now().After(r.until) {
		return false
	}
	// the last look is at the limit itself
	r.pause(ctx, min(time.Until(at), r.left()))
	return ctx.Err() == nil
}

// note adds a value to those that were seen.
func note(seen []steps.Seen, v string) []steps.Seen {
	if n := len(seen); n > 0 && seen[n-1].Value == v {
		seen[n-1].Times++
		return seen
	}
	if len(seen) >= 20 { // the first ones and the newest
		copy(seen[10:], seen[11:])
		seen[19] = steps.Seen{Value: v, Times: 1}
		return seen
	}
	return append(seen, steps.Seen{Value: v, Times: 1})
}

// unmet is the failure of an expect row.
func (s *session) unmet(ctx context.Context, r *row, x expectation, last reading, seen []steps.Seen, how string) error {
	not := ""
	if r.a.Has("--not") {
		not = "not "
	}
	got := last.shown
	if got == "" {
		got = "nothing could be read"
	}
	f := problem(steps.Assertion, "assertion-failed", fmt.Sprintf("expected %s %sto be %s%s, got %s", x.subject, not, x.want, how, got))
	f.obs.Detail = &steps.Detail{Want: not + x.want, Got: got, Seen: seen, Target: last.info}
	f.obs.Data = map[string]any{"value": last.value}
	f.obs.Value = last.value
	if last.info != nil && x.elem != nil {
		x.elem.recount(ctx, last.info)
	}
	if last.info != nil && last.info.Matches == 0 && x.elem != nil {
		last.info.Near = s.near(ctx, x.elem)
		f.obs.NextActions = append(f.obs.NextActions, next("refresh-interactive-refs", "see what is on the page", "snapshot", "-i"))
	}
	return f
}

// compare makes the test of a text row: whole and normalised, --contains or --matches.
func compare(r *row, want string) (test func(string) bool, words string, err error) {
	switch {
	case r.a.Has("--matches"):
		re, err := regexp.Compile(want)
		if err != nil {
			return nil, "", problem(steps.Validation, "regexp", fmt.Sprintf("%q is no regular expression", want))
		}
		return func(s string) bool { return re.MatchString(squash(s)) }, "a text that matches " + quoted(want), nil
	case r.a.Has("--contains"):
		w := squash(want)
		return func(s string) bool { return strings.Contains(squash(s), w) }, "a text that contains " + quoted(want), nil
	}
	w := squash(want)
	return func(s string) bool { return squash(s) == w }, quoted(want), nil
}

// textual judges a text that an op reads from the first match.
func (s *session) textual(ctx context.Context, r *row, what, want string, op world.Op) (steps.Observation, error) {
	test, words, err := compare(r, want)
	if err != nil {
		return steps.Observation{}, err
	}
	e, err := s.element(ctx, r.a.Target(0))
	if err != nil {
		return steps.Observation{}, err
	}
	return s.judge(ctx, r, expectation{subject: what + " of " + e.t.Source, want: words, elem: e,
		read: func(ctx context.Context) (reading, error) {
			a, err := e.look(ctx, r, op)
			if err != nil {
				return reading{}, err
			}
			got := reading{value: a.Value, shown: quoted(squash(a.Value)), info: e.info(a), ok: test(a.Value)}
			switch {
			case a.Reason == world.Missing:
				got = reading{shown: "no such element", info: e.info(a), never: true}
			case a.Null:
				got = reading{shown: "no such attribute", info: e.info(a)}
			case a.Field == password && a.Value != "":
				got.value, got.shown = masked, quoted(masked)
			}
			return got, nil
		}})
}

// look reads once for an expect row; what makes no sense at all ends the row.
func (e *element) look(ctx context.Context, r *row, op world.Op) (world.Answer, error) {
	a, err := e.try(ctx, op)
	if err == nil && a.Outside() {
		return a, &outsideErr{e, a}
	}
	if err == nil && a.Refused() && (a.Reason == world.BadTarget || a.Reason == world.NotThis || a.Reason == world.Missing && e.t.HasRef()) {
		err = e.refuse(ctx, r, a)
	}
	return a, err
}

func (e *element) info(a world.Answer) *steps.TargetInfo {
	return &steps.TargetInfo{Source: e.t.Source, Matches: a.Matches, Visible: a.Visible, List: a.List}
}

// recount says of matches that were only counted how many of them can be seen, and which they are.
func (e *element) recount(ctx context.Context, info *steps.TargetInfo) {
	if info.Matches == 0 || info.Visible > 0 {
		return
	}
	if a, err := e.try(ctx, world.Describe()); err == nil && a.Matches == info.Matches {
		info.Visible, info.List = a.Visible, a.List
	}
}

func expectText(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	return s.textual(ctx, r, "the text", r.op(1), world.Text())
}

func expectValue(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	return s.textual(ctx, r, "the value", r.op(1), world.Value())
}

func expectAttr(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	return s.textual(ctx, r, fmt.Sprintf("the attribute %q", r.op(1)), r.op(2), world.Attr(r.op(1)))
}

func expectTitle(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	test, words, err := compare(r, r.op(0))
	if err != nil {
		return steps.Observation{}, err
	}
	return s.judge(ctx, r, expectation{subject: "the title", want: words, read: func(ctx context.Context) (reading, error) {
		t, err := s.readTitle(ctx)
		return reading{ok: test(t), value: t, shown: quoted(t)}, err
	}})
}

func expectURL(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	p, err := parsePattern(r.op(0))
	if err != nil {
		return steps.Observation{}, problem(steps.Validation, "pattern", err.Error())
	}
	first := true
	return s.judge(ctx, r, expectation{subject: "the URL", want: quoted(p.src), read: func(context.Context) (reading, error) {
		u := s.page().URL()
		got := reading{ok: p.match(u), value: u, shown: quoted(u)}
		if got.ok && !r.a.Has("--not") {
			s.provesNothing(r, p, first)
		}
		first = false
		return got, nil
	}})
}

func expectDialog(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	want := squash(r.op(0))
	return s.judge(ctx, r, expectation{subject: "a dialog", want: quoted(r.op(0)), read: func(context.Context) (reading, error) {
		text, ok := s.talk.seen(want)
		got := reading{ok: ok, value: text, shown: "no dialog"}
		if text != "" {
			got.shown = quoted(text)
		}
		return got, nil
	}})
}

// seen looks for a dialog with a text: the held one, or one accepted before that no expect row has seen.
func (t *dialogs) seen(want string) (text string, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held != nil {
		text = t.held.Message()
		if squash(text) == want {
			return text, true
		}
	}
	for i := range t.log {
		if e := &t.log[i]; !e.met {
			if squash(e.message) == want {
				e.met = true
				return e.message, true
			}
			text = e.message
		}
	}
	return text, false
}

// expectState judges visible, hidden, enabled and so on.
func expectState(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	state := r.a.Command.Words[1]
	e, err := s.element(ctx, r.a.Target(0))
	if err != nil {
		return steps.Observation{}, err
	}
	return s.judge(ctx, r, expectation{subject: e.t.Source, want: state, elem: e, read: func(ctx context.Context) (reading, error) {
		a, err := e.look(ctx, r, world.Is(world.State(state)))
		got := reading{ok: a.True, value: a.True, shown: "not " + state, info: e.info(a)}
		switch {
		case a.Reason == world.Missing:
			got.shown = "no such element"
			got.never = state != "visible" && state != "hidden"
		case a.True:
			got.shown = state
		}
		return got, err
	}})
}

// operators of a count, longest first.
var countForm = regexp.MustCompile(`^\s*(==|!=|>=|<=|>|<|=)?\s*(\d+)\s*$`)

func expectCount(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	m := countForm.FindStringSubmatch(r.op(1))
	if m == nil {
		return steps.Observation{}, problem(steps.Validation, "count", fmt.Sprintf(`%q is no count: write "3" or ">= 1"`, r.op(1)))
	}
	n, err := strconv.Atoi(m[2])
	if err != nil {
		return steps.Observation{}, problem(steps.Validation, "count", fmt.Sprintf("%q is too large", m[2]))
	}
	e, err := s.element(ctx, r.a.Target(0))
	if err != nil {
		return steps.Observation{}, err
	}
	want := m[2]
	if m[1] != "" {
		want = m[1] + " " + m[2]
	}
	return s.judge(ctx, r, expectation{subject: "the count of " + e.t.Source, want: want, elem: e,
		read: func(ctx context.Context) (reading, error) {
			a, err := e.try(ctx, world.Count())
			switch {
			case err == nil && a.Outside():
				err = &outsideErr{e, a}
			case err == nil && a.Reason == world.BadTarget:
				err = e.refuse(ctx, r, a)
			}
			return reading{ok: holds(a.Matches, m[1], n), value: a.Matches, shown: strconv.Itoa(a.Matches), info: e.info(a)}, err
		}})
}

// holds compares a count.
func holds(got int, op string, want int) bool {
	switch op {
	case "!=":
		return got != want
	case ">=":
		return got >= want
	case "<=":
		return got <= want
	case ">":
		return got > want
	case "<":
		return got < want
	}
	return got == want
}
