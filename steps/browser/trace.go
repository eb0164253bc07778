package browser

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// traceFile is a trace that runs; files is the row that started it, nil if it is that of the whole attempt.
type traceFile struct{ files *row }

func traceStart(_ context.Context, s *session, r *row) (steps.Observation, error) {
	s.yieldTrace(r)
	if s.extra.trace != nil {
		return steps.Observation{}, problem(steps.Validation, "trace-open", "a trace is open already",
			next("stop-pending-trace", "end it first", "trace", "stop", "first.zip"))
	}
	if err := s.startTracing(); err != nil {
		return steps.Observation{}, err
	}
	s.extra.trace = &traceFile{files: r}
	return steps.OK(map[string]any{"started": true}, "started"), nil
}

func traceStop(_ context.Context, s *session, r *row) (steps.Observation, error) {
	name := r.op(0)
	if name == "" {
		name = "trace.zip"
	}
	return s.stopTrace(r, name)
}

// stopTrace ends the trace and saves it through the files of a row.
func (s *session) stopTrace(r *row, name string) (steps.Observation, error) {
	if s.extra.trace == nil || s.extra.trace.files == nil {
		return steps.Observation{}, problem(steps.Validation, "no-trace", "no trace is open", next("start-trace", "begin one", "trace", "start"))
	}
	f, err := r.reserve(name, "trace")
	if err != nil {
		return steps.Observation{}, err
	}
	path, err := s.endTrace()
	if err != nil {
		f.drop()
		return steps.Observation{}, err
	}
	defer func() { _ = os.Remove(path) }()
	n, err := traceEvents(path)
	if err != nil {
		f.drop()
		return steps.Observation{}, problem(steps.ArtifactBad, "trace", "the trace cannot be read: "+firstLine(err))
	}
	a, err := f.take(path)
	if err != nil {
		return steps.Observation{}, err
	}
	return saved(map[string]any{"path": f.path(), "eventCount": n}, "path", a), nil
}

// traceEvents counts the events of a trace and checks its archive on the way.
func traceEvents(path string) (n int, err error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = z.Close() }()
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			return n, err
		}
		lines, err := countLines(in)
		_ = in.Close()
		if err != nil {
			return n, fmt.Errorf("reading %q: %w", f.Name, err)
		}
		if strings.HasSuffix(f.Name, ".trace") || strings.HasSuffix(f.Name, ".network") {
			n += lines
		}
	}
	return n, nil
}

// countLines reads to the end, where the archive compares its checksum.
func countLines(in io.Reader) (n int, err error) {
	buf := make([]byte, 64<<10)
	for {
		k, err := in.Read(buf)
		n += bytes.Count(buf[:k], []byte("\n"))
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// grouped makes a handler a group of the trace that runs. Most rows go around the driver's own actions, so the group is
// what shows them. Its name holds the target and no text, which may be a secret.
func (s *session) grouped(h handler) handler {
	return func(ctx context.Context, s *session, r *row) (steps.Observation, error) {
		name := r.a.Command.Name()
		if t := r.a.Target(0); t.Source != "" {
			name += " " + t.Source
		}
		if name == "trace stop" || s.ctx.Tracing().Group(name) != nil {
			return h(ctx, s, r)
		}
		o, err := h(ctx, s, r)
		s.showInTrace(ctx, r)
		if s.fate(nil) == nil && s.talk.current() == nil {
			_ = s.ctx.Tracing().GroupEnd()
		}
		return o, err
	}
}

// profileFile is a profile that runs.
type profileFile struct{ files *row }

func profilerStart(_ context.Context, s *session, r *row) (steps.Observation, error) {
	if s.extra.profile != nil {
		return steps.Observation{}, problem(steps.Validation, "profile-open", "a profile is open already",
			next("stop-pending-profile", "end it first", "profiler", "stop", "first.json"))
	}
	o := playwright.BrowserStartTracingOptions{Page: s.page(), Screenshots: playwright.Bool(false)}
	if v, ok := r.a.Flag("--categories"); ok {
		o.Categories = strings.Split(v, ",")
	}
	if err := s.chr.b.StartTracing(o); err != nil {
		if strings.Contains(err.Error(), "already") || strings.Contains(err.Error(), "Cannot start recording trace") {
			return steps.Observation{}, problem(steps.Environment, "profile-busy",
				"another test profiles this browser: give both the same lock")
		}
		return steps.Observation{}, err
	}
	s.extra.profile = &profileFile{files: r}
	return steps.OK(map[string]any{"started": true}, "started"), nil
}

func profilerStop(_ context.Context, s *session, r *row) (steps.Observation, error) {
	name := r.op(0)
	if name == "" {
		name = "profile.json"
	}
	return s.stopProfile(r, name)
}

// stopProfile ends the profile and saves it through the files of a row.
func (s *session) stopProfile(r *row, name string) (steps.Observation, error) {
	if s.extra.profile == nil {
		return steps.Observation{}, problem(steps.Validation, "no-profile", "no profile is open", next("start-profile", "begin one", "profiler", "start"))
	}
	f, err := r.reserve(name, "profile")
	if err != nil {
		return steps.Observation{}, err
	}
	s.extra.profile = nil
	content, err := s.chr.b.StopTracing()
	if err != nil {
		f.drop()
		return steps.Observation{}, err
	}
	var doc struct {
		Events []json.RawMessage `json:"traceEvents"`
	}
	if err := json.Unmarshal(content, &doc); err != nil {
		f.drop()
		return steps.Observation{}, problem(steps.ArtifactBad, "profile", fmt.Sprintf("the profile cannot be read: %s", err))
	}
	a, err := f.write(content)
	if err != nil {
		return steps.Observation{}, err
	}
	return saved(map[string]any{"path": f.path(), "eventCount": len(doc.Events)}, "path", a), nil
}
