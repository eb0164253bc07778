package argv

import (
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// otherWords are what people call commands elsewhere.
var otherWords = map[string]string{
	"visit": "open", "load": "open", "navigateto": "open", "url": "get url", "title": "get title", "text": "get text",
	"html": "get html", "value": "get value", "attr": "get attr", "attribute": "get attr", "count": "get count",
	"input": "fill", "enter": "fill", "write": "fill", "clear": "fill", "tick": "check", "untick": "uncheck",
	"assert": "expect text", "should": "expect text", "see": "expect text", "verify": "expect text", "sleep": "wait",
	"pause": "wait", "waitfor": "wait", "visible": "expect visible", "hidden": "expect hidden", "js": "eval",
	"execute": "eval", "evaluate": "eval", "doubleclick": "dblclick", "refresh": "reload", "mouseover": "hover",
	"choose": "select", "screencast": "record start", "video": "record start", "cookie": "cookies get", "localstorage": "storage local get",
	"sessionstorage": "storage session get", "resize": "set viewport", "viewport": "set viewport", "emulate": "set device", "intercept": "network route",
	"mock": "network route", "route": "network route", "unroute": "network unroute", "har": "network har start", "axe": "a11y",
	"accessibility": "a11y", "print": "pdf", "log": "console", "logs": "console", "requests": "network requests", "switch": "frame",
	"iframe": "frame", "alert": "dialog accept", "accept": "dialog accept", "dismiss": "dialog dismiss", "hit": "click",
	"keypress": "press", "attach": "upload", "setinputfiles": "upload", "innertext": "get text", "textcontent": "get text",
}

// unknown reports cells that begin with no command of the table.
func unknown(cells []Cell, p diag.Pos, l *diag.List) {
	if len(cells) == 0 {
		l.Add(p, "a row is empty", `write a command and its operands: [click, "#buy"]`)
		return
	}
	first := cells[0]
	if first.Dynamic {
		l.Add(first.Pos, "the command of a row must be written out", "only its operands may hold ${{ }}")
		return
	}
	if first.Text == "" {
		l.Add(first.Pos, "the first cell of a row names the command", `write [click, "#buy"]`)
		return
	}
	if subs := family(first.Text); subs != nil {
		sub(first.Text, cells, subs, l)
		return
	}
	if hint, ok := noRows[first.Text]; ok {
		l.Add(first.Pos, strconv.Quote(first.Text)+" is no row here", hint)
		return
	}
	msg := "unknown command " + strconv.Quote(first.Text)
	if looksLikeTarget(first.Text) {
		l.Add(first.Pos, msg, "a row starts with what to do: [click, "+strconv.Quote(first.Text)+"]")
		return
	}
	if word, rest, ok := strings.Cut(first.Text, " "); ok && known(word) {
		if c, found := byName[first.Text]; found {
			l.Add(first.Pos, msg, "each word is a cell of its own: ["+strings.Join(c.Words, ", ")+"]")
			return
		}
		l.Add(first.Pos, msg, "each cell stands alone: ["+word+", "+strconv.Quote(strings.TrimSpace(rest))+"]")
		return
	}
	l.Add(first.Pos, msg, commandHint(first.Text))
}

// sub reports the word behind name, one or two words, that its family does not have.
func sub(name string, cells []Cell, subs []string, l *diag.List) {
	at := len(words(name))
	if len(cells) == at {
		l.Add(cells[at-1].Pos, strconv.Quote(name)+" needs "+article(ordinals[at])+" word", "one of "+strings.Join(subs, ", "))
		return
	}
	cell := cells[at]
	if cell.Dynamic {
		l.Add(cell.Pos, "the command of a row must be written out", "one of "+strings.Join(subs, ", "))
		return
	}
	longer := name + " " + cell.Text
	if hint, ok := noRows[longer]; ok {
		l.Add(cell.Pos, strconv.Quote(longer)+" is no row here", hint)
		return
	}
	if more := family(longer); more != nil && at+1 < len(ordinals) && len(words(longer)) > at {
		sub(longer, cells, more, l)
		return
	}
	hint := diag.Suggest(cell.Text, subs)
	if !strings.HasPrefix(hint, "did you mean") {
		hint = "one of " + strings.Join(subs, ", ")
	}
	if looksLikeTarget(cell.Text) {
		hint = "name what to " + name + " before the target: " + strings.Join(subs, ", ")
	}
	l.Add(cell.Pos, strconv.Quote(name)+" has no "+strconv.Quote(cell.Text), hint)
}

// ordinals count the words of a command.
var ordinals = []string{"first", "second", "third"}

// family gives the words that may follow name, if name is not a command by itself.
func family(name string) []string {
	if byName[name] != nil {
		return nil
	}
	return following(name)
}

// following gives the words that may follow name.
func following(name string) []string {
	before := words(name)
	var out []string
	for _, c := range table {
		if n := len(before); len(c.Words) > n && slices.Equal(c.Words[:n], before) && !slices.Contains(out, c.Words[n]) {
			out = append(out, c.Words[n])
		}
	}
	return out
}

func known(word string) bool { return byName[word] != nil || family(word) != nil }

func looksLikeTarget(s string) bool {
	return s != "" && strings.ContainsAny(s[:1], "#./@[(") || strings.ContainsAny(s, "=>")
}

// commandHint says what a word may have meant: "geturl" is get url, "clik" is click.
func commandHint(s string) string {
	folded := strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "", " ", "").Replace(s))
	var names []string
	for name := range byName {
		names = append(names, name)
		if strings.ReplaceAll(name, " ", "") == folded {
			return spelled(name)
		}
	}
	if to, ok := otherWords[folded]; ok {
		return spelled(to)
	}
	names = append(names, families()...)
	if near := diag.Nearest(s, names); len(near) > 0 {
		return spelled(near[0])
	}
	return "checkrow commands lists them"
}

func families() []string {
	var out []string
	for _, c := range table {
		if len(c.Words) > 1 && !slices.Contains(out, c.Words[0]) {
			out = append(out, c.Words[0])
		}
	}
	return out
}

func spelled(name string) string {
	if w := words(name); len(w) > 1 {
		return "did you mean " + strconv.Quote(name) + "? Its words are cells: [" + strings.Join(w, ", ") + "]"
	}
	return "did you mean " + strconv.Quote(name) + "?"
}
