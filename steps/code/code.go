// Package code holds the step kinds that are JavaScript: code, a cell that runs beside the page in an interpreter of its
// own and drives it by rows (R75 to R83), and page_script, which runs in the page (R191).
//
// A cell runs in a child process of the checkrow binary (DESIGN §14): it has neither files nor network nor timers nor
// modules, and what it does to its memory or processor ends it and nothing else. It asks for rows over a pipe.
package code

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// The limits of a cell (R75 to R79).
const (
	maxSource      = 65_536 // bytes and characters
	maxNesting     = 1_000  // brackets: the parser recurses
	defaultTimeout = 120 * time.Second
	maxTimeout     = 300 * time.Second
	defaultCalls   = 25
	maxCalls       = 1_000
	maxEmit        = 64 << 10 // bytes of JSON, of all that is emitted or returned
	maxMessage     = 1 << 20  // bytes of one message on the pipe
	maxTraffic     = 8 << 20  // bytes of all messages
	maxLogs        = 100      // lines
	maxLogLine     = 2 << 10
	maxImages      = 8
	maxImage       = 5 << 20
	maxImageBytes  = 20 << 20
	maxShown       = 50 // calls that the result lists
)

// Kind is code.
var Kind = steps.Kind{
	Name: "code",
	Doc: "Runs JavaScript beside the page: `await browser({args: [\"click\", \"#buy\"]})` runs a row in the test's session and " +
		"gives {success, value, data, error …}, emit(value) or return gives steps.ID.value, inputs are the values of with. " +
		"It has no files, network, timers or modules. A call that failed fails the step. Its limit is 120s unless timeout says otherwise.",
	Example: "- code: |\n" +
		"    const names = await browser({ args: [\"eval\", \"[...document.querySelectorAll('.user')].map(e => e.textContent)\"] });\n" +
		"    return names.value.filter(n => n !== inputs.user).length;\n" +
		"  with: { user: \"${{ vars.user }}\" }\n  expect: value == 2\n",
	Keys: []spec.Key{
		{Name: "code", Type: "text", Doc: "the body of an async function, at most 65,536 bytes; it takes no ${{ }}", Required: true, Aka: []string{"javascript", "js"}},
		{Name: "with", Type: "map of text", Doc: "values that the code reads as inputs.NAME", Aka: []string{"inputs", "args"}},
		{Name: "fail_on_inner_failure", Type: "bool", Doc: "false: a row that failed is the code's own business", Default: "true"},
		{Name: "max_calls", Type: "int", Doc: "how many rows the code may run, 1000 at most", Default: "25"},
	},
	Decode: decode,
}

// cell is a compiled code step. It is not changed by running it.
type cell struct {
	source  string
	at      spec.Node // of the source: its lines are those of the file
	inputs  []input
	timeout time.Duration // 0: the runner sets the limit that the step says
	calls   int
	lenient bool // a row that failed does not fail the step
}

// input is one entry of with.
type input struct {
	name  string
	value spec.Text
}

func decode(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
	c := &cell{timeout: defaultTimeout, calls: defaultCalls, at: m["code"]}
	var ok bool
	if c.source, ok = source(d, m["code"], "code"); !ok {
		return nil, result()
	}
	if err := compile(c.source); err != nil {
		d.Errs.Add(c.pos(err.line, err.col), "the code is no JavaScript: "+err.text, "")
	}
	c.timeout = ownLimit(d, m["timeout"], defaultTimeout)
	c.inputs = inputs(d, m["with"])
	if n, ok := m["fail_on_inner_failure"]; ok {
		before := d.Errs.Len()
		c.lenient = !spec.WantBool(n, "fail_on_inner_failure", d.Errs) && d.Errs.Len() == before
	}
	if n, ok := m["max_calls"]; ok {
		before := d.Errs.Len()
		c.calls = spec.WantInt(n, "max_calls", 1, d.Errs)
		if c.calls > maxCalls && d.Errs.Len() == before {
			d.Errs.AddWide(n.Pos(), n.Width(), `"max_calls" is at most `+strconv.Itoa(maxCalls)+", got "+strconv.Itoa(c.calls), "a loop of the suite runs rows without a limit")
		}
	}
	return steps.Opaque{Checks: true, Run: c.run, Page: strings.Contains(c.source, "browser")}, result()
}

// result is the type of steps.ID of a cell.
func result() spec.Type {
	count := func(doc string) spec.Type { return spec.Type{Base: spec.Int, Doc: doc} }
	run := spec.Type{Base: spec.Struct, Doc: "what the code did", Fields: map[string]spec.Type{
		"callCount":         count("rows that it asked for"),
		"emitCount":         count("values that it emitted"),
		"failedCallCount":   count("rows that failed"),
		"rejectedCallCount": count("calls that were no row"),
		"timedOut":          {Base: spec.Bool, Doc: "its time was over"},
		"aborted":           {Base: spec.Bool, Doc: "the test ended around it"},
	}}
	list := spec.Type{Base: spec.List, Elem: &spec.Type{Base: spec.Any}}
	return steps.Result(map[string]spec.Type{
		"value":   {Base: spec.Any, Doc: "what it emitted: one value, or the list of them; else what it returned"},
		"codeRun": run,
		"data": {Base: spec.Struct, Fields: map[string]spec.Type{
			"codeRun": run, "codeSteps": list, "failures": list, "images": list, "logs": list,
		}},
	})
}

// source reads a script and checks its size; ${{ }} in it would be an injection.
func source(d *steps.Decoder, n spec.Node, key string) (string, bool) {
	if n.IsZero() {
		return "", false
	}
	before := d.Errs.Len()
	text := spec.WantText(n, key, d.Errs)
	if d.Errs.Len() > before {
		return "", false
	}
	switch {
	case strings.TrimSpace(text) == "":
		d.Errs.AddWide(n.Pos(), n.Width(), strconv.Quote(key)+" is empty", "write "+key+": | and the script on the lines below")
		return "", false
	case len(text) > maxSource:
		d.Errs.Add(n.Pos(), "the script has "+strconv.Itoa(len(text))+" bytes, at most "+strconv.Itoa(maxSource)+" are taken", "")
		return "", false
	}
	if before, _, found := strings.Cut(text, "${{"); found {
		d.Errs.Add(n.At(utf8.RuneCountInString(before)), "${{ }} in a script would be read as code",
			"give the value in with: { name: \"${{ … }}\" } and read inputs.name")
		return "", false
	}
	return text, true
}

// ownLimit gives the limit that a step sets itself: 0 if timeout is written, which the runner sees to. More than five
// minutes are refused.
func ownLimit(d *steps.Decoder, n spec.Node, standard time.Duration) time.Duration {
	text, ok := n.Text()
	if n.IsZero() || !ok {
		return standard
	}
	if t, err := time.ParseDuration(text); err == nil && t > maxTimeout {
		d.Errs.AddWide(n.Pos(), n.Width(), `"timeout" of a script is at most `+maxTimeout.String()+", got "+text, "")
	}
	return 0
}

func inputs(d *steps.Decoder, n spec.Node) []input {
	if n.IsZero() {
		return nil
	}
	var out []input
	for _, e := range n.Entries(`"with"`, d.Errs) {
		if !identifier(e.Name) {
			d.Errs.AddWide(e.KeyPos, utf8.RuneCountInString(e.Name), strconv.Quote(e.Name)+" cannot be the name of an input", "letters, digits and _, a letter first")
			continue
		}
		before := d.Errs.Len()
		if spec.WantText(e.Value, e.Name, d.Errs); d.Errs.Len() == before {
			out = append(out, input{e.Name, spec.CompileText(e.Value, d.Scope, d.Errs)})
		}
	}
	return out
}

func identifier(s string) bool {
	for i, c := range s {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// pos gives where a line and column of the script stand in the file.
func (c *cell) pos(line, col int) diag.Pos { return posIn(c.at, c.source, line, col) }

func posIn(n spec.Node, text string, line, col int) diag.Pos {
	if line < 1 {
		return n.Pos()
	}
	offset := 0
	for range line - 1 {
		head, rest, found := strings.Cut(text, "\n")
		if !found {
			return n.Pos()
		}
		offset += utf8.RuneCountInString(head) + 1
		text = rest
	}
	head, _, _ := strings.Cut(text, "\n")
	return n.At(offset + min(max(col-1, 0), utf8.RuneCountInString(head)))
}
