package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/checkrow/checkrow/steps/proc"
)

// Env is the world as this package may see it. The zero value has an empty environment and finds next to nothing.
type Env struct {
	Environ []string // the process environment, NAME=value
	Cache   string   // checkrow's cache folder; "": `checkrow` under the user's cache folder
	Brand   string   // Firefox or WebKit is wanted; "": a Chromium
	Remote  bool     // the browser runs elsewhere: none is looked for
	Headed  bool     // a window is wanted: no headless shell will do
	Root    string   // put before the fixed paths of system browsers, for tests; "": none
}

// get is the value of an environment variable; the last assignment wins, as it does for a child.
func (e Env) get(name string) string {
	for i := len(e.Environ) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(e.Environ[i], "="); ok && k == name {
			return v
		}
	}
	return ""
}

// CacheDir is checkrow's cache folder: Env.Cache, or `checkrow` under the user's cache folder.
func (e Env) CacheDir() (string, error) {
	if e.Cache != "" {
		return filepath.Abs(e.Cache)
	}
	base, err := e.userCache()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, "checkrow"), nil
}

// userCache is where the platform keeps caches, by the environment given and not by the process's own.
func (e Env) userCache() (string, error) {
	switch runtime.GOOS {
	case "windows":
		if dir := e.get("LocalAppData"); dir != "" {
			return dir, nil
		}
		return "", errors.New("finding the cache folder: LocalAppData is not set")
	case "darwin":
		if home := e.get("HOME"); home != "" {
			return filepath.Join(home, "Library", "Caches"), nil
		}
	default:
		if dir := e.get("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
			return dir, nil
		}
		if home := e.get("HOME"); home != "" {
			return filepath.Join(home, ".cache"), nil
		}
	}
	return "", errors.New("finding the cache folder: HOME is not set")
}

// look finds a program on the PATH of the environment given; every hit, in order.
func (e Env) look(name string) []string {
	var hits []string
	for _, dir := range filepath.SplitList(e.get("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // a relative PATH entry would run whatever the suite's folder holds
		}
		if p := filepath.Join(dir, name); runnable(p) {
			hits = append(hits, p)
		}
	}
	return hits
}

// runnable tells whether a path is a file that may be executed.
func runnable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0)
}

// output runs a program that answers quickly and returns what it said on stdout.
func (e Env) output(ctx context.Context, argv ...string) (string, error) {
	exit, err := proc.Run(ctx, proc.Spec{Argv: argv, Env: e.Environ}, nil)
	if err == nil && (exit.Code != 0 || exit.Signal != "") {
		err = failure(exit)
	}
	if err != nil {
		return "", fmt.Errorf("running %q: %w", strings.Join(argv, " "), err)
	}
	return strings.TrimSpace(string(exit.Stdout)), nil
}

// failure words how a program failed: by its end and the last it said.
func failure(exit proc.Exit) error {
	end := fmt.Sprintf("it ended with code %d", exit.Code)
	if exit.Signal != "" {
		end = fmt.Sprintf("it ended by a signal (%s)", exit.Signal)
	}
	said := strings.TrimSpace(string(exit.Stderr))
	if said == "" {
		said = strings.TrimSpace(string(exit.Stdout))
	}
	if lines := strings.Split(said, "\n"); len(lines) > 5 {
		said = strings.Join(lines[len(lines)-5:], "\n")
	}
	if said == "" {
		return errors.New(end)
	}
	return errors.New(end + ": " + said)
}
