// Package argv is the row grammar: one sorted table of commands with their operands, flags, data keys, traits and round
// trips. The table drives validation, reference text, shell completion and the JSON Schema; it holds exactly the
// commands that work. The package is a leaf, so that the contract in steps may name its types.
package argv

import (
	"time"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/target"
)

// Traits say what a command does to the page and to the run. Guards, retries, lints and recovery read them.
type Traits uint16

// The traits of a command.
const (
	Mutates    Traits = 1 << iota // changes the page or the browser's state
	Navigates                     // may replace the document
	DropsRefs                     // refs of the last snapshot are not valid after it
	UsesRefs                      // has operands that accept @eN
	WritesFile                    // writes an artifact
	Repeatable                    // safe to send again when its outcome is not known
	ReadsOnly                     // only reads: a result that nothing uses is a compile error
	Asserts                       // judges the page: an expect row
	Waits                         // blocks until something happens, up to timeouts.wait
	Page                          // needs the page: fails at once while a dialog is held
	Latches                       // a literal @eN after it needs a fresh snapshot row (CONTRACT R43)
	Chromium                      // needs Chromium's own protocol: Firefox and WebKit cannot do it
)

// Has tells that all of x are set.
func (t Traits) Has(x Traits) bool { return t&x == x }

// OperandKind says how the text of an operand or of a flag's value is checked.
type OperandKind uint8

// The kinds of operands and flag values.
const (
	Text         OperandKind = iota // any text, also empty
	Target                          // the target grammar of package target
	URL                             // a URL, or a path that resolves against base_url
	URLPattern                      // LANGUAGE §4: /glob, scheme://glob, **glob
	Number                          // an integer
	Duration                        // 5s, 250ms, or plain milliseconds
	Enum                            // one of Values
	KeyName                         // a key or chord: Enter, Control+a
	OutFile                         // a file the row writes: resolves against the attempt folder
	InFile                          // a file the row reads: resolves against the spec file
	Count                           // a comparison and a number: "== 3", ">= 1"
	Regexp                          // a Go regular expression
	JS                              // JavaScript source
	TargetOrTime                    // a target, or a pause: wait
	Decimal                         // a number, with or without a fraction
)

// Operand is one positional cell of a command.
type Operand struct {
	Name     string
	Kind     OperandKind
	Values   []string // for Enum
	Optional bool
	Variadic bool // takes all further cells; only the last operand may
	Doc      string
}

// Flag is one --name of a command. A flag without a value has Kind Enum and no Values, see IsBool.
type Flag struct {
	Name   string // with dashes: "--state"
	Short  string // with dash: "-i", or empty
	Bool   bool   // takes no value
	Kind   OperandKind
	Values []string
	Doc    string
}

// DataKey is one key of a row's data: its name and its type in the words of spec.Type ("string", "int", "bool", "any",
// "list", "map").
type DataKey struct{ Name, Type, Doc string }

// Command is one row command. Words are its name cell by cell ("get", "text").
type Command struct {
	Words    []string
	Aliases  [][]string // other spellings of Words: ["goto"] and ["navigate"] for ["open"]
	Operands []Operand
	Flags    []Flag
	Data     []DataKey
	Value    string // the data key that steps.ID.value gives, or ""
	Traits   Traits
	Trips    int    // warm round trips through the driver in the common case
	Doc      string // one sentence
	Example  []string
	Differs  string // the difference from the reference dialect, or ""
	// Check is a rule beyond operands and flags ("exactly one of --text, --url"); it may be nil. It runs when the row
	// is compiled and, if a cell is dynamic, again when it is rendered.
	Check func(c *Call, l *diag.List)
}

// Name gives the words joined by one space: "get text".
func (c *Command) Name() string { return join(c.Words) }

// Cell is one cell of a row as the suite has it. Dynamic cells hold ${{ }}: they are always one operand, never a flag,
// and the same checks run again when they are rendered.
type Cell struct {
	Text    string
	Dynamic bool
	Pos     diag.Pos
}

// Call is a checked row: its command and where each operand and flag stands among the cells.
type Call struct {
	Command  *Command
	Cells    []Cell         // the row as written, command words included
	Pos      diag.Pos       // of the row
	Operands []int          // index in Cells of each operand, -1 for one left out before another; a variadic one takes the rest
	Flags    map[string]int // long flag name -> index in Cells of its value, -1 for a bool flag
	words    int            // how many cells spell the command
	args     *Args          // what Bind gives, if no cell is dynamic
}

// Args is a Call with every cell rendered: what a command is executed with.
type Args struct {
	Command  *Command
	Operands []string
	Flags    map[string]string // long name -> value; "" for a bool flag that is set
	Argv     []string          // the whole row, rendered
	targets  []target.Target   // parsed operands of a target kind, by index of the operand
}

// Operand gives operand i, or "" if the row has fewer.
func (a Args) Operand(i int) string {
	if i < len(a.Operands) {
		return a.Operands[i]
	}
	return ""
}

// Flag gives the value of a flag by its long name with dashes, and whether it is set.
func (a Args) Flag(name string) (string, bool) { v, ok := a.Flags[name]; return v, ok }

// Has tells that a flag is set.
func (a Args) Has(name string) bool { _, ok := a.Flags[name]; return ok }

// Duration gives a duration flag ("5s", "250ms", plain milliseconds) or def if it is not set.
func (a Args) Duration(name string, def time.Duration) time.Duration {
	if v, ok := a.Flags[name]; ok {
		if d, err := ParseDuration(v); err == nil {
			return d
		}
	}
	return def
}
