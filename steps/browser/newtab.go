package browser

import (
	"context"
	"fmt"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/mxschmitt/playwright-go"
)

// clickNewTab opens the link that a target is, or lies in, in a new tab. Nothing is clicked, so it need not be visible.
func (s *session) clickNewTab(ctx context.Context, r *row) (steps.Observation, error) {
	t := r.a.Target(0)
	a, err := s.read(ctx, r, t, world.Href())
	if err != nil {
		return steps.Observation{}, err
	}
	if a.Null || a.Value == "" {
		return steps.Observation{}, problem(steps.NotActionable, "no-link", fmt.Sprintf("%q is no link: it has no href", t.Source),
			next("click-in-current-tab", "click it without --new-tab", "click", t.Source))
	}
	if err := s.mayOpen(a.Value); err != nil {
		return steps.Observation{}, err
	}
	data := map[string]any{"clicked": t.Source, "newTab": true, "url": a.Value}
	r.sending(data)
	p, err := s.ctx.NewPage()
	if err != nil {
		return steps.Observation{}, err
	}
	tab := s.tabOf(p)
	s.choose(tab)
	select {
	case <-tab.ready:
	case <-ctx.Done():
		return steps.Observation{}, context.Cause(ctx)
	}
	_, err = p.Goto(a.Value, playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateLoad, Timeout: milliseconds(max(r.left(), s.o.Limits.Open))})
	data["url"] = p.URL()
	return steps.OK(data, "clicked"), s.strayed(err)
}
