package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/vault"
)

// sweepAll ends what killed runs of this folder have left, and removes their private files. A process is ended only if it
// is still the one that the journal names: its pid and the time it started (R169).
func (a *app) sweepAll() error {
	runs := filepath.Join(a.Dir, stateDir, runsDir)
	entries, err := os.ReadDir(runs)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return environment(err)
	}
	ended, live := 0, map[string]bool{}
	for _, e := range entries {
		dir := filepath.Join(runs, e.Name())
		if journal.Busy(dir) {
			live[e.Name()] = true
			continue
		}
		s, err := journal.Load(dir)
		var damage *journal.DamageError
		if err != nil && !errors.As(err, &damage) || s.Ended {
			continue
		}
		ended += a.sweep(s)
	}
	removed, err := vault.Sweep("", func(run string) bool { return live[run] })
	folders := a.sweepTemporary(os.TempDir())
	a.printf("processes ended: %d, runs whose private files were removed: %d, temporary folders removed: %d\n", ended, removed, folders)
	return environment(err)
}

const (
	// tempYoung is how old a temporary folder must be before it is taken for left behind: its browser may just be starting.
	tempYoung = time.Minute
	// tempOld is how old it must be where nobody can tell who uses it.
	tempOld = 24 * time.Hour
)

// sweepTemporary removes the temporary folders of browsers and apps whose run was killed: no process has them in its environment.
func (a *app) sweepTemporary(base string) (removed int) {
	var list []string
	for _, kind := range []string{"browser", "electron"} {
		found, _ := filepath.Glob(filepath.Join(base, "checkrow-"+kind+"-*"))
		list = append(list, found...)
	}
	if len(list) == 0 {
		return 0
	}
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	var used bytes.Buffer
	for _, path := range environs {
		text, _ := os.ReadFile(path) // of another user's process nothing can be read, and nothing of it is ours
		used.Write(text)
	}
	for _, dir := range list {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() {
			continue
		}
		age := a.Now().Sub(info.ModTime())
		if age < tempYoung || age < tempOld && used.Len() == 0 || bytes.Contains(used.Bytes(), []byte(dir)) {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			a.warnf("%v", err)
			continue
		}
		removed++
	}
	return removed
}
