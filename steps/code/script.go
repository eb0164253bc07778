package code

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

const (
	scriptTimeout = 30 * time.Second
	maxState      = 256 << 10 // bytes of JSON that scripts keep in a session
	stateKey      = "page_script"
	subNavigated  = "navigated"
)

// PageScript is page_script.
var PageScript = steps.Kind{
	Name: "page_script",
	Doc: "Runs an async script in the page: state is an object that the next script of the test in this session finds again, " +
		"log(…) writes into the report, sleep(ms) and waitFor(selector or function, ms) wait, inputs are the values of with, return gives steps.ID.value. " +
		"Its limit is 30s unless timeout says otherwise.",
	Example: "- page_script: |\n    await waitFor(\".row\");\n    state.rows = document.querySelectorAll(\".row\").length;\n    return state.rows;\n  expect: value > 0\n",
	Keys: []spec.Key{
		{Name: "page_script", Type: "text", Doc: "the body of an async function, at most 65,536 bytes; it takes no ${{ }}", Required: true, Aka: []string{"pagescript", "script"}},
		{Name: "with", Type: "map of text", Doc: "values that the script reads as inputs.NAME", Aka: []string{"inputs", "args"}},
	},
	Decode: decodeScript,
}

// script is a compiled page_script step. It is not changed by running it.
type script struct {
	source  string
	at      spec.Node
	inputs  []input
	timeout time.Duration
}

func decodeScript(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
	s := &script{at: m["page_script"]}
	anything := spec.Type{Base: spec.Any}
	list := spec.Type{Base: spec.List, Elem: &spec.Type{Base: spec.String}}
	typ := steps.Result(map[string]spec.Type{
		"value": {Base: spec.Any, Doc: "what it returned"},
		"data":  {Base: spec.Struct, Fields: map[string]spec.Type{"result": anything, "logs": list, "state": anything}},
	})
	var ok bool
	if s.source, ok = source(d, m["page_script"], "page_script"); !ok {
		return nil, typ
	}
	s.timeout = ownLimit(d, m["timeout"], scriptTimeout)
	s.inputs = inputs(d, m["with"])
	return steps.Opaque{Run: s.run, Page: true}, typ
}

// scriptURL names the script in the page's own stacks.
const scriptURL = "checkrow-page-script"

// scriptTop and scriptBottom stand around a script in the page. The script begins on a line of its own, see scriptOffset.
const scriptTop = `(async (state, inputs) => {
const logs = [], stringify = JSON.stringify, parse = JSON.parse;
const show = v => { if (typeof v === 'string') return v; try { const t = stringify(v); return t === undefined || t === '{}' ? String(v) : t } catch { return String(v) } };
const log = (...words) => { if (logs.length < 100) logs.push(words.map(show).join(' ').slice(0, 2048)) };
const sleep = ms => new Promise(done => setTimeout(done, ms));
const waitFor = async (what, ms = 5000) => { const until = performance.now() + ms; for (;;) {
  const got = typeof what === 'function' ? await what() : document.querySelector(what); if (got) return got;
  if (performance.now() >= until) throw new Error('waitFor: ' + (typeof what === 'function' ? 'the condition did' : what + ' did') + ' not come true in ' + ms + ' ms');
  await sleep(50) } };
const end = more => { try { more.state = stringify(state ?? {}) } catch (e) { more.ok = false; more.error = 'state cannot be kept: ' + e } more.logs = logs; return stringify(more) };
try { const result = await (async () => {
`

const scriptBottom = `
})(); return end({ok: true, result: result === undefined ? null : result}) } catch (e) {
return end({ok: false, error: e instanceof Error ? String(e) : 'the script threw ' + show(e), stack: e instanceof Error ? String(e.stack) : ''}) }
})`

var scriptOffset = strings.Count(scriptTop, "\n")

// outcome is what the wrapping gives.
type outcome struct {
	OK     bool            `json:"ok"`
	Result json.RawMessage `json:"result"`
	Error  string          `json:"error"`
	Stack  string          `json:"stack"`
	Logs   []string        `json:"logs"`
	State  string          `json:"state"`
}

// run runs the script in the page of the step's session.
func (s *script) run(ctx context.Context, e steps.Env) steps.Observation {
	if e.Reader == nil || e.State == nil {
		return steps.Fail(steps.Internal, "", "there is no page here that could run a script")
	}
	c := cell{inputs: s.inputs}
	given, err := c.given(ctx, e)
	if err != nil {
		return trouble(err)
	}
	text, err := json.Marshal(given)
	if err != nil {
		return steps.Fail(steps.Validation, "expression", "the inputs cannot be given to the page: "+err.Error())
	}
	if s.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.timeout, slowScript{s.timeout})
		defer cancel()
	}
	kept := e.State()
	state := kept[stateKey]
	if state == "" {
		state = "{}"
	}
	js := scriptTop + s.source + scriptBottom + "(" + state + ", " + string(text) + ")\n//# sourceURL=" + scriptURL
	answer, err := e.Reader.Read(ctx, "js", []any{js})
	if err != nil {
		return s.broken(ctx, err)
	}
	var out outcome
	if said, ok := answer.(string); !ok || json.Unmarshal([]byte(said), &out) != nil {
		return steps.Fail(steps.Assertion, subScript, "the page has changed what the script needs, and gave no answer")
	}
	return s.judge(out, kept)
}

// slowScript is the cause of a script that its own limit ended.
type slowScript struct{ limit time.Duration }

// Error says what took too long.
func (t slowScript) Error() string { return "the script ran longer than " + t.limit.String() }

func (s *script) judge(out outcome, kept map[string]string) steps.Observation {
	result := decodeJSON(out.Result)
	logs := make([]any, len(out.Logs))
	for i, line := range out.Logs {
		logs[i] = line
	}
	o := steps.Observation{Success: true, Value: result, Data: map[string]any{"result": result, "logs": logs, "state": map[string]any{}}}
	switch {
	case len(out.State) > maxState:
		o.Success, o.Category, o.Sub = false, steps.Validation, subSize
		o.Error = "the script keeps " + strconv.Itoa(len(out.State)) + " bytes in state, at most " + strconv.Itoa(maxState) + " are kept"
		return o
	case out.State != "":
		kept[stateKey] = out.State
		o.Data["state"] = decodeJSON([]byte(out.State))
	}
	if !out.OK {
		line, col := scriptPlace(out.Stack)
		o.Success, o.Category, o.Sub, o.Error = false, steps.Assertion, subScript, "the script failed: "+clip(out.Error, 2_000)
		if line > 0 {
			o.Error += fmt.Sprintf(" (line %d of the script)", line)
			o.Pos = posIn(s.at, s.source, line, col)
		}
	}
	return o
}

var scriptFrame = regexp.MustCompile(scriptURL + `:(\d+):(\d+)`)

// scriptPlace gives the innermost place of a stack that lies in the script.
func scriptPlace(stack string) (line, col int) {
	for _, m := range scriptFrame.FindAllStringSubmatch(stack, -1) {
		line, _ = strconv.Atoi(m[1])
		col, _ = strconv.Atoi(m[2])
		if line > scriptOffset {
			return line - scriptOffset, col
		}
	}
	return 0, 0
}

// broken words a script that gave no answer: it is no JavaScript, its page has gone, or its time was over.
func (s *script) broken(ctx context.Context, err error) steps.Observation {
	var at diag.Pos
	o := trouble(err)
	switch {
	case ctx.Err() != nil:
		var slow slowScript
		if errors.As(context.Cause(ctx), &slow) {
			o.Category, o.Sub, o.Error = steps.Timeout, subTimeout, slow.Error()
		}
	case strings.Contains(o.Error, "SyntaxError"):
		if wrong := compile(s.source); wrong != nil && wrong.line > 0 {
			at = posIn(s.at, s.source, wrong.line, wrong.col)
		}
		o.Category, o.Sub = steps.Assertion, subSyntax
	case o.Category == steps.Navigation, strings.Contains(o.Error, "context was destroyed"), strings.Contains(o.Error, "navigated"):
		o.Category, o.Sub = steps.Navigation, subNavigated
		o.Error = "the page was left while the script ran, so it did not end and state is what it was before: " + o.Error
	}
	o.Pos = at
	return o
}
