package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/checkrow/checkrow/steps"
)

var _ steps.Unfinished = (*session)(nil)

// finishTime bounds the end of one thing that rows left open.
const finishTime = 20 * time.Second

// Finish ends the recordings that rows started and no row ended, saves each, and tells of it as a failure.
func (s *session) Finish(ctx context.Context) []steps.Observation {
	x := &s.extra
	if s.fate(nil) != nil {
		return nil
	}
	if !x.leftOpen() {
		return nil
	}
	s.DismissDialog(ctx) // it would hold the ends up
	var out []steps.Observation
	if v := x.video; v != nil && v.files != nil {
		out = append(out, s.finishOne(ctx, "recording", v.files, next("stop-pending-recording", "end it", "record", "stop"),
			func(ctx context.Context, r *row) (steps.Observation, error) { return s.stopVideo(ctx, r) }))
	}
	if x.har != nil {
		out = append(out, s.finishOne(ctx, "HAR recording", x.har.files, next("stop-pending-har", "end it", "network", "har", "stop"),
			func(_ context.Context, r *row) (steps.Observation, error) { return s.stopHAR(r, "network.har") }))
	}
	if x.trace != nil && x.trace.files != nil {
		out = append(out, s.finishOne(ctx, "trace", x.trace.files, next("stop-pending-trace", "end it", "trace", "stop"),
			func(_ context.Context, r *row) (steps.Observation, error) { return s.stopTrace(r, "trace.zip") }))
	}
	if x.profile != nil {
		out = append(out, s.finishOne(ctx, "profile", x.profile.files, next("stop-pending-profile", "end it", "profiler", "stop"),
			func(_ context.Context, r *row) (steps.Observation, error) { return s.stopProfile(r, "profile.json") }))
	}
	return out
}

// finishOne ends one recording with the files of the row that started it.
func (s *session) finishOne(ctx context.Context, what string, by *row, hint steps.NextAction,
	end func(ctx context.Context, r *row) (steps.Observation, error)) steps.Observation {
	type outcome struct {
		o   steps.Observation
		err error
	}
	ctx, cancel := context.WithTimeout(ctx, finishTime)
	defer cancel()
	r := &row{a: by.a, o: by.o, started: time.Now(), limit: finishTime}
	r.until = r.started.Add(r.limit)
	got := make(chan outcome, 1)
	s.spawn(func() {
		o, err := end(ctx, r)
		got <- outcome{o, err}
	})
	text := fmt.Sprintf("the %s that %s began is still open at the end of the test", what, r.a.Command.Name())
	f := steps.Fail(steps.ArtifactBad, "left-open", text)
	f.NextActions, f.Argv = []steps.NextAction{hint}, r.a.Argv
	select {
	case g := <-got:
		if g.err != nil {
			f.Error += "; it could not be saved: " + firstLine(g.err)
			break
		}
		f.Artifacts, f.Warnings = g.o.Artifacts, g.o.Warnings
		if len(g.o.Artifacts) > 0 {
			f.Error += "; it was saved as " + g.o.Artifacts[0].Path
		}
	case <-s.deadCh:
		f.Error += "; the browser ended before it was saved"
	case <-ctx.Done():
		f.Error += "; it could not be saved in time"
	}
	f.Started, f.Took = r.started, time.Since(r.started)
	return f
}
