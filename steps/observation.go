package steps

import (
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// Category is why something failed; the set is closed (DECISIONS 11).
type Category string

// The categories.
const (
	Assertion     Category = "assertion"
	NotFound      Category = "not-found"
	NotActionable Category = "not-actionable"
	StaleRef      Category = "stale-ref"
	DialogBlocked Category = "dialog-blocked"
	Timeout       Category = "timeout"
	Crash         Category = "crash"
	ArtifactBad   Category = "artifact"
	Navigation    Category = "navigation"
	Process       Category = "process"
	HTTP          Category = "http"
	Health        Category = "health"
	Setup         Category = "setup"
	PolicyDenied  Category = "policy"
	Validation    Category = "validation"
	Environment   Category = "environment"
	Interrupted   Category = "interrupted"
	Internal      Category = "internal"
)

// Status is the verdict on a test; the set is closed (DECISIONS 11).
type Status string

// The test states.
const (
	Passed            Status = "passed"
	Failed            Status = "failed"
	Errored           Status = "error"
	Flaky             Status = "flaky"
	Skipped           Status = "skipped"
	Quarantined       Status = "quarantined"
	KnownBug          Status = "known-bug"
	NotRun            Status = "not-run"
	StatusInterrupted Status = "interrupted"
	Unknown           Status = "unknown"
)

// RowState is how far a row got; the set is closed.
type RowState string

// The row states.
const (
	RowNotRun      RowState = "not-run"
	RowSentUnknown RowState = "sent-unknown"
	RowCompleted   RowState = "completed"
	RowFailed      RowState = "failed"
)

// IsFailure tells a check that was not met (JUnit failure) from an error (JUnit error): timeout, crash, set-up.
func (c Category) IsFailure() bool {
	switch c {
	case Assertion, Health, HTTP, Process:
		return true
	}
	return false
}

// Sent is what the dispatcher knows about a row: the ground truth of partial progress.
type Sent uint8

// How far a row was sent.
const (
	NotSent Sent = iota
	MaybeSent
	Answered
)

// Observation is the one shape of every row's and step's outcome (DESIGN §5).
type Observation struct {
	Success     bool           `json:"success"`
	Category    Category       `json:"category,omitempty"` // of a failure
	Sub         string         `json:"sub,omitempty"`      // finer: browser-crashed, assertion-failed, covered, disabled …
	Error       string         `json:"error,omitempty"`    // one sentence: wanted, got
	Data        map[string]any `json:"data,omitempty"`
	Value       any            `json:"value,omitempty"` // what steps.ID.value is
	Summary     string         `json:"summary,omitempty"`
	Warnings    []string       `json:"warnings,omitempty"`
	NextActions []NextAction   `json:"next_actions,omitempty"`
	Artifacts   []Artifact     `json:"artifacts,omitempty"`
	Detail      *Detail        `json:"detail,omitempty"`
	Checks      []Check        `json:"checks,omitempty"`   // what the step checked, one by one
	Compiled    *Compiled      `json:"compiled,omitempty"` // of a step that compiles to rows
	Page        Page           `json:"page"`
	Started     time.Time      `json:"started"`
	Took        time.Duration  `json:"took"`
	Argv        []string       `json:"argv,omitempty"` // rendered; masked before it is written anywhere
	From        string         `json:"generated_from,omitempty"`
	Pos         diag.Pos       `json:"pos"`
	Sent        Sent           `json:"-"`
	// Collateral marks a crash that this session did not cause: the attempt is rerun once and not counted as a retry.
	Collateral bool `json:"collateral,omitempty"`
	// Change is what a row did to the page; nil: nothing, it failed, or it is no row.
	Change *Change `json:"change,omitempty"`
	// Partial is how far its list got, if a limit or a stop cut it off.
	Partial *PartialProgress `json:"partial_progress,omitempty"`
	// Set are values that a set step defines under vars.
	Set map[string]any `json:"-"`
	// Secret marks values that must be masked from now on.
	Secret []string `json:"-"`
	// Full is what expressions see instead of Data and Value, where those are only a preview for journal and reports. It
	// is written nowhere.
	Full *Full `json:"-"`
}

// Check is one of several things that a step checks, as qa does.
type Check struct {
	Name  string     `json:"name"` // console, page errors, text "Thank you" …
	State CheckState `json:"state"`
	Text  string     `json:"text,omitempty"` // what was wrong, in one sentence
}

// CheckState is how a check came out.
type CheckState string

// The states of a check. Unverified is a failure: nobody knows what fell out of a full log.
const (
	CheckPassed     CheckState = "passed"
	CheckFailed     CheckState = "failed"
	CheckUnverified CheckState = "unverified"
	CheckNotRun     CheckState = "not-run"
)

// Full is the whole of what a step gave.
type Full struct {
	Data  map[string]any
	Value any
	Raw   []byte // what save writes; nil: Value
}

// Page is where a session was after a row.
type Page struct {
	URL   string `json:"url,omitempty"`
	Title string `json:"title,omitempty"`
}

// NextAction is a row or a step to try, with the reason.
type NextAction struct {
	ID     string   `json:"id"`
	Reason string   `json:"reason"`
	Row    []string `json:"row,omitempty"`
	Step   string   `json:"step,omitempty"` // as a suite has it, in one line
}

// Detail is what the failure block shows beside the sentence (LANGUAGE §12). Want, Got and Seen are in words, as the
// sentence has them: a text stands in quotes, "== 2", "hidden" and "no such element" do not. Nobody quotes them again.
type Detail struct {
	Want    string      `json:"want,omitempty"`
	Got     string      `json:"got,omitempty"`
	Seen    []Seen      `json:"seen,omitempty"` // values seen while waiting, in order
	Target  *TargetInfo `json:"target,omitempty"`
	Terms   []spec.Term `json:"terms,omitempty"`
	Output  string      `json:"output,omitempty"` // tail of a process
	Dialog  string      `json:"dialog,omitempty"`
	Covered string      `json:"covered,omitempty"` // what lies over the target
	Found   []string    `json:"found,omitempty"`   // what a check found, one line each: a request, a message with its place
}

// Term is spec.Term, for those who render it and may not import spec.
type Term = spec.Term

// Seen is one value and how often it was read.
type Seen struct {
	Value string `json:"value"`
	Times int    `json:"times"`
}

// TargetInfo is what a target matched.
type TargetInfo struct {
	Source  string   `json:"source"`
	Matches int      `json:"matches"`
	Visible int      `json:"visible"`
	List    []string `json:"list,omitempty"` // the matches, one line each, at most ten
	Near    []string `json:"near,omitempty"` // nearest names of the same role, if none matched
}

// ArtifactState tells whether a file is what the row claims.
type ArtifactState string

// The artifact states.
const (
	Saved      ArtifactState = "saved"
	Pending    ArtifactState = "pending"
	Missing    ArtifactState = "missing"
	Stale      ArtifactState = "stale"
	Invalid    ArtifactState = "invalid"
	Unverified ArtifactState = "unverified"
)

// Artifact is a file that a row wrote.
type Artifact struct {
	Path   string        `json:"path"` // relative to the run folder, with slashes
	Kind   string        `json:"kind"` // screenshot, snapshot, download …
	Type   string        `json:"type"` // media type by content
	State  ArtifactState `json:"state"`
	Bytes  int64         `json:"bytes"`
	SHA256 string        `json:"sha256,omitempty"`
	Width  int           `json:"width,omitempty"`
	Height int           `json:"height,omitempty"`
	Blank  bool          `json:"blank,omitempty"` // all pixels are one colour
	// Redacted says that secrets in it were hidden: it is not, byte for byte, what the row got.
	Redacted bool   `json:"redacted,omitempty"`
	Error    string `json:"error,omitempty"`

	Pages      int      `json:"pages,omitempty"`       // of a PDF
	DurationMS int64    `json:"duration_ms,omitempty"` // of a video
	Streams    []string `json:"streams,omitempty"`     // of a video: "video vp8 1280x720"
	Entries    int      `json:"entries,omitempty"`     // requests of a HAR, files of an archive
}

// TestKey names a test; it is stable over runs, shards and resume.
type TestKey struct {
	Suite string `json:"suite"` // file of the suite, with slashes
	Name  string `json:"name"`
}

// String gives "file › name".
func (k TestKey) String() string { return k.Suite + " › " + k.Name }

// Fail is a failed observation.
func Fail(c Category, sub, msg string) Observation {
	return Observation{Category: c, Sub: sub, Error: msg}
}

// OK is a successful observation with data; value is the data key that steps.ID.value gives, or "".
func OK(data map[string]any, value string) Observation {
	o := Observation{Success: true, Data: data}
	if value != "" {
		o.Value = data[value]
	}
	return o
}

// Observed is an error that is an observation: Engine.Open and page functions return one when they know more than a
// sentence, a crash or a held dialog say.
type Observed interface {
	error
	Observation() Observation
}
