package plan

import (
	"fmt"

	"github.com/checkrow/checkrow/steps/argv"
)

// maxGenerated is how many characters the text of a plan shows of a row that a step was compiled to: it may hold a script
// that nobody wrote. JSON has it whole.
const maxGenerated = 60

// place says a row and where it stands, and what it was generated from.
func (r RowEntry) place() string {
	text := argv.Row(r.Row)
	if r.From == "" {
		return fmt.Sprintf("%s  line %d", text, r.Pos.Line)
	}
	if cells := []rune(text); len(cells) > maxGenerated {
		text = string(cells[:maxGenerated]) + "…"
	}
	return fmt.Sprintf("%s  line %d  from %s", text, r.Pos.Line, r.From)
}
