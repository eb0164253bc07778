package spec

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"github.com/checkrow/checkrow/spec/diag"
)

const (
	// vmTime is how long an evaluation may compute; time spent reading the page does not count.
	vmTime = 100 * time.Millisecond
	// calm is how many rounds of predicates an evaluation may make before the clock is looked at: a machine that is
	// busy with something else must not fail an expression of a microsecond.
	calm = 2_000
)

var (
	errTooLarge = errors.New("the value grows too large")
	errTooSlow  = fmt.Errorf("the expression takes longer than %s", vmTime)
	errTooMany  = fmt.Errorf("nested predicates look at more than %d pairs", wideRange)
	errNoNumber = errors.New("this is no finite number, as after a division by zero")
	errNoPage   = errors.New("there is no page to read")
)

// run is one evaluation: its reader, and what it has seen so far. The functions that the patcher puts in get it as an
// argument, and its context beside it.
type run struct {
	reader Reader
	start  time.Time
	paused time.Duration
	ticks  int
	nested int
	values []any
	done   []bool
	pages  []reading
	mask   func(string) // told of values that are secrets; nil: nobody listens
}

// reading is what a page function gave: a chained comparison has its middle twice in the tree, and reads it once.
type reading struct {
	value any
	args  []any
	done  bool
}

func evaluate(ctx context.Context, c *compiled, v Values, r Reader) (any, Term, error) {
	term := Term{Source: c.source()}
	if c.program == nil {
		return nil, term, &diag.Error{Pos: c.position(), Msg: "the expression did not compile"}
	}
	if err := ctx.Err(); err != nil {
		return nil, term, &diag.Error{Pos: c.position(), Msg: "no time was left to evaluate the expression", Err: context.Cause(ctx)}
	}
	state := &run{
		reader: r, start: time.Now(), pages: make([]reading, c.pages),
		values: make([]any, len(c.terms)), done: make([]bool, len(c.terms)),
	}
	state.mask, _ = v[MaskName].(func(string))
	env := make(map[string]any, len(c.names)+2)
	for _, name := range c.names {
		env[name] = v[name]
	}
	if len(c.ids) > 0 {
		env["steps"] = v["steps"]
	}
	env[runVar], env[ctxVar] = state, ctx
	machine := vm.VM{}
	out, err := machine.Run(c.program, env)
	if err != nil {
		return nil, state.tree(c, nil, false), c.runtimeError(err)
	}
	out = plain(out)
	term = state.tree(c, out, true)
	if c.want.Base == Bool {
		if _, ok := out.(bool); !ok {
			return nil, term, &diag.Error{Pos: c.position(), Msg: "the expression gave " + wordsOf(out) + " instead of true or false"}
		}
	}
	if c.want.Base == List && (out == nil || reflect.TypeOf(out).Kind() != reflect.Slice) {
		return nil, term, &diag.Error{Pos: c.position(), Msg: "the expression gave " + wordsOf(out) + " instead of a list"}
	}
	return out, term, nil
}

func wordsOf(v any) string {
	if v == nil {
		return "nil"
	}
	return TypeOf(v).words()
}

// tree joins the static terms with what was recorded.
func (r *run) tree(c *compiled, result any, ok bool) Term {
	root := Term{Source: c.source(), Value: result, Evaluated: ok}
	if len(c.terms) == 0 {
		return root
	}
	var build func(id int) Term
	build = func(id int) Term {
		t := Term{Source: c.terms[id].source, Value: r.values[id], Evaluated: r.done[id]}
		for _, sub := range c.terms[id].sub {
			t.Sub = append(t.Sub, build(sub))
		}
		return t
	}
	if c.whole { // the expression is itself a term, the first
		root.Sub = build(0).Sub
		return root
	}
	covered := make([]bool, len(c.terms))
	for _, t := range c.terms {
		for _, sub := range t.sub {
			covered[sub] = true
		}
	}
	for id := range c.terms {
		if !covered[id] {
			root.Sub = append(root.Sub, build(id))
		}
	}
	return root
}

// term records a value.
func (r *run) term(id int, v any) (any, error) {
	if err := checkSize(v); err != nil {
		return nil, err
	}
	r.values[id], r.done[id] = v, true
	return v, nil
}

// tick is called once per item that a predicate looks at.
func (r *run) tick(ctx context.Context, level int) error {
	r.ticks++
	if level > 1 {
		if r.nested++; r.nested > wideRange {
			return errTooMany
		}
	}
	if r.ticks%64 != 0 {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if r.ticks > calm && time.Since(r.start)-r.paused > vmTime {
		return errTooSlow
	}
	return nil
}

// page asks the reader, on the clock of the caller's context.
func (r *run) page(ctx context.Context, fn string, id int, args []any) (any, error) {
	if r.reader == nil {
		return nil, errNoPage
	}
	seen := &r.pages[id]
	if seen.done && reflect.DeepEqual(seen.args, args) {
		return seen.value, nil
	}
	f, _ := pageFunc(fn)
	start := time.Now()
	v, err := read(ctx, r.reader, f, args)
	r.paused += time.Since(start)
	if err != nil {
		return nil, &readError{fn: fn, err: err}
	}
	*seen = reading{value: v, args: append([]any(nil), args...), done: true}
	return v, nil
}

// readError says which page function failed.
type readError struct {
	fn  string
	err error
}

// Error prints the function and what the reader said.
func (e *readError) Error() string { return e.fn + "(): " + e.err.Error() }

// Unwrap gives what the reader said.
func (e *readError) Unwrap() error { return e.err }

func checkSize(v any) error {
	switch v := v.(type) {
	case string:
		if len(v) > maxText {
			return errTooLarge
		}
	case []any:
		if len(v) > maxText/4 {
			return errTooLarge
		}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) { // every comparison with it would be true or false by accident
			return errNoNumber
		}
	}
	return nil
}

// runtimeError gives an error of the machine its place in the file. The cause stays reachable by errors.As.
func (c *compiled) runtimeError(err error) error {
	var e *file.Error
	if !errors.As(err, &e) {
		return &diag.Error{Pos: c.position(), Msg: "evaluating the expression failed", Err: err}
	}
	runes := []rune(c.src)
	from := min(e.From, len(runes))
	out := &diag.Error{Pos: c.at.pos(from), Width: max(1, min(e.To, len(runes))-from), Err: e.Prev}
	if e.Prev != nil {
		out.Msg = strings.TrimSpace(e.Prev.Error())
	} else {
		out.Msg = e.Message
	}
	if msg, hint, ok := runtimeWords(out.Msg, c.src, from); ok {
		out.Msg, out.Hint, out.Err = msg, hint, nil
	}
	return out
}
