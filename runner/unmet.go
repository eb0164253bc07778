package runner

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// awaited tells a failure that may be gone at the next read: an expect that does not hold yet, or an answer whose status
// is an error while an expect is waited for.
func awaited(s *steps.Step, bad *failed) bool {
	return bad.obs.Category == steps.Assertion || bad.obs.Category == steps.HTTP && bad.obs.Full != nil && len(s.Expect) > 0
}

// unreadable says that an expect which could not be evaluated does not hold: it reads what the step itself gave,
// json.user.name of an answer without a user. The suite is right then, and the answer is not. Any other error is a fault of
// its own: not is true, and o says what it is.
func (p *player) unreadable(ctx context.Context, e *spec.Expr, err error) (o steps.Observation, not bool) {
	o = p.trouble(ctx, err)
	o.Pos = e.Pos()
	if o.Category != steps.Validation || o.Sub != "expression" || !(e.Uses("json") || e.Uses("value") || e.Uses("data")) {
		return o, true
	}
	why := o.Error
	var at *diag.Error
	if errors.As(err, &at) {
		why = at.Msg
	}
	o.Error = "expected " + oneLine(e.Source()) + ", but " + why
	return o, false
}

// joined adds a sentence to those before it.
func joined(list, more string) string {
	if list == "" {
		return more
	}
	return list + "; " + more
}

// shownTerm is how much of a value a failure keeps: the body of an answer may have megabytes.
const shownTerm = 4 << 10

// clipTerms cuts large values of terms. The terms are the caller's own.
func clipTerms(list []spec.Term) []spec.Term {
	for i := range list {
		if weigh(list[i].Value, shownTerm) < 0 {
			list[i].Value = summary(list[i].Value)
		}
		clipTerms(list[i].Sub)
	}
	return list
}

// shownBody is how many characters of the body of a request or an answer a failure keeps, as the journal does of the row.
const shownBody = 280

// clipBodies cuts texts of terms that stand for the bodies of a network row.
func clipBodies(s *steps.Step, list []spec.Term) []spec.Term {
	b, rows := s.Body.(steps.Rows)
	if !rows || len(b.Rows) == 0 || !strings.HasPrefix(b.Rows[len(b.Rows)-1].Call.Command.Name(), "network request") {
		return list
	}
	for i := range list {
		if text, is := list[i].Value.(string); is {
			list[i].Value = clip(text, shownBody)
		}
		clipBodies(s, list[i].Sub)
	}
	return list
}

// weigh takes the rough size of a value from what is left; below zero it is too large.
func weigh(v any, left int) int {
	switch v := v.(type) {
	case string:
		return left - len(v)
	case []any:
		for _, x := range v {
			if left = weigh(x, left-2); left < 0 {
				break
			}
		}
		return left
	case map[string]any:
		for k, x := range v {
			if left = weigh(x, left-len(k)-4); left < 0 {
				break
			}
		}
		return left
	}
	return left - 4
}

// summary is the beginning of a text, or the first items of a list or map.
func summary(v any) any {
	switch v := v.(type) {
	case string:
		n := shownTerm
		for n > 0 && !utf8.RuneStart(v[n]) {
			n--
		}
		return v[:n] + "…"
	case []any:
		return "a list of " + plural(len(v), "item", "items")
	case map[string]any:
		return "a map of " + plural(len(v), "key", "keys")
	}
	return v
}
