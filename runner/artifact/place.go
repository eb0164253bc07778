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
	"time"
)

// place is where a file goes: a name below a root that nothing leads out of.
type place struct {
	root *os.Root
	dir  string // of the root, absolute
	rel  string // with slashes, below the root
	show string // as reports name it: relative to the run folder, or absolute
	out  bool   // outside the run folder
}

// abs is a name below the root as an absolute path.
func (p place) abs(rel string) string { return filepath.Join(p.dir, filepath.FromSlash(rel)) }

// place finds where name lands.
func (v *view) place(name string) (place, error) {
	s := v.folder.store
	if name == "" || strings.ContainsRune(name, 0) {
		return place{}, errors.New("it is no file name")
	}
	if filepath.IsAbs(name) {
		clean := filepath.Clean(name)
		rel, err := filepath.Rel(s.dir, clean)
		switch {
		case err == nil && filepath.IsLocal(rel):
			if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, v.folder.rel+"/") {
				return place{}, errors.New("it is in the run folder, but not in the folder of this attempt")
			}
			return place{root: s.root, dir: s.dir, rel: rel, show: rel}, nil
		case !v.folder.outside:
			return place{}, errOutside
		}
		return s.beyond(clean)
	}
	rel := path.Join(v.folder.rel, v.sub, filepath.ToSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(rel)) {
		return place{}, errOutside
	}
	if !strings.HasPrefix(rel, v.folder.rel+"/") {
		return place{}, errors.New("it is outside the folder of this attempt")
	}
	return place{root: s.root, dir: s.dir, rel: rel, show: rel}, nil
}

// errOutside marks a destination that no row may write to.
var errOutside = errors.New("it is outside the run folder, where files go only if the suite says artifacts: { allow_outside: true }")

// beyond is a place outside the run folder: its folder is the root, so that what a link in the last part of the name points
// at is not written to.
func (s *Store) beyond(abs string) (place, error) {
	dir := filepath.Dir(abs)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return place{}, fmt.Errorf("making its folder: %w", cause(err))
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return place{}, fmt.Errorf("finding its folder: %w", cause(err))
	}
	if rel, err := filepath.Rel(s.real, real); err == nil && filepath.IsLocal(rel) {
		return place{}, errors.New("a symbolic link leads back into the run folder")
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return place{}, fmt.Errorf("opening its folder: %w", cause(err))
	}
	return place{root: root, dir: real, rel: filepath.Base(abs), show: filepath.ToSlash(filepath.Join(real, filepath.Base(abs))), out: true}, nil
}

// done releases what the place holds open.
func (p place) done() {
	if p.out {
		_ = p.root.Close()
	}
}

// occupied tells what stands in the way at the destination. claimed says that this step wrote there before. What an
// earlier run left outside the run folder is replaced.
func (p place) occupied(claimed bool) (fs.FileInfo, error) {
	info, err := p.root.Lstat(filepath.FromSlash(p.rel))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, cause(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errors.New("it is a symbolic link")
	case info.IsDir():
		return nil, errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	case links(info) > 1:
		return nil, errors.New("it has a second name: it is a hard link")
	case !claimed && !p.out:
		return nil, errForeign
	}
	return info, nil
}

var errForeign = errors.New("there is a file already that no row wrote")

// holdPrefix and tempPrefix begin the names of our own files beside a destination. They are gone when their attempt ends.
const (
	holdPrefix = ".hold-"
	tempPrefix = ".tmp-"
)

// Ours tells a file that the store makes for itself; one is left only by a run that was killed.
func Ours(name string) bool {
	base := path.Base(filepath.ToSlash(name))
	return strings.HasPrefix(base, holdPrefix) || strings.HasPrefix(base, tempPrefix)
}

// hold makes an empty file that stands for the destination until the attempt ends. It must not be there yet: the file system
// itself says so whether two names are one for it, by case, Unicode form or a link in a folder's place.
func (p place) hold() (release func(), err error) {
	name := filepath.FromSlash(path.Join(path.Dir(p.rel), holdPrefix+path.Base(p.rel)))
	file, err := p.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, errUsed
	}
	if err != nil {
		return nil, cause(err)
	}
	root := p.root
	return func() { _ = root.Remove(name) }, file.Close()
}

// temporary is a reserved file and its identity when it was empty.
type temporary struct {
	name   string
	info   fs.FileInfo
	before fs.FileInfo // of what lay at the destination; nil: nothing
	at     time.Time   // when that was
}

// oldest is when a file that was written since then was changed at the earliest. The times of files are those of the wall
// clock: if somebody has set it back meanwhile, so are they.
func (t temporary) oldest(now time.Time) time.Time {
	moved := now.Round(0).Sub(t.at.Round(0)) - now.Sub(t.at)
	return t.info.ModTime().Add(min(0, moved))
}

// temp makes an empty file beside the destination that was not there before. It keeps the suffix, which tells writers the
// format.
func (p place) temp() (temporary, error) {
	for {
		var r [6]byte
		if _, err := rand.Read(r[:]); err != nil {
			return temporary{}, fmt.Errorf("choosing a name: %w", err)
		}
		name := path.Join(path.Dir(p.rel), tempPrefix+hex.EncodeToString(r[:])+path.Ext(p.rel))
		file, err := p.root.OpenFile(filepath.FromSlash(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return temporary{}, err
		}
		info, err := file.Stat()
		return temporary{name: name, info: info, at: time.Now()}, errors.Join(err, file.Close())
	}
}
