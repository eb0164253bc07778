package steps

import "context"

// Unfinished is the power of a session to end what its rows started and no row ended: recordings, traces, HAR. Each is
// stopped and saved where the row that started it writes, and told of as a failure of the test, video first; nothing open
// is no observation.
type Unfinished interface {
	Finish(ctx context.Context) []Observation
}
