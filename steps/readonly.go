package steps

import (
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps/argv"
)

// harmless are commands that count as changing something and that a read_only test may send all the same: they go to
// another page, choose what the page is shown on, or look elsewhere on it.
var harmless = strings.Fields("open back forward reload tab window scroll scrollintoview")

// setup are what set may set there: how the page is shown, not who somebody is.
var setup = strings.Fields("device geo media offline viewport")

// Changes tells a row that a read_only test may not send (R185): it changes the page, or what the browser keeps. operand gives the
// text of an operand.
func Changes(c *argv.Command, operand func(i int) string) bool {
	if !c.Traits.Has(argv.Mutates) {
		return false
	}
	switch c.Words[0] {
	case "set":
		return !slices.Contains(setup, c.Words[1])
	case "diff":
		return false // diff url goes to two pages
	case "dialog":
		return c.Words[1] != "dismiss"
	case "find":
		i := slices.IndexFunc(c.Operands, func(o argv.Operand) bool { return o.Name == "action" })
		return i < 0 || operand(i) != "text"
	}
	return !slices.Contains(harmless, c.Words[0])
}
