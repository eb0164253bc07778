package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/checkrow/checkrow/runner/journal/redact"
	"github.com/checkrow/checkrow/steps"
)

// line encodes one event. A line of the journal is
//
//	{"v":1,"seq":7,"at":"2026-11-30T18:49:24.404Z","kind":"done","suite":"a.yaml","test":"name","attempt":1,
//	 "phase":"steps","step":"3","pos":{"file":"a.yaml","line":9,"col":7},"body":{…}}
//
// without the line break; parts that are empty are left out. Durations are whole nanoseconds (report.json gives
// milliseconds), times RFC 3339 in UTC.
type line struct {
	text bytes.Buffer // the body while it is masked, then the whole line
	enc  *json.Encoder
	json []byte // the body
	head []byte
}

var lines = sync.Pool{New: func() any {
	l := &line{}
	l.enc = json.NewEncoder(&l.text)
	l.enc.SetEscapeHTML(false)
	return l
}}

func newLine() *line { return lines.Get().(*line) }

// release gives the line back; one that held a page's whole text is dropped.
func (l *line) release() {
	if l.text.Cap() <= 1<<20 && cap(l.json) <= 1<<20 {
		lines.Put(l)
	}
}

func (l *line) bytes() []byte { return l.text.Bytes() }

// body encodes and masks b. What it gives is b itself if there was nothing to mask; of a plan with a secret in it also
// how its names were masked.
func (l *line) body(b Body, m Masker) (Body, *names, error) {
	if d, ok := b.(Done); ok && (d.Obs.Set != nil || d.Obs.Secret != nil || d.Obs.Full != nil) {
		d.Obs.Set, d.Obs.Secret, d.Obs.Full = nil, nil, nil // for the runner alone; the fold must not keep secrets
		b = d
	}
	err := l.put(b)
	var value *json.UnsupportedValueError
	var kind *json.UnsupportedTypeError
	if errors.As(err, &value) || errors.As(err, &kind) {
		b = encodable(b)
		err = l.put(b)
	}
	if err != nil {
		return b, nil, err
	}
	if m != nil && same(m.Mask(l.json), l.json) {
		m = nil
	}
	if m == nil && !redact.Suspicious(l.json) {
		return b, nil, nil
	}
	masked, err := maskBody(b, l.json, m)
	if err != nil {
		return b, nil, err
	}
	if p, ok := b.(Planned); ok {
		plan, known := learn(p, masked.(Planned))
		return plan, known, l.put(plan)
	}
	if r, ok := b.(Resumed); ok && r.Plan != nil {
		out := masked.(Resumed)
		plan, known := learn(*r.Plan, *out.Plan)
		out.Plan = &plan
		return out, known, l.put(out)
	}
	return masked, nil, l.put(masked)
}

// put encodes b into l.json.
func (l *line) put(b Body) error {
	l.text.Reset()
	if err := l.enc.Encode(b); err != nil {
		return err
	}
	l.json = append(l.json[:0], bytes.TrimSuffix(l.text.Bytes(), []byte("\n"))...)
	return nil
}

// same tells that a masker found nothing.
func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || bytes.Equal(a, b))
}

// encode makes the whole line of e, with the body that was encoded before.
func (l *line) encode(e Event) {
	h := append(l.head[:0], `{"v":`...)
	h = strconv.AppendInt(h, Version, 10)
	h = append(h, `,"seq":`...)
	h = strconv.AppendUint(h, e.Seq, 10)
	h = append(h, `,"at":"`...)
	h = e.At.AppendFormat(h, time.RFC3339Nano)
	h = append(h, `","kind":"`...)
	h = append(h, e.Body.Kind()...)
	h = append(h, '"')
	h = appendText(h, "suite", e.Suite)
	if e.Test != nil {
		h = append(h, `,"test":`...)
		h = appendString(h, e.Test.Name)
	}
	if e.Attempt != 0 {
		h = append(h, `,"attempt":`...)
		h = strconv.AppendInt(h, int64(e.Attempt), 10)
	}
	h = appendText(h, "phase", string(e.Phase))
	h = appendText(h, "step", e.Step)
	h = appendText(h, "session", e.Session)
	if !e.Pos.IsZero() {
		h = append(h, `,"pos":{"file":`...)
		h = appendString(h, e.Pos.File)
		h = append(h, `,"line":`...)
		h = strconv.AppendInt(h, int64(e.Pos.Line), 10)
		h = append(h, `,"col":`...)
		h = strconv.AppendInt(h, int64(e.Pos.Col), 10)
		h = append(h, '}')
	}
	h = append(h, `,"body":`...)
	l.head = h
	l.text.Reset()
	l.text.Write(h)
	l.text.Write(l.json)
	l.text.WriteString("}\n")
}

func appendText(b []byte, key, text string) []byte {
	if text == "" {
		return b
	}
	b = append(b, ',', '"')
	b = append(b, key...)
	b = append(b, '"', ':')
	return appendString(b, text)
}

// appendString appends text as JSON. Names are nearly always plain.
func appendString(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, err := json.Marshal(text)
			if err != nil { // a string always encodes
				return append(b, `""`...)
			}
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

// encodable replaces what JSON cannot say (NaN, a channel) by its text, so that an odd value never costs the event.
func encodable(b Body) Body {
	switch b := b.(type) {
	case Done:
		return encodableDone(b)
	case AttemptEnd:
		b.Failure, b.Cleanup, b.More = encodableFailure(b.Failure), encodableFailures(b.Cleanup), encodableFailures(b.More)
		return b
	case SetupEnd:
		b.Failure = encodableFailure(b.Failure)
		return b
	case LoginEnd:
		b.Failure = encodableFailure(b.Failure)
		return b
	case TeardownEnd:
		b.Failures = encodableFailures(b.Failures)
		return b
	}
	return b
}

func encodableFailures(list []*Failure) []*Failure {
	out := slices.Clone(list)
	for i := range out {
		out[i] = encodableFailure(out[i])
	}
	return out
}

func encodableFailure(f *Failure) *Failure {
	if f == nil || f.Detail == nil {
		return f
	}
	out, detail := *f, *f.Detail
	detail.Terms = plainTerms(detail.Terms)
	out.Detail = &detail
	return &out
}

func encodableDone(d Done) Done {
	d.Obs.Value = plain(d.Obs.Value)
	d.Obs.Data, _ = plain(d.Obs.Data).(map[string]any)
	if d.Obs.Detail != nil {
		detail := *d.Obs.Detail
		detail.Terms = plainTerms(detail.Terms)
		d.Obs.Detail = &detail
	}
	return d
}

func plainTerms(in []steps.Term) []steps.Term {
	out := slices.Clone(in)
	for i := range out {
		out[i].Value = plain(out[i].Value)
		out[i].Sub = plainTerms(out[i].Sub)
	}
	return out
}

func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := maps.Clone(v)
		for k, x := range out {
			out[k] = plain(x)
		}
		return out
	case []any:
		out := slices.Clone(v)
		for i, x := range out {
			out[i] = plain(x)
		}
		return out
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
		return v
	}
	if _, err := json.Marshal(v); err != nil {
		return fmt.Sprint(v)
	}
	return v
}
