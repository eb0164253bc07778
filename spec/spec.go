// Package spec turns YAML into a tree with positions, and text with ${{ }} into typed, compiled expressions. It walks
// the AST of goccy/go-yaml itself and shows none of it: step bodies stay a [Node], for the package knows no step kind.
package spec

import (
	"time"

	"github.com/checkrow/checkrow/spec/diag"
)

// Key describes one key that a map may have: one table feeds decoding, did-you-mean, the JSON Schema and the reference.
type Key struct {
	Name     string
	Type     string // words of the schema: text, expr, bool, int, duration, list, map, steps, row, rows, texts, names (at least one, each once), any
	Doc      string
	Required bool
	Excludes []string // keys that may not stand beside it
	Default  string   // as shown in the reference, or ""
	Later    bool     // part of the language that is not built yet: using it is an error that says so
	Aka      []string // what people write instead, in lower case without "_" and "-": it is suggested, never accepted
	Keys     []Key    // of a map: the keys it may have, for schema and reference; nil: any
}

// Entry is one pair of a free-form map (vars, env, with), in written order.
type Entry struct {
	Name   string
	KeyPos diag.Pos
	Value  Node
}

// Suite is one file with `suite:`. What may hold ${{ }} or steps is still a Node; all else is decoded.
type Suite struct {
	File       string // as given by the user, cleaned; diagnostics name it
	Root       string // project root: the folder of checkrow.yaml, else of the suite
	Source     []byte
	SHA256     string // of Source, hex
	Name       string
	Pos        diag.Pos // of the `suite` key
	Tags       []string
	BaseURL    Node
	Vars       []Entry
	Env        []Entry // environment of exec steps and services
	Secrets    []Secret
	Browser    Browser
	Timeouts   Timeouts
	Retries    *int
	Services   []Service
	Sessions   []Session
	Dismiss    Node // a list of { overlay, do }
	Setup      Node
	Teardown   Node
	BeforeEach Node
	AfterEach  Node
	Serial     bool
	Resume     string // one of ResumeModes; "": restart
	Lock       []Named
	Health     Health
	Outside    bool // artifacts: { allow_outside: true }
	ReadOnly   bool // no row may change a page
	Tests      []Test

	Project *Project // nil if there is no checkrow.yaml; what it says is in the fields above already

	BrowserOf Node   // `browser:` with ${{ }} in it, instead of Browser: see [Node.Rebuild]
	TagsOf    []Node // tags with ${{ }}, beside Tags
	Matrix    *Matrix
	Each      Node // a path or a list
}

// Named is a name in a list, with its place: a lock, a needed test, a port.
type Named struct {
	Name string
	Pos  diag.Pos
}

// Secret is a name under `secrets:`; its value comes from the environment and is masked everywhere.
type Secret struct {
	Name string
	Pos  diag.Pos
}

// Service is one entry of `services:`: a process that runs while the suite does.
type Service struct {
	Name  string
	Pos   diag.Pos
	Exec  []Node // argv, each with ${{ }} over self.port, env, vars and earlier services
	Env   []Entry
	Ready Ready
	Grace time.Duration // between SIGTERM and SIGKILL; 0: 2s
	If    Node          // missing: always
	Ports []Named       // further ports
	Reuse Node          // a URL, with ${{ }} over what Exec may read but self
}

// Ready says when a service is up: exactly one of HTTP, TCP and Log is set, or none (it is up once started).
type Ready struct {
	Pos    diag.Pos
	HTTP   Node // a path on the service's port, or a URL
	TCP    Node // a port, or host:port; `tcp: true` is the service's own port
	Log    Node // a Go regular expression that one line of its output matches
	Within time.Duration
}

// Test is one entry of `tests:`.
type Test struct {
	Name     Node // text over vars
	Pos      diag.Pos
	Tags     []string
	Vars     []Entry
	Browser  Browser
	If       Node
	Skip     Node // the reason
	Timeouts Timeouts
	Timeout  *time.Duration // short for timeouts.test
	Retries  *int
	Session  Node // text over vars and matrix
	Dismiss  Node
	Steps    Node
	Finally  Node
	Lock     []Named
	Needs    []Named
	Outputs  []Entry // expressions
	Health   Health  // over the suite's
	Wanted   []WantedFile
	Resume   string // over the suite's; "": that
	ReadOnly bool

	KnownBug   KnownBug
	Quarantine Quarantine

	BrowserOf Node   // as in Suite
	TagsOf    []Node // as in Suite
	Matrix    *Matrix
	Each      Node // a path or a list
}

// Browser holds the `browser:` keys that are set; merge with [Browser.Over].
type Browser struct {
	Pos        diag.Pos
	Name       string // one of BrowserNames; "": chromium
	Headless   *bool
	Device     string // what it says stands in the other fields already
	Viewport   string // "1280x800"
	Locale     string
	Timezone   string
	UserAgent  string
	Scheme     string // color_scheme: light, dark
	Scale      float64
	Mobile     *bool
	Touch      *bool
	Args       []string
	Executable string
	Strict     *bool // false: act on the first of several matches, with a warning
	Headers    map[string]string
	Storage    string // storage_state: a file; its path is as that of the suite, or absolute
	IgnoreTLS  *bool

	Trace, Video, Screenshot string // one of CaptureModes

	Connect string  // address of a browser that runs elsewhere
	Attach  *Attach // a browser that somebody uses
	Domains []Named // allowed_domains; nil: all
	Schemes []Named // allowed_schemes; nil: the default
}

// Timeouts holds the limits that are set; zero means not set here. Defaults are LANGUAGE §9.
type Timeouts struct {
	Action, Expect, Wait, Open, Row, Test, Cleanup, Run, Suite time.Duration
	Pos                                                        map[string]diag.Pos // where each was set
}

// Fragment is one file with `fragment:`, reached by `use`.
type Fragment struct {
	File    string
	Source  []byte
	SHA256  string
	Name    string
	Pos     diag.Pos
	Inputs  []Input
	Steps   Node
	Outputs []Entry
}

// Input is one declared input of a fragment.
type Input struct {
	Name    string
	Pos     diag.Pos
	Type    string // string, int, float, bool, list, map, any
	Secret  bool
	Default Node
}

// File is what one YAML file turned out to be: exactly one of Suite and Fragment is set, or neither if it is broken.
type File struct {
	Suite    *Suite
	Fragment *Fragment
}

// Parse reads one file. Everything wrong with it is reported to l, with a position; the tree holds what was understood.
// It never fails hard: input over the limits of DESIGN §14 is one error within a second and 200 MB.
func Parse(file string, src []byte, l *diag.List) File { return parseFile(file, src, nil, l) }

// ParseIn is Parse for a file of a project: its limits must fit into those of checkrow.yaml.
func ParseIn(file string, src []byte, p *Project, l *diag.List) File {
	return parseFile(file, src, p, l)
}
