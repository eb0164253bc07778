package browser

import (
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"strings"

	"github.com/checkrow/checkrow/steps"
)

const subSyntax = "js-syntax"

func eval(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	data := map[string]any{"origin": s.page().URL(), "result": nil}
	js := r.op(0)
	if r.a.Has("--base64") {
		text, err := base64.StdEncoding.DecodeString(js)
		if err != nil {
			return steps.Observation{}, problem(steps.Validation, "base64", "the script is no base64")
		}
		js = string(text)
	}
	r.sending(data)
	v, odd, err := s.script(ctx, js)
	if err != nil {
		if isUnscoped(err) {
			r.unsent()
		}
		return steps.Observation{}, err
	}
	data = map[string]any{"origin": s.page().URL(), "result": v}
	if odd != "" {
		data["unserializable"] = odd
	}
	o := steps.OK(data, "result")
	hintResult(js, &o)
	return o, nil
}

// evaluate runs JavaScript in the selected frame and gives its value.
func (s *session) evaluate(ctx context.Context, js string) (any, error) {
	v, _, err := s.script(ctx, js)
	return v, err
}

// script runs JavaScript in the page. In the main frame it goes over the browser's own protocol, which spares the
// document the driver's own script; odd names values that JSON cannot say.
func (s *session) script(ctx context.Context, js string) (v any, odd string, err error) {
	if len(s.where().in) > 0 {
		v, err := s.scopedScript(ctx, js)
		return v, "", err
	}
	if tab := s.active(); s.bare() || s.scope(tab) != nil && !s.where().top {
		f, err := s.base(ctx, tab)
		if err != nil {
			return nil, "", err
		}
		v, err := f.Evaluate(js)
		if err != nil && s.fate(nil) == nil && !transient(err) && !targetClosed(err) && !connectionClosed(err) {
			return nil, "", jsProblem(cleanError(err))
		}
		if x, ok := v.(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
			return nil, strings.Replace(fmt.Sprint(x), "Inf", "Infinity", 1), err
		}
		return plain(v), "", err
	}
	cdp, err := s.protocol(ctx)
	if err != nil {
		return nil, "", err
	}
	raw, err := s.send(ctx, cdp, "Runtime.evaluate", map[string]any{"expression": js, "awaitPromise": true, "returnByValue": true,
		"userGesture": true})
	if err != nil {
		return nil, "", err
	}
	return evaluated(raw)
}

// evaluated reads the answer of Runtime.evaluate.
func evaluated(raw any) (v any, odd string, err error) {
	m, _ := raw.(map[string]any)
	if x, ok := m["exceptionDetails"].(map[string]any); ok {
		return nil, "", jsProblem(exception(x))
	}
	res, ok := m["result"].(map[string]any)
	if !ok { // the library unwraps a map of one key
		res = m
	}
	if u, ok := res["unserializableValue"].(string); ok {
		return nil, u, nil
	}
	if res["type"] == "undefined" {
		return nil, "undefined", nil
	}
	return plain(res["value"]), "", nil
}

// exception words what a script threw.
func exception(x map[string]any) string {
	text, _ := x["text"].(string)
	if e, ok := x["exception"].(map[string]any); ok {
		if d, ok := e["description"].(string); ok {
			text = d
		} else if v, ok := e["value"]; ok {
			text = fmt.Sprint(text, " ", v)
		}
	}
	head, _, _ := strings.Cut(text, "\n")
	return head
}

func jsProblem(text string) error {
	sub := "js-error"
	if strings.HasPrefix(text, "SyntaxError") {
		sub = subSyntax
	}
	return problem(steps.Assertion, sub, "the script failed: "+text)
}

// plain turns whole JSON numbers into integers, as the expression language wants them.
func plain(v any) any {
	switch x := v.(type) {
	case float64:
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return int(x)
		}
	case map[string]any:
		for k, e := range x {
			x[k] = plain(e)
		}
	case []any:
		for i, e := range x {
			x[i] = plain(e)
		}
	}
	return v
}
