package argv

import (
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/target"
)

// The verbs of find rows.
const (
	verbClick = "click"
	verbFill  = "fill"
	verbCheck = "check"
	verbHover = "hover"
	verbText  = "text"
)

// verbData names the data key of each verb.
var verbData = map[string]string{
	verbClick: "clicked", verbFill: "filled", verbCheck: "checked", verbHover: "hovered", verbText: "text",
}

func finding() []*Command {
	byText := []Flag{{Name: "--exact", Bool: true, Doc: "the whole text, with its case"}}
	byName := []Flag{{Name: "--name", Kind: Text, Doc: "the accessible name"}, {Name: "--exact", Bool: true, Doc: "the whole name, with its case"},
		{Name: "--resolve", Kind: Enum, Values: []string{"snapshot"}, Doc: "act on the one visible element that a snapshot shows with the role and exactly the name"}}
	out := []*Command{
		locator("role", "an ARIA role", byName, "button", "click", "--name", "Buy now"),
		locator("text", "text of the element", byText, "Terms", "click"),
		locator("label", "text of the label", byText, "E-mail", "fill", "ada@example.test"),
		locator("placeholder", "the placeholder", byText, "Search", "fill", "teapot"),
		locator("alt", "the alternative text", byText, "Logo", "click"),
		locator("title", "the title attribute", byText, "Close", "click"),
		locator("testid", "the test id", nil, "cart", "click"),
		locator("first", "a target", nil, ".item", "click"),
		locator("last", "a target", nil, ".item", "text"),
		locator("nth", "a target", nil, "2", ".item", "click"),
	}
	return out
}

func locator(by, doc string, flags []Flag, example ...string) *Command {
	subject := Operand{Name: by, Kind: Text, Doc: doc}
	var ops []Operand
	switch by {
	case "nth":
		ops = append(ops, Operand{Name: "index", Kind: Number, Doc: "from 0; negative ones from the end"})
		subject = Operand{Name: "target", Kind: Target, Doc: doc}
	case "first", "last":
		subject = Operand{Name: "target", Kind: Target, Doc: doc}
	}
	ops = append(ops, subject,
		Operand{Name: "action", Kind: Enum, Values: []string{verbClick, verbFill, verbCheck, verbHover, verbText}, Doc: "what to do"},
		Operand{Name: "text", Kind: Text, Optional: true, Doc: "for fill"})
	return &Command{
		Words: []string{"find", by}, Operands: ops, Flags: flags,
		Data: []DataKey{{"clicked", "string", "for click: the target"}, {"filled", "string", "for fill: the target"},
			{"checked", "string", "for check: the target"}, {"hovered", "string", "for hover: the target"},
			{"text", "string", "for text: its text"}, {"origin", "string", "for text: the URL of the page"}, effectiveKey},
		Traits: act | Navigates | Latches, Trips: 2,
		Doc:     "Finds an element by " + doc + " and acts on it.",
		Example: append([]string{"find", by}, example...),
		Differs: "the action must be named; names match as in the target grammar: substring unless --exact",
		Check:   checkFind,
	}
}

// Effective is the data key of a find row with --resolve.
const Effective = "effective"

// effectiveKey is the data of a find row that was resolved by a snapshot.
var effectiveKey = DataKey{Effective, "list", "with --resolve: the row that was sent, without the text of a fill"}

// verb gives the action of a find row; "" for other rows and where the cell is dynamic.
func (c *Call) verb() string {
	if !c.Is("find") {
		return ""
	}
	text, _, ok := c.staticOperand(verbIndex(c.Command))
	if !ok {
		return ""
	}
	return text
}

// verbIndex is the operand that holds the action: the last but one.
func verbIndex(c *Command) int { return len(c.Operands) - 2 }

func checkFind(c *Call, l *diag.List) {
	if c.Has("--exact") && c.Command.Words[1] == "role" && !c.Has("--name") {
		l.Add(c.Pos, "--exact needs --name", "a role alone has nothing to match exactly")
	}
	if c.Has("--resolve") && !c.Has("--name") {
		l.Add(c.Pos, "--resolve needs --name", "the snapshot is searched for a role with exactly this name")
	}
	if subject, p, ok := c.staticOperand(verbIndex(c.Command) - 1); ok {
		checkSubject(c.Command.Words[1], subject, p, l)
	}
	if name, p, ok := c.static("--name"); ok && strings.TrimSpace(name) == "" {
		l.Add(p, "--name is empty", "leave it out to find any name")
	}
	verb := c.verb()
	if verb == "" {
		return
	}
	text := verbIndex(c.Command) + 1
	if verb == verbFill && len(c.Operands) <= text {
		l.Add(c.Pos, "find … fill needs the text", "usage: "+Usage(c.Command))
	}
	if verb != verbFill && len(c.Operands) > text {
		l.Add(c.Cells[c.Operands[text]].Pos, "find … "+verb+" takes no text", "usage: "+Usage(c.Command))
	}
}

func checkSubject(by, subject string, p diag.Pos, l *diag.List) {
	switch by {
	case "first", "last", "nth": // a target, checked as one
	case "role":
		var sub diag.List
		target.Parse("role="+subject, diag.Pos{}, &sub)
		for _, e := range sub.All() {
			l.Add(p, e.Msg, e.Hint)
		}
	default:
		if strings.TrimSpace(subject) == "" {
			l.Add(p, "find "+by+" needs text to look for", "")
		}
	}
}

// Find gives what a find row means: its element in the target grammar, its action and the text for fill.
func (a Args) Find() (t target.Target, action, text string) {
	n := verbIndex(a.Command)
	return a.subject(), a.Operand(n), a.Operand(n + 1)
}

func (a Args) subject() target.Target {
	by := a.Command.Words[1]
	var t target.Target
	switch by {
	case "first", "last":
		n := 0
		if by == "last" {
			n = -1
		}
		t = a.Target(0)
		t.Parts = append(slices.Clone(t.Parts), target.Part{Engine: target.Nth, N: n})
	case "nth":
		n, err := strconv.Atoi(a.Operand(0))
		if err != nil {
			n = 0 // Bind has refused it
		}
		t = a.Target(1)
		t.Parts = append(slices.Clone(t.Parts), target.Part{Engine: target.Nth, N: n})
	case "role":
		name, named := a.Flag("--name")
		t.Parts = []target.Part{{Engine: target.Role, Value: a.Operand(0), Name: name, Named: named, Exact: a.Has("--exact")}}
	default:
		t.Parts = []target.Part{{Engine: findEngines[by], Value: a.Operand(0), Exact: a.Has("--exact")}}
	}
	t.Source = t.String()
	return t
}

var findEngines = map[string]target.Engine{
	"text": target.TextIs, "label": target.Label, "placeholder": target.Placeholder, "alt": target.Alt,
	"title": target.Title, "testid": target.TestID,
}
