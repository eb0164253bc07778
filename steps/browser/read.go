package browser

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
)

// readTime bounds a page function whose caller set no deadline.
const readTime = 10 * time.Second

// Read answers a page function; it never waits for anything to appear.
func (s *session) Read(ctx context.Context, fn string, args []any) (any, error) {
	if d := s.fate(nil); d != nil {
		return nil, &failed{crashed(*d)}
	}
	if d := s.talk.current(); d != nil && fn != "url" && fn != "path" && fn != "query" {
		return nil, blocked(d)
	}
	limit := readTime
	if d, ok := ctx.Deadline(); ok {
		limit = time.Until(d)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, hung{limit})
	defer cancel()
	var v any
	var err error
	returned := make(chan struct{})
	s.spawn(func() {
		defer close(returned)
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("the engine panicked in %q: %v", fn, p)
			}
		}()
		v, err = s.pageFunc(ctx, fn, args)
	})
	select {
	case <-returned:
	case <-ctx.Done():
		s.rescue(returned)
		return nil, problem(steps.Timeout, subHung, firstLine(context.Cause(ctx)))
	}
	if err != nil {
		r := &row{started: time.Now(), limit: limit}
		return nil, &failed{s.explain(ctx, r, err)}
	}
	return v, nil
}

// states of page functions that ask one.
var stateFuncs = map[string]world.State{"visible": world.Visible, "exists": world.Attached, "hidden": world.Hidden,
	"enabled": world.Enabled, "checked": world.Checked}

func (s *session) pageFunc(ctx context.Context, fn string, args []any) (any, error) {
	arg := func(i int) string {
		if i < len(args) {
			return fmt.Sprint(args[i])
		}
		return ""
	}
	switch fn {
	case "url":
		return s.page().URL(), nil
	case "path", "query":
		u, err := url.Parse(s.page().URL())
		if err != nil {
			return "", nil
		}
		if fn == "path" {
			return u.Path, nil
		}
		return u.Query().Get(arg(0)), nil
	case "title":
		t, err := s.readTitle(ctx)
		return squash(t), err
	case "js":
		return s.evaluate(ctx, arg(0))
	}
	t, err := parse(arg(0))
	if err != nil {
		return nil, err
	}
	e, err := s.element(ctx, t)
	if err != nil {
		return nil, err
	}
	var op world.Op
	state, isState := stateFuncs[fn]
	switch {
	case isState:
		op = world.Is(state)
	case fn == "text":
		op = world.Text()
	case fn == "input":
		op = world.Value()
	case fn == "attr":
		op = world.Attr(arg(1))
	case fn == "count":
		op = world.Count()
	default:
		return nil, fmt.Errorf("there is no page function %q", fn)
	}
	a, err := e.once(ctx, op)
	if err != nil {
		return nil, err
	}
	if a.Reason == world.BadTarget {
		return nil, e.refuse(ctx, &row{started: time.Now()}, a)
	}
	switch {
	case isState:
		return a.True, nil
	case fn == "count":
		return a.Matches, nil
	case fn == "attr":
		if a.Null || a.Reason == world.Missing {
			return nil, nil
		}
		return a.Value, nil
	case fn == "text":
		return squash(a.Value), nil
	}
	return a.Value, nil
}
