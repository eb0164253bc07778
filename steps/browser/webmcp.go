package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// webTools are the tools that the page of one tab offers to agents. The browser tells of them from the first webmcp row
// of the tab on; its events come on the driver's goroutine.
type webTools struct {
	cdp playwright.CDPSession

	mu      sync.Mutex
	tools   map[string]map[string]any // by frame and name
	calls   map[string]*toolCall      // by invocation id
	early   map[string]toolAnswer     // answers that came before their call was known
	changed chan struct{}
}

// toolCall is a call of a tool; done is closed when it was answered.
type toolCall struct {
	tool   string
	done   chan struct{}
	answer toolAnswer
}

type toolAnswer struct {
	status, err string
	output      any
}

// mcp gives the tools of the active tab; the first time it asks the browser for them.
func (s *session) mcp(ctx context.Context) (*webTools, error) {
	cdp, err := s.protocol(ctx)
	if err != nil {
		return nil, err
	}
	if w := s.extra.tools[cdp]; w != nil {
		return w, nil
	}
	w := &webTools{cdp: cdp, tools: map[string]map[string]any{}, calls: map[string]*toolCall{}, early: map[string]toolAnswer{},
		changed: make(chan struct{}, 1)}
	on := func(event string, fn func(map[string]any)) {
		cdp.On(event, func(m map[string]any) { safely(func() { w.locked(func() { fn(m) }) }) })
	}
	on("WebMCP.toolsAdded", w.added)
	on("WebMCP.toolsRemoved", w.removed)
	on("WebMCP.toolResponded", w.responded)
	on("Runtime.executionContextsCleared", func(map[string]any) { clear(w.tools) }) // a navigation is no removal
	if _, err := s.send(ctx, cdp, "WebMCP.enable", nil); err != nil {
		if unknownMethod(err) {
			err = problem(steps.Environment, "no-webmcp", "this browser has no WebMCP: it needs a newer Chromium")
		}
		return nil, err
	}
	if s.extra.tools == nil {
		s.extra.tools = map[playwright.CDPSession]*webTools{}
	}
	s.extra.tools[cdp] = w
	return w, nil
}

// unknownMethod tells that the browser's protocol has no such command.
func unknownMethod(err error) bool {
	return strings.Contains(err.Error(), "wasn't found") || strings.Contains(err.Error(), "not supported")
}

func (w *webTools) locked(fn func()) {
	w.mu.Lock()
	fn()
	w.mu.Unlock()
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

func toolKey(m map[string]any) string { return fmt.Sprint(m["frameId"], " ", m["name"]) }

// listOf reads a list of an event.
func listOf(m map[string]any, key string) []map[string]any {
	raw, _ := m[key].([]any)
	var out []map[string]any
	for _, x := range raw {
		if t, ok := x.(map[string]any); ok {
			out = append(out, t)
		}
	}
	return out
}

func (w *webTools) added(m map[string]any) {
	for _, t := range listOf(m, "tools") {
		w.tools[toolKey(t)] = t
	}
}

func (w *webTools) removed(m map[string]any) {
	for _, t := range listOf(m, "tools") {
		delete(w.tools, toolKey(t))
	}
}

func (w *webTools) responded(m map[string]any) {
	id, _ := m["invocationId"].(string)
	a := toolAnswer{output: m["output"]}
	a.status, _ = m["status"].(string)
	a.err, _ = m["errorText"].(string)
	if x, ok := m["exception"].(map[string]any); ok && a.err == "" {
		a.err, _ = x["description"].(string)
	}
	c := w.calls[id]
	if c == nil {
		w.early[id] = a
		return
	}
	c.finish(a)
}

func (c *toolCall) finish(a toolAnswer) {
	select {
	case <-c.done:
	default:
		c.answer = a
		close(c.done)
	}
}

// named gives the tools that the page offers now, by name.
func (w *webTools) named() []map[string]any {
	w.mu.Lock()
	defer w.mu.Unlock()
	keys := slices.Sorted(maps.Keys(w.tools))
	out := make([]map[string]any, 0, len(keys))
	for _, k := range keys {
		out = append(out, w.tools[k])
	}
	slices.SortStableFunc(out, func(a, b map[string]any) int {
		return strings.Compare(fmt.Sprint(a["name"]), fmt.Sprint(b["name"]))
	})
	return out
}

func webmcpList(ctx context.Context, s *session, _ *row) (steps.Observation, error) {
	w, err := s.mcp(ctx)
	if err != nil {
		return steps.Observation{}, err
	}
	if _, err := s.ask(ctx, w.cdp, "''"); err != nil { // what the page has said of its tools comes before the answer
		return steps.Observation{}, err
	}
	list := []any{}
	for _, t := range w.named() {
		one := map[string]any{}
		for _, key := range []string{"name", "description", "inputSchema", "annotations"} {
			if v, ok := t[key]; ok {
				one[key] = plain(v)
			}
		}
		list = append(list, one)
	}
	return steps.OK(map[string]any{"tools": list}, "tools"), nil
}

// tool waits for a tool of a name.
func (s *session) tool(ctx context.Context, r *row, w *webTools, name string) (map[string]any, error) {
	for {
		var names []string
		for _, t := range w.named() {
			if t["name"] == name {
				return t, nil
			}
			names = append(names, fmt.Sprint(t["name"]))
		}
		select {
		case <-w.changed:
			continue
		default:
		}
		if !r.pause(ctx, pollEach) {
			text := fmt.Sprintf("the page offers no tool %q", name)
			if len(names) > 0 {
				text += ", it offers " + strings.Join(names, ", ")
			}
			return nil, s.ended(ctx, problem(steps.NotFound, "no-tool", text+": waited "+r.waited(),
				next("list-webmcp-tools", "see the tools", "webmcp", "list")))
		}
	}
}

func webmcpInvoke(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	w, err := s.mcp(ctx)
	if err != nil {
		return steps.Observation{}, err
	}
	t, err := s.tool(ctx, r, w, r.op(0))
	if err != nil {
		return steps.Observation{}, err
	}
	input := map[string]any{}
	if text := r.op(1); text != "" {
		if err := json.Unmarshal([]byte(text), &input); err != nil {
			return steps.Observation{}, problem(steps.Validation, "input", fmt.Sprintf("the input of a tool is a JSON object, not %q", text))
		}
	}
	r.sending(map[string]any{"invocationId": "", "status": "pending", "output": nil})
	raw, err := s.send(ctx, w.cdp, "WebMCP.invokeTool", map[string]any{"frameId": t["frameId"], "toolName": r.op(0), "input": input})
	if err != nil {
		return steps.Observation{}, err
	}
	id, ok := raw.(string) // the library unwraps a map of one key
	if m, is := raw.(map[string]any); is {
		id, ok = m["invocationId"].(string)
	}
	if !ok {
		return steps.Observation{}, problem(steps.Internal, "webmcp", "the browser gave no id of the call")
	}
	c := &toolCall{tool: r.op(0), done: make(chan struct{})}
	w.mu.Lock()
	w.calls[id] = c
	if a, ok := w.early[id]; ok {
		c.finish(a)
	}
	w.mu.Unlock()
	if r.a.Has("--no-wait") {
		return steps.OK(map[string]any{"invocationId": id, "status": "pending", "output": nil}, "invocationId"), nil
	}
	return s.answerOf(ctx, r, id, c)
}

// answerOf waits for the answer of a tool.
func (s *session) answerOf(ctx context.Context, r *row, id string, c *toolCall) (steps.Observation, error) {
	for {
		select {
		case <-c.done:
			data := map[string]any{"invocationId": id, "status": strings.ToLower(c.answer.status), "output": plain(c.answer.output)}
			o := steps.OK(data, "output")
			if c.answer.status != "Completed" {
				o = steps.Fail(steps.Assertion, "tool-failed", fmt.Sprintf("the tool %q ended with %s: %s", c.tool,
					strings.ToLower(c.answer.status), orElse(c.answer.err, "it gave no reason")))
				o.Data = data
			}
			return o, nil
		default:
		}
		if !r.pause(ctx, pollEach) {
			return steps.Observation{}, s.ended(ctx, problem(steps.Timeout, "tool", fmt.Sprintf("the tool %q did not answer: waited %s", c.tool, r.waited()),
				next("verify-page-target-after-pending-webmcp", "see where the page is", "get", "url"),
				next("cancel-webmcp", "stop the call", "webmcp", "cancel", id)))
		}
	}
}

// call gives a call by its id.
func (s *session) call(ctx context.Context, id string) (*webTools, *toolCall, error) {
	w, err := s.mcp(ctx)
	if err != nil {
		return nil, nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.calls[id]
	if c == nil {
		return nil, nil, problem(steps.Validation, "no-call", fmt.Sprintf("no call of this tab has the id %q", id),
			next("list-webmcp-tools", "see the tools", "webmcp", "list"))
	}
	return w, c, nil
}

func webmcpResult(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	_, c, err := s.call(ctx, r.op(0))
	if err != nil {
		return steps.Observation{}, err
	}
	return s.answerOf(ctx, r, r.op(0), c)
}

func webmcpCancel(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	w, _, err := s.call(ctx, r.op(0))
	if err != nil {
		return steps.Observation{}, err
	}
	r.sent()
	_, err = s.send(ctx, w.cdp, "WebMCP.cancelInvocation", map[string]any{"invocationId": r.op(0)})
	return steps.OK(map[string]any{"canceled": true}, "canceled"), err
}
