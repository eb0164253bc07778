package argv

import (
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
)

// fixedWait is from where a pause of fixed length is a lint.
const fixedWait = time.Second

func waits() []*Command {
	return []*Command{{
		Words:    words("wait"),
		Operands: []Operand{{Name: "target|ms", Kind: TargetOrTime, Optional: true, Doc: "an element, or a pause of fixed length"}},
		Flags: []Flag{
			{Name: "--state", Kind: Enum, Values: []string{"visible", "hidden", "attached", "detached"},
				Doc: "of the target (default visible)"},
			{Name: "--text", Short: "-t", Kind: Text, Doc: "text that the page or frame shows"},
			{Name: "--url", Short: "-u", Kind: URLPattern, Doc: "pattern of the URL of a page that has loaded"},
			{Name: "--load", Short: "-l", Kind: Enum, Values: []string{"load", "domcontentloaded", "networkidle"}, Doc: "load state"},
			{Name: "--fn", Short: "-f", Kind: JS, Doc: "JavaScript that becomes true"},
			{Name: "--download", Short: "-d", Bool: true, Doc: "a download that no row has taken; the operand is then where to save it"},
			{Name: "--timeout", Kind: Duration, Doc: "default timeouts.wait"},
		},
		Data: []DataKey{{"waited", "string", "selector, timeout, text, url, load or fn"}, {"selector", "string", "the target"},
			{"ms", "int", "length of the pause"}, {"text", "string", "the text"}, {"url", "string", "of the page"},
			{"state", "string", "the load state"}, {"result", "any", "what --fn gave"},
			{"path", "string", "with --download: absolute path of the file"}, {"filename", "string", "with --download: the name that the page gave it"}},
		Traits: UsesRefs | Waits | Repeatable | Page, Trips: 1,
		Doc:     "Waits for an element, a text, a URL, a load state, JavaScript, a download or a time.",
		Example: []string{"wait", "--url", "/thanks"},
		Differs: "takes every target; URL patterns are globs; an unknown load state is an error; expiry is a timeout, not a failed check",
		Check:   checkWait,
	}}
}

func checkWait(c *Call, l *diag.List) {
	var forms []string
	if len(c.Operands) > 0 && !c.Has("--download") {
		forms = append(forms, c.Cells[c.Operands[0]].Text)
	}
	for _, f := range []string{"--text", "--url", "--load", "--fn", "--download"} {
		if c.Has(f) {
			forms = append(forms, f)
		}
	}
	switch {
	case len(forms) == 0:
		l.Add(c.Pos, "wait needs something to wait for", "usage: "+Usage(c.Command))
	case len(forms) > 1:
		l.Add(c.Pos, "wait waits for one thing, not for "+strings.Join(forms, " and "), "write one row for each")
	}
	if c.Has("--state") && (len(c.Operands) == 0 || c.Has("--download")) {
		l.Add(c.Pos, "--state can only be used with a target", "")
	}
	if text, p, ok := c.static("--text"); ok && text == "" {
		l.Add(p, "--text is empty", "every page has the empty text")
	}
	text, p, ok := c.staticOperand(0)
	if !ok || !isTime(text) || c.Has("--download") {
		return
	}
	if c.Has("--state") {
		l.Add(p, "--state can only be used with a target", strconv.Quote(text)+" is a pause")
	}
	if c.Has("--timeout") {
		l.Add(p, "a pause of fixed length has no --timeout", "")
	}
	if d, err := ParseDuration(text); err == nil && d >= fixedWait {
		l.Lint(p, "a fixed wait of "+d.String()+" makes the test slow and still not sure",
			`wait for what you need: [wait, "#done"], [wait, --url, /thanks]`)
	}
}

// waitKey is the data key that tells what a wait row saw.
func (c *Call) waitKey() string {
	for _, f := range []struct{ flag, key string }{{"--url", "url"}, {"--text", "text"}, {"--load", "state"}, {"--fn", "result"},
		{"--download", "path"}} {
		if c.Has(f.flag) {
			return f.key
		}
	}
	if text, _, ok := c.staticOperand(0); ok && !isTime(text) {
		return "selector"
	}
	return ""
}

// isTime tells a pause from a target.
func isTime(s string) bool { return timeForm.MatchString(s) }
