package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/cmd/internal/repl"
	"github.com/checkrow/checkrow/cmd/internal/tape"
	"github.com/checkrow/checkrow/runner/journal/mask"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// recordFlags are the flags of record.
type recordFlags struct {
	out, connect, drive     string
	headless, replay, force bool
}

func (a *app) recordCmd() *cobra.Command {
	var f recordFlags
	c := &cobra.Command{Use: "record URL", Short: "do it in a browser, get a suite that does it again",
		Long: `record opens a browser at a URL and writes down what is done in it: clicks, texts,
choices, boxes, Enter and Escape, pages that are gone to. Elements are named by role and
name, else by label, test id or CSS, and each name was found to fit no other
element. New pages become waits, new headings and alerts become checks. What is
typed into a password field becomes a secret: its value is written nowhere. Frames
of the same site are recorded too.

Closing the window or Ctrl-C ends it; then the suite is checked and written. With
--replay it is run at once.`,
		Example: "  checkrow record http://localhost:3000/login --replay\n" +
			"  checkrow record https://staging.example.test -o suites/buy.yaml",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("%s needs the URL to begin at", c.CommandPath())
			}
			return atMostOne(c, args)
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.record(f, args[0]) }}
	fs := c.Flags()
	fs.StringVarP(&f.out, "output", "o", "suites/recorded.yaml", "the `FILE` of the suite")
	fs.BoolVar(&f.replay, "replay", false, "run the suite when it is written, to prove that it passes")
	fs.BoolVar(&f.force, "force", false, "write over the file if it is there")
	fs.StringVar(&f.connect, "connect", "", "use the browser at this `URL`, as browser.connect of a suite does")
	fs.BoolVar(&f.headless, "headless", false, "show no window: what is done comes from --drive")
	fs.StringVar(&f.drive, "drive", "", "do the rows of this `FILE` in the browser, spelled as for repl, instead of waiting for a person")
	return c
}

func (f recordFlags) validate(a *app, at string) error {
	u, err := url.Parse(at)
	_, there := os.Lstat(a.abs(f.out))
	switch ext := filepath.Ext(f.out); {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return usagef("checkrow record: %q is no address such as http://localhost:3000/login", at)
	case ext != ".yaml" && ext != ".yml":
		return usagef("checkrow record: a suite is a file that ends in .yaml, got %q", f.out)
	case f.headless && f.drive == "":
		return usagef("checkrow record: --headless needs --drive: without a window nobody can do anything")
	case there == nil && !f.force:
		return usagef("checkrow record: %s is there already, use --force to replace it", f.out)
	}
	return nil
}

// record records, writes and replays.
func (a *app) record(f recordFlags, at string) (err error) {
	if err := f.validate(a, at); err != nil {
		return err
	}
	u, err := url.Parse(at)
	if err != nil {
		return usagef("checkrow record: %w", err)
	}
	st := &stage{a: a, headed: !f.headless, connect: f.connect, base: u.Scheme + "://" + u.Host}
	r := &recording{fold: &tape.Fold{Base: st.base}, over: make(chan struct{}), stir: make(chan struct{}, 1)}
	err = a.capture(f, st, r, at)
	if err := errors.Join(err, st.close()); err != nil {
		return err
	}
	for _, n := range r.fold.Notes() {
		a.warnf("%s", n)
	}
	s := tape.Suite{By: "checkrow record", Name: tape.NameOf(f.out), BaseURL: st.base, Rows: r.fold.Rows(),
		Secrets: slices.Collect(maps.Keys(r.fold.Secrets()))}
	// The secrets are those that were typed: they reach the run by its environment, and no file.
	run := *a
	for name, value := range r.fold.Secrets() {
		run.Environ = append(slices.Clip(run.Environ), name+"="+value)
	}
	if err := run.writeSuite(f.out, s.Text(), f.force); err != nil {
		return &codedError{ExitUsage, err}
	}
	a.printf("saved %s: %s\n", f.out, plural(len(s.Rows), "row"))
	for _, name := range slices.Sorted(maps.Keys(r.fold.Secrets())) {
		a.printf("set %s in the environment before it is run\n", name)
	}
	if !f.replay {
		return nil
	}
	run.args = []string{"run", f.out}
	c := run.runCmd()
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs([]string{f.out})
	return c.Execute()
}

// recording takes deeds while they come.
type recording struct {
	mu   sync.Mutex
	fold *tape.Fold
	over chan struct{} // closed when no page is left
	stir chan struct{} // something came
	done bool          // nothing counts any more
}

// end leaves out what comes of the end itself.
func (r *recording) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = true
}

func (r *recording) tell(d steps.Deed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.done:
		return
	case d.Kind == "end":
		r.done = true
		close(r.over)
		return
	}
	r.fold.Add(d)
	select {
	case r.stir <- struct{}{}:
	default:
	}
}

// capture records until the window is closed, a signal comes or all has been driven.
func (a *app) capture(f recordFlags, st *stage, r *recording, at string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	defer a.Notify(signals)()
	session, err := st.open(ctx)
	if err != nil {
		return err
	}
	defer session.Close()
	defer r.end()
	watcher, able := session.(steps.Watcher)
	if !able {
		return environment(errors.New("this browser cannot be recorded"))
	}
	first := r.fold.Start(at)
	if err := watcher.Record(ctx, r.tell); err != nil {
		return environment(err)
	}
	if err := begin(ctx, session, first.Cells); err != nil {
		return environment(err)
	}
	if f.drive != "" {
		if err := a.drive(ctx, f.drive, st, session, signals); err != nil {
			return err
		}
		r.rest(signals)
		return nil
	}
	a.printf("recording %s; close the window or press Ctrl-C to end\n", at)
	select {
	case <-r.over:
	case <-signals:
	}
	return nil
}

// begin does the first row.
func begin(ctx context.Context, session steps.Session, cells []string) error {
	row := make([]argv.Cell, len(cells))
	for i, c := range cells {
		row[i].Text = c
	}
	var l diag.List
	call := argv.Parse(row, diag.Pos{}, &l)
	if l.Len() > 0 {
		return l.Err()
	}
	args, err := call.Bind(cells)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, plan.Defaults.Row)
	defer cancel()
	if o := session.Do(ctx, args, steps.RowOptions{}); !o.Success {
		return fmt.Errorf("opening the page: %s", o.Error)
	}
	return nil
}

// quiet is how long nothing may come for the page to have said all, and calm the most that is waited for it.
const (
	quiet = 700 * time.Millisecond
	calm  = 5 * time.Second
)

// rest waits for what still comes of the last row.
func (r *recording) rest(signals <-chan os.Signal) {
	most := time.After(calm)
	for {
		select {
		case <-r.stir:
		case <-time.After(quiet):
			return
		case <-most:
			return
		case <-r.over:
			return
		case <-signals:
			return
		}
	}
}

// drive does the rows of a file in the session that is recorded.
func (a *app) drive(ctx context.Context, file string, st *stage, session steps.Session, signals <-chan os.Signal) error {
	in, err := os.Open(a.abs(file))
	if err != nil {
		return usagef("checkrow record: --drive: %w", err)
	}
	defer func() { _ = in.Close() }()
	world := *a
	world.Stdin = bufio.NewReader(in)
	lines, _ := world.lines(signals)
	defer lines.close()
	masker := &mask.Masker{}
	err = repl.Run(ctx, repl.Options{Lines: lines, Out: a.Stdout, BaseURL: st.base, Dir: a.Dir, Lent: true,
		Files: &trials{dir: filepath.Join(a.Dir, stateDir, "repl")}, Limits: plan.Defaults,
		Open: func(context.Context) (steps.Session, error) { return session, nil },
		Env:  a.env, Hide: masker.Add, Mask: masker.String, Each: lines.each,
		Save: func(string, string, bool) error { return errors.New("record itself writes the suite") }})
	switch {
	case errors.Is(err, repl.ErrRow):
		return outcome(ExitFailed)
	case errors.Is(err, repl.ErrInput):
		return outcome(ExitUsage)
	}
	return err
}
