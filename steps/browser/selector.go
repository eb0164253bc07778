package browser

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/steps/target"
)

// testIDs is the attribute that testid= looks at.
const testIDs = "data-testid"

// selector spells a target for the driver's engines.
func selector(t target.Target) string {
	parts := make([]string, len(t.Parts))
	for i, p := range t.Parts {
		parts[i] = selectorPart(p)
	}
	return strings.Join(parts, " >> ")
}

func selectorPart(p target.Part) string {
	switch p.Engine {
	case target.XPath:
		return "xpath=" + p.Value
	case target.Ref:
		return "aria-ref=" + p.Value
	case target.Role:
		if !p.Named {
			return "internal:role=" + p.Value
		}
		return "internal:role=" + p.Value + "[name=" + attrText(p.Name, p.Exact) + "]"
	case target.Label:
		return "internal:label=" + innerText(p.Value, p.Exact)
	case target.TextIs:
		return "internal:text=" + innerText(p.Value, p.Exact)
	case target.TestID: // an id, not a name: always the whole
		return "internal:testid=[" + testIDs + "=" + attrText(p.Value, true) + "]"
	case target.Placeholder:
		return "internal:attr=[placeholder=" + attrText(p.Value, p.Exact) + "]"
	case target.Alt:
		return "internal:attr=[alt=" + attrText(p.Value, p.Exact) + "]"
	case target.Title:
		return "internal:attr=[title=" + attrText(p.Value, p.Exact) + "]"
	case target.Nth:
		return "nth=" + strconv.Itoa(p.N)
	}
	return "css=" + p.Value
}

// attrText quotes text for an attribute selector: s asks for the whole, with its case, i for a part without.
func attrText(s string, exact bool) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` + caseOf(exact)
}

// innerText quotes text for the engines that read JSON.
func innerText(s string, exact bool) string {
	b, err := json.Marshal(s)
	if err != nil { // a string always marshals
		return `""` + caseOf(exact)
	}
	return string(b) + caseOf(exact)
}

func caseOf(exact bool) string {
	if exact {
		return "s"
	}
	return "i"
}
