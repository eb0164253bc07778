package browser

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// ariaLine reads one line of a tree.
type ariaLine struct {
	whole    string
	line, at int
	template bool
}

func (p *ariaLine) rest() string { return p.whole[p.at:] }

func (p *ariaLine) space() {
	for p.at < len(p.whole) && p.whole[p.at] == ' ' {
		p.at++
	}
}

// wrong is an error at the place that is read.
func (p *ariaLine) wrong(text string) error { return &ariaError{p.line, p.at + 1, text} }

// node reads what stands behind the dash. A property of the parent gives nil.
func (p *ariaLine) node(parent *ariaNode) (*ariaNode, error) {
	in, start := p, p.at
	quoted := p.at < len(p.whole) && (p.whole[p.at] == '\'' || p.whole[p.at] == '"')
	if quoted { // the whole key is a quoted text of YAML
		key, err := p.quotedText()
		if err != nil {
			return nil, err
		}
		in = &ariaLine{whole: key, line: p.line, template: p.template}
	}
	n, err := in.key()
	var bad *ariaError
	if quoted && errors.As(err, &bad) {
		bad.col = start + 1
	}
	if err != nil {
		return nil, err
	}
	if quoted && in.rest() != "" {
		return nil, p.wrong("after the node stands " + strconv.Quote(in.rest()))
	}
	value, given, err := p.value()
	if err != nil {
		return nil, err
	}
	return p.place(n, parent, value, given)
}

// place makes of a key and its value a text, a property of the parent, or a node.
func (p *ariaLine) place(n, parent *ariaNode, value string, given bool) (*ariaNode, error) {
	n.line = p.line
	text, err := p.textOf(value)
	if err != nil {
		return nil, err
	}
	switch {
	case n.role == "text":
		if !given {
			return nil, p.wrong("text needs a value: text: Thanks")
		}
		n.text = text
	case n.role == "/children":
		if !slices.Contains([]string{"contain", "equal", "deep-equal"}, value) {
			msg, hint := diag.BadValue("/children", value, []string{"contain", "equal", "deep-equal"})
			return nil, p.wrong(msg + " (" + hint + ")")
		}
		parent.mode = value
		return nil, nil
	case n.role[0] == '/':
		if parent.props == nil {
			parent.props = map[string]*ariaText{}
		}
		parent.props[n.role[1:]] = text
		return nil, nil
	case given:
		n.kids = []*ariaNode{{text: text, line: p.line, source: "- text: " + value, indent: n.indent + 2}}
	}
	return n, nil
}

var roleForm = regexp.MustCompile(`^/?[A-Za-z][A-Za-z-]*`)

// key reads a role, a name and states.
func (p *ariaLine) key() (*ariaNode, error) {
	n := &ariaNode{role: roleForm.FindString(p.rest())}
	if n.role == "" {
		return nil, p.wrong(`expected a role, "text" or a property: - button "Buy"`)
	}
	p.at += len(n.role)
	for {
		p.space()
		rest := p.rest()
		switch {
		case rest == "" || rest[0] == ':':
			return n, nil
		case rest[0] == '[':
			if err := p.state(n); err != nil {
				return nil, err
			}
		case n.name == nil && n.states == nil && (rest[0] == '"' || rest[0] == '/' && p.template):
			if err := p.name(n); err != nil {
				return nil, err
			}
		default:
			return nil, p.wrong("not understood: " + strconv.Quote(rest) + ` (a name stands in quotes or between slashes, a state in brackets: button "Buy" [disabled])`)
		}
	}
}

// name reads a quoted name or a regular expression.
func (p *ariaLine) name(n *ariaNode) error {
	rest := p.rest()
	end := closingSign(rest)
	if end < 0 {
		return p.wrong("the name does not end: " + rest)
	}
	if rest[0] == '"' {
		name, err := quotedAria(rest[:end+1])
		if err != nil {
			return p.wrong("the name cannot be read: " + rest[:end+1])
		}
		n.name = &ariaText{raw: name, plain: squash(name)}
	} else {
		t, err := p.textOf(rest[:end+1])
		if err != nil {
			return err
		}
		n.name = t
	}
	p.at += end + 1
	return nil
}

// closingSign finds the end of what begins with a quote or a slash; a backslash takes the next sign with it.
func closingSign(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i
		}
	}
	return -1
}

// state reads one pair of brackets.
func (p *ariaLine) state(n *ariaNode) error {
	end := strings.IndexByte(p.rest(), ']')
	if end < 0 {
		return p.wrong("the bracket is not closed")
	}
	name, value, given := strings.Cut(p.rest()[1:end], "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !given {
		value = "true"
	}
	values, known := ariaStates[name]
	switch {
	case ariaNoise[name] || !p.template && !known:
	case !known:
		names := []string{"checked", "disabled", "expanded", "invalid", "level", "pressed", "selected"}
		hint := diag.Suggest(name, names)
		return p.wrong("unknown state " + strconv.Quote(name) + " (" + hint + ")")
	case values == nil:
		if k, err := strconv.Atoi(value); err != nil || k < 1 {
			return p.wrong("level expects a number: [level=2]")
		}
	case !slices.Contains(values, value):
		msg, hint := diag.BadValue(name, value, values)
		return p.wrong(msg + " (" + hint + ")")
	}
	if known {
		if n.states == nil {
			n.states = map[string]string{}
		}
		n.states[name] = value
	}
	p.at += end + 1
	return nil
}

// value reads what stands behind the colon of a line.
func (p *ariaLine) value() (text string, given bool, err error) {
	p.space()
	if p.rest() == "" {
		return "", false, nil
	}
	if p.whole[p.at] != ':' {
		return "", false, p.wrong("not understood: " + strconv.Quote(p.rest()))
	}
	p.at++
	if rest := p.rest(); rest != "" && rest[0] != ' ' {
		return "", false, p.wrong("a space stands behind the colon")
	}
	p.space()
	rest := p.rest()
	switch {
	case rest == "":
		return "", false, nil
	case rest[0] == '"' || rest[0] == '\'':
		if text, err = p.quotedText(); err == nil && p.rest() != "" {
			err = p.wrong("behind the quoted text stands " + strconv.Quote(p.rest()))
		}
		return text, true, err
	case p.template && strings.ContainsRune("|>&*!%@`{[", rune(rest[0])):
		return "", false, p.wrong("YAML reads a text that begins so in another way: write it in quotes")
	case p.template && strings.Contains(rest, " #"):
		p.at += strings.Index(rest, " #") + 1
		return "", false, p.wrong("a # behind a space begins a comment: write the text in quotes")
	}
	return rest, true, nil
}

// quotedText reads a quoted text of YAML.
func (p *ariaLine) quotedText() (string, error) {
	rest := p.rest()
	if rest[0] == '"' {
		end := closingSign(rest)
		if end < 0 {
			return "", p.wrong("the quote does not end")
		}
		text, err := quotedAria(rest[:end+1])
		if err != nil {
			return "", p.wrong("the quoted text cannot be read")
		}
		p.at += end + 1
		return text, nil
	}
	for i := 1; i < len(rest); i++ {
		if rest[i] != '\'' {
			continue
		}
		if i+1 < len(rest) && rest[i+1] == '\'' {
			i++
			continue
		}
		p.at += i + 1
		return strings.ReplaceAll(rest[1:i], "''", "'"), nil
	}
	return "", p.wrong("the quote does not end")
}

// textOf makes a text to compare; in a template /…/ is a regular expression.
func (p *ariaLine) textOf(s string) (*ariaText, error) {
	t := &ariaText{raw: s, plain: squash(s)}
	if !p.template || len(s) < 2 || s[0] != '/' || s[len(s)-1] != '/' {
		return t, nil
	}
	re, err := regexp.Compile(s[1 : len(s)-1])
	if err != nil {
		return nil, p.wrong(s + " is no regular expression: " + strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	t.re = re
	return t, nil
}
