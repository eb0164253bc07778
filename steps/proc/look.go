package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// StartError is the error of a program that could not be started.
type StartError struct {
	Program string // as the argv says it
	Detail  string // where it was looked for
	Err     error
}

// Error names the program and where it was looked for.
func (e *StartError) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("starting %q: %v", e.Program, e.Err)
	}
	return fmt.Sprintf("starting %q: %v (%s)", e.Program, e.Err, e.Detail)
}

// Unwrap is the cause.
func (e *StartError) Unwrap() error { return e.Err }

// Reasons why a program is not started.
var (
	ErrNoProgram  = errors.New("no such program")
	ErrNotProgram = errors.New("not a program that may be executed")
	ErrNUL        = errors.New("an argument or variable holds a NUL byte")
)

// resolve finds the program of a Spec: a name on the PATH of its environment, a path against its folder. Relative
// entries of PATH are passed over, since they would run whatever lies in the suite's folder.
func resolve(s Spec) (string, error) {
	if len(s.Argv) == 0 || s.Argv[0] == "" {
		return "", &StartError{Err: errors.New("the argv is empty")}
	}
	name := s.Argv[0]
	for _, list := range [][]string{s.Argv, s.Env} {
		for _, v := range list {
			if strings.IndexByte(v, 0) >= 0 {
				return "", &StartError{Program: name, Err: ErrNUL}
			}
		}
	}
	if strings.ContainsRune(name, filepath.Separator) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.Dir, path)
		}
		return check(name, path)
	}
	search, set := "", false
	for _, kv := range s.Env { // the last one wins, as unique has it
		if v, ok := strings.CutPrefix(kv, "PATH="); ok {
			search, set = v, true
		}
	}
	if !set {
		return "", &StartError{Program: name, Detail: "PATH is not set", Err: ErrNoProgram}
	}
	var denied error
	for _, dir := range filepath.SplitList(search) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path, err := check(name, filepath.Join(dir, name))
		if err == nil {
			return path, nil
		}
		if errors.Is(err, ErrNotProgram) && denied == nil {
			denied = err
		}
	}
	if denied != nil {
		return "", denied
	}
	return "", &StartError{Program: name, Detail: fmt.Sprintf("PATH is %q", search), Err: ErrNoProgram}
}

// check tells whether a path can be executed.
func check(name, path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", &StartError{Program: name, Detail: fmt.Sprintf("looked for %q", path), Err: ErrNoProgram}
	case info.IsDir() || info.Mode().Perm()&0o111 == 0:
		return "", &StartError{Program: name, Detail: fmt.Sprintf("%q", path), Err: ErrNotProgram}
	}
	return path, nil
}

// unique keeps the last assignment of every variable: a C program would see the first.
func unique(env []string) []string {
	at := make(map[string]int, len(env))
	out := make([]string, 0, len(env))
	for _, kv := range env {
		name, _, ok := strings.Cut(kv, "=")
		if !ok || name == "" {
			continue
		}
		if i, seen := at[name]; seen {
			out[i] = kv
			continue
		}
		at[name] = len(out)
		out = append(out, kv)
	}
	return out
}
