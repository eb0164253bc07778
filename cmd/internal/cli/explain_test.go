package cli

import (
	"testing"

	"github.com/checkrow/checkrow/cmd/internal/manual"
)

// TestExitsAreExplained holds the remedies for exit codes against the table of them.
func TestExitsAreExplained(t *testing.T) {
	for _, d := range exitDocs {
		if len(manual.Exits[d.Code]) == 0 {
			t.Errorf("manual.Exits says nothing of exit code %d", d.Code)
		}
	}
	if len(manual.Exits) != len(exitDocs) {
		t.Errorf("manual.Exits has %d codes, there are %d", len(manual.Exits), len(exitDocs))
	}
}
