package code

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// judge makes the observation of a cell that has ended.
func (s *session) judge(ctx context.Context, exit steps.Exit) steps.Observation {
	o := steps.Observation{Success: true, Value: s.value(), Artifacts: s.shown, Page: s.page}
	counts := map[string]any{"callCount": len(s.calls) + len(s.rejected), "emitCount": len(s.emits),
		"failedCallCount": s.failures(), "rejectedCallCount": len(s.rejected), "timedOut": false, "aborted": false}
	o.Data = map[string]any{"codeRun": counts, "codeSteps": s.list(false), "failures": s.list(true), "images": paths(s.shown), "logs": s.logs}
	fail := func(c steps.Category, sub, msg string, at diag.Pos) steps.Observation {
		o.Success, o.Category, o.Sub, o.Error, o.Pos = false, c, sub, msg, at
		return o
	}
	switch {
	case s.fatal != nil:
		return s.inner(o, *s.fatal, len(s.calls)-1)
	case s.timedOut(ctx), ctx.Err() != nil && s.end == nil:
		why := "the code ran out of time"
		if cause := context.Cause(ctx); cause != nil {
			why = cause.Error()
		}
		_, own := context.Cause(ctx).(tooLong)
		counts["timedOut"], counts["aborted"] = own || s.end != nil, !own && s.end == nil
		return fail(steps.Timeout, subTimeout, why+s.where(), s.endPos())
	case s.over != "":
		return fail(steps.Validation, subSize, "the code was ended: "+s.over, diag.Pos{})
	case s.end == nil:
		return s.died(exit, fail)
	case s.end.Sub == subCalls:
		return fail(steps.Validation, subCalls, fmt.Sprintf("the code was ended: %s (%d)", s.end.Error, s.cell.calls), s.endPos())
	case s.end.Sub == subSize:
		return fail(steps.Validation, subSize, "the code was ended: "+s.end.Error, s.endPos())
	case s.end.Sub != "":
		return fail(steps.Assertion, s.end.Sub, "the code failed: "+s.end.Error+s.where(), s.endPos())
	case len(s.rejected) > 0:
		return fail(steps.Validation, "call", "a call of the code was none: "+s.rejected[0], diag.Pos{})
	case s.failed > 0 && !s.lenient:
		return s.inner(o, s.calls[s.failed-1].obs, s.failed-1)
	}
	o.Summary = fmt.Sprintf("%d rows", len(s.calls))
	return o
}

// inner makes the failure of a row that of the step.
func (s *session) inner(o, row steps.Observation, index int) steps.Observation {
	o.Success, o.Category, o.Sub, o.Pos, o.Detail = false, row.Category, row.Sub, row.Pos, row.Detail
	o.Error = argv.Row(s.calls[index].argv) + " of the code failed: " + row.Error
	o.NextActions, o.Collateral = row.NextActions, row.Collateral
	return o
}

// memorySigns are what Go's runtime says when the limit of the child's data is met: by the heap, by a stack that grows, by a
// slice, by the stack of a new thread (with and without cgo), or by the runtime's own tables.
var memorySigns = []string{"out of memory", "annot allocate memory", "failed to allocate", "stack exceeds", "stack overflow",
	"growslice: len out of range", "pthread_create failed", "failed to create new OS thread", "cannot map pages", "failed to reserve"}

// died words a child that ended without a last word.
func (s *session) died(exit steps.Exit, fail func(steps.Category, string, string, diag.Pos) steps.Observation) steps.Observation {
	says := string(exit.Stderr)
	for _, sign := range memorySigns {
		if strings.Contains(says, sign) {
			return fail(steps.Process, subMemory, "the code took more memory than it may, and was ended", diag.Pos{})
		}
	}
	if s.talk.err != nil {
		return fail(steps.Environment, "no-child", "the child of a code step cannot be run: "+s.talk.err.Error(), diag.Pos{})
	}
	how := "exit code " + strconv.Itoa(exit.Code)
	if exit.Signal != "" {
		how = "signal: " + exit.Signal
	}
	if line := firstLine(says); line != "" {
		how += ", " + clip(line, 200)
	}
	return fail(steps.Process, "died", "the process that ran the code ended without a word ("+how+")", diag.Pos{})
}

// timedOut tells that the child has said that its time is over. Its clock may be a little ahead of the one that ctx ends by.
func (s *session) timedOut(ctx context.Context) bool {
	if s.end == nil || s.end.Sub != subTimeout {
		return false
	}
	timer := time.NewTimer(lastWord)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
	return true
}

// where names the line for a sentence.
func (s *session) where() string {
	if s.end == nil || s.end.Line == 0 {
		return ""
	}
	return fmt.Sprintf(" (line %d of the code)", s.end.Line)
}

func (s *session) endPos() diag.Pos {
	if s.end == nil || s.end.Line == 0 {
		return diag.Pos{}
	}
	return s.pos(s.end.Line, s.end.Col)
}

// value is what was emitted: one value, or the list of them; else what was returned.
func (s *session) value() any {
	switch {
	case len(s.emits) == 1:
		return s.emits[0]
	case len(s.emits) > 1:
		return s.emits
	case s.end != nil && s.end.Value != nil:
		return decodeJSON(s.end.Value)
	}
	return nil
}

func (s *session) failures() (n int) {
	for _, c := range s.calls {
		if !c.obs.Success {
			n++
		}
	}
	return n
}

// list tells of the rows, the first ones, or of those that failed.
func (s *session) list(failed bool) []any {
	out := []any{}
	for i, c := range s.calls {
		if failed && c.obs.Success || len(out) >= maxShown {
			continue
		}
		one := map[string]any{"call": i + 1, "argv": c.argv, "success": c.obs.Success, "took": c.obs.Took.Milliseconds()}
		if !c.obs.Success {
			one["category"], one["error"] = string(c.obs.Category), c.obs.Error
		}
		out = append(out, one)
	}
	return out
}

func paths(list []steps.Artifact) []any {
	out := []any{}
	for _, a := range list {
		out = append(out, a.Path)
	}
	return out
}

// view is an observation as a script sees it.
func view(o steps.Observation) map[string]any {
	data, value := o.Data, o.Value
	if o.Full != nil {
		data, value = o.Full.Data, o.Full.Value
	}
	if data == nil {
		data = map[string]any{}
	}
	files := []any{}
	for _, a := range o.Artifacts {
		files = append(files, map[string]any{"path": a.Path, "kind": a.Kind, "type": a.Type, "state": string(a.State), "bytes": a.Bytes})
	}
	warnings := o.Warnings
	if warnings == nil {
		warnings = []string{}
	}
	return map[string]any{"success": o.Success, "category": string(o.Category), "sub": o.Sub, "error": o.Error, "data": data, "value": value,
		"summary": o.Summary, "warnings": warnings, "artifacts": files, "took": o.Took.Milliseconds(),
		"page": map[string]any{"url": o.Page.URL, "title": o.Page.Title}}
}

// decodeJSON reads JSON as the expression language wants it: whole numbers are integers.
func decodeJSON(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return whole(v)
}

func whole(v any) any {
	switch x := v.(type) {
	case json.Number:
		if i, err := strconv.Atoi(x.String()); err == nil {
			return i
		}
		f, err := x.Float64()
		if err != nil {
			return x.String()
		}
		if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int(f)
		}
		return f
	case map[string]any:
		for k, e := range x {
			x[k] = whole(e)
		}
	case []any:
		for i, e := range x {
			x[i] = whole(e)
		}
	}
	return v
}
