package world

import (
	"errors"
	"strconv"
)

// ErrGone tells that the document was replaced while a change was under way: it may have been made or not.
var ErrGone = errors.New("the document was replaced during the call")

// ErrClosed tells that the world was closed.
var ErrClosed = errors.New("the page was closed")

// ErrNoMatch is what a Finder wraps when the locator matched nothing in time.
var ErrNoMatch = errors.New("no match")

// Reason is why an op was not performed; empty when it was.
type Reason string

// The reasons.
const (
	OK        Reason = ""
	Missing   Reason = "missing"   // no match
	Multiple  Reason = "multiple"  // several visible matches: List
	Invisible Reason = "invisible" // matches, none of them visible: List
	Disabled  Reason = "disabled"
	ReadOnly  Reason = "readonly"
	NotThis   Reason = "not-this" // wrong kind of element for the op: Detail says what it is
	Moving    Reason = "moving"
	Covered   Reason = "covered" // Detail: by what
	Offscreen Reason = "offscreen"
	Malformed Reason = "malformed" // the field does not accept such a value
	NoOption  Reason = "no-option" // Detail: the one that was not found; List: what there is
	BadTarget Reason = "bad-target"
	Unfocused Reason = "unfocused" // the field does not keep the focus: Detail
	NoWorld   Reason = "no-world"  // of a Via query: the element is in a document this world does not reach
	InFrame   Reason = "frame"     // in a frame of another origin, or a transformed one: only the driver can do it
	Already   Reason = "already"   // the box is as wanted
	// NoScope and ManyScopes: the scope number Index of the query has no match, or several, which List names.
	NoScope    Reason = "scope-missing"
	ManyScopes Reason = "scope-several"
	Overlay    Reason = "overlay" // the overlay number Index of the query is visible; Detail: what the op would have answered
)

// Answer is what an op found. Matches and Visible count what the target matches; Visible is 0 for Count and for a read of
// more than 100 matches: Describe counts those.
type Answer struct {
	Reason  Reason   `json:"s,omitempty"`
	Detail  string   `json:"d,omitempty"`
	Matches int      `json:"n,omitempty"`
	Visible int      `json:"vis,omitempty"`
	List    []string `json:"l,omitempty"`   // tag#id.class "text", at most ten
	Hidden  bool     `json:"hid,omitempty"` // of a read: the first match, which was read, is not visible
	// Value is the answer of a read as text; of a fill what the field holds afterwards; Null: no such attribute.
	Value string `json:"v,omitempty"`
	Null  bool   `json:"z,omitempty"`
	True  bool   `json:"b,omitempty"` // the answer of a state
	// Field is the type of the form field (text, password, checkbox, select, textarea …), so that passwords can be masked.
	Field   string            `json:"f,omitempty"`
	Element string            `json:"e,omitempty"` // the element acted on: tag#id.class "text"
	Checked bool              `json:"c,omitempty"`
	Box     *Box              `json:"box,omitempty"` // in the main frame's viewport
	Styles  map[string]string `json:"st,omitempty"`
	Values  []string          `json:"vs,omitempty"` // the values selected by a select
	Met     bool              `json:"met,omitempty"`
	Seen    []Seen            `json:"seen,omitempty"` // what Wait saw, in order
	X       float64           `json:"x,omitempty"`
	Y       float64           `json:"y,omitempty"`
	Index   int               `json:"i,omitempty"`  // of a scope, or of an overlay
	Click   bool              `json:"k,omitempty"`  // internal: a click followed
	First   string            `json:"fi,omitempty"` // internal: hit or miss
}

// Box is a rectangle in CSS pixels.
type Box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Seen is one reading and how often in a row it was made. Value is as Answer.Key: "=" and the value, or "?" and why
// there was none.
type Seen struct {
	Value string `json:"v"`
	Times int    `json:"t"`
}

// Refused tells that nothing was done.
func (a Answer) Refused() bool { return a.Reason != OK && a.Reason != Already }

// Outside tells that a scope of the query is not there, so that nothing is known of its target.
func (a Answer) Outside() bool { return a.Reason == NoScope || a.Reason == ManyScopes }

// Key is a reading as one text, so that Until can wait until it has changed: "=" and the value, or "?" and why there is
// none ("?missing", "?null").
func (a Answer) Key(op Op) string {
	switch {
	case a.Reason != OK:
		return "?" + string(a.Reason)
	case a.Null:
		return "?null"
	case op.Name == "count":
		return "=" + strconv.Itoa(a.Matches)
	case op.Name == "is":
		return "=" + strconv.FormatBool(a.True)
	}
	return "=" + a.Value
}
