package install

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// probeTime is how long a program may take to say its version.
const probeTime = 10 * time.Second

// findNode takes the first Node that is new enough: CHECKROW_NODE, those on PATH, the one the driver folder links to.
func findNode(ctx context.Context, env Env, driver string) (path, version string, err error) {
	if set := env.get(NodeEnv); set != "" {
		path, version, err = probeNode(ctx, env, set)
		if err != nil {
			return "", "", &Missing{What: "node", Msg: fmt.Sprintf("%s %q cannot be used: %v", NodeEnv, set, err),
				Fix: fmt.Sprintf("set it to a Node of version %d or newer, or unset it", MinNode)}
		}
		return path, version, nil
	}
	candidates := append(env.look("node"), env.look("nodejs")...)
	var tooOld []string
	for _, c := range append(candidates, filepath.Join(driver, "node")) {
		if !runnable(c) {
			continue
		}
		if path, version, err = probeNode(ctx, env, c); err == nil {
			return path, version, nil
		}
		tooOld = append(tooOld, err.Error())
	}
	msg := "no Node on PATH"
	if len(tooOld) > 0 {
		msg = "no Node on PATH is new enough: " + strings.Join(tooOld, "; ")
	}
	return "", "", &Missing{What: "node", Msg: msg,
		Fix: fmt.Sprintf("install Node %d or newer (apt-get install nodejs npm, or from nodejs.org), or set %s", MinNode, NodeEnv)}
}

// probeNode asks a Node for its version and for the binary behind it: version managers put scripts on PATH, which would
// cost a shell at every start and would not survive an exec with another argv[0]. A binary is asked once, a start of Node
// takes 20-40 ms; a script may lead elsewhere tomorrow.
func probeNode(ctx context.Context, env Env, path string) (real, version string, err error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	if real, err = filepath.EvalSymlinks(path); err != nil {
		return "", "", fmt.Errorf("resolving %q: %w", path, err)
	}
	ask := func() (string, error) { return env.output(ctx, path, "--version") }
	script := isScript(real) || !strings.HasPrefix(filepath.Base(real), "node")
	if script {
		version, err = ask()
	} else {
		version, err = remembered(env, real, ask)
	}
	if err != nil {
		return "", "", err
	}
	version = strings.TrimPrefix(version, "v")
	if major, _, _ := strings.Cut(version, "."); !atLeast(major, MinNode) {
		return "", "", fmt.Errorf("%s is version %q", path, version)
	}
	if script {
		if real, err = env.output(ctx, path, "-p", "process.execPath"); err != nil {
			return "", "", err
		}
	}
	return real, version, nil
}

// atLeast compares a decimal number with a least one; what is no number is too small.
func atLeast(s string, least int) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= least
}
