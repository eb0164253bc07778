// Package scaffold makes the first files of a project that is to be tested: it finds out how the app is started and on
// which port it listens, and writes a suite that passes, the project file and the job of a CI. It runs nothing.
package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// PortWord stands in a command or variable for the free port that checkrow chose.
const PortWord = "${{ self.port }}"

// App is how the app under test is reached.
type App struct {
	Start []string // its command; nil: nothing was found or it runs elsewhere
	Env   []string // NAME=value, of the command
	Port  int      // that it listens on whatever one says; 0: Start or Env takes the free one
	URL   string   // of an app that runs elsewhere
	Ready string   // path that answers once it is up
	From  string   // what this was read from, for the user; "" if nothing was found
	Kind  Kind     // what CI has to install
	Lock  string   // "npm ci" and the like, "" if there is nothing to install
	Slow  bool     // it builds before it listens
}

// Kind is what an app is written in.
type Kind string

// The kinds.
const (
	Other Kind = ""
	Node  Kind = "node"
	Go    Kind = "go"
)

// Known tells that the app can be started or reached.
func (a App) Known() bool { return a.URL != "" || len(a.Start) > 0 }

// File is one file to write.
type File struct {
	Name string // with slashes, relative to the project
	Text string
	Why  string // for the user
}

// ErrExists says that files are there already and nothing was written.
var ErrExists = errors.New("there already, and nothing is overwritten without --force")

// Write writes files below dir, all or none of them if some are there and force is not set. It gives the names of those
// that it replaced.
func Write(dir string, files []File, force bool) (replaced []string, err error) {
	for _, f := range files {
		switch _, err := os.Lstat(at(dir, f.Name)); {
		case err == nil:
			replaced = append(replaced, f.Name)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("looking for %q: %w", f.Name, err)
		}
	}
	if len(replaced) > 0 && !force {
		return nil, fmt.Errorf("%s: %w", strings.Join(replaced, ", "), ErrExists)
	}
	for _, f := range files {
		path := at(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return replaced, fmt.Errorf("making the folder of %q: %w", f.Name, err)
		}
		if err := write(path, f.Text, force); err != nil {
			return replaced, fmt.Errorf("writing %q: %w", f.Name, err)
		}
	}
	return replaced, nil
}

func at(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

// write creates a file; without force it must not have come to be meanwhile.
func write(path, text string, force bool) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, flags, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// ignored is the folder of runs.
const ignored = ".checkrow/"

// Ignore adds the folder of runs to .gitignore unless it is in it. Nothing else of the file changes.
func Ignore(dir string) (added bool, err error) {
	path := filepath.Join(dir, ".gitignore")
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("reading %q: %w", ".gitignore", err)
	}
	for line := range strings.Lines(string(text)) {
		switch strings.Trim(strings.TrimSpace(line), "/") {
		case ".checkrow", "**/.checkrow":
			return false, nil
		}
	}
	line := ignored + "\n"
	if len(text) > 0 && !strings.HasSuffix(string(text), "\n") {
		line = "\n" + line
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return false, fmt.Errorf("writing %q: %w", ".gitignore", err)
	}
	_, err = f.WriteString(line)
	if err = errors.Join(err, f.Close()); err != nil {
		return false, fmt.Errorf("writing %q: %w", ".gitignore", err)
	}
	return true, nil
}

// On is the app with a port that the user named: a command that takes a port gets this one.
func (a App) On(port int) App {
	put := func(list []string) []string {
		out := make([]string, len(list))
		for i, s := range list {
			out[i] = strings.ReplaceAll(s, PortWord, strconv.Itoa(port))
		}
		return out
	}
	a.Start, a.Env, a.Port = put(a.Start), put(a.Env), port
	return a
}
