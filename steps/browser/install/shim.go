package install

import (
	"bytes"
	"context"
	_ "embed" // the shim script
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ShimName is the base name of the script that stands in for the driver's cli.js. playwright-go starts "node cli.js
// ARGS"; with the shim that is "checkrow checkrow-driver.cjs ARGS", and by this name the binary knows what it is wanted for.
const ShimName = "checkrow-driver.cjs"

// Variables by which ShimEnv speaks to ShimMain and the script.
const (
	shimDriverEnv = "CHECKROW_DRIVER_DIR"
	shimCacheEnv  = "CHECKROW_CODE_CACHE"
)

//go:embed shim.cjs
var shimScript []byte

// ShimEnv writes the shim into the cache folder and returns the variables (NAME=value) that cmd sets in its own
// environment before the first start of the driver. playwright-go then starts self instead of Node, see [ShimMain].
//
// It saves a Node start of 0.35 s that only asks the version, and with the V8 code cache another 0.1 s. The code cache is
// executable input: it lies in a folder that only its owner may enter, and should not be restored from a foreign cache.
func ShimEnv(f Found, self, cacheDir string) ([]string, error) {
	if self == "" || f.Node == "" || f.Driver == "" {
		return nil, errors.New("setting up the driver shim: it needs checkrow's own path, a Node and a driver")
	}
	script, err := writeShim(cacheDir)
	if err != nil {
		return nil, err
	}
	return []string{
		"PLAYWRIGHT_NODEJS_PATH=" + self,
		"PLAYWRIGHT_CLI_PATH=" + script,
		NodeEnv + "=" + f.Node,
		shimDriverEnv + "=" + f.Driver,
		shimCacheEnv + "=" + filepath.Dir(script),
	}, nil
}

// writeShim puts the script into its folder, unless it is there.
func writeShim(cacheDir string) (script string, err error) {
	dir := filepath.Join(cacheDir, "shim")
	for _, d := range []string{cacheDir, dir} {
		if err := private(d); err != nil {
			return "", err
		}
	}
	script = filepath.Join(dir, ShimName)
	if old, err := os.ReadFile(script); err != nil || !bytes.Equal(old, shimScript) {
		if err := replace(script, shimScript); err != nil {
			return "", fmt.Errorf("writing the driver shim %q: %w", script, err)
		}
	}
	return script, nil
}

// warm starts the driver once with an empty input, which ends it at once, so that the first run finds compiled code. It
// is only a saving: what goes wrong here is for the first run to say.
func warm(ctx context.Context, env Env, f Found) error {
	script, err := writeShim(f.Cache)
	if err != nil {
		return err
	}
	dir := filepath.Dir(script)
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	env.Environ = append(env.Environ[:len(env.Environ):len(env.Environ)], shimDriverEnv+"="+f.Driver, shimCacheEnv+"="+dir,
		"CHECKROW_WARM=1", "NODE_COMPILE_CACHE="+filepath.Join(dir, "node"))
	_, err = env.output(ctx, slices.Concat([]string{f.Node}, nodeFlags, []string{script, "run-driver"})...)
	return err
}

// IsShim tells whether the arguments of a process (os.Args) are those of a driver start.
func IsShim(args []string) bool {
	return len(args) > 1 && filepath.Base(args[1]) == ShimName
}

// nodeFlags keep the driver small: it forwards messages and computes little, so a young heap of 2 MB and one helper thread
// do as well as Node's 16 MB and four, and take some 30 MB and 3 % of the time of a run less. What V8 keeps compiled
// depends on them, so the install starts the driver with the same.
var nodeFlags = []string{"--max-semi-space-size=2", "--v8-pool-size=1"}

// ShimMain is the child mode of a driver start: args are os.Args, environ the process environment. It answers --version
// from the driver's package.json; for all else it puts the process into a group of its own, so that a Ctrl-C reaches only
// checkrow, and becomes Node running the shim script. It returns only after --version or with an error.
//
// It asks for no parent-death signal: that would also fire when the thread that started the driver ends (DECISIONS 9), and
// would keep Node from removing its temporary folders, which it does when its stdin closes. The watchdog is for the rest.
func ShimMain(args, environ []string) error {
	env := Env{Environ: environ}
	driver, node := env.get(shimDriverEnv), env.get(NodeEnv)
	if !IsShim(args) || driver == "" || node == "" {
		return fmt.Errorf("starting the driver: %s and %s must be set", shimDriverEnv, NodeEnv)
	}
	if len(args) > 2 && args[2] == "--version" {
		version, err := packageVersion(filepath.Join(driver, "package"))
		if err != nil {
			return fmt.Errorf("asking the driver %q for its version: %w", driver, err)
		}
		_, err = io.WriteString(os.Stdout, "Version "+version+"\n")
		return err
	}
	child := make([]string, 0, len(environ)+1)
	for _, kv := range environ {
		// the driver must not take the shim for the Node of its own children
		if !strings.HasPrefix(kv, "PLAYWRIGHT_NODEJS_PATH=") && !strings.HasPrefix(kv, "PLAYWRIGHT_CLI_PATH=") {
			child = append(child, kv)
		}
	}
	if dir := env.get(shimCacheEnv); dir != "" && env.get("NODE_COMPILE_CACHE") == "" {
		child = append(child, "NODE_COMPILE_CACHE="+filepath.Join(dir, "node")) // Node before 22.1 does not know it
	}
	return become(node, slices.Concat([]string{node}, nodeFlags, args[1:]), child)
}
