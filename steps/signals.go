package steps

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
	// Category is PolicyDenied for what was not allowed to be reached; "" else.
	Category Category `json:"category,omitempty"`

	Stack  []Place `json:"stack,omitempty"`  // where it came from, innermost first
	Source string  `json:"source,omitempty"` // the file of the project to look at, see Env.Locate
}

// Place is where in a script something happened, 1-based.
type Place struct {
	URL    string `json:"url"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Func   string `json:"function,omitempty"`
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
