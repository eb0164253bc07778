package target

import (
	"strconv"
	"strings"
)

// String spells the target in one canonical way: parsing it again gives the same parts.
func (t Target) String() string {
	out := make([]string, len(t.Parts))
	for i, p := range t.Parts {
		out[i] = p.String()
	}
	return strings.Join(out, " >> ")
}

// String spells one part.
func (p Part) String() string {
	switch p.Engine {
	case CSS:
		return p.Value
	case Ref:
		return "@" + p.Value
	case Nth:
		return "nth=" + strconv.Itoa(p.N)
	case XPath:
		return "xpath=" + p.Value
	case Role:
		if !p.Named {
			return "role=" + p.Value
		}
		return "role=" + p.Value + " " + spell(p.Name, p.Exact)
	}
	return p.Engine.String() + "=" + spell(p.Value, p.Exact)
}

// String is the prefix of an engine without its "=", "css" for CSS and "ref" for refs.
func (e Engine) String() string {
	for name, x := range engines {
		if x == e {
			return name
		}
	}
	if e == Ref {
		return "ref"
	}
	return "css"
}

// spell writes a name so that it is read back as it is.
func spell(name string, exact bool) string {
	if !exact {
		return name
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
}
