package plan

import "github.com/checkrow/checkrow/spec/diag"

// nearHint offers the candidates nearest to name, each shown by show; "" if none is near.
func nearHint(name string, candidates []string, show func(string) string) string {
	near := diag.Nearest(name, candidates)
	out := ""
	for i, n := range near {
		switch {
		case i > 0 && i == len(near)-1:
			out += " or "
		case i > 0:
			out += ", "
		}
		out += `"` + show(n) + `"`
	}
	if out == "" {
		return ""
	}
	return "did you mean " + out + "?"
}
