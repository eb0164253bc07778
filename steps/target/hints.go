package target

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec/diag"
)

var (
	getByForm    = regexp.MustCompile(`^(?:page\.)?getBy(Role|Text|Label|Placeholder|AltText|Title|TestId)\(\s*(.*?)\s*\)`)
	locatorForm  = regexp.MustCompile(`^(?:page\.|document\.)?(?:locator|querySelector|querySelectorAll|\$\$?)\(\s*['"](.*?)['"]\s*\)`)
	callForm     = regexp.MustCompile(`^(text|role|label|placeholder|alt|title|testid)\(\s*(.*?)\s*\)$`)
	firstString  = regexp.MustCompile(`^['"](.*?)['"]`)
	nameOption   = regexp.MustCompile(`name:\s*['"](.*?)['"]`)
	bracketName  = regexp.MustCompile(`^\[\s*name\s*=\s*['"]?(.*?)['"]?\s*i?\s*\]`)
	capitalWords = regexp.MustCompile(`^[A-Za-z]+( [A-Za-z]+)*$`)
)

var getByEngines = map[string]string{
	"Role": "role", "Text": "text", "Label": "label", "Placeholder": "placeholder", "AltText": "alt", "Title": "title",
	"TestId": "testid",
}

// foreign knows spellings of other tools where CSS is expected, and gives the one that works here.
func foreign(s string) (msg, hint string) {
	if strings.HasPrefix(s, "//") || strings.HasPrefix(s, "(//") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "..") {
		return "XPath needs its prefix", "write xpath=" + s
	}
	if m := getByForm.FindStringSubmatch(s); m != nil {
		arg := ""
		if a := firstString.FindStringSubmatch(m[2]); a != nil {
			arg = a[1]
		}
		write := getByEngines[m[1]] + "=" + arg
		if n := nameOption.FindStringSubmatch(m[2]); n != nil && m[1] == "Role" {
			write += " " + n[1]
		}
		return "getBy" + m[1] + "() is no target", "write " + write
	}
	if m := locatorForm.FindStringSubmatch(s); m != nil {
		return "a target is the selector alone, without a call", "write " + m[1]
	}
	if m := callForm.FindStringSubmatch(s); m != nil {
		arg := m[2]
		if a := firstString.FindStringSubmatch(arg); a != nil {
			arg = a[1]
		}
		if arg == "" {
			arg = "…"
		}
		return m[1] + "() is no target", "write " + m[1] + "=" + arg
	}
	if refForm.MatchString(s) {
		return "a ref needs its @", "write @" + s
	}
	return "", ""
}

// otherEngines are prefixes of other tools, and what to write instead; %s is what followed.
var otherEngines = map[string]string{
	"css": "%s", "id": "#%s", "class": ".%s", "name": `[name="%s"]`, "ref": "@%s", "link": "role=link %s",
	"aria-label": "label=%s", "data-testid": "testid=%s", "data-test-id": "testid=%s", "test-id": "testid=%s",
	"alttext": "alt=%s", "contains": "text=%s", "linktext": "role=link %s", "partiallinktext": "role=link %s",
	"internal:text": "text=%s", "internal:label": "label=%s", "internal:role": "role=%s", "aria-ref": "@%s",
}

// engineHint says what to write instead of an unknown NAME=REST.
func engineHint(name, rest string) string {
	rest = strings.TrimSpace(rest)
	low := strings.ToLower(name)
	if f, ok := otherEngines[low]; ok {
		return "write " + strings.Replace(f, "%s", rest, 1)
	}
	if roles[low] {
		return "write role=" + low + " " + rest
	}
	var names []string
	for n := range engines {
		names = append(names, n)
	}
	if near := diag.Nearest(low, names); len(near) > 0 {
		return "did you mean " + near[0] + "=?"
	}
	return `the engines are xpath= role= label= text= testid= placeholder= alt= title= nth=; an attribute is [` + name + `="…"]`
}

func roleHint(role string) string {
	var names []string
	for n := range roles {
		names = append(names, n)
	}
	if near := diag.Nearest(strings.ToLower(role), names); len(near) > 0 {
		return "did you mean role=" + near[0] + "?"
	}
	switch strings.ToLower(role) {
	case "a", "anchor":
		return "did you mean role=link?"
	case "input", "field", "email", "text":
		return "did you mean role=textbox?"
	case "dropdown", "select":
		return "did you mean role=combobox?"
	case "image":
		return "did you mean role=img?"
	}
	return "roles are those of ARIA: button, link, textbox, checkbox, combobox, heading, row, dialog …"
}

func bracketHint(role, rest string) string {
	if m := bracketName.FindStringSubmatch(rest); m != nil {
		return "write role=" + role + ` "` + m[1] + `"`
	}
	return "write role=" + role + " NAME"
}

// lintWord warns of a plain word where CSS is expected: "Buy now" is <Buy> <now> to CSS, which no page has.
func (x *parser) lintWord(at int, s string) {
	if !capitalWords.MatchString(s) {
		return
	}
	for _, w := range strings.Fields(s) {
		if len(w) > 1 && unicode.IsUpper(rune(w[0])) && unicode.IsLower(rune(w[1])) {
			p := x.pos
			if p.Col > 0 {
				p.Col += utf8.RuneCountInString(x.src[:at])
			}
			x.errs.Append(&diag.Error{Pos: p, Width: utf8.RuneCountInString(s), Severity: diag.Lint,
				Msg: "this is CSS for elements named " + w + ", which no page has", Hint: "for an element by its text write text=" + s})
			return
		}
	}
}
