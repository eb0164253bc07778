package repl

import (
	"context"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/cmd/internal/tape"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
)

// word is a command of the loop itself.
type word struct {
	name, usage, doc string
	run              func(l *loop, ctx context.Context, args []string) error
}

// table gives the commands of the loop, in the order of help.
func table() []word {
	return []word{
		{"help", "help [COMMAND]", "this list, or the reference of a row command", (*loop).help},
		{"commands", "commands", "the row commands", (*loop).commands},
		{"list", "list", "the rows that would be saved", (*loop).list},
		{"undo", "undo [--replay]", "drops the last row from the list; the page stays as it is, unless the rest is replayed", (*loop).undo},
		{"replay", "replay", "does the rows of the list again on a new page", (*loop).replay},
		{"save", "save FILE.yaml [--force]", "writes the list as a suite that passes checkrow check", (*loop).save},
		{"quit", "quit", "ends, as the end of the input does", (*loop).end},
	}
}

func find(name string) (word, bool) {
	all := table()
	if name == "exit" {
		name = "quit"
	}
	i := slices.IndexFunc(all, func(w word) bool { return w.name == name })
	if i < 0 {
		return word{}, false
	}
	return all[i], true
}

func names() []string {
	var out []string
	for _, w := range table() {
		out = append(out, w.name)
	}
	return out
}

func (l *loop) help(_ context.Context, args []string) error {
	if len(args) > 0 {
		c, ok := argv.Lookup(strings.Join(args, " "))
		if !ok {
			var all []string
			for _, c := range argv.Commands() {
				all = append(all, c.Name())
			}
			hint := diag.Suggest(strings.Join(args, " "), all)
			if hint != "" {
				hint = " (" + hint + ")"
			}
			return wrong("there is no row command %q%s", strings.Join(args, " "), hint)
		}
		l.printf("%s", argv.Reference(c))
		return nil
	}
	for _, w := range table() {
		l.printf("  %-26s %s\n", w.usage, w.doc)
	}
	l.printf("Any other line is a row, as words or as a suite has it:\n  click \"role=button Buy\"    [click, role=button Buy]\n" +
		"A row after ! must fail. ${{ secrets.NAME }} and ${{ env.NAME }} come from the environment.\n")
	return nil
}

func (l *loop) commands(_ context.Context, args []string) error {
	if err := none("commands", args); err != nil {
		return err
	}
	for _, c := range argv.Commands() {
		l.printf("  %-26s %s\n", c.Name(), c.Doc)
	}
	return nil
}

func (l *loop) list(_ context.Context, args []string) error {
	if err := none("list", args); err != nil {
		return err
	}
	for i, e := range l.kept {
		l.printf("%3d %s\n", i+1, argv.Row(e.cells))
	}
	return nil
}

func (l *loop) undo(ctx context.Context, args []string) error {
	again := len(args) == 1 && args[0] == "--replay"
	if len(args) > 0 && !again {
		return wrong("undo takes --replay or nothing, got %q", strings.Join(args, " "))
	}
	if len(l.kept) == 0 {
		return wrong("there is nothing to undo")
	}
	last := l.kept[len(l.kept)-1]
	l.kept, l.dirty = l.kept[:len(l.kept)-1], true
	if again {
		l.printf("dropped %s\n", argv.Row(last.cells))
		return l.replay(ctx, nil)
	}
	l.printf("dropped %s; the page is not rolled back (replay does the rest again on a new one)\n", argv.Row(last.cells))
	return nil
}

// replay does the kept rows on a new page, with the targets that would be saved.
func (l *loop) replay(ctx context.Context, args []string) error {
	if err := none("replay", args); err != nil {
		return err
	}
	if l.session != nil {
		l.session.Close()
		l.session = nil
	}
	for i, k := range l.kept {
		l.printf("%3d %s  ", i+1, argv.Row(k.cells))
		e, err := l.compile(argv.Row(k.cells))
		if err != nil {
			return err
		}
		o, err := l.send(ctx, &e, false, false)
		if err != nil {
			return err
		}
		if !o.Success {
			return ErrRow
		}
	}
	return nil
}

func (l *loop) save(_ context.Context, args []string) error {
	force := slices.Contains(args, "--force")
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "--force" })
	switch {
	case len(args) != 1 || strings.HasPrefix(args[0], "-"):
		return wrong("write save FILE.yaml, with --force if the file may be replaced")
	case !strings.HasSuffix(args[0], ".yaml") && !strings.HasSuffix(args[0], ".yml"):
		return wrong("a suite is a file that ends in .yaml, got %q", args[0])
	case len(l.kept) == 0:
		return wrong("there is nothing to save: no row has changed or checked anything")
	}
	for i, e := range l.kept {
		if e.lost != "" {
			return wrong("row %d, %s, cannot be saved: %s; undo it", i+1, argv.Row(e.cells), e.lost)
		}
	}
	if err := l.Save(args[0], l.suite(tape.NameOf(args[0])).Text(), force); err != nil {
		return wrong("%v", err)
	}
	l.dirty = false
	return nil
}

func (l *loop) end(_ context.Context, args []string) error {
	if err := none("quit", args); err != nil {
		return err
	}
	l.quit = true
	return nil
}

// none refuses operands.
func none(name string, args []string) error {
	if len(args) > 0 {
		return wrong("%s takes nothing behind it, got %q", name, args[0])
	}
	return nil
}

// Complete gives how a line that ends in the middle of a word may go on: the words, and where the word begins.
func Complete(line string) (options []string, from int) {
	from = strings.LastIndexAny(line, " \t") + 1
	word, before := line[from:], strings.Fields(line[:from])
	add := func(all ...string) {
		for _, w := range all {
			if strings.HasPrefix(w, word) && !slices.Contains(options, w) {
				options = append(options, w)
			}
		}
	}
	if len(before) == 0 {
		add(names()...)
	}
	if len(before) > 0 && before[0] == "help" {
		before = before[1:]
	}
	var call *argv.Command
	for _, c := range argv.Commands() {
		words := c.Words
		switch {
		case len(words) > len(before) && slices.Equal(words[:len(before)], before):
			add(words[len(before)])
		case len(words) <= len(before) && slices.Equal(words, before[:len(words)]) && (call == nil || len(words) > len(call.Words)):
			call = c
		}
	}
	if call != nil && strings.HasPrefix(word, "-") {
		for _, f := range call.Flags {
			add(f.Name)
		}
	}
	slices.Sort(options)
	return options, from
}
