package cli

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
)

// Names in the folder that holds runs, below the current folder.
const (
	stateDir = ".checkrow"
	runsDir  = "runs"
	lastName = "last"
)

// runFolder is where one run writes.
type runFolder struct {
	ID   string
	Path string // absolute
}

// newRunID is the UTC time and six random digits: sorted by name is sorted by time, and two runs of one second differ.
func newRunID(now time.Time) (string, error) {
	var b [3]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("making a run id: %w", err)
	}
	return now.UTC().Format("20060102T150405Z") + "-" + hex.EncodeToString(b[:]), nil
}

// makeRunFolder makes the folder of a run, closed to other users: output if it is given, else a new one under
// .checkrow/runs, to which .checkrow/last then points.
func (a *app) makeRunFolder(output string) (runFolder, error) {
	id, err := newRunID(a.Now())
	if err != nil {
		return runFolder{}, err
	}
	if output != "" {
		r := runFolder{ID: id, Path: a.abs(output)}
		return r, takeOutput(r.Path, output)
	}
	state := filepath.Join(a.Dir, stateDir)
	r := runFolder{ID: id, Path: filepath.Join(state, runsDir, id)}
	if err := os.MkdirAll(r.Path, 0o700); err != nil {
		return r, environment(fmt.Errorf("making the run folder: %w", err))
	}
	// The folder holds what runs leave and nothing of the project: no one has to remember to ignore it.
	ignore := filepath.Join(state, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o600); err != nil {
			return r, environment(fmt.Errorf("making the run folder: %w", err))
		}
	}
	if err := pointLast(state, id); err != nil {
		// last is a hint for people and scripts; the run does not depend on it.
		a.warnf("%s/%s does not point to this run: %v", stateDir, lastName, err)
	}
	return r, nil
}

// takeOutput makes the folder that --output names. What an earlier run left there is removed, so that its reports cannot
// be taken for this run's; a folder with anything else in it is refused.
func takeOutput(dir, given string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return environment(fmt.Errorf("making the run folder: %w", err))
		}
		return nil
	case err != nil:
		return environment(fmt.Errorf("making the run folder: %w", err))
	}
	if len(entries) > 0 && !isRun(dir) {
		return usagef("--output %q is not empty and holds no run: name an empty or a new folder", given)
	}
	if journal.Busy(dir) {
		return usagef("--output %q is the folder of a run that goes on: name another one", given)
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return environment(fmt.Errorf("removing the last run from the run folder: %w", err))
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return environment(fmt.Errorf("closing the run folder to others: %w", err))
	}
	return nil
}

// isRun tells that a folder is one of a run: it has a journal, or the mark of a run that ended before it had one.
func isRun(dir string) bool {
	for _, name := range []string{journal.FileName, pendingName} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// pendingName marks a run folder until its journal exists.
const pendingName = "run.pending"

// mark writes the pending mark; unmark removes it once the journal says more.
func (r runFolder) mark() error {
	if err := os.WriteFile(filepath.Join(r.Path, pendingName), []byte(r.ID+"\n"), 0o600); err != nil {
		return environment(fmt.Errorf("writing to the run folder: %w", err))
	}
	return nil
}

func (r runFolder) unmark() { _ = os.Remove(filepath.Join(r.Path, pendingName)) }

// pointLast makes .checkrow/last name a run, in one step, so that a reader never sees it missing.
func pointLast(state, id string) error {
	tmp := filepath.Join(state, "."+lastName+"-"+id)
	target := filepath.Join(runsDir, id)
	if err := os.Symlink(target, tmp); err != nil {
		// Where links need a privilege, a file with the path does as well.
		if err := os.WriteFile(tmp, []byte(target+"\n"), 0o600); err != nil {
			return err
		}
	}
	if err := os.Rename(tmp, filepath.Join(state, lastName)); err != nil {
		_ = os.Remove(tmp)
		return err
	}
	return nil
}

// findRun gives the folder of a run: "last" or nothing is the newest one, anything else a folder or a run id.
func (a *app) findRun(name string) (string, error) {
	state := filepath.Join(a.Dir, stateDir)
	if name == "" || name == lastName {
		path, err := readLast(state)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return "", usagef("there is no last run in %s: checkrow run makes one, and a run elsewhere is named by its folder", stateDir)
			}
			return "", usagef("reading the last run in %s: %w", stateDir, err)
		}
		name = path
	}
	for _, dir := range []string{a.abs(name), filepath.Join(state, runsDir, name)} {
		if isRun(dir) {
			return dir, nil
		}
	}
	return "", usagef("%q is neither a run folder nor the id of a run: it holds no %s", name, journal.FileName)
}

// readLast follows .checkrow/last, link or file.
func readLast(state string) (string, error) {
	last := filepath.Join(state, lastName)
	target, err := os.Readlink(last)
	if err != nil {
		text, readErr := os.ReadFile(last)
		if readErr != nil {
			return "", readErr
		}
		target = strings.TrimSpace(string(text))
	}
	if filepath.IsAbs(target) {
		return target, nil
	}
	return filepath.Join(state, target), nil
}

// abs resolves a path of the command line against the current folder.
func (a *app) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(a.Dir, path)
}
