package steps

import "context"

// Capture says when recordings of an attempt are kept: each is off, on, on-failure, on-first-retry, or "" for the default,
// which is off for trace and video and on-failure for the screenshot.
type Capture struct{ Trace, Video, Screenshot string }

// Record is what a session records from its first page to its end.
type Record struct {
	Trace, Video bool
	NoScreenshot bool // Evidence has none
}

// Recorder is the power of a session to record itself, as SessionOptions.Record asks. A session that is closed without
// Recorded drops what it recorded.
type Recorder interface {
	// Recorded ends the recordings. Those that keep says are saved, under the names that name makes of theirs; the others
	// are dropped, which costs nothing. What could not be saved is told as a failure.
	Recorded(ctx context.Context, keep Record, files Files, name func(string) string) []Observation
	// Picture takes a screenshot as it is taken for a failure: a PNG.
	Picture(ctx context.Context) ([]byte, error)
}
