// Package process holds the step kind exec: a child process that runs to its end.
package process

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// defaultTimeout is how long an exec step may take if it does not say.
const defaultTimeout = 60 * time.Second

// tail is how much of its output a failure shows.
const tail = 4 << 10

// Kind is exec.
var Kind = steps.Kind{
	Name: "exec",
	Doc: "Runs a program in the project root, without a shell, and checks that it exits with 0 unless expect reads exit. " +
		"It gets PATH, HOME, TMPDIR and the env that is declared. Its limit is 60s unless timeout says otherwise.",
	Example: "- exec: [./scripts/assert-order, \"${{ text('#order-id') }}\"]\n  expect: [exit == 0, stdout contains \"paid\"]\n",
	Keys: []spec.Key{
		{Name: "exec", Type: "texts", Doc: "the program and its arguments", Required: true},
		{Name: "env", Type: "map of text", Doc: "further environment of the program"},
		{Name: "stdin", Type: "text", Doc: "what the program reads on its standard input"},
	},
	Decode: decode,
}

// variable is one entry of env.
type variable struct {
	name  string
	value spec.Text
	pos   diag.Pos // of the name
}

// program is a compiled exec step. It is not changed by running it.
type program struct {
	argv     []spec.Text
	env      []variable
	stdin    spec.Text
	timeout  time.Duration // 0: the runner sets the limit that the step says
	anyExit  bool          // an expect reads exit
	hasStdin bool
}

func decode(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
	result := steps.Result(map[string]spec.Type{
		"value":  {Base: spec.String, Doc: "stdout without white space at its end"},
		"data":   {Base: spec.Struct, Fields: outcome()},
		"exit":   {Base: spec.Int, Doc: "exit code; -1 if a signal ended it"},
		"stdout": {Base: spec.String, Doc: "what it wrote"},
		"stderr": {Base: spec.String, Doc: "what it wrote beside"},
	})
	p := &program{timeout: defaultTimeout}
	if _, ok := m["timeout"]; ok {
		p.timeout = 0
	}
	p.argv = arguments(d, m["exec"])
	env := m["env"]
	if env.Empty() { // what was below it is commented out
		env = spec.Node{}
	}
	for _, e := range env.Entries(`"env"`, d.Errs) {
		if e.Name == "" || strings.ContainsAny(e.Name, "=\x00") {
			d.Errs.AddWide(e.KeyPos, len(e.Name), strconv.Quote(e.Name)+" cannot be the name of an environment variable", "")
			continue
		}
		t, _ := text(d, e.Value, e.Name)
		p.env = append(p.env, variable{e.Name, t, e.KeyPos})
	}
	if n, ok := m["stdin"]; ok {
		p.stdin, _ = text(d, n, "stdin")
		p.hasStdin = true
	}
	if len(p.argv) == 0 {
		return nil, result
	}
	return steps.Opaque{Checks: true, Run: p.run, Wants: p.wants(), Judged: func(list []*spec.Expr) {
		for _, e := range list {
			p.anyExit = p.anyExit || e.Uses("exit")
		}
	}}, result
}

// wants are what a policy judges: the program, and the variables it is given.
func (p *program) wants() []steps.Ask {
	out := []steps.Ask{{Kind: steps.AskProgram, Text: p.argv[0], Pos: p.argv[0].Pos()}}
	for _, v := range p.env {
		out = append(out, steps.Ask{Kind: steps.AskChild, Text: spec.Literal(v.name, v.pos), Pos: v.pos})
	}
	return out
}

func outcome() map[string]spec.Type {
	return map[string]spec.Type{"exit": {Base: spec.Int}, "stdout": {Base: spec.String}, "stderr": {Base: spec.String}}
}

// arguments compiles the list; a command line as one text is refused, for there is no shell that would take it apart.
func arguments(d *steps.Decoder, n spec.Node) []spec.Text {
	if n.IsZero() {
		return nil
	}
	if line, ok := n.Text(); ok && !n.Empty() {
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("exec", "a list", "text"),
			"write ["+strings.Join(strings.Fields(line), ", ")+"]; for a shell write [sh, -c, "+strconv.Quote(line)+"]")
		return nil
	}
	items, ok := n.Seq()
	if !ok || len(items) == 0 {
		got := n.Sort()
		if ok {
			got = "an empty list"
		}
		d.Errs.Add(n.Pos(), diag.WantKind("exec", "a list of texts", got), "write [./check-order, --paid]")
		return nil
	}
	out := make([]spec.Text, 0, len(items))
	for i, item := range items {
		t, text := text(d, item, "item "+strconv.Itoa(i+1)+` of "exec"`)
		out = append(out, t)
		if strings.Contains(text, "${{") && strings.Contains(text, "secrets.") {
			d.Errs.Lint(item.Pos(), "a secret in the arguments of a program can be seen by every user of the machine", "give it in env or stdin")
		}
		if i == 0 && text == "" && item.Quoted() {
			d.Errs.Add(item.Pos(), "the program of exec is empty", "")
		}
	}
	return out
}

// text compiles a scalar; source is what was written.
func text(d *steps.Decoder, n spec.Node, key string) (t spec.Text, source string) {
	source = spec.WantText(n, key, d.Errs)
	if _, ok := n.Text(); !ok {
		return spec.Text{}, ""
	}
	return spec.CompileText(n, d.Scope, d.Errs), source
}

// run renders the command, runs it and judges its exit code.
func (p *program) run(ctx context.Context, e steps.Env) steps.Observation {
	c, err := p.command(ctx, e)
	if err != nil {
		var known steps.Observed
		if errors.As(err, &known) {
			o := known.Observation()
			o.Success = false
			return o
		}
		return steps.Fail(steps.Validation, "expression", err.Error())
	}
	if e.Proc == nil {
		return steps.Fail(steps.Internal, "", "no process can be started here")
	}
	if p.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, p.timeout, tooLong{c.Argv[0], p.timeout})
		defer cancel()
	}
	if err := e.Policy.Program(c.Argv[0]); err != nil {
		o := steps.Fail(steps.PolicyDenied, "program", err.Error())
		o.Argv = c.Argv
		return o
	}
	shown := c.Argv // as the suite has it: a report names ./prog, not where the project happens to lie
	c.Argv = append([]string{locate(e.Root, shown[0])}, shown[1:]...)
	exit, err := e.Proc.Run(ctx, c)
	o := p.judge(ctx, shown[0], exit, err)
	o.Argv = shown
	return o
}

// locate finds ./prog in the project root; a bare name is looked up in PATH by whoever starts it.
func locate(root, program string) string {
	if strings.ContainsAny(program, `/\`) && !filepath.IsAbs(program) {
		return filepath.Join(root, filepath.FromSlash(program))
	}
	return program
}

// tooLong is the cause of a program that its own limit ended.
type tooLong struct {
	program string
	limit   time.Duration
}

// Error says what took too long.
func (t tooLong) Error() string {
	return fmt.Sprintf("%q ran longer than %s", t.program, t.limit)
}

func (p *program) command(ctx context.Context, e steps.Env) (steps.Command, error) {
	c := steps.Command{Dir: e.Root, Env: append([]string{}, e.Environ...)}
	for i, t := range p.argv {
		s, err := t.String(ctx, e.Values, e.Reader)
		if err != nil {
			return c, fmt.Errorf("rendering argument %d of exec: %w", i, err)
		}
		if strings.ContainsRune(s, 0) {
			return c, fmt.Errorf("rendering argument %d of exec: it holds a zero byte", i)
		}
		c.Argv = append(c.Argv, s)
	}
	if c.Argv[0] == "" {
		return c, errors.New("the program of exec is empty")
	}
	for _, v := range p.env {
		s, err := v.value.String(ctx, e.Values, e.Reader)
		if err != nil {
			return c, fmt.Errorf("rendering env.%s of exec: %w", v.name, err)
		}
		c.Env = append(c.Env, v.name+"="+s)
	}
	if p.hasStdin {
		s, err := p.stdin.String(ctx, e.Values, e.Reader)
		if err != nil {
			return c, fmt.Errorf("rendering the stdin of exec: %w", err)
		}
		c.Stdin = []byte(s)
	}
	return c, nil
}

func (p *program) judge(ctx context.Context, program string, exit steps.Exit, err error) steps.Observation {
	stdout, stderr := clean(exit.Stdout), clean(exit.Stderr)
	o := steps.Observation{
		Success: true,
		Data:    map[string]any{"exit": exit.Code, "stdout": stdout, "stderr": stderr},
		Value:   strings.TrimRight(stdout, " \t\r\n"),
		Detail:  &steps.Detail{Output: output(stdout, stderr)},
	}
	if exit.Dropped > 0 {
		o.Warnings = append(o.Warnings, fmt.Sprintf("%d bytes of output in the middle were not kept", exit.Dropped))
	}
	fail := func(c steps.Category, sub, msg string) steps.Observation {
		o.Success, o.Category, o.Sub, o.Error = false, c, sub, msg
		return o
	}
	name := strconv.Quote(program)
	switch {
	case err != nil && ctx.Err() != nil:
		return fail(steps.Timeout, "timeout", context.Cause(ctx).Error())
	case err != nil:
		return fail(steps.Process, "not-startable", name+" could not be started: "+err.Error())
	case exit.Signal != "" && !p.anyExit:
		return fail(steps.Process, "signal", name+" was ended by a signal: "+exit.Signal)
	case exit.Code != 0 && !p.anyExit:
		return fail(steps.Process, "exit-status", fmt.Sprintf("%s exited with %d, expected 0", name, exit.Code))
	}
	o.Summary = fmt.Sprintf("exited with %d in %s", exit.Code, exit.Took.Round(time.Millisecond))
	return o
}

// clean makes text of output that need not be any.
func clean(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// output is the end of what a program wrote, stderr last, where the reason of a failure mostly stands.
func output(stdout, stderr string) string {
	switch {
	case stderr == "":
		return end(stdout, tail)
	case stdout == "":
		return end(stderr, tail)
	}
	return end(stdout, tail/2) + "\n--- stderr ---\n" + end(stderr, tail/2)
}

func end(s string, n int) string {
	s = strings.TrimRight(s, "\r\n")
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return "…" + s
}
