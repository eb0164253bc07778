package flow

import (
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// input takes one value. What is known before the run keeps its YAML type; what holds ${{ }} is compiled, inside of lists
// and maps too.
func input(d *steps.Decoder, in spec.Input, e spec.Entry, g *steps.Group) {
	want := spec.InputType(in.Type)
	text, scalar := e.Value.Text()
	switch {
	case scalar && strings.Contains(text, "${{"):
		t := spec.CompileText(e.Value, d.Scope, d.Errs)
		g.In[in.Name] = t
		judge(d, in, e.Value, t.Type(), g)
	case e.Value.HasText():
		c := spec.CompileCompound(e.Value, d.Scope, d.Errs)
		g.Made[in.Name] = c
		judge(d, in, e.Value, c.Type(), g)
	case scalar && want.Base == spec.String:
		g.Defaults[in.Name] = text
	default:
		v := e.Value.Value(d.Errs)
		if !want.Accepts(v) {
			d.Errs.AddWide(e.Value.Pos(), e.Value.Width(), wrongInput(in, spec.TypeOf(v).Base), "")
		}
		g.Defaults[in.Name] = v
	}
}

// judge checks the type of a value with ${{ }}. One that only the run knows is checked there.
func judge(d *steps.Decoder, in spec.Input, at spec.Node, got spec.Type, g *steps.Group) {
	want := spec.InputType(in.Type)
	if !fits(want.Base, got.Base) {
		d.Errs.AddWide(at.Pos(), at.Width(), wrongInput(in, got.Base), "")
	}
	if got.Base == spec.Any && want.Base != spec.Any {
		g.Want[in.Name] = want
	}
}

// byDefault takes the default of an input that is not given. ${{ }} in it reads what the fragment may, but no other input.
func byDefault(d *steps.Decoder, in spec.Input, f *spec.Fragment, g *steps.Group) {
	if !in.Default.HasText() {
		text, scalar := in.Default.Text()
		if g.Defaults[in.Name] = in.Default.Value(d.Errs); scalar && in.Type == "string" {
			g.Defaults[in.Name] = text
		}
		return
	}
	sc := isolated(d.Scope, f)
	delete(sc.Names, "inputs")
	sc.Page = false
	c := spec.CompileCompound(in.Default, sc, d.Errs)
	g.Given[in.Name] = c
	judge(d, in, in.Default, c.Type(), g)
}

func wrongInput(in spec.Input, got spec.Base) string {
	return "the input " + strconv.Quote(in.Name) + " must be " + words[spec.InputType(in.Type).Base] + ", got " + words[got]
}

func fits(want, got spec.Base) bool {
	switch {
	case want == got, want == spec.Any, got == spec.Any:
		return true
	case want == spec.Float:
		return got == spec.Int
	case want == spec.Map:
		return got == spec.Struct
	}
	return false
}
