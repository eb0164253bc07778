package browser

import (
	"context"
	_ "embed" // the hook
	"fmt"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// reactHook is what React reports to. A session has it only if its suite has react rows: React does more work with one.
//
//go:embed react.js
var reactHook string

// hookReact installs the hook for every document of the session to come.
func (s *session) hookReact() error {
	if !s.o.React {
		return nil
	}
	if err := s.ctx.AddInitScript(playwright.Script{Content: &reactHook}); err != nil {
		return fmt.Errorf("installing the React hook: %w", err)
	}
	return nil
}

// askReact calls a function of the hook in the selected frame.
func (s *session) askReact(ctx context.Context, call string) (map[string]any, error) {
	v, err := s.evaluate(ctx, "(() => { const h = window.__REACT_DEVTOOLS_GLOBAL_HOOK__; return h && h.checkrow ? h.checkrow."+call+" : 'no-hook' })()")
	var f *failed
	switch {
	case asFailed(err, &f) && strings.Contains(f.obs.Error, "no-react"):
		return nil, problem(steps.NotFound, "no-react", "there is no React on the page, or it has not started yet",
			next("inspect-opened-page", "see what the page shows", "snapshot", "-i"))
	case err != nil:
		return nil, err
	case v == "no-hook":
		return nil, problem(steps.Environment, "no-react-hook", "the React hook is not in this document: it is there from the next load on in a suite that has react rows")
	}
	m, _ := v.(map[string]any)
	return m, nil
}

func reactTree(ctx context.Context, s *session, _ *row) (steps.Observation, error) {
	m, err := s.askReact(ctx, "tree()")
	return steps.OK(m, "nodes"), err
}

func reactInspect(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	m, err := s.askReact(ctx, fmt.Sprintf("inspect(%d)", r.number(0, 0)))
	if err == nil && m == nil {
		err = problem(steps.NotFound, "no-component", fmt.Sprintf("there is no component %s", r.op(0)),
			next("list-react-components", "see the components", "react", "tree"))
	}
	return steps.OK(m, "props"), err
}

func reactSuspense(ctx context.Context, s *session, _ *row) (steps.Observation, error) {
	m, err := s.askReact(ctx, "suspense()")
	return steps.OK(m, "suspended"), err
}

func reactRendersStart(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	r.sent()
	m, err := s.askReact(ctx, "start()")
	return steps.OK(m, "identifier"), err
}

func reactRendersStop(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	r.sent()
	m, err := s.askReact(ctx, "stop()")
	if err == nil && m == nil {
		err = problem(steps.Validation, "no-renders", "no renders are counted in this document: a load ends the count",
			next("start-react-renders", "begin to count", "react", "renders", "start"))
	}
	return steps.OK(m, "report"), err
}
