package events_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/reporters/events"
	"github.com/checkrow/checkrow/runner/journal"
)

func TestEvents(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Events")
}

// sink takes lines when it is let.
type sink struct {
	let    chan struct{} // closed: it takes all
	lines  []string
	broken error
	closed int
}

// Write implements io.Writer.
func (s *sink) Write(p []byte) (int, error) {
	<-s.let
	if s.broken != nil {
		return 0, s.broken
	}
	s.lines = append(s.lines, string(p))
	return len(p), nil
}

// Close implements io.Closer.
func (s *sink) Close() error { s.closed++; return nil }

func warning(n int) journal.Event {
	return journal.Event{Seq: uint64(n), Body: journal.Warning{Text: strings.Repeat("x", 1<<20)}}
}

var _ = Describe("the stream", func() {
	It("does not hold up a run for a slow reader, and loses nothing that fits", func() {
		s := &sink{let: make(chan struct{})}
		r := events.New(s, events.Options{Kinds: []string{"warning"}})
		for n := range 20 {
			Expect(r.Event(warning(n), nil)).To(Succeed())
			Expect(r.Event(journal.Event{Body: journal.RunEnd{}}, nil)).To(Succeed())
		}
		close(s.let)
		Expect(r.Close(nil)).To(Succeed())
		Expect(s.lines).To(HaveLen(20))
		Expect(s.closed).To(Equal(1))
	})

	It("says that a reader did not keep up", func() {
		s := &sink{let: make(chan struct{})}
		r := events.New(s, events.Options{})
		var err error
		for n := 0; n < 64 && err == nil; n++ {
			err = r.Event(warning(n), nil)
		}
		Expect(err).To(MatchError(events.ErrBehind))
		close(s.let)
		Expect(r.Close(nil)).To(MatchError(events.ErrBehind))
	})

	It("tells of a reader that has gone", func() {
		s := &sink{let: make(chan struct{}), broken: io.ErrClosedPipe}
		close(s.let)
		r := events.New(s, events.Options{})
		Expect(r.Event(warning(1), nil)).To(Succeed())
		err := r.Close(nil)
		Expect(errors.Is(err, io.ErrClosedPipe)).To(BeTrue(), "%v", err)
	})

	It("knows the kinds of event", func() {
		Expect(events.CheckKinds([]string{"done", "run-end"})).To(Succeed())
		Expect(events.CheckKinds([]string{"don"})).To(MatchError(`"don" is no kind of event, did you mean "done"?`))
		Expect(events.CheckKinds([]string{"zzzzzz"})).To(MatchError(ContainSubstring("checkrow schema events")))
	})
})
