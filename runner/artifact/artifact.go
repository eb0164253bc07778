// Package artifact keeps the files that rows write: each attempt owns a folder below the run folder, a destination is
// reserved before its row runs, and what was written is checked before it counts (DESIGN §8). All access goes through
// [os.Root], so that neither ".." nor a symbolic link leads out of the run folder.
package artifact

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/checkrow/checkrow/steps"
)

// Store is the run folder. It is safe for many goroutines.
type Store struct {
	root *os.Root
	dir  string
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
	return &Store{root: root, dir: abs}, nil
}

// Dir is the run folder, absolute.
func (s *Store) Dir() string { return s.dir }

// Close releases the folder.
func (s *Store) Close() error { return s.root.Close() }

// Folder is the folder of one attempt, or of a suite's setup or teardown. It is made when the first file is reserved.
type Folder struct {
	store *Store
	rel   string // with slashes, below the run folder

	mu    sync.Mutex
	owner map[string]string // destination, folded -> the step that wrote it
	saved []steps.Artifact
}

// Folder gives the folder at rel, a relative path with slashes.
func (s *Store) Folder(rel string) *Folder {
	return &Folder{store: s, rel: path.Clean(rel), owner: map[string]string{}}
}

// Path is the folder, absolute; it may not be there yet.
func (f *Folder) Path() string { return filepath.Join(f.store.dir, filepath.FromSlash(f.rel)) }

// Make creates the folder.
func (f *Folder) Make() error {
	if err := f.store.root.MkdirAll(filepath.FromSlash(f.rel), 0o700); err != nil {
		return fmt.Errorf("making folder %q: %w", f.rel, err)
	}
	return nil
}

// Saved lists what was committed, in order.
func (f *Folder) Saved() []steps.Artifact {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]steps.Artifact(nil), f.saved...)
}

// For gives the view of one step: sub is the subfolder of the loops and fragments around it, step its path. The same
// step may write a name again, when it is retried; another may not.
func (f *Folder) For(sub, step string) steps.Files { return &view{f, sub, step} }

type view struct {
	folder *Folder
	sub    string
	step   string
}

var _ steps.Files = (*view)(nil)

// errUsed marks a destination that another step wrote.
var errUsed = errors.New("another step of this attempt wrote it already")

// Reserve implements steps.Files.
func (v *view) Reserve(name string) (string, func() (steps.Artifact, error), error) {
	rel, err := v.place(name)
	if err != nil {
		return "", nil, err
	}
	s := v.folder.store
	if err := s.root.MkdirAll(filepath.FromSlash(path.Dir(rel)), 0o700); err != nil {
		return "", nil, fmt.Errorf("making the folder of %q: %w", name, cause(err))
	}
	if err := v.claim(rel); err != nil {
		return "", nil, fmt.Errorf("reserving %q: %w", name, err)
	}
	tmp, err := s.temp(rel)
	if err != nil {
		return "", nil, fmt.Errorf("reserving %q: %w", name, cause(err))
	}
	done := false
	commit := func() (steps.Artifact, error) {
		if done {
			return steps.Artifact{}, fmt.Errorf("saving %q: it was saved before", name)
		}
		done = true
		return v.commit(tmp, rel)
	}
	return filepath.Join(s.dir, filepath.FromSlash(tmp.name)), commit, nil
}

// place gives where name lands, relative to the run folder.
func (v *view) place(name string) (string, error) {
	if name == "" || strings.ContainsRune(name, 0) {
		return "", fmt.Errorf("reserving %q: it is no file name", name)
	}
	base := path.Join(v.folder.rel, v.sub)
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(v.folder.store.dir, name)
		if err != nil || !filepath.IsLocal(rel) {
			return "", fmt.Errorf("reserving %q: it is outside the run folder", name)
		}
		return filepath.ToSlash(rel), nil
	}
	rel := path.Join(base, filepath.ToSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(rel)) {
		return "", fmt.Errorf("reserving %q: it is outside the run folder", name)
	}
	return rel, nil
}

// claim takes a destination for the view's step. What is on disk decides too: a file system may fold case or Unicode,
// and a child process may have put a link there.
func (v *view) claim(rel string) error {
	key := strings.ToLower(rel)
	f := v.folder
	f.mu.Lock()
	defer f.mu.Unlock()
	owner, claimed := f.owner[key]
	if claimed && owner != v.step {
		return errUsed
	}
	info, err := f.store.root.Lstat(filepath.FromSlash(rel))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return cause(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("it is a symbolic link")
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return errors.New("it is no regular file")
	case !claimed:
		return errors.New("there is a file already that no row wrote")
	}
	f.owner[key] = v.step
	return nil
}

// temporary is a reserved file and its identity when it was empty.
type temporary struct {
	name string
	info fs.FileInfo
}

// temp makes an empty file beside rel that was not there before. It keeps the suffix, which tells writers the format.
func (s *Store) temp(rel string) (temporary, error) {
	for {
		var r [6]byte
		if _, err := rand.Read(r[:]); err != nil {
			return temporary{}, fmt.Errorf("choosing a name: %w", err)
		}
		name := path.Join(path.Dir(rel), ".tmp-"+hex.EncodeToString(r[:])+path.Ext(rel))
		file, err := s.root.OpenFile(filepath.FromSlash(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return temporary{}, err
		}
		info, err := file.Stat()
		return temporary{name, info}, errors.Join(err, file.Close())
	}
}

// commit checks what was written and moves it in place. A file that is not good is moved too, so that it can be looked
// at, unless there is none.
func (v *view) commit(tmp temporary, rel string) (steps.Artifact, error) {
	s := v.folder.store
	a, err := s.check(tmp, rel)
	if err == nil && a.State != steps.Missing {
		err = s.root.Rename(filepath.FromSlash(tmp.name), filepath.FromSlash(rel))
	} else {
		_ = s.root.Remove(filepath.FromSlash(tmp.name))
	}
	if err != nil {
		a.State, a.Error = steps.Invalid, cause(err).Error()
		return a, fmt.Errorf("saving %q: %w", rel, cause(err))
	}
	v.folder.mu.Lock()
	v.folder.saved = append(v.folder.saved, a)
	v.folder.mu.Unlock()
	if a.State == steps.Missing || a.State == steps.Stale || a.State == steps.Invalid {
		return a, fmt.Errorf("saving %q: %s", rel, a.Error)
	}
	return a, nil
}

// cause strips the path that the caller names already.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}
