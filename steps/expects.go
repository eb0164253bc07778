package steps

import (
	"strconv"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps/argv"
)

// expect compiles the expect of a step with the names of its own result in scope.
func (d *Decoder) expect(s *Step, m map[string]spec.Node, result spec.Type) {
	n, ok := m["expect"]
	if !ok {
		return
	}
	if s.Body != nil && !judgeable(s) {
		d.Errs.AddWide(n.KeyPos(), len("expect"), `"expect" stands on one row, an exec step, or alone`,
			"write it as the next step: - expect: …")
	}
	inner := d.Scope.Child()
	for name, t := range result.Fields {
		inner.Names[name] = t
	}
	want := spec.Type{Base: spec.Bool}
	items, list := n.Seq()
	if !list {
		s.Expect = append(s.Expect, spec.CompileExpr(n, inner, want, d.Errs))
	} else if len(items) == 0 {
		d.Errs.Add(n.Pos(), `"expect" is empty`, "write one expression, or a list of them")
	}
	for _, item := range items {
		s.Expect = append(s.Expect, spec.CompileExpr(item, inner, want, d.Errs))
	}
	if o, ok := s.Body.(Opaque); ok && o.Judged != nil {
		o.Judged(s.Expect)
	}
}

// judgeable tells that a step has one result that an expect can be about.
func judgeable(s *Step) bool {
	switch b := s.Body.(type) {
	case Rows:
		return len(b.Rows) == 1 || b.Verdict != nil
	case Opaque:
		return true
	}
	return false
}

// wrappers checks retry, within and every against what the step does.
func (d *Decoder) wrappers(s *Step, m map[string]spec.Node) {
	if s.Retry.Times > 0 && !s.Retry.Unsafe && !Repeats(s.Body) {
		d.Errs.AddWide(m["retry"].KeyPos(), len("retry"), "retry would repeat "+strconv.Quote(what(s, (*argv.Call).Repeatable))+", which is not safe to repeat",
			"write retry: { times: "+strconv.Itoa(s.Retry.Times)+", unsafe: true } if a second time does no harm")
	}
	_, branch := s.Body.(Branch)
	loop, _ := s.Body.(Loop)
	polls := len(s.Expect) > 0 || s.If != nil || branch || loop.While != nil
	if _, ok := m["every"]; ok && !polls {
		d.Errs.AddWide(m["every"].KeyPos(), len("every"), `"every" needs an "expect" or "if" that is read again`, "")
	}
	n, ok := m["within"]
	if !ok || s.Within == nil || *s.Within == 0 {
		return
	}
	switch {
	case !polls && !waits(s.Body):
		d.Errs.AddWide(n.KeyPos(), len("within"), `"within" needs an "expect" or "if" that is read again`, "the limit of a step is timeout")
	case len(s.Expect) > 0 && !Rereads(s.Body):
		hint := `leave within out and add an expect row after it: - [expect, text, "#status", done, --within, ` + s.Within.String() + "]"
		if s.Kind == "http" {
			hint = "leave within out and ask for the outcome by a GET after it, with the expect and within: " + s.Within.String()
		}
		d.Errs.AddWide(n.KeyPos(), len("within"), strconv.Quote(what(s, (*argv.Call).Rereads))+" runs once, so its expect is read once", hint)
	}
}

// waits tells that the rows of a step wait by themselves, so that within is how long: expect and wait rows.
func waits(b Body) bool {
	rows, ok := b.(Rows)
	for _, r := range rows.Rows {
		ok = ok && r.Call != nil && (r.Call.Command.Traits.Has(argv.Asserts) || r.Call.Command.Traits.Has(argv.Waits))
	}
	return ok
}

// what names the part of a step that is in the way.
func what(s *Step, safe func(*argv.Call) bool) string {
	if name := culprit(s.Body, safe); name != "" {
		return name
	}
	return s.Kind
}
