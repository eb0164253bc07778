package flow

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// handoffTimeout is how long a person may take if the step does not say.
const handoffTimeout = 5 * time.Minute

// Handoff asks a person to do what no suite can.
var Handoff = steps.Kind{
	Name: "handoff",
	Doc: "Asks a person to do something that a suite cannot, a code on a phone or a captcha: a banner in the page and a prompt on the terminal wait " +
		"until one of them is answered. Refused unless the run has --interactive. That somebody says it is done proves nothing: check it by the next step. " +
		"Its limit is 5m unless timeout says otherwise, and no deadline of the test counts meanwhile.",
	Example: "- handoff: confirm the sign-in on your phone\n  timeout: 2m\n- [expect, visible, \"#account\"]\n",
	Keys: []spec.Key{
		{Name: "handoff", Type: "text", Doc: "what to do", Required: true, Aka: []string{"human", "manual"}},
		{Name: "banner", Type: "bool", Doc: "false: the page is left alone, only the terminal asks", Default: "true"},
	},
	Decode: decodeHandoff,
}

// handoff is a compiled handoff step.
type handoff struct {
	text    spec.Text
	banner  bool
	timeout time.Duration // 0: the runner sets the limit that the step says
}

func decodeHandoff(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
	typ := steps.Result(map[string]spec.Type{
		"value": {Base: spec.String, Doc: "how it ended: in_page or console"},
		"data": {Base: spec.Struct, Fields: map[string]spec.Type{
			"confirmed": {Base: spec.Bool}, "via": {Base: spec.String}, "url": {Base: spec.String},
		}},
	})
	n, ok := m["handoff"]
	if !ok {
		return nil, typ
	}
	before := d.Errs.Len()
	if text := spec.WantText(n, "handoff", d.Errs); strings.TrimSpace(text) == "" {
		if d.Errs.Len() == before {
			d.Errs.AddWide(n.Pos(), n.Width(), `"handoff" is empty`, "say what the person is to do")
		}
		return nil, typ
	}
	h := &handoff{text: spec.CompileText(n, d.Scope, d.Errs), banner: true, timeout: handoffTimeout}
	if !m["timeout"].IsZero() {
		h.timeout = 0
	}
	if b, ok := m["banner"]; ok {
		h.banner = spec.WantBool(b, "banner", d.Errs)
	}
	return steps.Opaque{Run: h.run, Person: true, Asks: true, Page: h.banner}, typ
}

// handoffLimit is the cause of a handoff that nobody answered.
type handoffLimit struct{ limit time.Duration }

// Error says how long was waited.
func (l handoffLimit) Error() string { return "nobody answered in " + l.limit.String() }

func (h *handoff) run(ctx context.Context, e steps.Env) steps.Observation {
	text, err := h.text.String(ctx, e.Values, e.Reader)
	if err != nil {
		return steps.Fail(steps.Validation, "expression", err.Error())
	}
	if e.Handoff == nil {
		return steps.Fail(steps.PolicyDenied, "confirmation-required", "a person is to "+strconv.Quote(text)+", and nobody is there: run with --interactive")
	}
	if h.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, h.timeout, handoffLimit{h.timeout})
		defer cancel()
	}
	done := func(context.Context) (bool, error) { return false, nil }
	if h.banner {
		done = func(ctx context.Context) (bool, error) { return h.ask(ctx, e, text) }
	}
	via, err := e.Handoff(ctx, text, done)
	if h.banner { // whatever it was: the banner does not stay in the way of the next row
		_, _ = e.Reader.Read(context.WithoutCancel(ctx), "js", []any{removeBanner})
	}
	o := steps.Observation{Success: true, Value: via, Data: map[string]any{"confirmed": err == nil, "via": via, "url": ""}}
	if h.banner && err == nil {
		if url, rerr := e.Reader.Read(ctx, "url", nil); rerr == nil {
			o.Data["url"] = url
		}
	}
	if err == nil {
		o.Warnings = []string{"handoff: " + text + ": somebody said that it is done (" + via + "), which is no proof"}
		return o
	}
	o.Success = false
	var known steps.Observed
	switch {
	case ctx.Err() != nil:
		o.Category, o.Sub, o.Error = steps.Timeout, "handoff", "handoff "+strconv.Quote(text)+": "+context.Cause(ctx).Error()
	case errors.As(err, &known):
		o = known.Observation()
		o.Success = false
	default:
		o.Category, o.Sub, o.Error = steps.Interrupted, "held", err.Error()
	}
	return o
}

// ask shows the banner, if the page has none, and tells whether it was answered. A page that is being left is asked again.
func (h *handoff) ask(ctx context.Context, e steps.Env, text string) (bool, error) {
	words, err := json.Marshal(text)
	if err != nil {
		return false, errors.New("the text of the handoff cannot be shown in the page")
	}
	answer, err := e.Reader.Read(ctx, "js", []any{showBanner + "(" + string(words) + ")"})
	var known steps.Observed
	if errors.As(err, &known) {
		if c := known.Observation().Category; c == steps.Crash || c == steps.Environment || c == steps.Interrupted {
			return false, err
		}
		return false, nil
	}
	return answer == "done", nil
}

// showBanner puts a banner over the page, out of reach of its style, and says what became of it.
const showBanner = `(text => {
  const id = 'checkrow-handoff';
  let host = document.getElementById(id);
  if (host) return host.dataset.state;
  if (!document.documentElement) return 'waiting';
  host = document.createElement('div');
  host.id = id; host.dataset.state = 'waiting';
  host.style.cssText = 'all:initial;position:fixed;left:0;right:0;top:0;z-index:2147483647';
  const root = host.attachShadow({mode: 'open'}), bar = document.createElement('div');
  bar.style.cssText = 'font:16px sans-serif;background:#fe9;color:#000;padding:12px;border-bottom:2px solid #b80;display:flex;gap:12px;align-items:center';
  const say = document.createElement('span'), button = document.createElement('button');
  say.textContent = 'checkrow waits for you: ' + text; say.style.flex = '1';
  button.textContent = 'Done'; button.style.cssText = 'font:inherit;padding:4px 16px';
  button.addEventListener('click', e => { if (e.isTrusted) host.dataset.state = 'done' });
  bar.append(say, button); root.append(bar); document.documentElement.append(host);
  return 'waiting';
})`

// removeBanner takes the banner away.
const removeBanner = `document.getElementById('checkrow-handoff')?.remove()`
