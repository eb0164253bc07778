package browser

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/checkrow/checkrow/steps"
)

// file is a destination that a row has reserved in the attempt's folder.
type file struct {
	name, kind string
	tmp        string
	commit     func() (steps.Artifact, error)
}

// reserve takes a destination; nobody else writes there in this attempt.
func (r *row) reserve(name, kind string) (*file, error) {
	if r.o.Files == nil {
		return nil, problem(steps.ArtifactBad, "no-folder", "there is no folder to write files to")
	}
	tmp, commit, err := r.o.Files.Reserve(name)
	if err != nil {
		return nil, unreserved(err)
	}
	return &file{name: name, kind: kind, tmp: tmp, commit: commit}, nil
}

// path is where the file lies once it is committed.
func (f *file) path() string {
	p := filepath.Join(filepath.Dir(f.tmp), filepath.Base(f.name))
	if abs, err := filepath.Abs(p); err == nil {
		return abs
	}
	return p
}

// drop gives the destination up.
func (f *file) drop() { _ = os.Remove(f.tmp) }

// write fills the file and commits it.
func (f *file) write(content []byte) (steps.Artifact, error) {
	if err := os.WriteFile(f.tmp, content, 0o600); err != nil {
		f.drop()
		return steps.Artifact{}, problem(steps.ArtifactBad, subMissing, fmt.Sprintf("%q cannot be written: %s", f.name, cause(err)))
	}
	return f.done()
}

// take copies a file that the driver or an encoder wrote in its own folder, and commits it. Neither is told our path: the
// driver hangs on one that it cannot write.
func (f *file) take(from string) (steps.Artifact, error) {
	if err := copyFile(from, f.tmp); err != nil {
		f.drop()
		return steps.Artifact{}, problem(steps.ArtifactBad, subMissing, fmt.Sprintf("%q cannot be written: %s", f.name, cause(err)))
	}
	return f.done()
}

func (f *file) done() (steps.Artifact, error) {
	a, err := f.commit()
	a.Kind = f.kind
	if err != nil {
		return a, badFile(a, err)
	}
	return a, nil
}

// unreserved says why a file has no place: what the system refuses, a full disk or a folder that is gone or read-only, is a
// file that is missing.
func unreserved(err error) error {
	sub := "reserve"
	if _, refused := errors.AsType[syscall.Errno](err); refused {
		sub = subMissing
	}
	return problem(steps.ArtifactBad, sub, firstLine(err))
}

// subMissing marks an artifact that is not there, because the system did not let it be written or nothing was.
const subMissing = "artifact-missing"

// badFile says of a file what is wrong with it: it is missing, stale or invalid.
func badFile(a steps.Artifact, err error) error {
	sub := "artifact-invalid"
	if a.State == steps.Missing || a.State == steps.Stale {
		sub = "artifact-" + string(a.State)
	}
	return problem(steps.ArtifactBad, sub, firstLine(err))
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, in); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}

// saved is the answer of a row that wrote a file.
func saved(data map[string]any, value string, a steps.Artifact) steps.Observation {
	o := steps.OK(data, value)
	o.Artifacts = []steps.Artifact{a}
	return o
}

// pendingFile is the artifact of a file that a later row will finish.
func (f *file) pending() steps.Artifact {
	return steps.Artifact{Path: f.name, Kind: f.kind, State: steps.Pending}
}

// input gives the path of a file that a row reads: it resolves against the file that says the row.
func (r *row) input(name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.o.Dir, name)
	}
	if r.o.Original != nil {
		return r.o.Original(name)
	}
	return name
}

// conceal gives the row with some of its cells masked: values that may be secrets and that no report needs.
func conceal(r *row, values ...string) []string {
	out := slices.Clone(r.a.Argv)
	for _, v := range values {
		for i := len(out) - 1; i > 0 && v != ""; i-- {
			if out[i] == v {
				out[i] = masked
				break
			}
		}
	}
	return out
}
