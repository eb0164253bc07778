package argv

import (
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// notBuilt are commands of the row dialect that are not in the table yet.
var notBuilt = words(`a11y addinitscript auth clipboard close confirm connect cookies deny diff download frames har highlight
	inspect keydown keyup mouse pdf profiler pushstate react read record removeinitscript set state storage stream swipe tap
	trace vitals webmcp window`)

// notBuiltSub are those that share their first word with commands of the table.
var notBuiltSub = []string{"network route", "network unroute", "network request", "network har", "get cdp-url",
	"expect image", "expect aria"}

// notBuiltFlags are flags of the dialect that commands of the table do not take yet.
var notBuiltFlags = map[string][]string{
	"click": {"--new-tab", "--human"}, "drag": {"--human"},
	"snapshot": {"--compact", "-c", "--urls", "-u", "--depth", "-d", "--selector", "-s", "--delta", "--full"},
	"eval":     {"--base64", "-b", "--stdin"}, "wait": {"--download", "-d"}, "tab new": {"--label"},
	"screenshot": {"--if-changed", "--threshold", "--annotate"}, "expect text": {"--mask"},
}

// otherWords are what people call commands elsewhere.
var otherWords = map[string]string{
	"visit": "open", "load": "open", "navigateto": "open", "url": "get url", "title": "get title", "text": "get text",
	"html": "get html", "value": "get value", "attr": "get attr", "attribute": "get attr", "count": "get count",
	"input": "fill", "enter": "fill", "write": "fill", "set": "fill", "clear": "fill", "tick": "check", "untick": "uncheck",
	"assert": "expect text", "should": "expect text", "see": "expect text", "verify": "expect text", "sleep": "wait",
	"pause": "wait", "waitfor": "wait", "visible": "expect visible", "hidden": "expect hidden", "js": "eval",
	"execute": "eval", "evaluate": "eval", "doubleclick": "dblclick", "refresh": "reload", "mouseover": "hover",
	"choose": "select", "log": "console", "logs": "console", "requests": "network requests", "switch": "frame",
	"iframe": "frame", "alert": "dialog accept", "accept": "dialog accept", "dismiss": "dialog dismiss", "hit": "click",
	"keypress": "press", "attach": "upload", "setinputfiles": "upload", "innertext": "get text", "textcontent": "get text",
}

// later tells that a flag of a command is known but not built.
func later(command, flag string) bool { return slices.Contains(notBuiltFlags[command], flag) }

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
	if slices.Contains(notBuilt, first.Text) {
		l.Add(first.Pos, notYet(first.Text), "")
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

func notYet(name string) string {
	return strconv.Quote(name) + " is part of the row dialect but not built yet"
}

// sub reports a second word that the family does not have.
func sub(word string, cells []Cell, subs []string, l *diag.List) {
	if len(cells) == 1 {
		l.Add(cells[0].Pos, strconv.Quote(word)+" needs a second word", "one of "+strings.Join(subs, ", "))
		return
	}
	second := cells[1]
	if second.Dynamic {
		l.Add(second.Pos, "the command of a row must be written out", "one of "+strings.Join(subs, ", "))
		return
	}
	if slices.Contains(notBuiltSub, word+" "+second.Text) {
		l.Add(second.Pos, notYet(word+" "+second.Text), "")
		return
	}
	hint := diag.Suggest(second.Text, subs)
	if !strings.HasPrefix(hint, "did you mean") {
		hint = "one of " + strings.Join(subs, ", ")
	}
	if looksLikeTarget(second.Text) {
		hint = "name what to " + word + " before the target: " + strings.Join(subs, ", ")
	}
	l.Add(second.Pos, strconv.Quote(word)+" has no "+strconv.Quote(second.Text), hint)
}

// family gives the second words of the commands that begin with word, if there is no command of that word alone.
func family(word string) []string {
	if byName[word] != nil {
		return nil
	}
	var out []string
	for _, c := range table {
		if len(c.Words) > 1 && c.Words[0] == word {
			out = append(out, c.Words[1])
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
