// Package vault keeps what a run must not leave anywhere: the storage state of sessions. It lies outside the run folder,
// which CI uploads, in a folder that only its owner can read, and goes when the run ends. What a killed run left is removed
// by the next one.
package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	prefix   = "run-"
	lockName = "lock"
	// young is how old a folder without a lock must be to count as left behind: another run may just be making it.
	young = time.Minute
)

// Vault is the private store of one run. Its folder is made at first use.
type Vault struct {
	base string

	mu      sync.Mutex
	dir     string
	release func()
	closed  bool
}

// Open gives the vault of a run below base, and removes what runs left there that were killed. "" is a folder of the user
// among the temporary files of the system. What cannot be removed is the error; the vault can be used.
func Open(base string) (*Vault, error) {
	base = baseOf(base)
	return &Vault{base: base}, sweep(base)
}

func baseOf(base string) string {
	if base == "" {
		base = filepath.Join(os.TempDir(), fmt.Sprintf("checkrow-private-%d", os.Getuid()))
	}
	return base
}

// Put writes content to a new file and gives its absolute path. Only the owner can read it.
func (v *Vault) Put(name string, content []byte) (string, error) {
	dir, err := v.folder()
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "*-"+clean(name)) // 0600
	if err != nil {
		return "", fmt.Errorf("making a private file for %q: %w", name, err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("writing the private file %q: %w", name, err)
	}
	return f.Name(), nil
}

// clean makes a name of a file.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == '*' || r == os.PathSeparator || r < ' ' {
			return '-'
		}
		return r
	}, name)
}

// folder makes the run's folder at first use.
func (v *Vault) folder() (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return "", errors.New("the private store is closed")
	}
	if v.dir != "" {
		return v.dir, nil
	}
	if err := own(v.base); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(v.base, prefix+"*") // 0700
	if err != nil {
		return "", fmt.Errorf("making a private folder in %q: %w", v.base, err)
	}
	release, _, err := hold(filepath.Join(dir, lockName))
	if err != nil {
		_ = os.RemoveAll(dir)
		return "", err
	}
	v.dir, v.release = dir, release
	return dir, nil
}

// own makes the base folder and sees that nobody else can look into it.
func own(base string) error {
	if err := os.MkdirAll(base, 0o700); err != nil {
		return fmt.Errorf("making the private folder %q: %w", base, err)
	}
	info, err := os.Lstat(base)
	switch {
	case err != nil:
		return fmt.Errorf("looking at the private folder %q: %w", base, err)
	case !info.IsDir():
		return fmt.Errorf("the private folder %q is no folder", base)
	case !mine(info):
		return fmt.Errorf("the private folder %q belongs to somebody else", base)
	case info.Mode().Perm()&0o077 != 0:
		if err := os.Chmod(base, 0o700); err != nil {
			return fmt.Errorf("closing the private folder %q: %w", base, err)
		}
	}
	return nil
}

// Close removes the run's folder.
func (v *Vault) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = true
	if v.dir == "" {
		return nil
	}
	err := os.RemoveAll(v.dir)
	v.release()
	v.dir = ""
	_ = os.Remove(v.base) // only if it is empty
	if err != nil {
		return fmt.Errorf("removing the private folder: %w", err)
	}
	return nil
}

// sweep removes folders whose run is gone: their lock died with it.
func sweep(base string) error {
	list, err := os.ReadDir(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking for private files of killed runs in %q: %w", base, err)
	}
	var errs []error
	for _, e := range list {
		if stale(e) {
			errs = append(errs, os.RemoveAll(filepath.Join(base, e.Name())))
		}
		if !e.IsDir() || !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		info, err := e.Info()
		if err != nil || !mine(info) {
			continue
		}
		dir := filepath.Join(base, e.Name())
		if _, err := os.Lstat(filepath.Join(dir, lockName)); err != nil && time.Since(info.ModTime()) < young {
			continue
		}
		release, free, err := hold(filepath.Join(dir, lockName))
		if err != nil || !free {
			continue // its run lives
		}
		errs = append(errs, os.RemoveAll(dir))
		release()
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("removing private files of a killed run: %w", err)
	}
	return nil
}
