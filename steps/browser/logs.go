package browser

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/steps"
)

func console(_ context.Context, s *session, r *row) (steps.Observation, error) {
	l := &s.rings
	l.mu.Lock()
	defer l.mu.Unlock()
	entries, dropped := l.console.since(0)
	if r.a.Has("--clear") {
		l.console.clear()
		return steps.OK(map[string]any{"cleared": true, "messages": []any{}, "dropped": 0}, "messages"), nil
	}
	list := make([]any, len(entries))
	for i, e := range entries {
		list[i] = map[string]any{"type": e.kind, "text": e.text, "url": e.url, "line": e.line, "column": e.column,
			"seq": int(e.seq), "timestamp": int(e.at)}
	}
	return steps.OK(map[string]any{"messages": list, "dropped": dropped}, "messages"), nil
}

func pageErrors(_ context.Context, s *session, r *row) (steps.Observation, error) {
	l := &s.rings
	l.mu.Lock()
	defer l.mu.Unlock()
	entries, dropped := l.errors.since(0)
	if r.a.Has("--clear") {
		l.errors.clear()
		return steps.OK(map[string]any{"cleared": true, "errors": []any{}, "dropped": 0}, "errors"), nil
	}
	list := make([]any, len(entries))
	for i, e := range entries {
		text := e.stack
		if text == "" {
			text = e.message()
		}
		list[i] = map[string]any{"text": text, "message": e.message(), "url": e.url, "line": e.line, "column": e.column,
			"seq": int(e.seq)}
	}
	return steps.OK(map[string]any{"errors": list, "dropped": dropped}, "errors"), nil
}

// message is "TypeError: x is not a function".
func (e *errorEntry) message() string {
	if e.name == "" || strings.HasPrefix(e.text, e.name+":") {
		return e.text
	}
	return e.name + ": " + e.text
}

func networkRequests(_ context.Context, s *session, r *row) (steps.Observation, error) {
	l := &s.rings
	l.mu.Lock()
	defer l.mu.Unlock()
	entries, dropped := l.network.since(0)
	if r.a.Has("--clear") {
		l.network.clear()
		return steps.OK(map[string]any{"cleared": true, "requests": []any{}, "dropped": 0}, "requests"), nil
	}
	list, shown := []any{}, []*netEntry{}
	at := s.here(entries)
	for _, e := range entries {
		if wanted(r, e) && at.has(r, e) {
			list = append(list, e.data())
			shown = append(shown, e)
		}
	}
	o := steps.OK(map[string]any{"requests": list, "dropped": dropped}, "requests")
	s.routeTrouble(shown, &o)
	return o, nil
}

// wanted applies the filters of a network row.
func wanted(r *row, e *netEntry) bool {
	if f, ok := r.a.Flag("--filter"); ok && !strings.Contains(e.url, f) {
		return false
	}
	if f, ok := r.a.Flag("--method"); ok && !strings.EqualFold(f, e.method) {
		return false
	}
	if f, ok := r.a.Flag("--type"); ok && !slices.Contains(strings.Split(f, ","), e.kind) {
		return false
	}
	if f, ok := r.a.Flag("--status"); ok && !inStatus(f, e.status) {
		return false
	}
	return true
}

// inStatus reads 200, 4xx and 400-499.
func inStatus(f string, status int) bool {
	if lo, hi, ok := strings.Cut(f, "-"); ok {
		a, err1 := strconv.Atoi(lo)
		b, err2 := strconv.Atoi(hi)
		return err1 == nil && err2 == nil && status >= a && status <= b
	}
	if n, ok := strings.CutSuffix(f, "xx"); ok {
		return status != 0 && strconv.Itoa(status/100) == n
	}
	n, err := strconv.Atoi(f)
	return err == nil && n == status
}

// data gives the keys of a network row.
func (e *netEntry) data() map[string]any {
	m := map[string]any{"requestId": e.id, "url": e.url, "method": e.method, "resourceType": e.kind, "headers": texts(e.headers),
		"timestamp": int(e.at), "failed": e.failed, "seq": int(e.seq), "initiator": e.initiator.text, "error": nil}
	if len(e.initiator.stack) > 0 {
		m["stack"] = places(e.initiator.stack)
	}
	if e.failed {
		m["error"] = e.failure
	}
	if e.status != 0 {
		m["status"], m["mimeType"], m["responseHeaders"] = e.status, e.mime, texts(e.responseHeaders)
	}
	if e.post != "" {
		m["postData"] = e.post
	}
	return m
}

func texts(in map[string]string) map[string]any {
	out := make(map[string]any, len(in))
	for k, v := range in {
		out[k] = v
	}
	return out
}
