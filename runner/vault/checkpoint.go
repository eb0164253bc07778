package vault

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	keepPrefix = "keep-"
	// keepFor is how long the checkpoints of a run that was killed wait for it to be taken up again.
	keepFor = 24 * time.Hour
)

// Checkpoints are what the tests of one run kept of themselves, for a run that takes it up after a kill. Unlike the rest
// of the private store they outlive the run, until the test has ended.
type Checkpoints struct{ dir string }

// CheckpointsOf gives those of a run, by its id. base is that of Open.
func CheckpointsOf(base, run string) *Checkpoints {
	return &Checkpoints{filepath.Join(baseOf(base), keepPrefix+clean(run))}
}

func (c *Checkpoints) file(test string) string {
	sum := sha256.Sum256([]byte(test))
	return filepath.Join(c.dir, hex.EncodeToString(sum[:])+".json")
}

// Put keeps content for a test, over what was kept before.
func (c *Checkpoints) Put(test string, content []byte) error {
	if err := own(filepath.Dir(c.dir)); err != nil {
		return err
	}
	if err := own(c.dir); err != nil {
		return err
	}
	path := c.file(test)
	if err := os.WriteFile(path+".tmp", content, 0o600); err != nil {
		return fmt.Errorf("writing a checkpoint: %w", err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		return fmt.Errorf("writing a checkpoint: %w", err)
	}
	return nil
}

// Get gives what was kept for a test; nil if there is nothing.
func (c *Checkpoints) Get(test string) ([]byte, error) {
	content, err := os.ReadFile(c.file(test))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading a checkpoint: %w", err)
	}
	return content, nil
}

// Drop removes what was kept for a test, and the folders when nothing is left in them.
func (c *Checkpoints) Drop(test string) {
	_ = os.Remove(c.file(test))
	_ = os.Remove(c.dir) // only if it is empty
	_ = os.Remove(filepath.Dir(c.dir))
}

// Sweep removes what killed runs left below base, checkpoints too whose run keep does not name. It tells how many folders
// went.
func Sweep(base string, keep func(run string) bool) (int, error) {
	base = baseOf(base)
	before := count(base)
	errs := []error{sweep(base)}
	list, _ := os.ReadDir(base)
	for _, e := range list {
		if run, is := strings.CutPrefix(e.Name(), keepPrefix); is && e.IsDir() && !keep(run) {
			errs = append(errs, os.RemoveAll(filepath.Join(base, e.Name())))
		}
	}
	_ = os.Remove(base) // only if it is empty
	return before - count(base), errors.Join(errs...)
}

func count(dir string) int {
	list, _ := os.ReadDir(dir)
	return len(list)
}

// stale tells a folder of checkpoints that has waited long enough.
func stale(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && e.IsDir() && strings.HasPrefix(e.Name(), keepPrefix) && mine(info) && time.Since(info.ModTime()) > keepFor
}
