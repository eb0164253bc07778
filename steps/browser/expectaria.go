package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
	"github.com/mxschmitt/playwright-go"
)

// expectAria judges the accessibility tree of an element, or of the page, by a file that holds a part of it.
func expectAria(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	b := r.beside(r.op(0))
	e, err := s.looked(ctx, r, 1)
	if err != nil {
		return steps.Observation{}, err
	}
	content, err := b.read()
	if errors.Is(err, errMissingBaseline) {
		if !r.writable() {
			return steps.Observation{}, b.absent()
		}
		return s.firstAria(ctx, r, b, e)
	}
	if err != nil {
		return steps.Observation{}, err
	}
	template, err := parseAria(string(content), true)
	if err != nil {
		return steps.Observation{}, problem(steps.Validation, "aria", fmt.Sprintf("%s:%s", b.name, err))
	}
	j := &ariaJudge{e: e, r: r, template: template}
	o, err := s.judge(ctx, r, expectation{subject: "the accessibility tree of " + e.t.Source, want: "as in " + quoted(b.name), elem: e, read: j.read})
	var f *failed
	if !errors.As(err, &f) || f.obs.Category != steps.Assertion || !j.seen {
		return o, err
	}
	if r.o.Baselines == steps.BaselinesUpdated && !r.a.Has("--not") {
		if err := b.written([]byte(j.text+"\n"), wasDifferent); err != nil {
			return steps.Observation{}, err
		}
		return steps.OK(map[string]any{"value": j.text}, "value"), nil
	}
	if !r.a.Has("--not") {
		f.obs.Detail.Want, f.obs.Detail.Got = j.want, j.got
	}
	return o, err
}

// looked is the element that operand i of a row names; without it the innermost scope, or the whole page.
func (s *session) looked(ctx context.Context, r *row, i int) (*element, error) {
	t := r.a.Target(i)
	if len(t.Parts) > 0 {
		return s.element(ctx, t)
	}
	if in := s.where().in; len(in) > 0 && !in[len(in)-1].Frame {
		return s.element(ctx, target.Target{Source: in[len(in)-1].Target.Source})
	}
	return s.element(ctx, target.Target{Source: "the page", Parts: []target.Part{{Engine: target.CSS, Value: "body"}}})
}

// firstAria writes the baseline that is missing.
func (s *session) firstAria(ctx context.Context, r *row, b *baseline, e *element) (steps.Observation, error) {
	if err := e.present(ctx, r); err != nil {
		return steps.Observation{}, err
	}
	text, err := settled(ctx, s, r, func(ctx context.Context) (string, error) { return e.ariaPlain(ctx, r) })
	if err == nil {
		err = b.written([]byte(text+"\n"), wasMissing)
	}
	return steps.OK(map[string]any{"value": text}, "value"), err
}

// ariaPlain takes the tree without refs, as templates spell it. That mode drops the refs of the last snapshot row, which
// are then given again: the same elements get the same ones.
func (e *element) ariaPlain(ctx context.Context, r *row) (string, error) {
	text, err := e.any().AriaSnapshot(playwright.LocatorAriaSnapshotOptions{Timeout: r.ms()})
	if err == nil && e.s.book(e.s.active()) != nil {
		_, err = e.s.aria(ctx, r.ms())
	}
	return text, err
}

// ariaJudge is what an expect aria row read last.
type ariaJudge struct {
	e         *element
	r         *row
	template  *ariaNode
	seen      bool
	text      string
	want, got string // for a line diff
}

func (j *ariaJudge) read(ctx context.Context) (reading, error) {
	a, err := j.e.look(ctx, j.r, world.Is(world.Attached))
	if err != nil {
		return reading{}, err
	}
	got := reading{info: j.e.info(a)}
	if a.Reason == world.Missing {
		got.shown, got.never = "no such element", true
		return got, nil
	}
	text, err := j.e.ariaPlain(ctx, j.r)
	if err != nil {
		return got, err
	}
	page, err := parseAria(text, false)
	if err != nil {
		return got, problem(steps.Internal, "aria", fmt.Sprintf("the tree of the page cannot be read: %s", err))
	}
	j.seen, j.text = true, text
	got.value, got.ok, got.shown = text, j.template.within(page), "so"
	if got.ok {
		return got, nil
	}
	var missing *ariaNode
	j.want, j.got, missing = compareAria(j.template, page)
	switch {
	case missing != nil:
		got.shown = fmt.Sprintf("nothing like line %d: %s", missing.line, missing.source)
	case j.want == j.got:
		got.shown = "its lines, but not under one another as wanted"
		j.want, j.got = strings.Join(shownAll(j.template), "\n"), text
	default:
		got.shown = "other lines between"
	}
	return got, nil
}

func shownAll(t *ariaNode) []string {
	var out []string
	for _, n := range t.flat() {
		out = append(out, n.shown())
	}
	return out
}
