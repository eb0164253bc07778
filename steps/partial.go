package steps

import "github.com/checkrow/checkrow/spec/diag"

// PartialProgress is how far a list of steps got before a limit or a stop cut it off. All of it is known and nothing
// guessed: a step counts as completed when it has answered.
type PartialProgress struct {
	Limit   string        `json:"limit"`   // row, step, test, suite, run …; or stop
	Summary string        `json:"summary"` // one sentence
	Steps   []PartialStep `json:"steps"`
	First   int           `json:"first_incomplete"` // Index of the first that is not completed; 0: all are
	Safe    bool          `json:"safe_to_retry"`    // the first incomplete one may be sent again: it was not sent, or its command says so
	Retry   []string      `json:"retry,omitempty"`  // the exact row to send again, if that is safe
	Page    Page          `json:"page"`             // where the page is now
	Live    bool          `json:"live_url_recovered"`
	Opened  bool          `json:"opened_but_timed_out,omitempty"` // the page that the row opens is there, it was not ready in time

	Artifacts []Artifact `json:"artifacts,omitempty"` // on disk by now
}

// PartialStep is one row or step of it.
type PartialStep struct {
	Index int      `json:"index"` // from 1
	Name  string   `json:"name,omitempty"`
	Row   []string `json:"row,omitempty"`
	State RowState `json:"state"`
	From  string   `json:"generated_from,omitempty"`
	Pos   diag.Pos `json:"pos"`
}
