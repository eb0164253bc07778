package steps

// Change is what a row that succeeded did to the page, as far as the engine knows. Observed is false for a row that was
// only dispatched: nothing has looked whether the application changed.
type Change struct {
	Type     ChangeType `json:"type"`
	Observed bool       `json:"observed"`
}

// ChangeType is the sort of a change.
type ChangeType string

// The sorts of changes.
const (
	ChangeNavigation ChangeType = "navigation" // the page is another, or its URL is
	ChangeMutation   ChangeType = "mutation"
	ChangeArtifact   ChangeType = "artifact"
)
