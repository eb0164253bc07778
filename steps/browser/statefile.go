package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

func stateSave(_ context.Context, s *session, r *row) (steps.Observation, error) {
	f, err := r.reserve(r.op(0), "state")
	if err != nil {
		return steps.Observation{}, err
	}
	state, err := s.ctx.StorageState()
	if err != nil {
		f.drop()
		return steps.Observation{}, err
	}
	text, err := json.MarshalIndent(map[string]any{"cookies": cookieList(state.Cookies), "origins": originList(state.Origins)}, "", "  ")
	if err != nil {
		f.drop()
		return steps.Observation{}, fmt.Errorf("encoding the state: %w", err)
	}
	a, err := f.write(append(text, '\n'))
	if err != nil {
		return steps.Observation{}, err
	}
	return saved(map[string]any{"path": f.path(), "saved": true}, "path", a), nil
}

// cookieList and originList spell a state without the empty fields that the driver refuses when it reads them back.
func cookieList(list []playwright.Cookie) []any {
	out := make([]any, len(list))
	for i, c := range list {
		m := map[string]any{"name": c.Name, "value": c.Value, "domain": c.Domain, "path": c.Path, "expires": c.Expires,
			"httpOnly": c.HttpOnly, "secure": c.Secure}
		if c.SameSite != nil {
			m["sameSite"] = *c.SameSite
		}
		if c.PartitionKey != nil {
			m["partitionKey"] = *c.PartitionKey
		}
		out[i] = m
	}
	return out
}

func originList(list []playwright.Origin) []any {
	out := make([]any, len(list))
	for i, o := range list {
		entries := make([]any, len(o.LocalStorage))
		for j, e := range o.LocalStorage {
			entries[j] = map[string]any{"name": e.Name, "value": e.Value}
		}
		out[i] = map[string]any{"origin": o.Origin, "localStorage": entries}
	}
	return out
}

// readState reads a saved state: cookies and origins.
func readState(r *row) (path string, state map[string]any, err error) {
	path = r.input(r.op(0))
	text, err := readText(path, r.op(0))
	if err != nil {
		return path, nil, err
	}
	if err := json.Unmarshal([]byte(text), &state); err != nil || state == nil {
		return path, nil, problem(steps.Validation, "no-state", fmt.Sprintf("%q is no saved state: it holds no JSON object", r.op(0)))
	}
	for _, key := range []string{"cookies", "origins"} {
		if _, ok := state[key].([]any); !ok {
			return path, nil, problem(steps.Validation, "no-state", fmt.Sprintf("%q is no saved state: it has no list %q", r.op(0), key))
		}
	}
	return path, state, nil
}

func stateLoad(_ context.Context, s *session, r *row) (steps.Observation, error) {
	path, _, err := readState(r)
	if err != nil {
		return steps.Observation{}, err
	}
	r.sent()
	err = s.ctx.SetStorageState(path)
	return steps.OK(map[string]any{"path": path, "loaded": true, "skippedOrigins": []any{}}, "path"), err
}

func stateShow(_ context.Context, _ *session, r *row) (steps.Observation, error) {
	path, state, err := readState(r)
	if err != nil {
		return steps.Observation{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return steps.Observation{}, problem(steps.Validation, "no-file", fmt.Sprintf("%q cannot be read: %s", r.op(0), cause(err)))
	}
	cookies, origins := state["cookies"].([]any), state["origins"].([]any) // readState has checked both
	return steps.OK(map[string]any{"path": path, "filename": filepath.Base(path), "state": plain(state), "size": int(info.Size()),
		"summary":  fmt.Sprintf("%d cookies, %d origins", len(cookies), len(origins)),
		"modified": info.ModTime().UTC().Format(time.RFC3339), "encrypted": false}, "state"), nil
}
