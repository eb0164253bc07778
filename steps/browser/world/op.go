package world

import "fmt"

// Op is one thing to do with an element.
type Op struct {
	Name   string   `json:"op"`
	Text   string   `json:"a,omitempty"`
	List   []string `json:"as,omitempty"`
	Flag   bool     `json:"g,omitempty"`
	Loose  bool     `json:"loose,omitempty"` // of several visible matches take the first
	mutate bool     // needs exactly one visible match; never sent again
}

// First makes an op that changes the page take the first of several visible matches instead of refusing.
func (o Op) First() Op { o.Loose = true; return o }

// Text reads the rendered text (innerText; textContent of what is not rendered, and in SVG), not normalised.
func Text() Op { return Op{Name: "text"} }

// Value reads the value of an input, textarea or select.
func Value() Op { return Op{Name: "value"} }

// Attr reads an attribute; Answer.Null if there is none.
func Attr(name string) Op { return Op{Name: "attr", Text: name} }

// HTML reads innerHTML, or outerHTML.
func HTML(outer bool) Op { return Op{Name: "html", Flag: outer} }

// Lineage makes HTML give the tags around the element too, nearest first, each behind a NUL.
func Lineage(html Op) Op { html.Text = "up"; return html }

// Href reads where the link leads that the element is, or lies in; Answer.Null if it is none.
func Href() Op { return Op{Name: "href"} }

// Count counts all matches, visible or not: Answer.Matches. Zero matches are an answer, not Missing.
func Count() Op { return Op{Name: "count"} }

// BoxOf reads the bounding box: Answer.Box; Null if it has none.
func BoxOf() Op { return Op{Name: "box"} }

// Styles reads computed styles: Answer.Styles; without names a short list of the usual ones.
func Styles(names ...string) Op { return Op{Name: "styles", List: names} }

// State is a question about an element.
type State string

// The states. The negative forms hold for a missing element only where the positive form is false without one: hidden.
const (
	Visible    State = "visible"
	Hidden     State = "hidden" // also when missing
	Enabled    State = "enabled"
	IsDisabled State = "disabled"
	Checked    State = "checked"
	Unchecked  State = "unchecked"
	Editable   State = "editable"
	Focused    State = "focused"
	Attached   State = "attached"
	Detached   State = "detached"
)

// Is asks for a state of the first match: Answer.True. A missing element has Reason Missing beside True, which is set
// only for Hidden and Detached.
func Is(s State) Op { return Op{Name: "is", Text: string(s)} }

// PageTitle, PageURL, PageState (document.readyState) and PageText (the text of the body, not normalised) read the main
// frame's document; with the zero Query. They cost no first use of the driver's own script.
func PageTitle() Op { return Op{Name: "page", Text: "title"} }

// PageURL: see PageTitle.
func PageURL() Op { return Op{Name: "page", Text: "url"} }

// PageState: see PageTitle.
func PageState() Op { return Op{Name: "page", Text: "state"} }

// PageText: see PageTitle.
func PageText() Op { return Op{Name: "page", Text: "text"} }

// Describe lists what the target matches, with counts: for failure messages.
func Describe() Op { return Op{Name: "describe"} }

// Fill replaces the text of a field as a user would: focus, select all, insert, with input and change events; dates,
// colours and ranges are set and announced. Answer.Value is what the field holds afterwards, which the page may have
// formatted.
func Fill(text string) Op { return Op{Name: "fill", Text: text, mutate: true} }

// Focus focuses the element.
func Focus() Op { return Op{Name: "focus", mutate: true} }

// SelectAll focuses the element and selects its text, for typing over it.
func SelectAll() Op { return Op{Name: "selectall", mutate: true} }

// Select selects the options of a <select> whose value or label is given.
func Select(values ...string) Op { return Op{Name: "select", List: values, mutate: true} }

// ScrollIntoView scrolls the element into view if it is not.
func ScrollIntoView() Op { return Op{Name: "scroll", mutate: true} }

// ScrollBy scrolls the element's scroll box by pixels; the page's, with the zero Query.
func ScrollBy(dx, dy float64) Op {
	return Op{Name: "scrollby", List: []string{fmt.Sprint(dx), fmt.Sprint(dy)}, mutate: true}
}

// Point gives the place to press for the mouse, with the same checks as a click, and changes nothing else: X and Y.
func Point() Op { return Op{Name: "point", mutate: true} }

// Until is what Wait waits for. The zero value waits for the op to be possible (Reason OK).
type Until struct {
	// Compare is how the reading must be: "equals" or "contains" Want, whitespace normalised; "count" with Want as "== 3";
	// "true" for a state; "changed" from Want, the Answer.Key of the reading before, for what only the caller can judge;
	// "scope" is met by any answer from inside the scopes of the query.
	Compare string `json:"c,omitempty"`
	Want    string `json:"w,omitempty"`
	Not     bool   `json:"not,omitempty"`
	// Hold is for how many milliseconds it must hold without a break.
	Hold int `json:"hold,omitempty"`
}
