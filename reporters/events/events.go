// Package events is the reporter that streams the events of a run while it goes on: a line of JSON each, as the journal
// has it. Its schema is made from the same types, see Schema.
package events

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
)

const (
	// maxBehind is how many bytes a slow reader may be behind before lines are dropped: a run does not wait for it.
	maxBehind = 32 << 20
	// lastWait is how long the end of a run waits for a reader that is behind.
	lastWait = 5 * time.Second
)

// ErrBehind is the error of a reader that did not keep up: lines are missing.
var ErrBehind = errors.New("the reader of the events did not keep up: lines were dropped")

// Options say which events are wanted.
type Options struct {
	Kinds []string // of events; none: all
}

// Kinds are the names of all kinds of event.
func Kinds() []string {
	var out []string
	for _, b := range journal.Bodies() {
		out = append(out, b.Kind())
	}
	return out
}

// CheckKinds refuses a name that is no kind of event.
func CheckKinds(list []string) error {
	known := Kinds()
	for _, name := range list {
		found := false
		for _, k := range known {
			found = found || k == name
		}
		if found {
			continue
		}
		if near := diag.Nearest(name, known); len(near) > 0 {
			return fmt.Errorf("%q is no kind of event, %s", name, diag.DidYouMean(near))
		}
		return fmt.Errorf("%q is no kind of event, see checkrow schema events", name)
	}
	return nil
}

// Stream is the reporter. Lines wait in memory for a reader that is slow, so that it does not hold up the run.
type Stream struct {
	out   io.WriteCloser
	kinds map[string]bool // nil: all

	mu      sync.Mutex
	wake    *sync.Cond
	queue   [][]byte
	behind  int
	err     error
	closing bool
	done    chan struct{}
}

var _ reporters.Reporter = (*Stream)(nil)

// New streams to out, which is closed at the end.
func New(out io.WriteCloser, o Options) *Stream {
	s := &Stream{out: out, done: make(chan struct{})}
	s.wake = sync.NewCond(&s.mu)
	if len(o.Kinds) > 0 {
		s.kinds = map[string]bool{}
		for _, k := range o.Kinds {
			s.kinds[k] = true
		}
	}
	go s.write()
	return s
}

// Event implements reporters.Reporter.
func (s *Stream) Event(e journal.Event, _ *journal.State) error {
	if s.kinds != nil && !s.kinds[e.Body.Kind()] {
		return nil
	}
	line, err := journal.Encode(e)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil && s.behind+len(line) > maxBehind {
		s.err = ErrBehind
	}
	if s.err != nil {
		return s.err
	}
	s.queue, s.behind = append(s.queue, line), s.behind+len(line)
	s.wake.Signal()
	return nil
}

// write hands the lines to the reader until Close, or until it has gone.
func (s *Stream) write() {
	defer close(s.done)
	for {
		s.mu.Lock()
		for len(s.queue) == 0 && !s.closing {
			s.wake.Wait()
		}
		if len(s.queue) == 0 {
			s.mu.Unlock()
			return
		}
		list := s.queue
		s.queue = nil
		s.mu.Unlock()
		for _, line := range list {
			_, err := s.out.Write(line)
			s.mu.Lock()
			s.behind -= len(line)
			if err != nil && s.err == nil {
				s.err = fmt.Errorf("writing an event: %w", err)
			}
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}
}

// Close implements reporters.Reporter: what waits is written, if the reader takes it in some seconds.
func (s *Stream) Close(*journal.State) error {
	s.mu.Lock()
	s.closing = true
	s.wake.Signal()
	s.mu.Unlock()
	timer := time.NewTimer(lastWait)
	defer timer.Stop()
	select {
	case <-s.done:
	case <-timer.C:
		_ = s.out.Close() // this ends its write, if anything does
		return ErrBehind
	}
	cerr := s.out.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if cerr != nil {
		return fmt.Errorf("closing the stream of events: %w", cerr)
	}
	return nil
}
