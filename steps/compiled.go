package steps

// Compiled is what a step of few words came to: the rows that it stands for, and what it checks (CONTRACT R60).
type Compiled struct {
	Plan   []PlanRow `json:"plan"`
	Checks []string  `json:"checks,omitempty"` // by the names of Observation.Checks
	// Reset says that the page's logs were emptied before anything was looked at.
	Reset bool `json:"reset,omitempty"`
}

// PlanRow is one row of a plan: as it was sent, or as it was compiled if it was not.
type PlanRow struct {
	Row       []string `json:"row"`
	From      string   `json:"generated_from"`
	State     RowState `json:"state"`
	Effective []string `json:"effective,omitempty"` // the row that a snapshot resolved it to
}
