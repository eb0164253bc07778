package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/mxschmitt/playwright-go"
)

var _ steps.Recorder = (*session)(nil)

// capture is what is left of the recordings of an attempt, which no row began, when they are saved.
type capture struct {
	traced string // a trace that a row has taken the place of, in our own folder
	filmed *video // and a video
	bad    []error
}

// autoTrace and autoVideo are the names of the files.
const (
	autoTrace = "test-trace.zip"
	autoVideo = "test-video.webm"
)

// leftOpen tells that a row began something that no row ended.
func (x *extras) leftOpen() bool {
	return x.video != nil && x.video.files != nil || x.trace != nil && x.trace.files != nil || x.har != nil || x.profile != nil
}

// automatic gives what the session keeps of recordings that no row began.
func (s *session) automatic() *capture {
	if s.extra.auto == nil {
		s.extra.auto = &capture{}
	}
	return s.extra.auto
}

// failedCapture notes that a recording cannot be had. It fails nothing and is told at the end.
func (s *session) failedCapture(err error) {
	a := s.automatic()
	a.bad = append(a.bad, err)
}

// traces counts the traces of the process: the driver names its files after them.
var traces atomic.Int64

func (s *session) startTracing() error {
	yes := playwright.Bool(true)
	s.extra.traceName = fmt.Sprintf("checkrow-%d", traces.Add(1))
	return s.ctx.Tracing().Start(playwright.TracingStartOptions{Screenshots: yes, Snapshots: yes, Name: &s.extra.traceName})
}

// traceAll begins the trace of the attempt.
func (s *session) traceAll() {
	if !s.o.Record.Trace {
		return
	}
	if err := s.startTracing(); err != nil {
		s.failedCapture(err)
		return
	}
	s.extra.trace = &traceFile{}
}

// filmAll begins the video of the attempt, which shows its first tab.
func (s *session) filmAll(p playwright.Page, t *tab) {
	if !s.o.Record.Video {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), encoderTime)
	defer cancel()
	err := s.e.encoder(ctx)
	if err == nil {
		err = s.film(&video{page: p, tab: t, fps: 30, file: &file{name: autoVideo, kind: "video"}, began: time.Now()})
	}
	if err != nil {
		s.failedCapture(err)
	}
}

// encoderTime is how long ffmpeg may take to say that it is there.
const encoderTime = 5 * time.Second

// yieldTrace ends the trace of the attempt, for a row begins its own: a context has one.
func (s *session) yieldTrace(r *row) {
	if t := s.extra.trace; t == nil || t.files != nil {
		return
	}
	r.warning("the trace of the whole test ends here: a row begins its own")
	path, err := s.endTrace()
	if err != nil {
		s.failedCapture(err)
		return
	}
	s.automatic().traced = path
}

// yieldVideo ends the video of the attempt, for a row begins its own.
func (s *session) yieldVideo(ctx context.Context, r *row) {
	if v := s.extra.video; v != nil && v.files == nil {
		r.warning("the video of the whole test ends here: a row begins its own")
		s.cut(ctx, v)
		s.automatic().filmed = v
	}
}

// endTrace ends the trace that runs and gives the file, in our own folder.
func (s *session) endTrace() (string, error) {
	s.extra.trace = nil
	path, err := s.scratch("trace", ".zip")
	if err != nil {
		return "", err
	}
	defer s.sweepTrace(s.extra.traceName)
	if err := s.ctx.Tracing().Stop(path); err != nil {
		_ = os.Remove(path)
		_ = s.ctx.Tracing().Stop() // else the next one says that this one is still open
		return "", err
	}
	return path, nil
}

// showTime is how long the page may take to be copied into the trace.
const showTime = 500 * time.Millisecond

// showInTrace has the trace take a copy of the page behind a row that goes around the driver's own actions, of which it
// takes one by itself. An eval may go elsewhere as a click does, and shows nothing by itself.
func (s *session) showInTrace(ctx context.Context, r *row) {
	t := r.a.Command.Traits
	if !t.Has(argv.Page) || t.Has(argv.Navigates) && r.a.Command.Name() != "eval" || s.fate(nil) != nil || s.talk.current() != nil {
		return
	}
	s.within(ctx, showTime, func() { _, _ = s.page().Evaluate("0") })
}

// Recorded implements steps.Recorder.
func (s *session) Recorded(ctx context.Context, keep steps.Record, files steps.Files, name func(string) string) []steps.Observation {
	if d := s.fate(nil); d != nil {
		return []steps.Observation{steps.Fail(steps.Crash, "recording", d.text)}
	}
	s.DismissDialog(ctx) // it would hold the ends up
	var out []steps.Observation
	if keep.Trace {
		out = append(out, s.recordedPart(ctx, "trace", files, func(_ context.Context, r *row) (steps.Artifact, error) {
			return s.saveTrace(r, name(autoTrace))
		}))
	}
	if keep.Video {
		out = append(out, s.recordedPart(ctx, "video", files, func(ctx context.Context, r *row) (steps.Artifact, error) {
			return s.saveVideo(ctx, r, name(autoVideo))
		}))
	}
	for _, err := range s.automatic().bad {
		out = append(out, steps.Fail(steps.ArtifactBad, "recording", firstLine(err)))
	}
	return out
}

// recordedPart saves one recording in a time of its own.
func (s *session) recordedPart(ctx context.Context, what string, files steps.Files,
	save func(ctx context.Context, r *row) (steps.Artifact, error)) steps.Observation {
	type outcome struct {
		a   steps.Artifact
		err error
	}
	ctx, cancel := context.WithTimeout(ctx, finishTime)
	defer cancel()
	r := &row{o: steps.RowOptions{Files: files}, started: time.Now(), limit: finishTime}
	r.until = r.started.Add(r.limit)
	got := make(chan outcome, 1)
	s.spawn(func() {
		a, err := save(ctx, r)
		got <- outcome{a, err}
	})
	late := steps.Fail(steps.ArtifactBad, "recording", "the "+what+" could not be saved in time")
	select {
	case g := <-got:
		switch {
		case errors.Is(g.err, errNotBegun): // why is told beside it
			return steps.Observation{Success: true}
		case g.err != nil:
			return steps.Fail(steps.ArtifactBad, "recording", "the "+what+" could not be saved: "+firstLine(g.err))
		}
		return steps.Observation{Success: true, Artifacts: []steps.Artifact{g.a}}
	case <-s.deadCh:
		late.Error = "the browser ended before the " + what + " was saved"
	case <-ctx.Done():
	}
	return late
}

// errNotBegun marks a recording that could not be begun.
var errNotBegun = errors.New("it was not begun")

// saveTrace saves the trace of the attempt.
func (s *session) saveTrace(r *row, name string) (steps.Artifact, error) {
	path := s.automatic().traced
	if path == "" {
		if s.extra.trace == nil {
			return steps.Artifact{}, errNotBegun
		}
		var err error
		if path, err = s.endTrace(); err != nil {
			return steps.Artifact{}, err
		}
	}
	defer func() { _ = os.Remove(path) }()
	f, err := r.reserve(name, "trace")
	if err != nil {
		return steps.Artifact{}, err
	}
	return f.take(path)
}

// saveVideo saves the video of the attempt.
func (s *session) saveVideo(ctx context.Context, r *row, name string) (steps.Artifact, error) {
	v := s.automatic().filmed
	if v == nil {
		if v = s.extra.video; v == nil || v.files != nil {
			return steps.Artifact{}, errNotBegun
		}
		s.cut(ctx, v)
	}
	end := time.Now()
	defer v.sweep()
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.err != nil:
		return steps.Artifact{}, v.err
	case len(v.frames) == 0:
		return steps.Artifact{}, errors.New("the browser gave no picture")
	}
	out, err := s.encode(ctx, v, end)
	if err != nil {
		return steps.Artifact{}, err
	}
	f, err := r.reserve(name, "video")
	if err != nil {
		return steps.Artifact{}, err
	}
	return f.take(out)
}

// Picture implements steps.Recorder.
func (s *session) Picture(ctx context.Context) ([]byte, error) {
	if d := s.fate(nil); d != nil {
		return nil, errors.New(d.text)
	}
	if d := s.talk.current(); d != nil {
		return nil, errors.New("a " + describe(d) + " dialog blocks the page")
	}
	shots := make(chan part, 1)
	ctx, most := forPart(ctx)
	if !s.within(ctx, most, func() {
		b, err := s.shoot(ctx, "png", false, nil)
		shots <- part{b, "", err}
	}) {
		return nil, errors.New("the page did not give one within " + span(most))
	}
	p := take(shots)
	return p.bytes, p.err
}

// leavings drops what recordings that nobody saved have left. The returned function is called when the context is closed.
func (s *session) leavings() (drop func()) {
	x := &s.extra
	if t := x.trace; t != nil && s.fate(nil) == nil {
		name := x.traceName
		s.spawn(func() {
			_ = s.ctx.Tracing().Stop()
			s.sweepTrace(name)
		})
	}
	if x.video == nil && x.auto == nil {
		return func() {}
	}
	films, traced := []*video{x.video, s.automatic().filmed}, x.auto.traced
	return func() {
		for _, v := range films {
			if v != nil {
				v.sweep()
			}
		}
		if traced != "" {
			_ = os.Remove(traced)
		}
	}
}
