package target

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec/diag"
)

// engines are the prefixes of the grammar; what has none is CSS, what starts with "@" a ref.
var engines = map[string]Engine{
	"xpath": XPath, "role": Role, "label": Label, "text": TextIs, "testid": TestID, "placeholder": Placeholder,
	"alt": Alt, "title": Title, "nth": Nth,
}

var (
	prefixForm = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_:-]*)=`)
	refForm    = regexp.MustCompile(`^(f[0-9]+)?e[0-9]+$`)
	roleForm   = regexp.MustCompile(`^[A-Za-z][A-Za-z-]*`)
)

// parser reads one target from left to right. at is a byte offset in src; positions are told in runes.
type parser struct {
	src  string
	at   int
	pos  diag.Pos
	errs *diag.List
	out  Target
	bad  bool
}

func parse(src string, p diag.Pos, l *diag.List) Target {
	x := &parser{src: src, pos: p, errs: l, out: Target{Source: src}}
	if strings.TrimSpace(src) == "" {
		x.fail(0, "a target is empty", `name an element: CSS, role=button Buy, label=E-mail, text=Thanks or @e3`)
		return x.out
	}
	if !utf8.ValidString(src) {
		x.fail(0, "a target is no valid UTF-8", "")
		return x.out
	}
	for x.part() {
	}
	return x.out
}

// fail reports at byte offset at; only the first problem of a target is told, for the rest mostly follows from it.
func (x *parser) fail(at int, msg, hint string) {
	if x.bad {
		return
	}
	x.bad = true
	p := x.pos
	if p.Col > 0 {
		p.Col += utf8.RuneCountInString(x.src[:min(at, len(x.src))])
	}
	x.errs.Add(p, msg, hint)
}

// part reads one part and the ">>" behind it; it tells whether another part follows.
func (x *parser) part() bool {
	x.space()
	start := x.at
	engine, known := CSS, false
	if m := prefixForm.FindStringSubmatch(x.src[x.at:]); m != nil {
		if engine, known = engines[m[1]]; !known {
			x.fail(start, strconv.Quote(m[1]+"=")+" is no engine of the target grammar", engineHint(m[1], x.src[x.at+len(m[0]):]))
			return false
		}
		x.at += len(m[0])
	}
	switch {
	case !known && strings.HasPrefix(x.src[x.at:], "@"):
		x.ref(start)
	case !known || engine == XPath:
		x.selector(engine, start)
	case engine == Nth:
		x.nth(start)
	case engine == Role:
		x.role(start)
	default:
		text, exact := x.name(start)
		x.add(Part{Engine: engine, Value: text, Exact: exact})
	}
	return x.next()
}

func (x *parser) add(p Part) { x.out.Parts = append(x.out.Parts, p) }

func (x *parser) space() {
	x.at += len(x.src[x.at:]) - len(strings.TrimLeftFunc(x.src[x.at:], unicode.IsSpace))
}

// next steps over ">>". After a whole part there is nothing but it or the end.
func (x *parser) next() bool {
	x.space()
	if x.bad || x.at >= len(x.src) {
		return false
	}
	at := x.at
	x.at += len(">>")
	if strings.TrimSpace(x.src[x.at:]) == "" {
		x.fail(at, `nothing stands after ">>"`, `A >> B is B inside A; a name that holds ">>" goes in quotes`)
		return false
	}
	return true
}

// until gives the trimmed text up to the next ">>" or the end.
func (x *parser) until() string {
	rest := x.src[x.at:]
	if i := strings.Index(rest, ">>"); i >= 0 {
		rest = rest[:i]
	}
	x.at += len(rest)
	return strings.TrimSpace(rest)
}

func (x *parser) ref(start int) {
	text := x.until()
	ref := strings.TrimPrefix(text, "@")
	switch {
	case !refForm.MatchString(ref):
		x.fail(start, strconv.Quote(text)+" is no ref", "a ref is @e3, or @f1e2 in a frame, as the last snapshot row printed it")
	case len(x.out.Parts) > 0:
		x.fail(start, "a ref stands inside another target", "a ref names one element of the page: write it first, or alone")
	}
	x.add(Part{Engine: Ref, Value: ref})
}

func (x *parser) nth(start int) {
	text := x.until()
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		x.fail(start, "nth= takes a whole number, not "+strconv.Quote(text), "nth=0 is the first, nth=-1 the last")
	case len(x.out.Parts) == 0:
		x.fail(start, "nth= has nothing to choose from", `write what it chooses from before it: "li >> nth=`+text+`"`)
	}
	x.add(Part{Engine: Nth, N: n})
}

func (x *parser) role(start int) {
	x.space()
	at := x.at
	role := roleForm.FindString(x.src[x.at:])
	x.at += len(role)
	if role == "" {
		x.fail(start, "role= names no role", "write role=button, or role=button Buy now")
		return
	}
	if !roles[role] {
		x.fail(at, strconv.Quote(role)+" is no ARIA role", roleHint(role))
	}
	p := Part{Engine: Role, Value: role}
	rest := x.src[x.at:]
	if strings.HasPrefix(rest, "[") {
		x.fail(x.at, "role= takes the name after a space, not in brackets", bracketHint(role, rest))
		x.until()
		x.add(p)
		return
	}
	if rest != "" && !unicode.IsSpace(rune(rest[0])) && !strings.HasPrefix(rest, ">>") {
		x.fail(x.at, "a role is followed by a space and the name", "write role="+role+" "+strings.Trim(x.until(), ` "'(),`))
		x.add(p)
		return
	}
	x.space()
	if rest = x.src[x.at:]; rest != "" && !strings.HasPrefix(rest, ">>") {
		p.Name, p.Exact = x.name(start)
		p.Named = true
	}
	x.add(p)
}

// name reads the rest of a part as a name: in quotes exact, else up to the next ">>".
func (x *parser) name(start int) (text string, exact bool) {
	x.space()
	if x.at < len(x.src) && (x.src[x.at] == '"' || x.src[x.at] == '\'') {
		return x.quoted(), true
	}
	if text = x.until(); text == "" {
		x.fail(start, "the name is empty", "write the text to look for after the =")
	}
	return text, false
}

// quoted reads a name in quotes; \" and \\ stand for themselves.
func (x *parser) quoted() string {
	open, quote := x.at, x.src[x.at]
	var b strings.Builder
	for x.at++; x.at < len(x.src); x.at++ {
		c := x.src[x.at]
		if c == quote {
			break
		}
		if c == '\\' && x.at+1 < len(x.src) && (x.src[x.at+1] == quote || x.src[x.at+1] == '\\') {
			x.at++
			c = x.src[x.at]
		}
		b.WriteByte(c)
	}
	if x.at >= len(x.src) {
		x.fail(open, "a quote is not closed", `a name that starts with a quote is exact and ends with the same quote`)
		return b.String()
	}
	x.at++
	if strings.TrimSpace(b.String()) == "" {
		x.fail(open, "the name is empty", "write the text to look for between the quotes")
	}
	end := x.at
	if x.until() != "" {
		x.fail(end, "text stands after the closing quote", `the quotes hold the whole exact name; inside them write \" for a quote`)
	}
	return b.String()
}

// selector reads CSS or XPath up to a ">>" that stands outside quotes and brackets.
func (x *parser) selector(engine Engine, start int) {
	x.space()
	from := x.at
	x.scan(engine)
	text := strings.TrimSpace(x.src[from:x.at])
	if text == "" {
		x.fail(start, "a part of the target is empty", `A >> B is B inside A`)
		return
	}
	if engine == CSS {
		if msg, hint := foreign(text); msg != "" {
			x.fail(from, msg, hint)
		} else if at, msg, hint := checkCSS(text); msg != "" {
			x.fail(from+at, msg, hint)
		} else if len(x.out.Parts) == 0 && !x.bad {
			x.lintWord(from, text)
		}
	}
	x.add(Part{Engine: engine, Value: text})
}

// scan moves to the end of a selector and reports brackets and quotes that do not match.
func (x *parser) scan(engine Engine) {
	type opened struct {
		c  byte
		at int
	}
	var stack []opened
	closing := map[byte]byte{'(': ')', '[': ']', '{': '}'}
	for ; x.at < len(x.src); x.at++ {
		c := x.src[x.at]
		switch {
		case c == '\\' && engine == CSS:
			x.at++
		case c == '"' || c == '\'':
			if end := closingQuote(x.src, x.at, engine == CSS); end > 0 {
				x.at = end
				continue
			}
			x.fail(x.at, "a quote is not closed", "")
			x.at = len(x.src)
			return
		case closing[c] != 0:
			stack = append(stack, opened{c, x.at})
		case c == ')' || c == ']' || c == '}':
			if len(stack) == 0 || closing[stack[len(stack)-1].c] != c {
				x.fail(x.at, strconv.Quote(string(c))+" closes nothing", "")
				x.at = len(x.src)
				return
			}
			stack = stack[:len(stack)-1]
		case len(stack) == 0 && strings.HasPrefix(x.src[x.at:], ">>"):
			return
		}
	}
	x.at = min(x.at, len(x.src))
	if len(stack) > 0 {
		last := stack[len(stack)-1]
		x.fail(last.at, strconv.Quote(string(last.c))+" is not closed", "add "+strconv.Quote(string(closing[last.c])))
	}
}

// closingQuote gives the offset of the quote that ends the one at i, or -1.
func closingQuote(s string, i int, escapes bool) int {
	for j := i + 1; j < len(s); j++ {
		switch {
		case escapes && s[j] == '\\':
			j++
		case s[j] == s[i]:
			return j
		}
	}
	return -1
}
