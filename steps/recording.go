package steps

import "context"

// Deed is one thing that a person has done in a browser, or that came of it.
type Deed struct {
	// Kind is what was done: click, dblclick, fill, press, check, uncheck, select or upload; or what came of it: url, seen,
	// tab (a new one), closed, end (no tab is left), frame (something was done in a frame of another site, which is not recorded).
	Kind string `json:"k"`
	// Target finds the element as it was before; "" if nothing does.
	Target string `json:"t,omitempty"`
	// Values are the text, the key, the options, the files, or of seen: target and text in turn.
	Values []string `json:"v,omitempty"`
	Frames []string `json:"f,omitempty"` // the frames that it was done in, outermost first, each found in the one before
	Secret bool     `json:"s,omitempty"` // the value is a password: it must not be written anywhere
	Name   string   `json:"n,omitempty"` // what the field is called
	Tab    string   `json:"-"`           // where it happened
	URL    string   `json:"-"`
}

// ByPage is the value of a url deed that the page itself has asked for, by a link, a form or a script.
const ByPage = "page"

// Watcher is the power of a session to tell what a person does in it.
type Watcher interface {
	// Record begins to tell. tell must return soon and may be called by any goroutine, one at a time.
	Record(ctx context.Context, tell func(Deed)) error
}
