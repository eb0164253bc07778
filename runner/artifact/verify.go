package artifact

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps"
)

// Difference is a file that is not as the run left it.
type Difference struct {
	Path   string `json:"path"`
	What   string `json:"what"` // missing, changed, unreadable
	Bytes  int64  `json:"bytes"`
	Got    int64  `json:"got_bytes"`
	SHA256 string `json:"sha256"`
	Now    string `json:"got_sha256,omitempty"`
	Error  string `json:"error,omitempty"`
}

// Verdict is what a look at all files of a run found.
type Verdict struct {
	Checked     int          `json:"checked"`
	Differences []Difference `json:"differences"`
	Extra       []string     `json:"extra"`    // in the folders of attempts, and no row wrote it
	Leftover    []string     `json:"leftover"` // our own files that a run left when it was killed
	Unhashed    []string     `json:"unhashed"` // files that the run never finished: nothing to compare with
}

// Verify reads every file of a run again and compares it with what the run knew of it. Files outside the run folder are
// looked at where they are.
func Verify(ctx context.Context, dir string, list []steps.Artifact) (Verdict, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Verdict{}, fmt.Errorf("opening run folder %q: %w", dir, err)
	}
	defer root.Close()
	out := Verdict{Differences: []Difference{}, Extra: []string{}, Leftover: []string{}, Unhashed: []string{}}
	known := map[string]bool{}
	for _, a := range list {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		known[a.Path] = true
		if a.SHA256 == "" {
			out.Unhashed = append(out.Unhashed, a.Path)
			continue
		}
		out.Checked++
		if d := compare(root, a); d.What != "" {
			out.Differences = append(out.Differences, d)
		}
	}
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() || !strings.Contains(path, "/") || known[path]: // the run's own files lie at its top
		case Ours(path):
			out.Leftover = append(out.Leftover, path)
		default:
			out.Extra = append(out.Extra, path)
		}
		return ctx.Err()
	})
	slices.Sort(out.Extra)
	if err != nil {
		return out, fmt.Errorf("listing run folder %q: %w", dir, err)
	}
	return out, nil
}

// compare hashes one file again.
func compare(root *os.Root, a steps.Artifact) Difference {
	d := Difference{Path: a.Path, Bytes: a.Bytes, SHA256: a.SHA256}
	name := filepath.FromSlash(a.Path)
	open, stat := root.Open, root.Lstat
	if filepath.IsAbs(name) {
		open, stat = os.Open, os.Lstat
	}
	info, err := stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.What = "missing"
		return d
	case err != nil:
		d.What, d.Error = "unreadable", cause(err).Error()
		return d
	case !info.Mode().IsRegular():
		d.What, d.Error = "changed", "it is no regular file any more"
		return d
	}
	file, err := open(name)
	if err != nil {
		d.What, d.Error = "unreadable", cause(err).Error()
		return d
	}
	defer file.Close()
	sum := sha256.New()
	if d.Got, err = io.Copy(sum, file); err != nil {
		d.What, d.Error = "unreadable", cause(err).Error()
		return d
	}
	if d.Now = hex.EncodeToString(sum.Sum(nil)); d.Now != a.SHA256 {
		d.What = "changed"
	}
	return d
}
