// Package steps is the contract between the language and the machinery: kinds of steps, the five bodies they compile to,
// rows, observations, and what a running step is given. It names no kind and no engine.
package steps

import (
	"context"
	"net/http"
	"os"
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
	ID, Name, Kind string     // Name is as the suite has it
	Title          *spec.Text // the name, if it has ${{ }}; see Titled
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
	Unredacted     bool       // what only looks like a credential stays in that file
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
	// Verdict makes the outcome of the step from what its rows gave, in their order; nil: it is that of the last row. With
	// it the rows behind one that failed run only if Whole is set; it is asked either way.
	Verdict func(ctx context.Context, e Env, gave []Observation) Observation
	Whole   bool
	Checks  bool // Verdict judges something: the test asserts something
	Again   bool // the step may be repeated, whatever its rows are
	Reset   bool // its first rows empty the logs of the page
}

// Opaque is a step that runs itself: exec, set, the bare expect.
type Opaque struct {
	Safe   bool // may be run again: expect is re-read
	Checks bool // judges something by itself, as exec does its exit code: the test asserts something
	Run    func(ctx context.Context, e Env) Observation
	// Wants are what the step asks for that a policy can deny, as far as it is known when it is compiled.
	Wants []Ask
	// Limit is the time that the step sets itself in a key of its own, which must not be longer than those around it; 0:
	// none is set.
	Limit time.Duration
	Page  bool // needs the page's session, though no row does
	// Person says that the step waits for a person: it is refused under CI.
	Person bool
	// Asks says that it asks the person to do something, so that a run must be told that there is one.
	Asks bool
	// Launches says that it launches a desktop app, in which the rows of its session run from then on.
	Launches bool
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
	// Cells makes the cells of a generated row from what Text gave; nil: they are the same.
	Cells func(texts []string) []string
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
	// Policy is asked before the step starts a program, reads a file or connects to a host; nil allows everything.
	Policy *Policy
	Jar    Jar // the cookies of the attempt's session, opened at first need; nil: there are none
	// Self is the checkrow binary for child modes, or "".
	Self string
	// Row runs one argv row in the attempt's session, checked, limited and journaled as a row of the suite is; nil: no rows
	// can run here.
	Row func(ctx context.Context, r InnerRow) Observation
	// Locate finds the file of the project that a fault comes from: the innermost place of from that is in it, else one that
	// names url. It gives "src/cart.ts:12:5 (initiator, medium)", or ""; nil: nobody looks.
	Locate func(ctx context.Context, from []Place, url string) string
	// Explained tells that a fault of the page was to be expected: a step has provoked it, or health allows it. It is set for
	// Verdict only.
	Explained func(f Fault) bool
	// Checkpoint keeps where the test is, so that a run that is taken up again goes on from here; nil: it cannot be done here.
	Checkpoint func(ctx context.Context, name string) error
	// State gives what steps keep for the rest of the attempt in this session, by their kind.
	State func() map[string]string
	// Handoff asks a person to do something and waits until done tells that it was, they say so, or ctx ends; it gives how
	// it ended. nil: nobody is there.
	Handoff func(ctx context.Context, text string, done func(ctx context.Context) (bool, error)) (via string, err error)
	// Apps launches desktop apps; nil: outside the attempts of tests.
	Apps func() Apps
}

// InnerRow is an argv row that a step makes while it runs.
type InnerRow struct {
	Cells []string
	Limit time.Duration // 0: that of the row's command
	Pos   diag.Pos      // what says it; zero: the step
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
	// In and Out are the child's standard input and output, if whoever starts it talks to it meanwhile; then Stdin and
	// Exit.Stdout are not used. Run closes both once the child has its own.
	In, Out *os.File
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
	Browser    string // firefox or webkit; "": chromium
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
	React      bool // a row asks for the page's React components: its hook must be there before the page
	// Hosts are the only ones that anything in the browser can reach; nil: all. They are part of the launch key.
	Hosts []string
	// Public says that a host of Hosts must not have an address of a private network, unless it is one itself.
	Public bool
	// Schemes are those that rows may open and requests may have; nil: all but file.
	Schemes []string
	// Connect is the address of a browser that runs elsewhere, in which the session has a context of its own: a Playwright
	// server, or a debugging port; "": a browser is started. It is part of the launch key, as Attach is.
	Connect string
	// Attach is the address of the debugging port of a browser that somebody uses: the session works in its profile, as it
	// is, in a tab of its own, or in the one whose URL contains Adopt.
	Attach, Adopt string
	// Window says that the browser at Attach is an app that was launched for this session: all of its windows are the
	// session's, and it begins in the target with this id.
	Window string
	// StorageState is a file of cookies and localStorage that the context starts with; "": it starts empty.
	StorageState string

	Capture Capture
	Record  Record // what Capture means for one attempt
}

// RowOptions are what one row needs beside its cells.
type RowOptions struct {
	Files   Files
	Dir     string        // folder of the file that says the row: relative input files resolve against it
	Timeout time.Duration // 0: the command's default from Limits
	Scope   []ScopePart   // what its targets are looked for in, outermost first
	File    string        // the file that says the row: the folder of its baselines is named after it
	// Baselines says what becomes of a baseline that is missing or different.
	Baselines Baselines
	// Overlays are looked at when the target of a changing row is not ready: if one of them is visible, the row is not
	// sent and fails as Obstructed.
	Overlays []target.Target
	Top      bool // look from the main frame, whatever frame row came before
	// Original gives where to read a file from: one that a row has saved is read as it was before secrets were hidden in
	// it. nil: from where it is.
	Original func(path string) string
}

// Baselines says what rows do that compare the page with a saved picture or tree.
type Baselines uint8

// What becomes of baselines.
const (
	BaselinesKept    Baselines = iota // nothing is written: a missing one fails the row, as it must under CI
	BaselinesWritten                  // a missing one is written, with a warning
	BaselinesUpdated                  // a different one is written too
)
