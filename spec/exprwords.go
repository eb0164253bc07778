package spec

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/checkrow/checkrow/spec/diag"
)

// pattern is a regular expression that is compiled when the first message needs it, not when the program starts.
type pattern func() *regexp.Regexp

func lazy(src string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(src) })
}

func (p pattern) match(s string) []string { return p().FindStringSubmatch(s) }

// typeWords are the names of Go types in a message, longer ones first.
var typeWords = lazy(`map\[string\]interface \{\}|\[\](?:interface \{\}|\w+)|interface \{\}|<nil>|` +
	`\*?\b(?:time\.Time|time\.Duration|float64|float32|u?int(?:8|16|32|64)?|string|bool|nil|unknown)\b`)

func ourType(goName string) string {
	name := strings.TrimPrefix(goName, "*")
	switch {
	case strings.HasPrefix(name, "map["):
		return "a map"
	case strings.HasPrefix(name, "[]"):
		return "a list"
	case strings.HasPrefix(name, "interface"), name == "unknown":
		return "any value"
	case strings.HasPrefix(name, "int"), strings.HasPrefix(name, "uint"):
		return "a whole number"
	case strings.HasPrefix(name, "float"):
		return "a number"
	}
	switch name {
	case "string":
		return "text"
	case "bool":
		return "true or false"
	case "time.Time":
		return "a time"
	case "time.Duration":
		return "a duration"
	}
	return "nil"
}

func withOurTypes(s string) string { return typeWords().ReplaceAllStringFunc(s, ourType) }

var (
	mismatch   = lazy(`^invalid operation: (\S+) \(mismatched types (.+) and (.+)\)$`)
	mismatch1  = lazy(`^invalid operation: (\S+) \(mismatched type (.+)\)$`)
	unexpected = lazy(`^unexpected token (\w+)\((.*)\)$`)
	noMember   = lazy(`^type (.+) has no (field|method) (.+)$`)
	badArg     = lazy(`^cannot use (.+) as argument \(type (.+)\) to call (\S+) ?$`)
	takesArray = lazy(`^builtin (\w+) takes only array \(got (.+)\)$`)
	tooFew     = lazy(`^(not enough|too many) arguments to call (\S+)$`)
)

// exprWords says what a message of the library means. src is the expression and from the rune it points at.
func exprWords(msg, src string, from int) (string, string) {
	if msg == "unexpected token EOF" {
		return unexpectedToken("EOF", "", src, from)
	}
	if m := unexpected.match(msg); m != nil {
		return unexpectedToken(m[1], m[2], src, from)
	}
	if m := mismatch.match(msg); m != nil {
		a, b := withOurTypes(m[2]), withOurTypes(m[3])
		return `"` + m[1] + `" does not go between ` + a + " and " + b, convertHint(m[1], a, b)
	}
	if m := mismatch1.match(msg); m != nil {
		return `"` + m[1] + `" does not go before ` + withOurTypes(m[2]), ""
	}
	if m := noMember.match(msg); m != nil {
		return withOurTypes(m[1]) + " has no " + m[2] + " " + strconv.Quote(m[3]), ""
	}
	if m := badArg.match(msg); m != nil {
		hint := ""
		if withOurTypes(m[2]) == "text" {
			hint = "text stands in quotes; string(…) makes text of a number"
		}
		return m[3] + "() takes " + withOurTypes(m[2]) + " here, got " + withOurTypes(m[1]), hint
	}
	if m := takesArray.match(msg); m != nil {
		return m[1] + "() takes a list, got " + withOurTypes(m[2]), ""
	}
	if m := tooFew.match(msg); m != nil {
		return m[1] + " arguments for " + m[2] + "()", ""
	}
	for _, p := range exprPhrases {
		if strings.Contains(msg, p.library) {
			return p.msg, p.hint
		}
	}
	return diag.Visible(withOurTypes(strings.ToLower(msg[:min(1, len(msg))]) + msg[min(1, len(msg)):])), ""
}

var exprPhrases = []struct{ library, msg, hint string }{
	{"unexpected end of expression", "the expression ends too early", ""},
	{"literal not terminated", "the text is never closed", "add the quote at its end"},
	{"invalid char escape", `this escape does not exist`, `write \\ for a backslash`},
	{"exceeds maximum allowed nodes", "the expression is too large: it has more than " + strconv.Itoa(maxNodes) + " parts", "use set to split it"},
	{"unrecognized character", "this character cannot stand here", `text stands in straight quotes: "…" or '…'`},
	{"unclosed comment", "the comment is never closed", ""},
	{"predicate should return boolean", "the condition for each item must be true or false", ""},
	{"cannot use pointer accessor outside predicate", `"#" is the item of a list and stands inside filter(…), any(…) and their like`, ""},
	{"array elements can only be selected using an integer", "an item of a list is chosen by a whole number", ""},
	{"non-bool expression", "a condition must be true or false", ""},
	{"coalesce expressions (??) cannot be mixed", "?? beside another operator needs brackets", "write (a ?? b) == c"},
	{"error parsing regexp", "the regular expression does not compile", ""},
	{"wrap predicate with brackets", "several steps for each item stand in { }", ""},
	{"cannot redeclare", "this name is taken", "choose another one for let"},
	{"expected name", `a name must follow "."`, ""},
	{"bad number syntax", "this is no number", ""},
	{"invalid integer literal", "this number is too large", ""},
	{"is not callable", "this is no function", ""},
}

// unexpectedToken explains a token that does not fit; kind is the library's word for what it is.
func unexpectedToken(kind, text, src string, from int) (string, string) {
	runes := []rune(src)
	token := strings.Trim(text, `"`)
	switch {
	case kind == "EOF" || kind == "" || from >= len(runes):
		if missing := unclosedIn(runes); missing != "" {
			return "the expression ends too early", "add " + strconv.Quote(missing)
		}
		return "the expression ends too early", "something is missing at its end"
	case token == "=" && from > 1 && runes[from-1] == '=' && runes[from-2] == '!':
		return `"!==" does not compare`, "write !="
	case token == "=" && from > 0 && runes[from-1] == '=':
		return `"===" does not compare`, "write =="
	case token == "=":
		return `"=" does not compare`, "write =="
	case token == "#" && strings.Contains(src, "count("):
		return `"#" cannot stand here`, "count(target) counts elements; for a list write len(filter(list, …))"
	case token == "#":
		return `"#" is the item of a list and stands inside filter(…), any(…) and their like`, ""
	case kind == "String":
		return "text is not expected here", "an operator or comma may be missing before it"
	case kind == "Identifier" && ours[strings.ToLower(token)]:
		return strconv.Quote(token) + " is not expected here", "write " + strings.ToLower(token)
	case kind == "Identifier" || kind == "Number":
		return strconv.Quote(token) + " is not expected here", "an operator or comma may be missing before it"
	}
	return `"` + token + `" is not expected here`, ""
}

// ours are operators that are words, written in capitals by those who know SQL.
var ours = map[string]bool{"and": true, "or": true, "not": true, "in": true, "contains": true, "matches": true}

// unclosedIn gives the brackets that an expression does not close, in the order in which they must be.
func unclosedIn(src []rune) string {
	var open []rune
	var quoted rune
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case quoted != 0 && c == '\\' && quoted != '`':
			i++
		case quoted != 0:
			if c == quoted {
				quoted = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quoted = c
		case c == '(' || c == '[' || c == '{':
			open = append(open, closing(c))
		case len(open) > 0 && c == open[len(open)-1]:
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	return string(open)
}

// convertHint says how to make two types meet.
func convertHint(op, a, b string) string {
	text := func(t string) bool { return t == "text" }
	number := func(t string) bool { return t == "a whole number" || t == "a number" }
	switch {
	case text(a) && number(b):
		if op == "+" {
			return "string(…) makes text of the number"
		}
		return "int(…) or float(…) makes a number of the text, or put the number in quotes"
	case number(a) && text(b):
		if op == "+" {
			return "string(…) makes text of the number"
		}
		return "int(…) or float(…) makes a number of the text"
	case op == "and" || op == "or" || op == "&&" || op == "||":
		return "both sides must be true or false"
	}
	return ""
}

var (
	cannotFetch = lazy(`^cannot (?:fetch|get) (.+) from (.+)$`)
	conversion  = lazy(`^interface conversion: interface \{\} is (.+), not (.+)$`)
	badOp       = lazy(`^invalid operation: (.+) ([-+*/%<>=!^.]+|in|matches|contains|startsWith|endsWith) (.+)$`)
)

// runtimeWords says what a message of the machine means; false: it is one of our own.
func runtimeWords(msg, src string, from int) (string, string, bool) {
	if m := cannotFetch.match(msg); m != nil {
		if m[2] == "<nil>" {
			return "what stands before ." + m[1] + " is nil", "write ?." + m[1] + " if it may be absent", true
		}
		return withOurTypes(m[2]) + " has no " + strconv.Quote(m[1]), "", true
	}
	if m := conversion.match(msg); m != nil {
		return "a value is " + withOurTypes(m[1]) + " where " + withOurTypes(m[2]) + " is needed", "", true
	}
	if m := badOp.match(msg); m != nil {
		a, b := withOurTypes(m[1]), withOurTypes(m[3])
		return `"` + m[2] + `" does not go between ` + a + " and " + b, convertHint(m[2], a, b), true
	}
	switch {
	case strings.HasPrefix(msg, "index out of range"):
		return msg, "", true
	case strings.HasPrefix(msg, "invalid operation: int("), strings.HasPrefix(msg, "invalid operation: float("):
		return "this is no number", "", true
	case strings.Contains(msg, "memory budget exceeded"):
		return errTooLarge.Error(), "", true
	case strings.Contains(msg, "integer divide by zero"):
		return "division by zero", "", true
	case strings.HasPrefix(msg, "invalid argument for len"):
		got := strings.TrimSuffix(strings.TrimPrefix(msg, "invalid argument for len (type "), ")")
		return "len() takes text, a list or a map, got " + withOurTypes(got), "", true
	case strings.HasPrefix(msg, "reflect:"), strings.HasPrefix(msg, "runtime error"),
		strings.HasPrefix(msg, "invalid operation"), strings.HasPrefix(msg, "operator "):
		return "a value here has a type that does not fit", "", true
	}
	return "", "", false
}
