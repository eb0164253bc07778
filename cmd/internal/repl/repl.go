// Package repl is the loop that reads rows from a person or a script, does each on a page at once, and keeps what worked for
// a suite.
package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/cmd/internal/tape"
	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// Lines gives what is typed, line by line; io.EOF is the end.
type Lines interface {
	Line(ctx context.Context, prompt string) (string, error)
}

// Options are the world of a loop.
type Options struct {
	Lines   Lines
	Out     io.Writer
	Style   reporters.Style
	Person  bool // somebody types: nothing ends the loop but they
	Shows   bool // the page's snapshot follows each row that changed it
	BaseURL string
	Dir     string
	Files   steps.Files
	Limits  steps.Limits
	Lent    bool // the session is somebody else's, and is not closed
	// Open gives a session in a new context.
	Open func(ctx context.Context) (steps.Session, error)
	// Env looks a variable up, and Hide has a value masked from now on.
	Env  func(name string) (string, bool)
	Hide func(name, value string) error
	Mask func(text string) string
	// Save checks a suite and writes it.
	Save func(path, text string, force bool) error
	// Each gives the context of one row, which an interrupt ends.
	Each func(ctx context.Context) (context.Context, context.CancelFunc)
}

// The errors that end a script.
var (
	ErrRow   = errors.New("a row failed")
	ErrInput = errors.New("a line cannot be used")
)

// loop is one running loop.
type loop struct {
	Options
	session steps.Session
	kept    []entry
	typed   map[string]string // passwords, by the names that they are saved under
	n       int               // of lines
	dirty   bool              // something is kept that no file has
	quit    bool
}

// Run reads lines until their end. Of a script the first row that fails ends it with ErrRow, the first line that is wrong with
// ErrInput.
func Run(ctx context.Context, o Options) error {
	l := &loop{Options: o}
	defer func() {
		if l.session != nil && !l.Lent {
			l.session.Close()
		}
	}()
	for !l.quit {
		prompt := ""
		if l.Person {
			prompt = fmt.Sprintf("%d> ", len(l.kept)+1)
		}
		line, err := l.Lines.Line(ctx, prompt)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		l.n++
		if err := l.line(ctx, strings.TrimSpace(line)); err != nil {
			if errors.Is(err, ErrInput) {
				l.complain(err)
			}
			if !l.Person || ctx.Err() != nil {
				return err
			}
		}
	}
	if l.Person {
		l.printf("\n") // the prompt stands there, or half a line that Ctrl-C ended
		if l.dirty {
			l.printf("not saved: %s (save FILE writes a suite of them)\n", rows(len(l.kept)))
		}
	}
	return nil
}

func rows(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// complain says what is wrong with a line.
func (l *loop) complain(err error) {
	text := strings.TrimPrefix(err.Error(), ErrInput.Error()+": ")
	if !l.Person {
		text = fmt.Sprintf("line %d: %s", l.n, text)
	}
	l.printf("%s\n", l.Style.Paint("31", text))
}

func (l *loop) printf(format string, args ...any) {
	_, _ = io.WriteString(l.Out, l.Mask(fmt.Sprintf(format, args...))) // a closed output ends the process
}

// wrong is a line that cannot be used.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInput, fmt.Sprintf(format, args...))
}

// line does what one line says.
func (l *loop) line(ctx context.Context, line string) error {
	if line == "" || strings.HasPrefix(line, "# ") || line == "#" {
		return nil
	}
	fails := false
	if rest, ok := strings.CutPrefix(line, "!"); ok {
		fails, line = true, strings.TrimSpace(rest)
	}
	if strings.HasPrefix(line, "[") || strings.HasPrefix(line, "- ") {
		return l.do(ctx, strings.TrimPrefix(line, "- "), fails)
	}
	words, err := Split(line)
	if err != nil {
		return wrong("%v", err)
	}
	if len(words) == 0 {
		return nil
	}
	if c, ok := find(words[0]); ok && !fails {
		return c.run(l, ctx, words[1:])
	}
	if !argv.Known(words[:1]) {
		if near := diag.Nearest(words[0], names()); len(near) > 0 {
			return wrong("there is no command %q (%s)", words[0], diag.DidYouMean(near))
		}
	}
	return l.do(ctx, argv.Row(words), fails)
}

// do checks a row, spelled as YAML, and does it.
func (l *loop) do(ctx context.Context, yaml string, fails bool) error {
	e, err := l.compile(yaml)
	if err != nil {
		return err
	}
	o, err := l.send(ctx, &e, true, fails)
	if err != nil {
		return err
	}
	switch {
	case o.Success && fails:
		l.printf("%s: it was to fail, and did not\n", l.Style.Paint("31", "failed"))
		return ErrRow
	case o.Success:
		l.cover(&e, o)
		l.keep(e)
		l.follow(ctx, e.row.Call.Command)
		return nil
	case fails:
		return nil
	case o.Category == steps.Interrupted && ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return ErrRow
}

// entry is a row that worked.
type entry struct {
	row     steps.Row
	cells   []string // as they are saved
	secrets []string
	lost    string // why it cannot be saved, or ""
}

// compile checks a row as a suite's is checked.
func (l *loop) compile(yaml string) (entry, error) {
	var errs diag.List
	doc := spec.ReadDocument("", []byte(yaml+"\n"), &errs)
	if errs.Len() > 0 {
		return entry{}, told(&errs)
	}
	text := spec.Type{Base: spec.String}
	asked := &spec.Asked{}
	scope := &spec.Scope{Page: true, Asked: asked, Env: &spec.EnvUses{}, Steps: map[string]spec.Type{}, Names: map[string]spec.Type{
		"env": {Base: spec.Map, Elem: &text}, "secrets": {Base: spec.Map, Elem: &text}}}
	d := &steps.Decoder{Errs: &errs, Scope: scope, Sessions: []string{steps.MainSession}}
	row, ok := d.Row(doc.Root)
	if errs.Len() > 0 || !ok {
		return entry{}, told(&errs)
	}
	e := entry{row: row}
	for _, c := range row.Call.Cells {
		e.cells = append(e.cells, c.Text)
	}
	for _, u := range asked.Uses {
		if u.What == "secrets" {
			e.secrets = append(e.secrets, u.Name)
		}
	}
	return e, nil
}

// told makes one error of what is wrong with a line.
func told(errs *diag.List) error {
	var out []string
	for _, e := range errs.All() {
		text := e.Msg
		if e.Hint != "" {
			text += " (" + e.Hint + ")"
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return wrong("%s", strings.Join(out, "; "))
}

// keep adds a row to those that are saved, if it does something.
func (l *loop) keep(e entry) {
	if c := e.row.Call.Command; c.Traits.Has(argv.ReadsOnly) || c.Words[0] == "snapshot" {
		return
	}
	l.kept, l.dirty = append(l.kept, e), true
	if e.lost != "" {
		l.printf("note: it cannot be saved: %s\n", e.lost)
	}
}

// suite is what has been kept.
func (l *loop) suite(name string) tape.Suite {
	s := tape.Suite{By: "checkrow repl", Name: name, BaseURL: l.BaseURL}
	for _, e := range l.kept {
		s.Rows = append(s.Rows, tape.Row{Cells: e.cells})
		s.Secrets = append(s.Secrets, e.secrets...)
	}
	return s
}
