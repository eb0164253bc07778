// Package steps is the contract between the language and the machinery: kinds of steps, the five bodies they compile to,
// rows, observations, and what a running step is given. It names no kind and no engine.
package steps

import (
	"context"
	"net/http"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/checkrow/checkrow/steps/target"
)

// Kind is one step kind: its YAML key, the keys it accepts beside the common ones, and how its map becomes a Body.
type Kind struct {
	Name    string // the key that makes a map this kind: "exec"
	Doc     string // one sentence
	Example string // YAML of one step, as it would stand in a suite
	Keys    []spec.Key
	// Decode makes the body of a step. m has the values of all its keys, the common ones too, which are decoded by others;
	// at is the step. The type is that of steps.ID and of the names in its expect, see Result. A nil body says that the
	// step cannot be used, which is then in d.Errs.
	Decode func(d *Decoder, m map[string]spec.Node, at spec.Node) (Body, spec.Type)
}

// Decoder is what a kind decodes with. Flow kinds recurse through Steps, so no kind imports a kind.
type Decoder struct {
	Errs  *diag.List
	Scope *spec.Scope
	Kinds map[string]Kind
	// Load reads and caches the fragment that a `use` names, relative to the file that says it; errors go to Errs.
	Load func(path spec.Node) *spec.Fragment
	// Sessions are the names that a step may name; MainSession is always one of them.
	Sessions []string
	// Using are the files being expanded, outermost first: a fragment that uses itself is an error.
	Using []string

	ids    map[string]diag.Pos   // where each id stands
	tables map[string][]spec.Key // the keys of each kind, the common ones too
}

// Step is one decoded step: common keys and a body.
type Step struct {
	ID, Name, Kind string
	Pos            diag.Pos
	Skip           spec.Text
	If             *spec.Expr
	Expect         []*spec.Expr
	Timeout        time.Duration // 0: the row or kind default
	Within         *time.Duration
	Every          time.Duration
	Soft, Optional bool
	Retry          Retry
	Session        string     // the session it runs in; "": the one around it
	Provokes       *Provokes  // nil: the step provokes nothing
	Save           *spec.Text // nil: the result is not kept in a file
	Body           Body
}

// Retry is the `retry` key: Times further tries, a pause of Every between them.
type Retry struct {
	Times  int
	Every  time.Duration
	When   *spec.Expr // over the failed result; nil: always
	Unsafe bool
}

// Body is what a step does: one of Rows, Opaque, Branch, Loop and Group. The set is closed; the runner interprets it and
// knows no kind.
type Body interface{ body() }

// Rows are argv rows that run as part of a batch.
type Rows struct {
	Rows []Row
}

// Opaque is a step that runs itself: exec, set, the bare expect.
type Opaque struct {
	Safe   bool // may be run again: expect is re-read
	Checks bool // judges something by itself, as exec does its exit code: the test asserts something
	Run    func(ctx context.Context, e Env) Observation
	// Limit is the time that the step sets itself in a key of its own, which must not be longer than those around it; 0:
	// none is set.
	Limit time.Duration
	Page  bool // needs the page's session, though no row does
	// Person says that the step waits for a person: it is refused under CI.
	Person bool
	// Judged is told the step's expect once it is compiled: exec leaves its exit code to one that reads it. It may be nil.
	Judged func(expect []*spec.Expr)
}

// Branch is if/elif/else: the first arm whose condition holds; a nil condition is else.
type Branch struct{ Arms []Arm }

// Arm is one arm of a Branch.
type Arm struct {
	Cond *spec.Expr
	Do   []Step
}

// Loop is `for NAME in EXPR`, or `while: EXPR` if While is set. Max and Within bound it; While is read again after a pause
// of Every.
type Loop struct {
	Var    string
	Over   *spec.Expr
	While  *spec.Expr
	Max    int
	Within time.Duration // of a while: 0 for none
	Every  time.Duration
	Do     []Step
}

// Group is group and use. In are values that exist inside as inputs.NAME (nil for a plain group: it sees what is
// outside); Out are the outputs, read inside, visible as steps.ID.NAME.
type Group struct {
	Name     string
	Isolated bool // use: neither vars nor secrets of the caller are visible
	In       map[string]spec.Text
	Defaults map[string]any
	Secret   []string // inputs whose value is masked
	Do       []Step
	Out      map[string]*spec.Expr
	File     string // of the fragment
	Scope    *Scope // where Do happens; nil: where the group stands

	Made  map[string]spec.Compound // inputs that are lists or maps with ${{ }} inside
	Given map[string]spec.Compound // defaults with ${{ }}: they read what the fragment itself may
	Want  map[string]spec.Type     // of inputs whose value is of a type that only the run knows
}

func (Rows) body()   {}
func (Opaque) body() {}
func (Branch) body() {}
func (Loop) body()   {}
func (Group) body()  {}

// Row is one argv row: its checked call and the compiled text of each cell.
type Row struct {
	Call *argv.Call
	Text []spec.Text // one per cell
	Pos  diag.Pos
	From string // generated_from, or ""
}

// Env is all that a running opaque step gets.
type Env struct {
	Values   spec.Values
	Reader   spec.Reader // page functions of the attempt's session
	Proc     Spawner
	Root     string   // project root: exec runs here
	Environ  []string // NAME=value of the suite's env and the pass-list
	Files    Files    // the attempt's folder
	Timeouts Limits
	BaseURL  string // or ""
	Dir      string // folder of the file that says the step: files it reads resolve against it
	// Pause waits until a person says to go on; nil: nobody is there.
	Pause func(ctx context.Context, text string) error
	Jar   Jar // the cookies of the attempt's session, opened at first need; nil: there are none
}

// Jar is the power of a session to share its cookies with steps that speak HTTP themselves.
type Jar interface {
	// Cookies gives those that the page would send to a URL.
	Cookies(ctx context.Context, url string) ([]*http.Cookie, error)
	// SetCookies takes those that a response from a URL sets; one that has expired is removed.
	SetCookies(ctx context.Context, url string, list []*http.Cookie) error
}

// Limits are the resolved timeouts of a test.
type Limits struct {
	Action, Expect, Wait, Open, Row, Test, Cleanup time.Duration
}

// Spawner starts child processes in groups of their own that die with the runner, grandchildren too.
type Spawner interface {
	Run(ctx context.Context, c Command) (Exit, error)
}

// Command is a child process to run to its end.
type Command struct {
	Argv   []string
	Dir    string
	Env    []string
	Stdin  []byte
	Limit  int           // bytes of stdout and of stderr that are kept, head and tail; 0: 1 MiB
	Grace  time.Duration // between SIGTERM and SIGKILL to the group when ctx ends; 0: 2s
	Secret []string
}

// Exit is how a child process ended.
type Exit struct {
	Code           int    // -1 if a signal ended it
	Signal         string // "killed", or ""
	Stdout, Stderr []byte
	Dropped        int // bytes of output that were not kept
	PID            int
	Took           time.Duration
}

// Files gives paths in the attempt's folder. Reserve makes parents and gives a temporary name in the same folder; commit
// moves it in place and checks what was written. A destination outside the run folder, or used twice by different
// steps, is an error.
type Files interface {
	Reserve(name string) (tmp string, commit func() (Artifact, error), err error)
}

// Engine opens browser sessions. Close ends every browser and driver it started; it leaves no process behind.
type Engine interface {
	Open(ctx context.Context, o SessionOptions) (Session, error)
	Close(ctx context.Context) error
}

// Session is one browser context with its pages. It is used by one goroutine at a time.
type Session interface {
	spec.Reader
	// Do executes one rendered row. It returns within the deadline of ctx plus two seconds whatever hangs.
	Do(ctx context.Context, a argv.Args, o RowOptions) Observation
	Witness
	// Close releases context, pages and listeners; it returns at once and the engine waits for the rest.
	Close()
}

// Witness is the part of a session that tells what happened.
type Witness interface {
	// Signals settles the page and reads what happened since a mark.
	Signals(ctx context.Context, since Mark) (Signals, Mark)
	// Mark gives the position of the rings now, and Seen what happened since a mark. Both ask the page nothing: what it
	// has not told yet is not in them.
	Mark() Mark
	Seen(since Mark) Signals
	// Evidence takes a screenshot and an aria snapshot for a failure, each under its own short deadline; what could not
	// be had is said in Evidence.Problems.
	Evidence(ctx context.Context) Evidence
}

// SessionOptions say what browser and context a session needs. The fields up to Args are the launch key: sessions that
// agree on them share one browser (DECISIONS 7).
type SessionOptions struct {
	Headless   bool
	Executable string
	Args       []string
	Viewport   [2]int
	Locale     string
	Timezone   string
	UserAgent  string
	Scheme     string
	Scale      float64
	Mobile     bool
	Touch      bool
	Headers    map[string]string
	IgnoreTLS  bool
	BaseURL    string
	Strict     bool
	Limits     Limits
	// StorageState is a file of cookies and localStorage that the context starts with; "": it starts empty.
	StorageState string
}

// RowOptions are what one row needs beside its cells.
type RowOptions struct {
	Files   Files
	Dir     string        // folder of the file that says the row: relative input files resolve against it
	Timeout time.Duration // 0: the command's default from Limits
	Scope   []ScopePart   // what its targets are looked for in, outermost first
	// Overlays are looked at when the target of a changing row is not ready: if one of them is visible, the row is not
	// sent and fails as Obstructed.
	Overlays []target.Target
	Top      bool // look from the main frame, whatever frame row came before
}

// Mark is a position in a session's rings.
type Mark struct {
	Console, Errors, Network uint64
	Faults                   uint64 // Seq of the newest fault
	Dialogs                  uint64 // Seq of the newest dialog
	Row                      uint64 // how many rows the session was given
}

// Signals are what a page said in a window: console errors, page errors, failed requests in the order of their Seq, and
// the dialogs it opened.
type Signals struct {
	Faults  []Fault
	Dropped int // faults that fell out before they were read
	Lost    Lost
	Dialogs []Dialog
}

// Lost counts the faults that fell out, by their sort.
type Lost struct{ Console, Errors, Network int }

// Fault is one console error, page error or failed request.
type Fault struct {
	Kind string `json:"kind"` // console, page_error, request, http
	Text string `json:"text"`
	URL  string `json:"url,omitempty"`
	Line int    `json:"line,omitempty"` // 1-based, of the script
	Seq  uint64 `json:"seq"`            // rises over all faults of a session
	// Session is where it happened; "": in the session of the test.
	Session string `json:"session,omitempty"`

	Site      Site   `json:"site,omitempty"` // of the script or request
	Method    string `json:"method,omitempty"`
	Type      string `json:"type,omitempty"` // of a request: xhr, fetch, script, stylesheet, image, document …
	Status    int    `json:"status,omitempty"`
	Initiator string `json:"initiator,omitempty"`
	Cut       bool   `json:"cut,omitempty"`     // a navigation, or the end of its page, cut it off
	Row       uint64 `json:"row,omitempty"`     // the row in whose window it came; a request counts from where it began
	Request   uint64 `json:"request,omitempty"` // the request's place in the network ring
}

// Site says whose a script or a request is.
type Site string

// The sites. A fault that names no script is inline: it came from the page itself.
const (
	SameSite  Site = "same"
	OtherSite Site = "other"
	Inline    Site = "inline"
)

// The kinds of fault.
const (
	FaultConsole   = "console"
	FaultPageError = "page_error"
	FaultRequest   = "request"
	FaultHTTP      = "http"
)

// Dialog is a dialog that the page opened.
type Dialog struct {
	Kind string `json:"kind"` // alert, confirm, prompt, beforeunload
	Text string `json:"text"`
	Seq  uint64 `json:"seq"`
	Held bool   `json:"held,omitempty"` // it waits for an answer
}

// Evidence is what a failed attempt shows.
type Evidence struct {
	Screenshot []byte // PNG
	Snapshot   string // aria snapshot without refs
	URL, Title string
	Console    []string
	Network    []string
	Problems   []string
}
