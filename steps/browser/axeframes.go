package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/mxschmitt/playwright-go"
)

const (
	maxAuditFrames = 20
	frameAuditTime = 5 * time.Second
)

// framePath is the way to the element of a frame: its id where that is unique, or the way through the document.
const framePath = `e => e.id && e.ownerDocument.querySelectorAll('#' + CSS.escape(e.id)).length === 1 ? '#' + CSS.escape(e.id) : (` + elementPath + `)(e)`

// frameAudit is what the frames of a page add to its audit: those looked into, and those not with the reason.
type frameAudit struct {
	data    map[string]any
	skipped []any
	audited []any
}

func (a *frameAudit) skip(url, why string) {
	a.skipped = append(a.skipped, map[string]any{"url": url, "why": why})
}

// auditFrames looks into every visible frame of the page, those of other origins too, and adds what breaks a rule there to
// the audit of the page; the targets start with the way to the frame. A page without frames costs nothing.
func (s *session) auditFrames(ctx context.Context, r *row, tags []any, data map[string]any) {
	a := &frameAudit{data: data, skipped: []any{}, audited: []any{}}
	paths := map[playwright.Frame][]any{}
	script := ""
	for _, f := range s.page().Frames() {
		parent := f.ParentFrame()
		if parent == nil {
			paths[f] = nil
			continue
		}
		base, known := paths[parent]
		switch {
		case !known:
			a.skip(f.URL(), "it is inside a frame that was not looked into")
			continue
		case len(a.audited) == maxAuditFrames:
			a.skip(f.URL(), fmt.Sprintf("the page has more than %d frames", maxAuditFrames))
			continue
		}
		if script == "" {
			script = "tags => " + axeScript() + "({ include: [document.documentElement], initiator: false }, tags)"
		}
		limit := min(frameAuditTime, time.Until(r.until))
		found, way, why := s.auditFrame(ctx, f, script, tags, limit)
		if why != "" {
			a.skip(f.URL(), why)
			continue
		}
		paths[f] = append(append([]any{}, base...), way)
		a.audited = append(a.audited, f.URL())
		a.add("violations", found, paths[f])
		a.add("incomplete", found, paths[f])
	}
	a.finish()
}

// finish writes the frames and what the counts are now.
func (a *frameAudit) finish() {
	a.data["framesAudited"], a.data["framesSkipped"] = a.audited, a.skipped
	if counts, ok := a.data["counts"].(map[string]any); ok && len(a.audited) > 0 {
		for _, kind := range []string{"violations", "incomplete"} {
			rules, _ := a.data[kind].([]any)
			counts[kind] = len(rules)
		}
	}
}

// auditFrame looks into one frame. why says why that was not possible; a frame that nobody sees is not looked into.
func (s *session) auditFrame(ctx context.Context, f playwright.Frame, script string, tags []any, limit time.Duration) (found map[string]any, way, why string) {
	type answer struct {
		found    map[string]any
		way, why string
	}
	got := make(chan answer, 1) // the goroutine may outlive the wait: nothing is shared with it
	ended := s.within(ctx, limit, func() {
		found, way, why := lookInto(f, script, tags)
		got <- answer{found, way, why}
	})
	if !ended {
		return nil, "", "it did not answer in " + limit.Round(time.Millisecond).String()
	}
	a := <-got
	return a.found, a.way, a.why
}

func lookInto(f playwright.Frame, script string, tags []any) (found map[string]any, way, why string) {
	h, err := f.FrameElement()
	if err != nil {
		return nil, "", "it went away"
	}
	if seen, err := h.IsVisible(); err != nil || !seen {
		return nil, "", "it is not visible"
	}
	w, err := h.Evaluate(framePath)
	if err != nil {
		return nil, "", "it went away"
	}
	v, err := f.Evaluate(script, tags)
	if err != nil {
		line := cleanError(err)
		return nil, "", line
	}
	m, ok := plain(v).(map[string]any)
	if !ok {
		return nil, "", "axe-core gave no result"
	}
	return m, fmt.Sprint(w), ""
}

// add puts the rules of one kind from a frame to those of the page: the elements of a rule stand together.
func (a *frameAudit) add(kind string, found map[string]any, path []any) {
	all, _ := a.data[kind].([]any)
	more, _ := found[kind].([]any)
	for _, x := range more {
		rule, _ := x.(map[string]any)
		nodes, _ := rule["nodes"].([]any)
		for _, n := range nodes {
			if node, ok := n.(map[string]any); ok {
				own, _ := node["target"].([]any)
				node["target"] = append(append([]any{}, path...), own...)
			}
		}
		if same := brokenRule(all, rule["id"]); same != nil {
			had, _ := same["nodes"].([]any)
			same["nodes"] = append(had, nodes...)
			same["nodeCount"] = whole(same["nodeCount"]) + whole(rule["nodeCount"])
			continue
		}
		all = append(all, rule)
	}
	a.data[kind] = all
}

func brokenRule(rules []any, id any) map[string]any {
	for _, x := range rules {
		if m, ok := x.(map[string]any); ok && m["id"] == id {
			return m
		}
	}
	return nil
}

// whole is a number of a script's answer.
func whole(v any) int {
	switch n := v.(type) {
	case int:
		return n
	case float64:
		return int(n)
	}
	return 0
}
