package install

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// isScript tells whether a file begins with `#!`.
func isScript(path string) bool {
	head := make([]byte, 2)
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == "#!"
}

// absolutePath finds absolute paths of programs in a shell script.
var absolutePath = regexp.MustCompile(`/[A-Za-z0-9._+/-]+`)

// unwrap is the binary that a distribution's wrapper starts, or the path itself. Distributions put a shell script on PATH
// that reads settings and execs the binary in a folder of /usr/lib or /opt; the script costs a launch 35-100 ms and puts
// flags of its own before ours. A script elsewhere is somebody's own and means its flags. A binary is believed only if the
// script names its folder, it is one (no script), and it bears a browser's name.
func unwrap(env Env, path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || !isScript(real) || !packaged(env, real) {
		return path
	}
	src, err := os.ReadFile(real)
	if err != nil || len(src) > 64<<10 {
		return path
	}
	name := filepath.Base(path)
	// beside the script: Chrome's and Edge's packages keep google-chrome next to chrome
	guesses := []string{filepath.Join(filepath.Dir(real), "chrome"), filepath.Join(filepath.Dir(real), "msedge")}
	for _, found := range absolutePath.FindAll(src, -1) {
		p := env.Root + string(bytes.TrimRight(found, "/"))
		guesses = append(guesses, p)
		if base := filepath.Base(p); base == "lib" || base == "lib64" { // /usr/lib/$APPNAME
			guesses = append(guesses, filepath.Join(p, name, name))
		}
	}
	for _, p := range guesses {
		if browserNames[filepath.Base(p)] && p != path && p != real && runnable(p) && !isScript(p) {
			return p
		}
	}
	return path
}

// packaged tells whether a file lies where packages put programs.
func packaged(env Env, path string) bool {
	root, err := filepath.EvalSymlinks(env.Root + "/")
	if err != nil {
		return false
	}
	for _, dir := range []string{"usr/bin", "usr/lib", "usr/lib64", "bin", "opt"} {
		if strings.HasPrefix(path, filepath.Join(root, dir)+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// browserNames are the names that browser binaries have.
var browserNames = map[string]bool{
	"chromium": true, "chromium-browser": true, "chrome": true, "msedge": true,
	"chromium-headless-shell": true, "chrome-headless-shell": true, "headless_shell": true,
}

// memoEntry is one line of the memo of versions: valid while the file is the same.
type memoEntry struct {
	Size    int64
	Time    int64
	Version string
}

// versionText finds the number in what `--version` says.
var versionText = regexp.MustCompile(`\d+(\.\d+){1,3}`)

// browserVersion asks a browser for its version, once: it takes 50-250 ms to say.
func browserVersion(ctx context.Context, env Env, path string) (string, error) {
	return remembered(env, path, func() (string, error) {
		ctx, cancel := context.WithTimeout(ctx, probeTime)
		defer cancel()
		out, err := env.output(ctx, path, "--version")
		return versionText.FindString(out), err
	})
}

// remembered asks a binary for its version unless the same file has said it before. The memo is only a memo, a failure to
// read or write it is none of the caller's business.
func remembered(env Env, path string, ask func() (string, error)) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	now := memoEntry{Size: info.Size(), Time: info.ModTime().UnixNano()}
	memo, file := map[string]memoEntry{}, ""
	if cache, err := env.CacheDir(); err == nil && private(cache) == nil {
		file = filepath.Join(cache, "versions.json")
		if raw, err := os.ReadFile(file); err == nil && json.Unmarshal(raw, &memo) != nil {
			memo = map[string]memoEntry{}
		}
	}
	if m, ok := memo[path]; ok && m.Size == now.Size && m.Time == now.Time {
		return m.Version, nil
	}
	if now.Version, err = ask(); err != nil {
		return "", err
	}
	if file != "" && now.Version != "" {
		memo[path] = now
		if raw, err := json.Marshal(memo); err == nil {
			_ = replace(file, raw)
		}
	}
	return now.Version, nil
}

// replace writes a file of the cache folder in one step, readable by its owner only.
func replace(path string, content []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), tmpPrefix)
	if err != nil {
		return err
	}
	_, err = tmp.Write(content)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}
