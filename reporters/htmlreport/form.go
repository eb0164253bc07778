package htmlreport

import (
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// The types below are what the page reads; nobody else does, and the page comes with them. Times are milliseconds that the
// run had been worked on, without the time between its lives; durations are milliseconds.

// chunkSize is how many tests share a chunk: opening a test reads one chunk.
const chunkSize = 50

// index is what the page needs to list and find tests.
type index struct {
	Run      run                  `json:"run"`
	Counts   map[steps.Status]int `json:"counts"`
	Suites   []suite              `json:"suites"`
	Tests    []entry              `json:"tests"`
	Broken   []journal.BrokenFile `json:"broken,omitempty"`
	Warnings []string             `json:"warnings,omitempty"`
	Others   int                  `json:"others,omitempty"` // tests of other shards
	Chunk    int                  `json:"chunk"`
	Base     string               `json:"base"`            // the way from the report to the run folder
	Texts    map[string]string    `json:"texts,omitempty"` // of what failed outside of tests
}

type run struct {
	ID       string   `json:"id"`
	Version  string   `json:"version"`
	Started  string   `json:"started,omitempty"`
	Hostname string   `json:"hostname"`
	OS       string   `json:"os"`
	Workers  int      `json:"workers"`
	Hash     string   `json:"hash"`
	Command  []string `json:"command"`
	Dir      string   `json:"dir"`
	WorkDir  string   `json:"workdir"`
	Shard    string   `json:"shard,omitempty"` // 1/3
	Lives    []life   `json:"lives,omitempty"` // of a run that was taken up again
	Ended    bool     `json:"ended"`
	Exit     int      `json:"exit"`
	Reason   string   `json:"reason,omitempty"`
	MS       float64  `json:"ms"`
}

// life is one process of a run that was taken up again.
type life struct {
	Started string  `json:"started"`
	Last    string  `json:"last"`
	MS      float64 `json:"ms"`
	End     string  `json:"end"`
}

type suite struct {
	File   string `json:"file"`
	Name   string `json:"name"`
	SHA256 string `json:"sha256,omitempty"`
	Hooks  []hook `json:"hooks,omitempty"`
}

// hook is what ran or failed outside of tests: setup, a login, teardown.
type hook struct {
	Name     string    `json:"name"`
	At       float64   `json:"at,omitempty"`
	MS       float64   `json:"ms,omitempty"`
	Failures []failure `json:"failures,omitempty"`
	Steps    []step    `json:"steps,omitempty"`
}

// entry is one test in the index.
type entry struct {
	Suite  int          `json:"suite"`
	Name   string       `json:"name"`
	Status steps.Status `json:"status"`
	Line   int          `json:"line,omitempty"`
	Tags   []string     `json:"tags,omitempty"`
	MS     float64      `json:"ms"`
	Why    string       `json:"why,omitempty"`  // the first failure, or the reason of a test that did not run
	Runs   []bar        `json:"runs,omitempty"` // its attempts, for the timeline
}

// bar is an attempt in the timeline.
type bar struct {
	Worker int          `json:"w"`
	At     float64      `json:"at"`
	MS     float64      `json:"ms"`
	Status steps.Status `json:"s,omitempty"` // "": as the test
}

// chunk is what is known of some tests. Texts are the contents of their artifacts, by digest.
type chunk struct {
	Tests []test            `json:"tests"`
	Texts map[string]string `json:"texts,omitempty"`
}

type test struct {
	Retries    int                 `json:"retries,omitempty"`
	Params     []journal.Param     `json:"params,omitempty"`
	KnownBug   string              `json:"known_bug,omitempty"`
	Quarantine *journal.Quarantine `json:"quarantine,omitempty"`
	Because    *int                `json:"because,omitempty"` // place of the test that kept it from running
	Attempts   []attempt           `json:"attempts"`
}

type attempt struct {
	N          int          `json:"n"`
	Worker     int          `json:"worker"`
	Status     steps.Status `json:"status"`
	At         float64      `json:"at"`
	MS         float64      `json:"ms"`
	Collateral bool         `json:"collateral,omitempty"`
	CutOff     bool         `json:"cut_off,omitempty"`
	Failures   []failure    `json:"failures,omitempty"`
	Warnings   []string     `json:"warnings,omitempty"`
	Artifacts  []artifact   `json:"artifacts,omitempty"` // of the whole attempt
	Steps      []step       `json:"steps,omitempty"`
}

// failure is a failure and how the console shows it.
type failure struct {
	*journal.Failure
	Rows      []row      `json:"progress,omitempty"`
	Written   string     `json:"changed,omitempty"`
	Try       []next     `json:"next,omitempty"`
	RowText   string     `json:"row,omitempty"`
	Artifacts []artifact `json:"artifacts,omitempty"`
	Block     string     `json:"block"`
	// What is said above in another form.
	LastWrite *struct{} `json:"last_write,omitempty"`
}

// row is how far a row of the failed batch got.
type row struct {
	Line  int            `json:"line"`
	Text  string         `json:"text"`
	State steps.RowState `json:"state"`
}

type next struct {
	Row    string `json:"row,omitempty"`
	Reason string `json:"reason"`
}

// artifact is a file, and what of it is in the report: Text names its content in the chunk, Image its picture.
type artifact struct {
	steps.Artifact
	Text  string `json:"text,omitempty"`
	Cut   bool   `json:"cut,omitempty"` // only a part of the text
	Image string `json:"image,omitempty"`
}

type step struct {
	Phase    journal.Phase  `json:"phase,omitempty"` // "": steps
	Path     string         `json:"path"`
	Row      string         `json:"row"`
	Title    string         `json:"title,omitempty"`
	File     string         `json:"file,omitempty"` // if not the suite
	Line     int            `json:"line,omitempty"`
	State    steps.RowState `json:"state,omitempty"` // "": completed
	At       float64        `json:"at"`              // since the attempt began
	MS       float64        `json:"ms"`
	Session  string         `json:"session,omitempty"`
	From     string         `json:"from,omitempty"`
	Tries    int            `json:"tries,omitempty"`
	Error    string         `json:"error,omitempty"`
	Summary  string         `json:"summary,omitempty"`
	Value    string         `json:"value,omitempty"`
	URL      string         `json:"url,omitempty"` // where it ended, if not where the one before did
	Checks   []steps.Check  `json:"checks,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
	Files    []string       `json:"files,omitempty"` // paths of its artifacts
}
