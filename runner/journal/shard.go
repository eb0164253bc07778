package journal

import (
	"fmt"

	"github.com/checkrow/checkrow/steps"
)

// Shard says which part of a plan a run is. Runs whose Plan is the same are parts of one whole.
type Shard struct {
	Index int    `json:"index"` // from 1
	Of    int    `json:"of"`
	Plan  string `json:"plan"` // digest of the whole plan and of which shard runs what
}

// String gives "2/3".
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// Other is a test of the plan that another shard runs.
type Other struct {
	Key   steps.TestKey `json:"key"`
	Shard int           `json:"shard"`
}
