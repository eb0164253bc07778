package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/journal/redact"
	"github.com/checkrow/checkrow/steps"
)

// mark is where a session was before a step.
type mark struct {
	watch *watch
	at    steps.Mark
}

// marks gives where every session of the attempt is now.
func (p *player) marks() []mark {
	for _, s := range p.seats {
		if s.session != nil {
			p.watching(s.session)
		}
	}
	out := make([]mark, len(p.watches))
	for i, w := range p.watches {
		out[i] = mark{w, w.session.Mark()}
	}
	return out
}

// since gives the mark of a session that may have been opened later.
func since(list []mark, w *watch) steps.Mark {
	for _, m := range list {
		if m.watch == w {
			return m.at
		}
	}
	return steps.Mark{}
}

// effect runs a step with its retries and, if it is to provoke something, waits for that and takes it off the page's
// health. A failure that was to be provoked is none.
func (p *player) effect(ctx context.Context, f *frame, c call) *failed {
	want := c.want
	if want == nil {
		return p.tries(ctx, f, c)
	}
	before := p.marks()
	bad := p.tries(ctx, f, c)
	switch {
	case bad != nil && (p.fatal(ctx, bad) || p.refused):
		return bad
	case want.Category != "":
		return p.failedAsWanted(f, c, bad)
	case bad != nil:
		return bad
	}
	limit := p.limits.Action
	if d := c.step().Timeout; d > 0 {
		limit = d
	}
	start := time.Now()
	for {
		if p.provoked(want, before) {
			return nil
		}
		if time.Since(start) >= limit {
			break
		}
		if !pause(ctx, 10*time.Millisecond) {
			break
		}
	}
	if o, over := ended(ctx); over {
		return p.fail(c, o)
	}
	o := steps.Fail(steps.Assertion, "not-provoked", fmt.Sprintf("expected the step to provoke %s, but none came within %s", want, short(limit)))
	o.Pos, o.Detail = want.Pos, &steps.Detail{Want: want.String(), Got: p.instead(want, before)}
	if len(p.watches) == 0 {
		o.Error = fmt.Sprintf("expected the step to provoke %s, but no page is open", want)
	}
	if n := len(p.watches); n > 0 {
		if rows := p.watches[n-1].rows; len(rows) > 0 {
			o.Argv = p.done[rows[len(rows)-1].row]
		}
	}
	return p.fail(c, o)
}

// failedAsWanted judges a step that is to fail.
func (p *player) failedAsWanted(f *frame, c call, bad *failed) *failed {
	s, want := c.step(), c.want
	if bad == nil {
		o := steps.Fail(steps.Assertion, "not-provoked", fmt.Sprintf("expected the step to fail with %s, but it did not fail", want.Category))
		o.Pos = want.Pos
		return p.fail(c, o)
	}
	if want.Failure(bad.obs) {
		if s.ID != "" {
			res := result(bad.obs)
			res["ok"] = true
			f.steps[s.ID] = res
		}
		return nil
	}
	bad.obs.Error += " (expected the step to fail with " + want.Category + ")"
	return bad
}

// wantedFailure tells that a failure is the one that its step is to provoke.
func wantedFailure(c call, o steps.Observation) bool {
	want := c.want
	return !o.Success && want != nil && want.Failure(o)
}

// provoked looks for the wanted fault or dialog in what the pages have told since the marks, and takes it.
func (p *player) provoked(want *steps.Provokes, before []mark) bool {
	for _, w := range p.watches {
		from := since(before, w)
		got := w.session.Seen(from)
		for _, d := range got.Dialogs {
			if want.Opens(d) {
				return true
			}
		}
		for _, x := range got.Faults {
			// A request that began before the step is not its doing, even if it fails now.
			if (x.Request == 0 || x.Request > from.Network) && want.Fault(x) && !w.met[x.Seq] {
				if w.met == nil {
					w.met = map[uint64]bool{}
				}
				w.met[x.Seq] = true
				return true
			}
		}
	}
	return false
}

// instead says in words what came, where something else was to be provoked.
func (p *player) instead(want *steps.Provokes, before []mark) string {
	var out []string
	for _, w := range p.watches {
		got := w.session.Seen(since(before, w))
		if want.Dialog != "" {
			for _, d := range got.Dialogs {
				out = append(out, fmt.Sprintf("%s %q", d.Kind, d.Text))
			}
			continue
		}
		for _, x := range got.Faults {
			out = append(out, finding{fault: x}.String())
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	if len(out) > 5 {
		out = append(out[:5], fmt.Sprintf("and %d more", len(out)-5))
	}
	return strings.Join(out, "; ")
}

// settle lets the pages tell what a failed try did to them, before another try begins.
func (p *player) settle(ctx context.Context) {
	for _, w := range p.watches {
		_, _ = w.session.Signals(ctx, w.session.Mark())
	}
}

// repaired notes that what happened between two sets of marks was mended by a retry: it is worth a warning, no more.
func (p *player) repaired(from, to []mark) {
	for _, m := range to {
		m.watch.repaired = append(m.watch.repaired, span{since(from, m.watch), m.at})
	}
}

// save writes the result of a step to its file: a text as it is, anything else as JSON.
func (p *player) save(ctx context.Context, f *frame, c call, bad *failed) *failed {
	s := c.step()
	o := p.kept
	p.kept = steps.Observation{}
	fail := func(err error) *failed {
		if bad != nil {
			p.warn(s.Pos, "save: "+err.Error())
			return bad
		}
		sub := "save"
		if _, refused := errors.AsType[syscall.Errno](err); refused { // a full disk, a folder that is gone or read-only
			sub = "artifact-missing"
		}
		out := steps.Fail(steps.ArtifactBad, sub, "saving the result: "+err.Error())
		out.Pos = s.Save.Pos()
		return p.fail(c, out)
	}
	name, err := s.Save.String(ctx, f.vals, p.reader())
	if err != nil {
		return fail(err)
	}
	content, err := contentOf(o)
	if err != nil || content == nil && bad != nil {
		return bad // it failed before it had a result
	}
	files := p.folder.For(f.sub, c.path+".save")
	if s.Unredacted {
		files = p.folder.Bare(f.sub, c.path+".save")
	} else if clean, changed := redact.JSON(content); changed {
		content = clean
	}
	a, err := save(files, name, content)
	if err != nil {
		return fail(err)
	}
	if res, ok := f.steps[s.ID].(map[string]any); ok && s.ID != "" && len(o.Artifacts) == 0 {
		res["artifact"] = a.Path
	}
	return bad
}

// contentOf is what save writes of a result.
func contentOf(o steps.Observation) ([]byte, error) {
	if o.Full != nil && o.Full.Raw != nil {
		return o.Full.Raw, nil
	}
	if text, is := o.Value.(string); is {
		return []byte(text), nil
	}
	var v any = o.Data
	if len(o.Data) == 0 {
		v = o.Value
	}
	if v == nil {
		return nil, nil
	}
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the result as JSON: %w", err)
	}
	return append(out, '\n'), nil
}

// tried journals that a step that is made of others needed more than one try; rows and steps that run themselves say so
// in their own event.
func (p *player) tried(c call, n int) {
	s := c.step()
	switch s.Body.(type) {
	case steps.Rows, steps.Opaque:
		return
	}
	p.event(c.path, s.Pos, journal.Done{Name: c.title(), Title: c.name, Obs: steps.Observation{Success: true, Pos: s.Pos}, Tries: n}, journal.Buffered)
}
