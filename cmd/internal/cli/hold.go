package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
)

// holdFlags are the flags of run that let a person hold it.
type holdFlags struct {
	debug    bool
	slow     time.Duration
	keepOpen bool
	person   bool // --interactive: somebody is there for handoff steps
	busy     bool // --allow-attach: a browser that somebody uses may be attached to
}

// interactive tells that the run waits for a person at some place, so that no limit of the whole may end it.
func (h holdFlags) interactive() bool { return h.debug || h.keepOpen }

// validate refuses what makes no sense together.
func (h holdFlags) validate(a *app, f *runFlags) error {
	switch ci, _ := a.env("CI"); {
	case f.set.Changed("slow") && h.slow <= 0:
		return usagef("--slow must be longer than 0, got %s", h.slow)
	case h.keepOpen && !f.headed:
		return usagef("--keep-open needs --headed: without a window there is nothing to look at")
	case h.interactive() && f.set.Changed("workers") && f.workers != 1:
		return usagef("--debug and --keep-open run one test at a time: leave --workers out")
	case h.interactive() && ci != "" && ci != "false" && ci != "0":
		return usagef("--debug and --keep-open wait for a person and are refused under CI (the environment says CI)")
	case h.person && ci != "" && ci != "false" && ci != "0":
		return usagef("--interactive says that a person is there and is refused under CI (the environment says CI)")
	}
	return nil
}

// personal makes a run that waits for a person one of one worker and without a deadline.
func (f *runFlags) personal() {
	if f.interactive() {
		f.workers, f.deadline = 1, limitless
	}
}

// unlimit takes the limits of whole suites away.
func (f *runFlags) unlimit(p *plan.Plan) {
	if !f.interactive() {
		return
	}
	p.Run = 0
	for _, s := range p.Suites {
		s.Limit = 0
	}
}

// limitless is the deadline of a run that waits for a person.
const limitless = 30 * 24 * time.Hour

// holder talks to the person before the terminal. The runner calls it from one worker at a time.
type holder struct {
	out   io.Writer
	keys  *keyboard
	quit  context.CancelCauseFunc // begins the orderly stop
	show  func(string) string
	slow  time.Duration
	debug bool
	turn  chan struct{} // held while a handoff asks

	mu    sync.Mutex
	free  bool // c: go on without stopping
	asked bool // the keys have been explained
	test  string
}

// hold makes the hooks of a run. asks tells that a person is there to answer a pause.
func (a *app) hold(f *runFlags, mask journal.Masker, quit context.CancelCauseFunc) runner.Hold {
	h := &holder{out: a.Stderr, keys: &keyboard{in: a.Stdin}, quit: quit, slow: f.slow, debug: f.debug, turn: make(chan struct{}, 1)}
	h.show = func(s string) string { return reporters.Clean(string(mask.Mask([]byte(s)))) }
	var out runner.Hold
	if f.debug || f.slow > 0 {
		out.Before = h.before
	}
	_, onScreen := terminal(a.Stderr)
	if f.debug || f.headed && onScreen && h.keys.terminal() {
		out.Pause = h.pause
	}
	if f.person {
		out.Handoff = h.handoff
	}
	if f.keepOpen {
		out.Failed = h.failed
	}
	return out
}

// before shows the row that comes next and waits for a key, or a while.
func (h *holder) before(ctx context.Context, s runner.Stop) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.slow > 0 {
		select {
		case <-time.After(h.slow):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if !h.debug || h.free {
		return nil
	}
	what := s.Kind + " step"
	if s.Row != nil {
		what = reporters.Row(s.Row)
	}
	return h.stop(ctx, s, what)
}

// stop shows what comes next, below the name of its test if that is another one than before, and waits for a key.
func (h *holder) stop(ctx context.Context, s runner.Stop, what string) error {
	restore, err := h.keys.open()
	if err != nil {
		return err
	}
	defer restore()
	if s.Test != h.test {
		h.test = s.Test
		h.say("── %s", s.Test)
	}
	h.say("%s  %s", s.Pos, what)
	if !h.asked {
		h.asked = true
		h.say(keyHelp)
	}
	return h.ask(ctx, s)
}

// say writes one line; what comes from suites and pages is masked and safe to print. A terminal that gives every key at
// once does not go back to the first column by itself.
func (h *holder) say(format string, args ...any) {
	end := "\n"
	if h.keys.raw {
		end = "\r\n"
	}
	fmt.Fprint(h.out, h.show(fmt.Sprintf(format, args...))+end)
}

// errQuit says who has stopped the run.
var errQuit = errors.New("the person who debugs it")

const keyHelp = "   enter, n: next · c: go on without stopping · s: snapshot of the page · q: quit"

// ask waits for a key that ends the stop.
func (h *holder) ask(ctx context.Context, s runner.Stop) error {
	for {
		key, err := h.keys.read(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, io.EOF):
			h.free = true
			h.say("   the input has ended: going on without stopping")
			return nil
		case err != nil:
			return fmt.Errorf("reading the keyboard: %w", err)
		}
		switch key {
		case '\n', '\r', 'n', ' ':
			return nil
		case 'c':
			h.free = true
			return nil
		case 's':
			h.snapshot(ctx, s)
		case 'q', 3: // Ctrl-C comes as a key while every key does
			h.quit(errQuit)
			<-ctx.Done()
			return context.Cause(ctx)
		default:
			h.say(keyHelp)
		}
	}
}

func (h *holder) snapshot(ctx context.Context, s runner.Stop) {
	text, err := s.Snapshot(ctx)
	if err != nil {
		text = "no snapshot: " + err.Error()
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		h.say("   %s", line)
	}
}

// pause stops at a pause step.
func (h *holder) pause(ctx context.Context, s runner.Stop, text string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stop(ctx, s, "pause: "+text)
}

// failed leaves the window open until the run is stopped.
func (h *holder) failed(ctx context.Context, f *journal.Failure) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.say("%s  %s", f.Pos, f.Message)
	h.say("   the browser stays open: Ctrl-C ends the run")
	<-ctx.Done()
}

// keyboard reads single keys from a terminal, or characters from a script, of which a line end behind a key is none.
type keyboard struct {
	in   io.Reader
	raw  bool
	last byte
}

func (k *keyboard) file() *os.File {
	f, _ := k.in.(*os.File)
	return f
}

func (k *keyboard) terminal() bool {
	f := k.file()
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// open makes a terminal give every key at once until restore is called. Between two stops Ctrl-C works as ever.
func (k *keyboard) open() (restore func(), err error) {
	if !k.terminal() {
		return func() {}, nil
	}
	fd := int(k.file().Fd())
	old, err := term.MakeRaw(fd)
	if err != nil {
		return nil, fmt.Errorf("reading single keys: %w", err)
	}
	k.raw = true
	return func() {
		k.raw = false
		_ = term.Restore(fd, old)
	}, nil
}

// read waits for a key until ctx ends.
func (k *keyboard) read(ctx context.Context) (byte, error) {
	key, err := k.next(ctx)
	if err == nil && !k.raw && key == '\n' && k.last != 0 && k.last != '\n' {
		k.last = key
		return k.read(ctx)
	}
	k.last = key
	return key, err
}

// next reads one byte.
func (k *keyboard) next(ctx context.Context) (byte, error) {
	if f := k.file(); f != nil {
		if err := readable(ctx, f); err != nil {
			return 0, err
		}
	}
	var b [1]byte
	n, err := k.in.Read(b[:])
	if n == 1 {
		return b[0], nil
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return 0, err
}
