// Package artifact keeps the files that rows write: each attempt owns a folder below the run folder, a destination is
// reserved before its row runs, and what was written is checked before it counts (DESIGN §8). All access goes through
// [os.Root], so that neither ".." nor a symbolic link leads out of the run folder.
//
// It is no boundary against the processes of the suite: an exec step runs as the same user and can rewrite everything.
package artifact

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// Store is the run folder. It is safe for many goroutines.
type Store struct {
	root *os.Root
	dir  string
	real string // dir without symbolic links

	// Scrub hides secrets in the content of a file before it is looked at; nil: nothing is hidden. Every file that a row, a
	// step or the evidence of a failure writes passes it once, see [Scrub]. It is set before the store is used.
	Scrub Scrub
	// Bare is the gate of files that a step wants as they were got, see [Folder.Bare]; nil: it is Scrub.
	Bare Scrub

	// Secret tells a name that holds a secret: nothing could hide it in the name of a file. nil: none does. It is set before
	// the store is used.
	Secret func(name string) bool

	spent   atomic.Int64 // nanoseconds of checking
	mu      sync.Mutex
	outside map[string]string // destination outside, as the system knows it -> who wrote it
}

// Open gives the store of a run folder, which exists.
func Open(dir string) (*Store, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("placing run folder %q: %w", dir, err)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("opening run folder %q: %w", dir, err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		real = abs
	}
	return &Store{root: root, dir: abs, real: real, outside: map[string]string{}}, nil
}

// Dir is the run folder, absolute.
func (s *Store) Dir() string { return s.dir }

// Spent is the time that went into checking and hashing files so far.
func (s *Store) Spent() time.Duration { return time.Duration(s.spent.Load()) }

// Close releases the folder.
func (s *Store) Close() error { return s.root.Close() }

// Folder is the folder of one attempt, or of a suite's setup or teardown. It is made when the first file is reserved.
type Folder struct {
	store   *Store
	rel     string // with slashes, below the run folder
	outside bool

	mu    sync.Mutex
	owner map[string]string // destination, folded -> the step that wrote it
	saved []steps.Artifact
	holds map[string]func() // of destinations where nothing lies yet
}

// Folder gives the folder at rel, a relative path with slashes. outside lets rows of it write to absolute paths outside the
// run folder.
func (s *Store) Folder(rel string, outside bool) *Folder {
	return &Folder{store: s, rel: path.Clean(rel), outside: outside, owner: map[string]string{}, holds: map[string]func(){}}
}

// Path is the folder, absolute; it may not be there yet.
func (f *Folder) Path() string { return filepath.Join(f.store.dir, filepath.FromSlash(f.rel)) }

// Make creates the folder.
func (f *Folder) Make() error {
	if err := f.store.root.MkdirAll(filepath.FromSlash(f.rel), 0o700); err != nil {
		return &refused{fmt.Errorf("making folder %q: %w", f.rel, cause(err))}
	}
	return nil
}

// refused is what the system did not let be written: a full disk, a folder that is gone or read-only.
type refused struct{ err error }

// Error implements error.
func (e *refused) Error() string { return e.err.Error() }

// Unwrap gives the cause.
func (e *refused) Unwrap() error { return e.err }

// Observation implements steps.Observed.
func (e *refused) Observation() steps.Observation {
	return steps.Fail(steps.ArtifactBad, "artifact-missing", e.Error())
}

// Saved lists what was committed, in order; what a step wrote again is there once.
func (f *Folder) Saved() []steps.Artifact {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]steps.Artifact(nil), f.saved...)
}

// Close gives the destinations up, when the attempt has ended. What was committed stays.
func (f *Folder) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, release := range f.holds {
		release()
	}
	clear(f.holds)
}

// For gives the view of one step: sub is the subfolder of the loops and fragments around it, step its path. The same
// step may write a name again, when it is retried; another may not.
func (f *Folder) For(sub, step string) steps.Files { return &view{folder: f, sub: sub, step: step} }

// Bare is For of a step whose files keep what only looks like a credential.
func (f *Folder) Bare(sub, step string) steps.Files {
	return &view{folder: f, sub: sub, step: step, bare: true}
}

type view struct {
	folder *Folder
	sub    string
	step   string
	bare   bool
}

var _ steps.Files = (*view)(nil)

// errUsed marks a destination that another step wrote.
var errUsed = errors.New("another step of this attempt wrote it already")

// Reserve implements steps.Files.
func (v *view) Reserve(name string) (string, func() (steps.Artifact, error), error) {
	fail := func(err error) (string, func() (steps.Artifact, error), error) {
		return "", nil, fmt.Errorf("reserving %q: %w", name, err)
	}
	if secret := v.folder.store.Secret; secret != nil && secret(name) {
		return "", nil, errors.New("reserving a file: its name holds a secret, which nothing can hide there")
	}
	p, err := v.place(name)
	if err != nil {
		return fail(err)
	}
	if !p.out {
		if err := p.root.MkdirAll(filepath.FromSlash(path.Dir(p.rel)), 0o700); err != nil {
			return fail(fmt.Errorf("making its folder: %w", cause(err)))
		}
	}
	before, err := v.claim(p)
	if err != nil {
		p.done()
		return fail(err)
	}
	tmp, err := p.temp()
	if err != nil {
		p.done()
		return fail(cause(err))
	}
	if before {
		tmp.before, _ = p.root.Lstat(filepath.FromSlash(p.rel))
	}
	done := false
	commit := func() (steps.Artifact, error) {
		if done {
			return steps.Artifact{}, fmt.Errorf("saving %q: it was saved before", name)
		}
		done = true
		defer p.done()
		return v.commit(p, tmp)
	}
	return p.abs(tmp.name), commit, nil
}

// claim takes a destination for the view's step, and tells whether something lies there that it may replace.
func (v *view) claim(p place) (before bool, err error) {
	f := v.folder
	f.mu.Lock()
	defer f.mu.Unlock()
	claimed, err := f.owned(p, v.step)
	if err != nil {
		return false, err
	}
	if !claimed && p.out {
		if err := f.store.claimOutside(p, path.Dir(f.rel)+" "+v.sub+" "+v.step); err != nil {
			return false, err
		}
	}
	info, err := p.occupied(claimed)
	if errors.Is(err, errForeign) && f.wrote(p) {
		err = errUsed
	}
	if err != nil {
		return false, err
	}
	if !claimed {
		if !p.out {
			release, err := p.hold()
			if err != nil {
				return false, err
			}
			f.holds[p.show] = release
		}
		f.owner[p.show] = v.step
	}
	return info != nil, nil
}

// owned tells that the step has the destination; another that has it, under whatever case, is an error.
func (f *Folder) owned(p place, step string) (bool, error) {
	if owner, known := f.owner[p.show]; known {
		if owner != step {
			return false, errUsed
		}
		return true, nil
	}
	for other := range f.owner {
		if strings.EqualFold(other, p.show) {
			return false, errUsed
		}
	}
	return false, nil
}

// wrote tells that what lies at a destination is a file of this folder under another name.
func (f *Folder) wrote(p place) bool {
	info, err := p.root.Lstat(filepath.FromSlash(p.rel))
	if err != nil {
		return false
	}
	for _, a := range f.saved {
		other, err := f.store.root.Lstat(filepath.FromSlash(a.Path))
		if err == nil && os.SameFile(info, other) {
			return true
		}
	}
	return false
}

// claimOutside takes a destination outside the run folder for a step of a test, whatever the attempt: tests share it.
func (s *Store) claimOutside(p place, by string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine, err := p.root.Lstat(p.rel)
	for other, owner := range s.outside {
		if owner == by {
			continue
		}
		theirs, terr := os.Lstat(filepath.FromSlash(other))
		if strings.EqualFold(other, p.show) || err == nil && terr == nil && os.SameFile(mine, theirs) {
			return errors.New("another test writes it already")
		}
	}
	s.outside[p.show] = by
	return nil
}

// commit checks what was written and moves it in place. A file that is not good is moved too, so that it can be looked
// at, unless there is none.
func (v *view) commit(p place, tmp temporary) (steps.Artifact, error) {
	defer func(since time.Time) { v.folder.store.spent.Add(int64(time.Since(since))) }(time.Now())
	hidden, err := v.folder.store.scrub(p, tmp, v.bare)
	a := steps.Artifact{Path: p.show, Kind: kindOf(p.show)}
	if err == nil {
		a, err = p.check(tmp)
		a.Redacted = hidden
	}
	if err == nil && a.State != steps.Missing && a.State != steps.Stale {
		err = p.root.Rename(filepath.FromSlash(tmp.name), filepath.FromSlash(p.rel))
	} else {
		_ = p.root.Remove(filepath.FromSlash(tmp.name))
	}
	if err != nil {
		a.State, a.Error = steps.Invalid, cause(err).Error()
		if _, refused := errors.AsType[syscall.Errno](err); refused { // it is not there
			a.State = steps.Missing
			v.folder.keep(a)
		}
		return a, fmt.Errorf("saving %q: %w", p.show, cause(err))
	}
	v.folder.keep(a)
	if a.State == steps.Missing || a.State == steps.Stale || a.State == steps.Invalid {
		return a, fmt.Errorf("saving %q: %s", p.show, a.Error)
	}
	return a, nil
}

// keep lists a file, in the place of what was known of it.
func (f *Folder) keep(a steps.Artifact) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if release := f.holds[a.Path]; release != nil && a.State != steps.Missing { // the file itself says that the name is taken
		release()
		delete(f.holds, a.Path)
	}
	if i := slices.IndexFunc(f.saved, func(x steps.Artifact) bool { return x.Path == a.Path }); i >= 0 {
		f.saved[i] = a
		return
	}
	f.saved = append(f.saved, a)
}
