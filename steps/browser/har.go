package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// harFile is a HAR recording that runs. The driver writes it into our own folder: it hangs on a path that it cannot write.
type harFile struct {
	path    string
	content string // text, all or none
	files   *row   // the row that started it, whose folder gets it if no row stops it
}

// emptyHAR is what a recording of nothing is.
const emptyHAR = `{"log": {"version": "1.2", "creator": {"name": "checkrow", "version": "1"}, "pages": [], "entries": []}}`

func harStart(_ context.Context, s *session, r *row) (steps.Observation, error) {
	if h := s.extra.har; h != nil { // begins anew
		s.extra.har = nil
		if err := s.ctx.Tracing().StopHar(); err != nil {
			return steps.Observation{}, err
		}
		_ = os.Remove(h.path)
	}
	h := &harFile{content: "text", files: r}
	if v, ok := r.a.Flag("--content"); ok {
		h.content = v
	}
	path, err := s.scratch("har", ".har")
	if err != nil {
		return steps.Observation{}, err
	}
	h.path = path
	policy := playwright.HarContentPolicyEmbed
	if h.content == "none" {
		policy = playwright.HarContentPolicyOmit
	}
	if err := s.ctx.Tracing().StartHar(path, playwright.TracingStartHarOptions{Content: policy, Mode: playwright.HarModeFull}); err != nil {
		return steps.Observation{}, err
	}
	s.extra.har = h
	return steps.OK(map[string]any{"started": true}, "started"), nil
}

func harStop(_ context.Context, s *session, r *row) (steps.Observation, error) {
	name := r.op(0)
	if name == "" {
		name = "network.har"
	}
	return s.stopHAR(r, name)
}

// stopHAR ends the recording and saves it through the files of a row.
func (s *session) stopHAR(r *row, name string) (steps.Observation, error) {
	f, err := r.reserve(name, "har")
	if err != nil {
		return steps.Observation{}, err
	}
	h := s.extra.har
	s.extra.har = nil
	text, n := []byte(emptyHAR), 0
	if h == nil {
		r.warning("no HAR recording was open: the file is empty")
	} else {
		defer func() { _ = os.Remove(h.path) }()
		if err := s.ctx.Tracing().StopHar(); err != nil {
			f.drop()
			return steps.Observation{}, err
		}
		if text, n, err = h.read(); err != nil {
			f.drop()
			return steps.Observation{}, problem(steps.ArtifactBad, "har", "the recording cannot be read: "+firstLine(err))
		}
	}
	a, err := f.write(text)
	if err != nil {
		return steps.Observation{}, err
	}
	return saved(map[string]any{"path": f.path(), "requestCount": n}, "path", a), nil
}

// read checks what the driver wrote, drops bodies that are no text if only text was asked for, and counts the requests.
func (h *harFile) read() (text []byte, requests int, err error) {
	raw, err := os.ReadFile(h.path)
	if err != nil {
		return nil, 0, err
	}
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, 0, fmt.Errorf("decoding: %w", err)
	}
	log, _ := doc["log"].(map[string]any)
	entries, ok := log["entries"].([]any)
	if !ok {
		return nil, 0, fmt.Errorf("decoding: it has no list of entries")
	}
	if h.content != "text" {
		return raw, len(entries), nil
	}
	for _, e := range entries {
		item, _ := e.(map[string]any)
		response, _ := item["response"].(map[string]any)
		content, _ := response["content"].(map[string]any)
		if content["encoding"] == "base64" {
			delete(content, "encoding")
			delete(content, "text")
			content["comment"] = "no text: left out"
		}
	}
	text, err = json.MarshalIndent(doc, "", "  ")
	return text, len(entries), err
}

// scratch names a file in the private folder of the engine that is not there yet.
func (s *session) scratch(what, suffix string) (string, error) {
	dir, err := s.e.scratchDir()
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, what+"-*"+suffix)
	if err != nil {
		return "", problem(steps.ArtifactBad, "scratch", "there is no place for a temporary file: "+cause(err))
	}
	defer func() { _ = f.Close() }()
	return filepath.Clean(f.Name()), nil
}

// scratchDir gives the private folder of the engine.
func (e *Engine) scratchDir() (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.temp()
}
