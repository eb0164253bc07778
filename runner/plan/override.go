package plan

import (
	"fmt"
	"strconv"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// override gives the value of --var NAME=VALUE in the type that the suite gives vars.NAME.
func (u *unit) override(e spec.Entry, given string, t spec.Type) Value {
	bad := func(want string) Value {
		u.l.Add(diag.Pos{File: "--var"}, fmt.Sprintf("vars.%s is %s at %s, got %q", e.Name, want, e.KeyPos, given), "")
		return spec.Constant(nil, t)
	}
	switch t.Base {
	case spec.Int:
		n, err := strconv.Atoi(given)
		if err != nil {
			return bad("a whole number")
		}
		return spec.Constant(n, t)
	case spec.Float:
		f, err := strconv.ParseFloat(given, 64)
		if err != nil {
			return bad("a number")
		}
		return spec.Constant(f, t)
	case spec.Bool:
		b, err := strconv.ParseBool(given)
		if err != nil || (given != "true" && given != "false") {
			return bad("true or false")
		}
		return spec.Constant(b, t)
	case spec.List, spec.Map, spec.Struct:
		return bad("a list or map, which --var cannot give")
	}
	return spec.Constant(given, spec.Type{Base: spec.String})
}
