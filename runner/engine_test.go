package runner_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"sync"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// fakeEngine answers rows as a function says: it is here for what no real browser does on demand, a crash that another
// test caused.
type fakeEngine struct {
	answer func(row []string) steps.Observation
	start  time.Duration // how long a session takes to open

	mu     sync.Mutex
	opened int
	open   int
	closed int
}

func (e *fakeEngine) Open(ctx context.Context, _ steps.SessionOptions) (steps.Session, error) {
	select {
	case <-time.After(e.start):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.opened++
	e.open++
	return &fakeSession{e}, nil
}

func (e *fakeEngine) Close(context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed++
	return nil
}

type fakeSession struct{ e *fakeEngine }

func (s *fakeSession) Do(_ context.Context, a argv.Args, o steps.RowOptions) steps.Observation {
	if a.Command.Name() == "screenshot" {
		return picture(a, o.Files)
	}
	s.e.mu.Lock()
	defer s.e.mu.Unlock()
	return s.e.answer(a.Argv)
}

func (s *fakeSession) Read(context.Context, string, []any) (any, error) { return "", nil }

func (s *fakeSession) Signals(context.Context, steps.Mark) (steps.Signals, steps.Mark) {
	return steps.Signals{Faults: []steps.Fault{{Kind: "console", Text: "boom", Seq: 1}}}, steps.Mark{}
}

func (s *fakeSession) Mark() steps.Mark { return steps.Mark{} }

func (s *fakeSession) Seen(steps.Mark) steps.Signals { return steps.Signals{} }

func (s *fakeSession) Evidence(context.Context) steps.Evidence {
	return steps.Evidence{Snapshot: "- heading", URL: "http://x/", Console: []string{"error boom"}}
}

func (s *fakeSession) Close() {
	s.e.mu.Lock()
	defer s.e.mu.Unlock()
	s.e.open--
}

// picture writes a small PNG where a screenshot row wants it.
func picture(a argv.Args, files steps.Files) steps.Observation {
	_, name := a.Screenshot()
	tmp, commit, err := files.Reserve(name)
	if err != nil {
		return steps.Fail(steps.ArtifactBad, "", err.Error())
	}
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		return steps.Fail(steps.Internal, "", err.Error())
	}
	if err := os.WriteFile(tmp, b.Bytes(), 0o600); err != nil {
		return steps.Fail(steps.Internal, "", err.Error())
	}
	file, err := commit()
	if err != nil {
		return steps.Fail(steps.ArtifactBad, "", err.Error())
	}
	return steps.Observation{Success: true, Artifacts: []steps.Artifact{file}}
}
