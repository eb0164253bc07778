package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/mxschmitt/playwright-go"
)

// routes are the rules of network route rows, the newest first. The driver stops every request while there is one, and
// asks for its rule here.
type routes struct {
	mu   sync.Mutex
	list []*rule
}

// rule says what becomes of the requests that match.
type rule struct {
	pattern argv.Pattern
	types   []string // nil: every type
	abort   bool
	answer  playwright.RouteFulfillOptions
}

// find gives the rule for a request, or nil.
func (t *routes) find(url, kind string) *rule {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.list {
		if (r.types == nil || slices.Contains(r.types, kind)) && r.pattern.Match(url) {
			return r
		}
	}
	return nil
}

// everything matches every request: which one a rule means is decided by its pattern, not by the driver's own globs.
const everything = "**/*"

func networkRoute(_ context.Context, s *session, r *row) (steps.Observation, error) {
	rule, err := ruleOf(r)
	if err != nil {
		return steps.Observation{}, err
	}
	t := &s.extra.routes
	t.mu.Lock()
	t.list = slices.Insert(t.list, 0, rule)
	first := len(t.list) == 1
	t.mu.Unlock()
	r.sent()
	if first {
		err = s.ctx.Route(everything, func(q playwright.Route) { safely(func() { s.obey(q) }) })
	}
	o := steps.OK(map[string]any{"routed": r.op(0)}, "routed")
	body, _ := r.a.Flag("--body")
	headers, _ := r.a.Flag("--headers")
	o.Argv = conceal(r, body, headers)
	return o, err
}

func ruleOf(r *row) (*rule, error) {
	p, err := argv.ParsePattern(r.op(0))
	if err != nil {
		return nil, problem(steps.Validation, "pattern", err.Error())
	}
	out := &rule{pattern: p, abort: r.a.Has("--abort")}
	if v, ok := r.a.Flag("--resource-type"); ok {
		out.types = strings.Split(v, ",")
	}
	headers := map[string]string{}
	body, has := r.a.Flag("--body")
	if has && json.Valid([]byte(body)) {
		headers["Content-Type"] = "application/json"
	}
	if v, ok := r.a.Flag("--headers"); ok {
		own, err := argv.Headers(v)
		if err != nil {
			return nil, problem(steps.Validation, "headers", "--headers is no JSON object of texts")
		}
		for name, value := range own {
			if strings.EqualFold(name, "content-type") {
				delete(headers, "Content-Type")
			}
			headers[name] = value
		}
	}
	if v, ok := r.a.Flag("--allow-origin"); ok {
		headers["Access-Control-Allow-Origin"] = v
	}
	status := 200
	if v, ok := r.a.Flag("--status"); ok {
		if status, err = strconv.Atoi(v); err != nil {
			return nil, problem(steps.Validation, "status", fmt.Sprintf("%q is no status", v))
		}
	}
	out.answer = playwright.RouteFulfillOptions{Status: &status, Headers: headers, Body: body}
	return out, nil
}

// obey does with one request what its rule says. It runs in a goroutine of the library's.
func (s *session) obey(q playwright.Route) {
	rule := s.extra.routes.find(q.Request().URL(), q.Request().ResourceType())
	switch {
	case rule == nil:
		_ = q.Fallback()
	case rule.abort:
		_ = q.Abort()
	default:
		_ = q.Fulfill(rule.answer)
	}
}

func networkUnroute(_ context.Context, s *session, r *row) (steps.Observation, error) {
	t := &s.extra.routes
	t.mu.Lock()
	before := len(t.list)
	what := r.op(0)
	t.list = slices.DeleteFunc(t.list, func(x *rule) bool { return what == "" || x.pattern.Source == what })
	left := len(t.list)
	t.mu.Unlock()
	if what != "" && left == before {
		r.warning(fmt.Sprintf("no route has the pattern %q", what))
	}
	if what == "" {
		what = "all"
	}
	r.sent()
	var err error
	if left == 0 && before > 0 {
		err = s.ctx.Unroute(everything)
	}
	return steps.OK(map[string]any{"unrouted": what}, "unrouted"), err
}
