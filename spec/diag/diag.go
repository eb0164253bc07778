// Package diag holds positions and diagnostics: what is wrong, where it stands in a file, what was expected and the
// nearest valid thing. It imports the standard library only, so that every parser of the project can share one list.
package diag

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Pos is a place in a file: 1-based line and column, the column counted in runes. A part that is not known is zero and
// is left out when printed, never shown as 0.
type Pos struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
}

// String prints the known parts as "file:line:col".
func (p Pos) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		if b.Len() > 0 {
			b.WriteByte(':')
		}
		b.WriteString(strconv.Itoa(p.Line))
		if p.Col > 0 {
			b.WriteByte(':')
			b.WriteString(strconv.Itoa(p.Col))
		}
	}
	return b.String()
}

// IsZero tells that nothing is known.
func (p Pos) IsZero() bool { return p == Pos{} }

// Severity tells an error, which stops a run, from a lint, which is only shown.
type Severity uint8

// The two severities. The zero value is Fatal: whoever forgets to choose is strict.
const (
	Fatal Severity = iota
	Lint
)

// Error is one diagnostic. Msg is one plain line in lower case without a full stop; Hint says what to write instead.
// Width is how many runes the caret underlines (0: one). Err is the cause, if another error is behind it.
type Error struct {
	Pos      Pos
	Width    int
	Msg      string
	Hint     string
	Severity Severity
	Err      error
}

// Error prints "file:line:col: message (hint)" as one plain line.
func (e *Error) Error() string {
	var b strings.Builder
	if p := e.Pos.String(); p != "" {
		b.WriteString(p)
		b.WriteString(": ")
	}
	b.WriteString(e.Msg)
	if e.Hint != "" {
		b.WriteString(" (" + e.Hint + ")")
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// List collects diagnostics. One list runs through parse, decode, type check, row check and plan check, so that a user
// sees everything that is wrong at once. The zero value is ready; it may be shared by goroutines.
type List struct {
	mu   sync.Mutex
	errs []*Error
}

// Add records an error at p.
func (l *List) Add(p Pos, msg, hint string) { l.Append(&Error{Pos: p, Msg: msg, Hint: hint}) }

// AddWide records an error at p whose caret underlines width runes.
func (l *List) AddWide(p Pos, width int, msg, hint string) {
	l.Append(&Error{Pos: p, Width: width, Msg: msg, Hint: hint})
}

// Lint records a warning at p.
func (l *List) Lint(p Pos, msg, hint string) {
	l.Append(&Error{Pos: p, Msg: msg, Hint: hint, Severity: Lint})
}

// Append records e as it is.
func (l *List) Append(e *Error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errs = append(l.errs, e)
}

// Len counts the errors, lints left out.
func (l *List) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, e := range l.errs {
		if e.Severity == Fatal {
			n++
		}
	}
	return n
}

// All gives every diagnostic, lints too, sorted by file, line and column; what is the same in all parts comes once.
func (l *List) All() []*Error {
	l.mu.Lock()
	out := slices.Clone(l.errs)
	l.mu.Unlock()
	slices.SortStableFunc(out, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return slices.CompactFunc(out, func(a, b *Error) bool { return a.Pos == b.Pos && a.Msg == b.Msg })
}

// Err joins all errors, lints left out, or is nil.
func (l *List) Err() error {
	var errs []error
	for _, e := range l.All() {
		if e.Severity == Fatal {
			errs = append(errs, e)
		}
	}
	return errors.Join(errs...)
}
