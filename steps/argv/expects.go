package argv

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// expect is what expect rows share.
const judge = UsesRefs | Asserts | Repeatable | Page

// howLong are the flags of every expect row.
func howLong(more ...Flag) []Flag {
	return append(more,
		Flag{Name: "--not", Bool: true, Doc: "the opposite must hold"},
		Flag{Name: "--within", Kind: Duration, Doc: "how long it may take to hold (default timeouts.expect)"},
		Flag{Name: "--stays", Kind: Duration, Doc: "how long it must go on to hold"})
}

// loosely are the flags of expect rows that compare text.
func loosely() []Flag {
	return howLong(
		Flag{Name: "--contains", Bool: true, Doc: "the text may be part of the whole"},
		Flag{Name: "--matches", Bool: true, Doc: "the text is a regular expression that matches somewhere"})
}

func expects() []*Command {
	seen := []DataKey{{"value", "any", "the value that was seen last"}}
	want := Operand{Name: "text", Kind: Text, Doc: "compared whole, whitespace normalised"}
	judged := func(name, doc string, ops []Operand, flags []Flag, example ...string) *Command {
		return &Command{Words: []string{"expect", name}, Operands: ops, Flags: flags, Data: seen, Value: "value",
			Traits: judge, Trips: 1, Doc: doc, Example: append([]string{"expect", name}, example...),
			Differs: "not in the reference dialect: read again until it holds or timeouts.expect is over"}
	}
	on := []Operand{targetOperand("the element")}
	out := []*Command{
		withCheck(judged("text", "Expects the text of an element.", append(on, want), loosely(), "#total", "€84"), checkLoose(1)),
		withCheck(judged("value", "Expects the value of a control.", append(on, want), loosely(), "label=E-mail", "ada@example.test"), checkLoose(1)),
		withCheck(judged("attr", "Expects an attribute.", append(on, Operand{Name: "name", Kind: Text, Doc: "of the attribute"}, want),
			loosely(), "#buy", "href", "/cart"), checkExpectAttr),
		judged("count", "Expects a number of matches.", append(on, Operand{Name: "count", Kind: Count,
			Doc: `a number, or a comparison in one cell: ">= 1"`}), howLong(), ".line", "== 1"),
		judged("url", "Expects the URL of the page to match a pattern.",
			[]Operand{{Name: "pattern", Kind: URLPattern, Doc: "/path, scheme://host/path or **end, with * and **"}}, howLong(), "/thanks"),
		withCheck(judged("title", "Expects the title of the page.", []Operand{want}, loosely(), "Teapot shop"), checkLoose(0)),
		judged("dialog", "Expects a dialog with this text, held or accepted before.",
			[]Operand{{Name: "text", Kind: Text, Doc: "of the dialog"}}, howLong(), "Really delete?"),
	}
	for name, doc := range map[string]string{
		"visible":   "Expects an element that can be seen.",
		"hidden":    "Expects that no match can be seen.",
		"enabled":   "Expects a control that can be used.",
		"disabled":  "Expects a control that cannot be used.",
		"checked":   "Expects a checkbox or radio that is checked.",
		"unchecked": "Expects a checkbox or radio that is not checked.",
		"focused":   "Expects the element that has the focus.",
		"editable":  "Expects a control that text can be typed into.",
	} {
		out = append(out, judged(name, doc, on, howLong(), "label=Gift wrap"))
	}
	return out
}

func withCheck(c *Command, f func(*Call, *diag.List)) *Command {
	c.Check = f
	return c
}

// checkLoose checks --contains and --matches; i is the operand they are about.
func checkLoose(i int) func(*Call, *diag.List) {
	return func(c *Call, l *diag.List) {
		if c.Has("--contains") && c.Has("--matches") {
			l.Add(c.Pos, "--contains and --matches exclude each other", "")
			return
		}
		text, p, ok := c.staticOperand(i)
		if !ok {
			return
		}
		if c.Has("--matches") {
			checkRegexp(text, p, l)
		}
		if c.Has("--contains") && text == "" {
			l.Add(p, "every text contains the empty text", "without --contains the whole text must be empty")
		}
	}
}

func checkRegexp(text string, p diag.Pos, l *diag.List) {
	if _, err := regexp.Compile(text); err != nil {
		why := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		l.Add(p, strconv.Quote(text)+" is no regular expression: "+why, "Go's syntax: go doc regexp/syntax")
	}
}

func checkExpectAttr(c *Call, l *diag.List) {
	checkAttr(c, l)
	checkLoose(2)(c, l)
}

var attrName = regexp.MustCompile(`^[^\s"'<>/=]+$`)

func checkAttr(c *Call, l *diag.List) {
	if name, p, ok := c.staticOperand(1); ok && !attrName.MatchString(name) {
		l.Add(p, strconv.Quote(name)+" is no attribute name", "the name alone: href, data-state")
	}
}
