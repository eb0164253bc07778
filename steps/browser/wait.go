package browser

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
)

// pollEach is how often a wait looks again; expect rows have their own schedule.
const pollEach = 50 * time.Millisecond

// quietNetwork is how long no request may be under way for networkidle.
const quietNetwork = 500 * time.Millisecond

func wait(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	a := r.a
	switch {
	case a.Has("--download"):
		return s.waitDownload(ctx, r)
	case a.Has("--url"):
		return s.waitURL(ctx, r)
	case a.Has("--text"):
		return s.waitText(ctx, r)
	case a.Has("--load"):
		return s.waitLoad(ctx, r)
	case a.Has("--fn"):
		return s.waitFn(ctx, r)
	}
	if t := a.Target(0); len(t.Parts) > 0 {
		return s.waitTarget(ctx, r, t)
	}
	return waitTime(ctx, r)
}

// expired is the failure of a wait.
func expired(r *row, text string) error {
	id := "inspect-after-timeout"
	if r.a.Has("--text") {
		id = "inspect-after-text-assertion-failure"
	}
	return problem(steps.Timeout, "wait", text+": waited "+r.waited(), next(id, "see what the page shows", "snapshot", "-i"))
}

func waitTime(ctx context.Context, r *row) (steps.Observation, error) {
	d, err := argv.ParseDuration(r.op(0))
	if err != nil {
		return steps.Observation{}, problem(steps.Validation, "duration", err.Error())
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return steps.OK(map[string]any{"waited": "timeout", "ms": int(d.Milliseconds())}, ""), nil
	case <-ctx.Done():
		return steps.Observation{}, context.Cause(ctx)
	}
}

// waitURL waits until the URL is as wanted and the document there has loaded: what follows may act on the page at once,
// and a page whose scripts have not run yet would not react.
func (s *session) waitURL(ctx context.Context, r *row) (steps.Observation, error) {
	src, _ := r.a.Flag("--url")
	p, err := parsePattern(src)
	if err != nil {
		return steps.Observation{}, problem(steps.Validation, "pattern", err.Error())
	}
	first := true // until the URL was seen not to match
	for {
		u, why := s.page().URL(), "it is %q"
		if p.match(u) {
			state, err := s.evaluate(ctx, "document.readyState")
			switch {
			case err == nil && state == "complete" && s.page().URL() == u:
				s.provesNothing(r, p, first)
				return steps.OK(map[string]any{"waited": "url", "url": u}, "url"), nil
			case err != nil && !transient(err):
				return steps.Observation{}, err
			}
			why = "%q has not finished loading"
		} else {
			first = false
		}
		if !r.pause(ctx, 20*time.Millisecond) {
			return steps.Observation{}, s.ended(ctx, expired(r, fmt.Sprintf("the URL did not become %q, "+why, src, u)))
		}
	}
}

// ended prefers the cause of a context that ended over the failure of a wait.
func (s *session) ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// provesNothing warns of a URL pattern that held before the row that last changed the page.
func (s *session) provesNothing(r *row, p pattern, first bool) {
	if first && s.lastChange != "" && s.lastURL != "" && p.match(s.lastURL) {
		r.warning(fmt.Sprintf("%q proves nothing: the URL was so before the %s row already", p.src, s.lastChange))
	}
}

func (s *session) waitText(ctx context.Context, r *row) (steps.Observation, error) {
	text, _ := r.a.Flag("--text")
	body := target.Target{Source: "body", Parts: []target.Part{{Engine: target.CSS, Value: "body"}}}
	if in := s.where().in; len(in) > 0 && !in[len(in)-1].Frame {
		body = target.Target{Source: in[len(in)-1].Target.Source} // the scope itself
	}
	e, err := s.element(ctx, body)
	if err != nil {
		return steps.Observation{}, err
	}
	a, err := e.wait(ctx, r, world.Text(), world.Until{Compare: "contains", Want: text})
	if err != nil {
		return steps.Observation{}, err
	}
	if a.Outside() {
		return steps.Observation{}, s.ended(ctx, e.refuse(ctx, r, a))
	}
	if !a.Met {
		return steps.Observation{}, s.ended(ctx, expired(r, fmt.Sprintf("the page did not show %s", quoted(text))))
	}
	return steps.OK(map[string]any{"waited": "text", "text": text}, "text"), nil
}

func (s *session) waitTarget(ctx context.Context, r *row, t target.Target) (steps.Observation, error) {
	state := world.Visible
	if v, ok := r.a.Flag("--state"); ok {
		state = world.State(v)
	}
	e, err := s.element(ctx, t)
	if err != nil {
		return steps.Observation{}, err
	}
	a, err := e.wait(ctx, r, world.Is(state), world.Until{Compare: "true"})
	if err != nil {
		return steps.Observation{}, err
	}
	if a.Outside() || a.Reason == world.BadTarget || a.Reason == world.Missing && t.HasRef() && !a.Met {
		return steps.Observation{}, e.refuse(ctx, r, a)
	}
	if a.Met || a.True {
		return steps.OK(map[string]any{"waited": "selector", "selector": t.Source}, "selector"), nil
	}
	err = expired(r, fmt.Sprintf("%q did not become %s, it matches %s", t.Source, state, elements(a.Matches)))
	var f *failed
	if errors.As(err, &f) {
		f.obs.Detail = &steps.Detail{Target: &steps.TargetInfo{Source: t.Source, Matches: a.Matches, Visible: a.Visible, List: a.List}}
		if a.Matches == 0 {
			f.obs.Detail.Target.Near = s.near(ctx, e)
		}
	}
	return steps.Observation{}, s.ended(ctx, err)
}

func (s *session) waitLoad(ctx context.Context, r *row) (steps.Observation, error) {
	state, _ := r.a.Flag("--load")
	for {
		var got any
		var err error
		if got, err = s.evaluate(ctx, "document.readyState"); err != nil && !transient(err) {
			return steps.Observation{}, err
		}
		ok := got == "complete" || state == "domcontentloaded" && got == "interactive"
		if state == "networkidle" {
			ok = ok && s.rings.quietFor() >= quietNetwork
		}
		if ok && err == nil {
			return steps.OK(map[string]any{"waited": "load", "state": state}, "state"), nil
		}
		if !r.pause(ctx, pollEach) {
			return steps.Observation{}, s.ended(ctx, expired(r, fmt.Sprintf("the page did not reach the load state %q", state)))
		}
	}
}

func (s *session) waitFn(ctx context.Context, r *row) (steps.Observation, error) {
	js, _ := r.a.Flag("--fn")
	last := ""
	for {
		got, err := s.evaluate(ctx, js)
		var f *failed
		switch {
		case err == nil && truthy(got):
			return steps.OK(map[string]any{"waited": "fn", "result": got}, "result"), nil
		case err == nil:
			last = "it is " + compact(got)
		case errors.As(err, &f) && f.obs.Sub == subSyntax:
			return steps.Observation{}, err
		case errors.As(err, &f):
			last = f.obs.Error
		case !transient(err):
			return steps.Observation{}, err
		}
		if !r.pause(ctx, pollEach) {
			return steps.Observation{}, s.ended(ctx, expired(r, "the expression did not become true, "+last))
		}
	}
}

// truthy is JavaScript's notion of true for what JSON can say.
func truthy(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case bool:
		return x
	case string:
		return x != ""
	case int:
		return x != 0
	case float64:
		return x != 0
	}
	return true
}

// compact shows a value in a message.
func compact(v any) string {
	if s, ok := v.(string); ok {
		return quoted(s)
	}
	text := fmt.Sprint(v)
	if v == nil {
		text = "null"
	}
	if len(text) > 200 {
		text = text[:200] + "…"
	}
	if f, ok := v.(float64); ok {
		text = strconv.FormatFloat(f, 'f', -1, 64)
	}
	return text
}
