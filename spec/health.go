package spec

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// HealthKeys are the keys of health: the sorts of fault that a page may have while a test runs. Each is a level, or a map
// with HealthRuleKeys.
var HealthKeys = []Key{
	{Name: "page_errors", Type: "health", Default: "fail for scripts of the same site and inline ones, else warn",
		Doc: "Uncaught errors of scripts.", Aka: []string{"pageerror", "errors", "exceptions", "uncaught", "jserrors"}},
	{Name: "console_errors", Type: "health", Default: "warn", Doc: "Messages of console.error.", Aka: []string{"console", "consoleerror"}},
	{Name: "failed_requests", Type: "health", Default: "warn", Doc: "Requests that got no response.",
		Aka: []string{"requests", "requestfailed", "network", "networkerrors"}},
	{Name: "http_errors", Type: "health", Default: "warn", Doc: "Responses of 400 or more to xhr, fetch, script and css of the same site.",
		Aka: []string{"http", "httperror", "responses", "status"}},
}

// HealthRuleKeys are the keys of the long form of one sort of fault.
var HealthRuleKeys = []Key{
	{Name: "level", Type: "text", Doc: "fail, warn or off.", Aka: []string{"severity"}},
	{Name: "allow", Type: "texts", Doc: "Regular expressions; a fault whose text or URL one of them matches is none.",
		Aka: []string{"ignore", "except", "exclude", "allowed"}},
}

// HealthLevels are the values of a level.
var HealthLevels = []string{"fail", "warn", "off"}

// Health holds the `health:` keys that are set; merge with [Health.Over].
type Health struct {
	PageErrors, ConsoleErrors, FailedRequests, HTTPErrors HealthRule
}

// HealthRule is what one sort of fault means. Level is "" where it is not set.
type HealthRule struct {
	Level string
	Allow []*regexp.Regexp
}

// Over gives h with what it leaves open taken from base: the keys of a test over those of its suite. What base allows
// stays allowed.
func (h Health) Over(base Health) Health {
	return Health{
		PageErrors: h.PageErrors.over(base.PageErrors), ConsoleErrors: h.ConsoleErrors.over(base.ConsoleErrors),
		FailedRequests: h.FailedRequests.over(base.FailedRequests), HTTPErrors: h.HTTPErrors.over(base.HTTPErrors),
	}
}

func (r HealthRule) over(base HealthRule) HealthRule {
	out := HealthRule{Level: r.Level, Allow: base.Allow}
	if out.Level == "" {
		out.Level = base.Level
	}
	if len(r.Allow) > 0 {
		out.Allow = append(base.Allow[:len(base.Allow):len(base.Allow)], r.Allow...)
	}
	return out
}

func decodeHealth(n Node, l *diag.List) Health {
	if n.IsZero() || n.Empty() {
		return Health{}
	}
	if text, ok := n.Text(); ok && level(text) {
		n.report(l, diag.WantKind("health", "a map", text), "write health: { page_errors: "+text+", console_errors: "+text+" }")
		return Health{}
	}
	m, ok := n.Map(`"health"`, HealthKeys, l)
	if !ok {
		return Health{}
	}
	return Health{
		PageErrors: decodeRule(m, "page_errors", l), ConsoleErrors: decodeRule(m, "console_errors", l),
		FailedRequests: decodeRule(m, "failed_requests", l), HTTPErrors: decodeRule(m, "http_errors", l),
	}
}

func level(text string) bool {
	for _, l := range HealthLevels {
		if l == text {
			return true
		}
	}
	return false
}

func decodeRule(m map[string]Node, key string, l *diag.List) HealthRule {
	n, ok := m[key]
	if !ok {
		return HealthRule{}
	}
	if _, list := n.Seq(); list || n.Empty() {
		n.report(l, diag.WantKind(key, "fail, warn or off", n.Sort()), "what is no fault goes into { allow: [regular expression] }")
		return HealthRule{}
	}
	if !n.IsMap() {
		return HealthRule{Level: wantLevel(n, key, l)}
	}
	inner, ok := n.Map(strconv.Quote(key), HealthRuleKeys, l)
	if !ok {
		return HealthRule{}
	}
	r := HealthRule{}
	if v, ok := inner["level"]; ok {
		r.Level = wantLevel(v, "level", l)
	}
	if v, ok := inner["allow"]; ok {
		r.Allow = wantRegexps(v, "allow", l)
	}
	return r
}

func wantLevel(n Node, key string, l *diag.List) string {
	text := WantText(n, key, l)
	if level(text) || text == "" && !n.Quoted() { // what is no text was reported
		return text
	}
	msg, hint := diag.BadValue(key, text, HealthLevels)
	switch strings.ToLower(text) {
	case "error", "true", "yes", "on":
		hint = "write fail"
	case "ignore", "none", "false", "no", "allow":
		hint = "write off"
	}
	n.report(l, msg, hint)
	return ""
}

// wantRegexps gives a list of regular expressions, none of them empty: that would match everything.
func wantRegexps(n Node, key string, l *diag.List) []*regexp.Regexp {
	items, _ := n.Seq()
	texts := WantTexts(n, key, l)
	out := make([]*regexp.Regexp, 0, len(texts))
	for i, text := range texts {
		re, err := regexp.Compile(text)
		switch {
		case text == "":
			if items[i].Quoted() {
				items[i].report(l, "the empty expression allows everything", "write off to look away")
			}
		case strings.Contains(text, "${{"):
			items[i].report(l, "${{ }} cannot stand in a regular expression of "+strconv.Quote(key), "")
		case err != nil:
			why := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
			items[i].report(l, strconv.Quote(text)+" is no regular expression: "+why, "Go's syntax: go doc regexp/syntax")
		default:
			out = append(out, re)
		}
	}
	return out
}
