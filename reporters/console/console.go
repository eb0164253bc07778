// Package console tells a run to people while it goes on: on a terminal a live view below what has failed so far,
// elsewhere one line per test; failure blocks at once, and a summary at the end.
package console

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
)

// Options of a console. The zero value of each field is its default.
type Options struct {
	Terminal bool             // the writer is a terminal: live view
	Color    bool             // the caller has looked at NO_COLOR
	Width    func() int       // columns now; nil or less than 1: 100
	Height   func() int       // lines now; nil or less than 1: enough
	Actions  bool             // the stream is the log of GitHub Actions: failures are groups, other text is no command
	Now      func() time.Time // nil: time.Now
	Every    time.Duration    // between two drawings of the live view; 0: 100ms
	Reports  []string         // paths of the reports, for the summary
}

// Reporter writes to one stream.
type Reporter struct {
	w    io.Writer
	opts Options

	mu    sync.Mutex // the redraw goroutine reads what follows
	out   bytes.Buffer
	err   error
	view  view
	drawn []string // lines of the live view on the screen
	quit  chan struct{}
	idle  sync.WaitGroup
}

var _ reporters.Reporter = (*Reporter)(nil)

// New makes a console on w. On a terminal a goroutine redraws from the first event until Close.
func New(w io.Writer, o Options) *Reporter {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Every <= 0 {
		o.Every = 100 * time.Millisecond
	}
	return &Reporter{w: w, opts: o}
}

// width is how many columns there are now.
func (r *Reporter) width() int {
	if r.opts.Width != nil {
		if n := r.opts.Width(); n > 0 {
			return n
		}
	}
	return 100
}

// height is how many lines the live view may have. One is left for the cursor, so that the first never scrolls away, and
// one above: tmux takes clearing from the first line on for clearing the screen, and keeps each old view as history.
func (r *Reporter) height() int {
	if r.opts.Height != nil {
		if n := r.opts.Height(); n > 0 {
			return max(n-2, 1)
		}
	}
	return maxBusy + 2
}

// lines draws the live view as it is now.
func (r *Reporter) lines() []string {
	return r.view.lines(r.opts.Now(), r.width(), r.height(), reporters.Style{Color: r.opts.Color})
}

func (r *Reporter) style() reporters.Style {
	return reporters.Style{Color: r.opts.Color, Width: r.width(), NoTitle: true}
}

// Event prints what people want to see of e.
func (r *Reporter) Event(e journal.Event, s *journal.State) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Body.(type) {
	case journal.Planned, journal.Resumed:
		r.start(e, s)
	}
	r.view.apply(e, s)
	r.tell(e, s)
	r.flush()
	return r.err
}

// start begins the live view.
func (r *Reporter) start(e journal.Event, s *journal.State) {
	r.view = view{total: len(s.Tests), began: r.opts.Now()}
	for _, t := range s.Tests {
		if t.Done { // before a run was taken up again
			r.view.count(t.Status)
		}
	}
	if !r.opts.Terminal || r.quit != nil {
		return
	}
	r.quit = make(chan struct{})
	r.idle.Go(func() {
		tick := time.NewTicker(r.opts.Every)
		defer tick.Stop()
		for {
			select {
			case <-r.quit:
				return
			case <-tick.C:
				r.redraw()
			}
		}
	})
}

// Close stops the live view, leaves nothing of it on the screen and prints the summary.
func (r *Reporter) Close(s *journal.State) error {
	if r.quit != nil {
		close(r.quit)
		r.idle.Wait()
		r.quit = nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opts.Terminal = false
	r.summary(s)
	r.flush()
	return r.err
}

// redraw draws the live view if it would look different.
func (r *Reporter) redraw() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.opts.Terminal {
		return
	}
	lines := r.lines()
	if len(lines) == len(r.drawn) {
		same := true
		for i := range lines {
			same = same && lines[i] == r.drawn[i]
		}
		if same {
			return
		}
	}
	r.paint(lines)
}

// flush writes what was printed, above the live view.
func (r *Reporter) flush() {
	if r.out.Len() == 0 && (r.opts.Terminal || len(r.drawn) == 0) {
		return
	}
	var lines []string
	if r.opts.Terminal {
		lines = r.lines()
	}
	r.paint(lines)
}

// paint replaces the live view by what was printed and the new view, in one write.
func (r *Reporter) paint(lines []string) {
	var b bytes.Buffer
	erase(&b, r.drawn, r.width())
	b.Write(r.out.Bytes())
	r.out.Reset()
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	r.drawn = lines
	if _, err := r.w.Write(b.Bytes()); err != nil && r.err == nil {
		r.err = err
	}
}
