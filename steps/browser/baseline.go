package browser

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// baseline is a file that expect rows compare the page with. It lies beside the file that says the row, and is reached
// through a root there, so that no link leads out of the folder.
type baseline struct {
	r    *row
	name string // relative to the folder, with slashes
	out  bool   // it lies elsewhere: it is only read
}

// missingBaseline tells that there is no such file yet.
var errMissingBaseline = errors.New("there is no baseline")

// beside names a baseline by its path from the file that says the row.
func (r *row) beside(name string) *baseline {
	return &baseline{r: r, name: filepath.ToSlash(name), out: !filepath.IsLocal(filepath.FromSlash(name))}
}

// read gives the content; a missing file is errMissingBaseline.
func (b *baseline) read() ([]byte, error) {
	content, err := b.load()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errMissingBaseline
	case err != nil:
		return nil, problem(steps.Validation, "baseline", fmt.Sprintf("the baseline %q cannot be read: %s", b.name, cause(err)))
	}
	return content, nil
}

func (b *baseline) load() ([]byte, error) {
	if b.out {
		return os.ReadFile(b.r.input(b.name))
	}
	root, err := os.OpenRoot(b.r.o.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return root.ReadFile(b.name)
}

// write puts a new content in place, whole or not at all.
func (b *baseline) write(content []byte) error {
	err := b.store(content)
	if err != nil {
		return problem(steps.ArtifactBad, "baseline", fmt.Sprintf("the baseline %q cannot be written: %s", b.name, cause(err)))
	}
	return nil
}

func (b *baseline) store(content []byte) error {
	if b.out {
		return errors.New("it lies outside the folder of the file that says the row")
	}
	root, err := os.OpenRoot(b.r.o.Dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if dir := path.Dir(b.name); dir != "." {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	tmp := path.Join(path.Dir(b.name), fmt.Sprintf(".%s.%d", path.Base(b.name), time.Now().UnixNano()))
	if err := root.WriteFile(tmp, content, 0o644); err != nil {
		return err
	}
	if err := root.Rename(tmp, b.name); err != nil {
		_ = root.Remove(tmp)
		return err
	}
	return nil
}

// absent is the failure of a row whose baseline is not there and must not be written.
func (b *baseline) absent() error {
	hint := "run it once where CI is not set, look at what was written, and commit it"
	text := fmt.Sprintf("there is no baseline %q to compare with", b.name)
	if b.r.a.Has("--not") {
		text, hint = text+", and --not writes none", "run it once without --not"
	}
	f := problem(steps.Assertion, "no-baseline", text)
	f.obs.NextActions = []steps.NextAction{{ID: "write", Reason: hint}}
	return f
}

// writable tells that a missing baseline is written.
func (r *row) writable() bool { return r.o.Baselines != steps.BaselinesKept && !r.a.Has("--not") }

// written tells of a baseline that the row made, which is then its outcome: it passes, with a warning.
func (b *baseline) written(content []byte, why string) error {
	if err := b.write(content); err != nil {
		return err
	}
	b.r.warning(fmt.Sprintf("the baseline %q %s: look at it and commit it", b.name, why))
	return nil
}

const (
	wasMissing   = "was missing and has been written"
	wasDifferent = "was different and has been rewritten"
)

// rest is how long what the page shows must stay the same before it becomes a baseline.
const rest = 500 * time.Millisecond

// settled looks until the page shows the same for a while and no request is under way, or the row's time is over: then
// what it showed last is taken, with a warning.
func settled[T comparable](ctx context.Context, s *session, r *row, look func(context.Context) (T, error)) (T, error) {
	var last T
	since, seen := time.Now(), false
	for {
		got, err := look(ctx)
		switch {
		case err != nil && (!transient(err) || s.fate(err) != nil):
			return got, err
		case err == nil && (!seen || got != last):
			last, seen, since = got, true, time.Now()
		case err == nil && time.Since(since) >= rest && s.rings.quietFor() > 0:
			return last, nil
		}
		if !r.pause(ctx, 2*pollEach) {
			if ctx.Err() != nil {
				return last, context.Cause(ctx)
			}
			if !seen {
				return last, err
			}
			r.warning("the page had not come to rest when its baseline was taken")
			return last, nil
		}
	}
}
