package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/cmd/internal/repl"
	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal/mask"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// replFlags are the flags of repl.
type replFlags struct {
	base, connect string
	headed        bool
	snapshot      bool
	shown         bool // --snapshot was given
}

func (a *app) replCmd() *cobra.Command {
	var f replFlags
	c := &cobra.Command{Use: "repl", Short: "type rows, see what they do, and save them as a suite", Args: noArgs,
		Long: `repl reads rows and does each at once on a page of its own: as words, with quotes
around a cell that has spaces, or as a suite has it. It shows what came of the row
and, in a terminal, what can be acted on now. "help" lists its own commands: undo
drops the last row, save writes a suite in which refs like @e3 have become targets
that last. Tab completes.

Without a terminal it is a script: the first row that fails ends it with exit code
1, a line that cannot be used with 2. A row after ! must fail.`,
		Example: "  checkrow repl --base-url http://localhost:3000\n" +
			"  printf 'open /login\\nexpect text h1 \"Log in\"\\nsave suites/login.yaml\\n' | checkrow repl --base-url http://localhost:3000",
		RunE: func(c *cobra.Command, _ []string) error {
			f.shown = c.Flags().Changed("snapshot")
			return a.repl(f)
		}}
	fs := c.Flags()
	fs.StringVar(&f.base, "base-url", "", "the `URL` that paths of open rows begin at; the saved suite has it too")
	fs.BoolVar(&f.headed, "headed", false, "show the browser's window")
	fs.StringVar(&f.connect, "connect", "", "use the browser at this `URL`, as browser.connect of a suite does")
	fs.BoolVar(&f.snapshot, "snapshot", false, "show the page's snapshot after each row that changed it (default in a terminal)")
	return c
}

// checkBase judges --base-url.
func checkBase(command, base string) error {
	if u, err := url.Parse(base); base != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return usagef("%s: --base-url %q is no address such as http://localhost:3000", command, base)
	}
	return nil
}

// repl runs the loop and gives its exit code.
func (a *app) repl(f replFlags) (err error) {
	if err := checkBase("checkrow repl", f.base); err != nil {
		return err
	}
	signals := make(chan os.Signal, 1)
	defer a.Notify(signals)()
	lines, person := a.lines(signals)
	defer lines.close()
	st := &stage{a: a, headed: f.headed, connect: f.connect, base: f.base}
	defer func() { err = errors.Join(err, st.close()) }()
	if !f.shown {
		f.snapshot = person
	}
	if person {
		a.printf("checkrow %s: type rows; help lists the commands, Ctrl-D ends\n", Version())
	}
	masker := &mask.Masker{}
	err = repl.Run(context.Background(), repl.Options{
		Lines: lines, Out: a.Stdout, Style: reporters.Style{Color: a.color(a.Stdout)}, Person: person, Shows: f.snapshot,
		BaseURL: f.base, Dir: a.Dir, Files: &trials{dir: filepath.Join(a.Dir, stateDir, "repl")}, Limits: plan.Defaults,
		Open: st.open, Env: a.env, Hide: masker.Add, Mask: masker.String, Each: lines.each,
		Save: func(path, text string, force bool) error {
			if err := a.writeSuite(path, text, force); err != nil {
				return err
			}
			a.printf("saved %s; checkrow run %s does it again\n", path, path)
			return nil
		}})
	switch {
	case errors.Is(err, repl.ErrRow):
		return outcome(ExitFailed)
	case errors.Is(err, repl.ErrInput):
		return outcome(ExitUsage)
	}
	return err
}

// ended is the end of the loop by a signal.
func ended(s os.Signal) error { return outcome(toSignal(s).Exit) }

// input gives the lines of a loop. A signal ends the row that runs; without one, or in a script, it ends the loop.
type input struct {
	signals <-chan os.Signal
	person  bool
	ask     chan string
	got     chan typed
	restore func()
	over    error // of a script whose row was interrupted
}

// typed is one line.
type typed struct {
	text string
	err  error
}

// lines reads standard input, as an editor if it is a terminal.
func (a *app) lines(signals <-chan os.Signal) (*input, bool) {
	in := &input{signals: signals, ask: make(chan string), got: make(chan typed), restore: func() {}}
	read, restore, person := a.editor()
	if person {
		in.person, in.restore = true, restore
	} else {
		lines := bufio.NewReader(a.Stdin)
		read = func(string) (string, error) {
			text, err := lines.ReadString('\n')
			if errors.Is(err, io.EOF) && text != "" {
				err = nil
			}
			return strings.TrimRight(text, "\r\n"), err
		}
	}
	// Nothing ends a read of standard input: this goroutine may outlive the loop, and ends with the process.
	go func() {
		for prompt := range in.ask {
			text, err := read(prompt)
			in.got <- typed{text, err}
		}
	}()
	return in, person
}

// Line implements repl.Lines.
func (in *input) Line(_ context.Context, prompt string) (string, error) {
	if in.over != nil {
		return "", in.over
	}
	in.ask <- prompt
	select {
	case t := <-in.got:
		if t.err != nil && !errors.Is(t.err, io.EOF) {
			return "", environment(fmt.Errorf("reading the input: %w", t.err))
		}
		return t.text, t.err
	case s := <-in.signals:
		return "", ended(s)
	}
}

// each gives the context of one row.
func (in *input) each(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	done, left := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		select {
		case s := <-in.signals:
			if !in.person || s != os.Interrupt {
				in.over = ended(s)
			}
			cancel(errors.New("interrupted"))
		case <-done:
		}
	}()
	return ctx, func() {
		close(done)
		<-left
		cancel(nil)
	}
}

// close gives the terminal back.
func (in *input) close() {
	in.restore()
	close(in.ask)
}

var _ steps.Files = (*trials)(nil)
