package browser

import (
	"context"
	"errors"
	"fmt"

	"github.com/checkrow/checkrow/steps"
)

// pushScript goes to a URL of the page's own without loading it: through the router if the page has one that listens, else
// by the history, with the event that routers wait for.
const pushScript = `(async to => {
	const router = window.next && window.next.router;
	if (router && typeof router.push === 'function') await router.push(to);
	else { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate', { state: null })) }
	return location.href;
})`

func pushState(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	r.sending(map[string]any{"url": s.page().URL()})
	v, err := s.evaluate(ctx, pushScript+"("+literal(r.op(0))+")")
	if err != nil {
		var f *failed
		if errors.As(err, &f) && f.obs.Category == steps.Assertion {
			err = problem(steps.Navigation, "pushstate", fmt.Sprintf("the page cannot go to %s: %s", quoted(r.op(0)), f.obs.Error))
		}
		return steps.Observation{}, err
	}
	return steps.OK(map[string]any{"url": fmt.Sprint(v)}, "url"), nil
}

// windowNew opens a window of its own in the context of the session.
func windowNew(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	r.sent()
	p, err := s.ctx.NewPage()
	if err != nil {
		return steps.Observation{}, err
	}
	t := s.tabOf(p)
	s.choose(t)
	select {
	case <-t.ready:
	case <-ctx.Done():
		return steps.Observation{}, context.Cause(ctx)
	}
	s.mu.Lock()
	n := len(s.tabs)
	s.mu.Unlock()
	return steps.OK(map[string]any{"tabId": t.id, "total": n}, "tabId"), nil
}

// free tells that no open tab has a label, or which one has.
func (s *session) free(label string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.tabs {
		if x.label == label {
			return problem(steps.Validation, "label", fmt.Sprintf("the label %q is used by tab %s already", label, x.id))
		}
	}
	return nil
}

// labelOf is the label of a tab in a row's data: nil if it has none.
func labelOf(t *tab) any {
	if t.label == "" {
		return nil
	}
	return t.label
}
