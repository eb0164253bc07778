package steps

import (
	"maps"
	"strconv"

	"github.com/checkrow/checkrow/spec"
)

// after decodes the common keys that need the type of the step's result.
func (d *Decoder) after(s *Step, m map[string]spec.Node, result spec.Type) {
	s.Provokes = d.provokes(m["provokes"])
	if when := m["retry"].Get("when"); !when.IsZero() {
		inner := d.Scope.Child()
		maps.Copy(inner.Names, result.Fields)
		inner.Names["category"] = spec.Type{Base: spec.String, Doc: "why the try failed: not-found, timeout …"}
		inner.Names["sub"] = spec.Type{Base: spec.String, Doc: "the finer reason, or empty"}
		s.Retry.When = spec.CompileExpr(when, inner, boolType, d.Errs)
	}
	if n, ok := m["save"]; ok {
		d.save(s, n, result)
	}
	if n, ok := m["unredacted"]; ok {
		s.Unredacted = spec.WantBool(n, "unredacted", d.Errs)
		if _, saves := m["save"]; !saves {
			d.Errs.AddWide(n.KeyPos(), len("unredacted"), `"unredacted" needs "save" beside it`, "it is about the file that save writes")
		}
	}
}

// save decodes the key of that name: it stands on steps that have a result of their own.
func (d *Decoder) save(s *Step, n spec.Node, result spec.Type) {
	if _, has := result.Fields["value"]; s.Body != nil && !has {
		d.Errs.AddWide(n.KeyPos(), len("save"), strconv.Quote(s.Kind)+" has no result that could be saved", "save stands on row, rows and exec")
		return
	}
	none := spec.Literal("", n.Pos())
	s.Save = &none // what is wrong with it is told once
	if n.Empty() {
		d.Errs.Add(n.Pos(), `"save" is empty`, "name a file: save: out.json")
		return
	}
	before := d.Errs.Len()
	text := spec.WantText(n, "save", d.Errs)
	if d.Errs.Len() > before {
		return
	}
	if text == "" {
		d.Errs.Add(n.Pos(), `"save" is empty`, "name a file: save: out.json")
		return
	}
	t := spec.CompileText(n, d.Scope, d.Errs)
	s.Save = &t
}

// withSave adds the file that save writes to the type of steps.ID.
func withSave(result spec.Type) spec.Type {
	fields := maps.Clone(result.Fields)
	if fields == nil {
		return result
	}
	fields["artifact"] = spec.Type{Base: spec.String, Doc: "the file, relative to the run folder"}
	result.Fields = fields
	return result
}

// used tells that something is made of what a step reads: it is judged, kept in a file, or provokes something.
func (s *Step) used() bool { return len(s.Expect) > 0 || s.Save != nil || s.Provokes != nil }

// writesFile tells that a row of a step writes a file itself.
func writesFile(b Body) bool {
	rows, ok := b.(Rows)
	if !ok {
		return false
	}
	for _, r := range rows.Rows {
		if r.Call != nil && r.Call.WritesFile() {
			return true
		}
	}
	return false
}
