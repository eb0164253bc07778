package repl

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/journal/mask"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/checkrow/checkrow/steps/target"
)

// send does a row on the page and says what came of it; fails says that it must fail. With name it makes the row's refs last.
func (l *loop) send(ctx context.Context, e *entry, name, fails bool) (steps.Observation, error) {
	if l.session == nil {
		s, err := l.Open(ctx)
		if err != nil {
			return steps.Observation{}, err
		}
		l.session = s
	}
	ctx, cancel := l.Each(ctx)
	defer cancel()
	args, err := l.render(ctx, e)
	if err != nil {
		return steps.Observation{}, err
	}
	if name && !fails {
		l.name(ctx, e)
	}
	limit := l.Limits.Row
	if d := args.Duration("--timeout", 0); d > 0 {
		limit = max(limit, 2*d)
	}
	rctx, stop := context.WithTimeoutCause(ctx, limit, fmt.Errorf("the row took longer than %s", limit))
	defer stop()
	o := l.session.Do(rctx, args, steps.RowOptions{Files: l.Files, Dir: l.Dir})
	l.tell(e, o, fails)
	if o.Category == steps.Crash {
		l.session.Close()
		l.session = nil
		l.printf("the next row begins on a new page\n")
	}
	return o, nil
}

// render fills in the cells of a row.
func (l *loop) render(ctx context.Context, e *entry) (argv.Args, error) {
	secrets := map[string]any{}
	for _, name := range e.secrets {
		v, ok := l.lookup(name)
		if !ok || v == "" {
			return argv.Args{}, wrong("the secret %s is not set in the environment", name)
		}
		if err := l.Hide(name, v); err != nil {
			return argv.Args{}, wrong("%v", err)
		}
		secrets[name] = v
	}
	vals := spec.Values{"secrets": secrets, "env": l.environ(e), spec.MaskName: func(s string) { _ = l.Hide("a value", s) }}
	texts := make([]string, len(e.row.Text))
	for i, t := range e.row.Text {
		s, err := t.String(ctx, vals, l.session)
		if err != nil {
			return argv.Args{}, wrong("%v", err)
		}
		texts[i] = s
	}
	args, err := e.row.Call.Bind(texts)
	if err != nil {
		return argv.Args{}, wrong("%v", err)
	}
	return args, nil
}

// environ gives the variables that a row can ask for.
func (l *loop) environ(e *entry) map[string]any {
	out := map[string]any{}
	for _, c := range e.row.Call.Cells {
		for _, word := range strings.FieldsFunc(c.Text, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		}) {
			if v, ok := l.Env(word); ok && v != "" {
				out[word] = v
			}
		}
	}
	return out
}

// name replaces refs in the cells that are saved by targets that last.
func (l *loop) name(ctx context.Context, e *entry) {
	c := e.row.Call
	at := map[int]bool{}
	for i, cell := range c.Operands {
		if k := c.OperandKind(i); cell >= 0 && (k == argv.Target || k == argv.TargetOrTime) {
			at[cell] = true
		}
	}
	for _, f := range c.Command.Flags {
		if cell, ok := c.Flags[f.Name]; ok && cell >= 0 && f.Kind == argv.Target {
			at[cell] = true
		}
	}
	namer, able := l.session.(steps.Namer)
	for _, i := range slices.Sorted(maps.Keys(at)) {
		var ignored diag.List
		if c.Cells[i].Dynamic || !target.Parse(c.Cells[i].Text, diag.Pos{}, &ignored).HasRef() {
			continue
		}
		if !able {
			e.lost = "this browser gives refs no names that last"
			continue
		}
		lasting, err := namer.Lasting(ctx, c.Cells[i].Text)
		if err != nil {
			e.lost = err.Error()
			continue
		}
		e.cells[i] = lasting
	}
}

// tell says what came of a row.
func (l *loop) tell(e *entry, o steps.Observation, fails bool) {
	if !o.Success && fails {
		l.printf("failed as it should: %s\n", reporters.Clean(o.Error))
		return
	}
	if !o.Success {
		f := &journal.Failure{Category: o.Category, Sub: o.Sub, Message: o.Error, Detail: o.Detail, Page: o.Page, Row: o.Argv, Next: o.NextActions}
		if o.Sub == "base-url" && l.BaseURL == "" {
			f.Message += ": start with --base-url, no suite and no checkrow.yaml is read here"
		}
		style := l.Style
		style.NoTitle = true
		var b strings.Builder
		_ = reporters.Block(&b, nil, nil, f, style) // a builder takes everything
		l.printf("%s\n%s\n", l.Style.Paint("31", "failed"), strings.Trim(b.String(), "\n"))
		return
	}
	l.printf("%s %s%s\n", l.Style.Paint("32", "ok"), reporters.Took(o.Took), e.shown(o))
	for _, w := range o.Warnings {
		l.printf("warning: %s\n", reporters.Clean(w))
	}
	for _, a := range o.Artifacts {
		l.printf("%s %s\n", a.State, a.Path)
	}
	for i, cell := range e.cells {
		if was := e.row.Call.Cells[i].Text; was != cell {
			l.printf("%s is %s\n", was, cell)
		}
	}
}

// shown is the value of a row, on the same line if it is short. That of a row which does something is no more than its target.
func (e *entry) shown(o steps.Observation) string {
	if t := e.row.Call.Command.Traits; o.Value == nil || t.Has(argv.Mutates) && !t.Has(argv.Navigates) {
		return ""
	}
	text, err := spec.FormatValue(o.Value)
	if err != nil {
		text = fmt.Sprint(o.Value)
	}
	text = strings.TrimRight(reporters.Clean(text), "\n")
	switch {
	case strings.Contains(text, "\n"):
		return "\n" + text
	case text == "":
		return ` ""`
	}
	return " " + text
}

// most is how many lines of a snapshot follow a row by themselves.
const most = 40

// follow shows what can be acted on now, after a row that has changed the page.
func (l *loop) follow(ctx context.Context, c *argv.Command) {
	if !l.Shows || l.session == nil || !(c.Traits.Has(argv.Mutates) || c.Traits.Has(argv.Navigates)) {
		return
	}
	e, err := l.compile("[snapshot, -i]")
	if err != nil {
		return
	}
	args, err := e.row.Call.Bind([]string{"snapshot", "-i"})
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, l.Limits.Action)
	defer cancel()
	o := l.session.Do(ctx, args, steps.RowOptions{Files: l.Files, Dir: l.Dir})
	text, _ := o.Value.(string)
	if !o.Success || strings.TrimSpace(text) == "" {
		return
	}
	lines := strings.Split(strings.TrimRight(reporters.Clean(text), "\n"), "\n")
	rest := len(lines) - most
	if rest > 0 {
		lines = lines[:most]
	}
	l.printf("%s\n", l.Style.Paint("2", "  "+o.Page.URL+"\n  "+strings.Join(lines, "\n  ")))
	if rest > 0 {
		l.printf("  … and %d lines more: snapshot -i\n", rest)
	}
}

// lookup gives a variable, or a password that was typed into a row.
func (l *loop) lookup(name string) (string, bool) {
	if v, ok := l.typed[name]; ok {
		return v, true
	}
	return l.Env(name)
}

// writes are the rows that write into fields.
var writes = []string{"fill", "type", "find", "keyboard"}

// cover keeps passwords out of what is saved: a cell that was written into a field of one becomes a secret.
func (l *loop) cover(e *entry, o steps.Observation) {
	c := e.row.Call
	if !slices.Contains(writes, c.Command.Words[0]) || len(o.Argv) != len(c.Cells) {
		return
	}
	for i, cell := range c.Cells {
		v := cell.Text
		if cell.Dynamic || o.Argv[i] != mask.Replacement || v == mask.Replacement {
			continue
		}
		name := "PASSWORD"
		for n := 2; ; n++ {
			if old, ok := l.lookup(name); !ok || old == v {
				break
			}
			name = fmt.Sprintf("PASSWORD_%d", n)
		}
		if l.typed == nil {
			l.typed = map[string]string{}
		}
		l.typed[name] = v
		e.cells[i], e.secrets = "${{ secrets."+name+" }}", append(e.secrets, name)
		_ = l.Hide(name, v) // one that is too short to be masked is refused by the run of the suite
		l.printf("it is a password, and saved as %s: set %s in the environment of a run\n", e.cells[i], name)
	}
}
