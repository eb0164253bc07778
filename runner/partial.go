package runner

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// partial tells how far the list of a failure got, if a limit or a stop cut it off; else nil.
func (p *player) partial(f *failed) *steps.PartialProgress {
	if f.obs.Partial != nil {
		return f.obs.Partial
	}
	if f.obs.Category != steps.Timeout && f.obs.Category != steps.Interrupted || len(f.list) == 0 {
		return nil
	}
	out := &steps.PartialProgress{Limit: limitOf(f.obs), Artifacts: p.folder.Saved()}
	for i := range f.list {
		p.partialStep(out, f, i)
	}
	for i := range out.Steps {
		s := &out.Steps[i]
		if s.State == steps.RowCompleted {
			continue
		}
		out.First = s.Index
		switch {
		case s.State == steps.RowNotRun:
			out.Safe = true
		case f.row != nil:
			out.Safe = f.row.Call.Repeatable()
		default:
			out.Safe = steps.Repeats(f.step.Body)
		}
		if out.Safe && !strings.Contains(strings.Join(s.Row, ""), "•••") { // a hidden value is no row to send
			out.Retry = s.Row
		}
		break
	}
	out.Summary = partialWords(out)
	return out
}

// limitOf names what cut a step off.
func limitOf(o steps.Observation) string {
	switch name, is := strings.CutSuffix(o.Sub, "-limit"); {
	case is:
		return name
	case o.Category == steps.Interrupted:
		return "stop"
	}
	return "row"
}

// partialStep adds a step of a list: its rows, if it has any.
func (p *player) partialStep(out *steps.PartialProgress, f *failed, i int) {
	add := func(s steps.PartialStep) {
		s.Index = len(out.Steps) + 1
		out.Steps = append(out.Steps, s)
	}
	state := func() steps.RowState {
		switch {
		case i < f.at:
			return steps.RowCompleted
		case i > f.at || f.unsent:
			return steps.RowNotRun
		}
		return cutState(f)
	}
	s := &f.list[i]
	b, rows := s.Body.(steps.Rows)
	if !rows || f.obs.Sub == "expect" {
		add(steps.PartialStep{Name: s.Kind, State: state(), Pos: s.Pos})
		return
	}
	behind := false
	for j := range b.Rows {
		row := &b.Rows[j]
		x := steps.PartialStep{Name: row.Call.Command.Name(), Row: source(row), State: state(), From: row.From, Pos: row.Pos}
		if i == f.at && f.row != nil {
			switch {
			case row == f.row:
				behind = true
			case behind:
				x.State = steps.RowNotRun
			default:
				x.State = steps.RowCompleted
			}
		}
		if sent := p.done[row]; sent != nil && x.State != steps.RowNotRun {
			x.Row = sent
		}
		add(x)
	}
}

// cutState is how far the step got that was cut off. What only looks has simply not answered; what changes something may
// have done so.
func cutState(f *failed) steps.RowState {
	switch {
	case f.row != nil && (f.obs.Sent == steps.MaybeSent || f.row.Call.Mutates()):
		return steps.RowSentUnknown
	case f.row == nil && !steps.Repeats(f.step.Body):
		return steps.RowSentUnknown
	}
	return steps.RowFailed
}

func partialWords(x *steps.PartialProgress) string {
	done := 0
	for _, s := range x.Steps {
		if s.State == steps.RowCompleted {
			done++
		}
	}
	out := fmt.Sprintf("%d of %s completed", done, plural(len(x.Steps), "step", "steps"))
	if x.First == 0 {
		return out
	}
	s := x.Steps[x.First-1]
	out += fmt.Sprintf("; number %d, %s, ", s.Index, s.Name)
	switch s.State {
	case steps.RowSentUnknown:
		out += "was sent and its outcome is not known"
	case steps.RowNotRun:
		out += "was not sent"
	default:
		out += "did not come to its end"
	}
	if x.Safe {
		return out + ": it may be sent again"
	}
	return out + ": sending it again may do it twice"
}

// seen adds what the live page said after the cut, and what to do next.
func (p *player) seen(b *journal.Failure, page steps.Page) {
	x := b.Partial
	if x == nil {
		return
	}
	own := *x // the observation keeps what was known when it was made
	b.Partial, x = &own, &own
	x.Page, x.Live = page, page.URL != ""
	if x.First > 0 && x.Live {
		s := x.Steps[x.First-1]
		x.Opened = s.Name == "open" && len(s.Row) > 1 && samePage(p.options.BaseURL, s.Row[len(s.Row)-1], page.URL)
	}
	next := steps.NextAction{ID: "verify-page-target-after-timeout", Reason: "nobody knows which page is there", Row: []string{"get", "url"}}
	switch {
	case x.Live && x.Safe && len(x.Retry) > 0:
		next = steps.NextAction{ID: "retry-timeout-step", Reason: "the row may be sent again", Row: x.Retry}
	case x.Live:
		next = steps.NextAction{ID: "inspect-current-page-after-timeout", Reason: "see what the row did before sending it again", Row: []string{"snapshot", "-i"}}
	}
	for _, have := range b.Next {
		if have.ID == next.ID {
			return
		}
	}
	b.Next = append(b.Next[:len(b.Next):len(b.Next)], next)
}

// samePage tells that a URL leads to the page that is there.
func samePage(base, target, live string) bool {
	at, err := url.Parse(base)
	if err != nil {
		return false
	}
	want, err := at.Parse(target)
	if err != nil {
		return false
	}
	have, err := url.Parse(live)
	return err == nil && want.Scheme == have.Scheme && want.Host == have.Host && strings.TrimSuffix(want.Path, "/") == strings.TrimSuffix(have.Path, "/")
}
