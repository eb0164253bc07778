package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps/proc"
)

// Options of [Install]. The zero value installs into the default cache folder of an empty environment, which is none:
// give at least Env.Environ.
type Options struct {
	Env         Env
	Progress    io.Writer     // a line for each thing done; nil: silence
	SkipBrowser bool          // only the driver
	Timeout     time.Duration // of the whole; 0: 15m
}

// say writes a line of progress; a writer that fails does not fail the install.
func (o Options) say(format string, args ...any) {
	if o.Progress != nil {
		_, _ = fmt.Fprintf(o.Progress, format+"\n", args...)
	}
}

// Install makes sure that Node, the driver and a browser are there, and says what it did. What is there already is left
// alone, without any use of the network. Two installs at once are safe: the second waits and then finds all there.
func Install(ctx context.Context, o Options) (Found, error) {
	if o.Timeout <= 0 {
		o.Timeout = 15 * time.Minute
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, fmt.Errorf("the install took longer than %s", o.Timeout))
	defer cancel()
	cache, err := o.Env.CacheDir()
	if err != nil {
		return Found{}, err
	}
	if err := private(cache); err != nil {
		return Found{}, err
	}
	dir := driverDir(cache)
	node, nodeVersion, err := findNode(ctx, o.Env, dir)
	if err != nil {
		return Found{}, err
	}
	o.say("using Node %s at %s", nodeVersion, node)
	release, err := lock(ctx, filepath.Join(cache, "install.lock"), func() { o.say("waiting for another install to end") })
	if err != nil {
		return Found{}, err
	}
	defer release()
	if err := ensureDriver(ctx, o, dir, node); err != nil {
		return Found{}, err
	}
	if o.SkipBrowser {
		return Found{Cache: cache, Driver: dir, DriverVersion: DriverVersion, Node: node, NodeVersion: nodeVersion}, nil
	}
	if err := ensureBrowser(ctx, o, dir, node); err != nil {
		return Found{}, err
	}
	return Find(ctx, o.Env)
}

// ensureDriver installs the driver unless it is there and whole.
func ensureDriver(ctx context.Context, o Options, dir, node string) error {
	version, err := checkDriver(dir)
	if err != nil {
		o.say("%v", err.(*Missing).Msg) //nolint:errorlint // checkDriver returns nothing else
		if err := installDriver(ctx, o, dir, node); err != nil {
			return err
		}
		if err := warm(ctx, o.Env, Found{Cache: filepath.Dir(filepath.Dir(dir)), Driver: dir, Node: node}); err != nil {
			o.say("compiling the driver ahead did not work, the first run will do it: %v", err)
		}
		return nil
	}
	changed, err := relink(dir, node)
	if err != nil {
		return err
	}
	if changed {
		o.say("linked the driver to %s", node)
	}
	o.say("the Playwright driver %s is there: %s", version, dir)
	return nil
}

// ensureBrowser installs a browser unless one is there.
func ensureBrowser(ctx context.Context, o Options, dir, node string) error {
	b, err := FindBrowser(ctx, o.Env)
	if err == nil {
		o.say("the browser %s %s is there: %s (%s)", b.Kind, b.Version, b.Path, b.Why)
		return nil
	}
	var missing *Missing
	if !errors.As(err, &missing) || o.Env.Brand == "" && o.Env.get(BrowserEnv) != "" {
		return err // a browser that was named is not replaced by another
	}
	o.say("%s", missing.Msg)
	var failed []string
	for _, w := range ways(o.Env, dir, node) {
		o.say("%s", w.say)
		err := o.each(ctx, w.argvs)
		if err == nil {
			if b, err = FindBrowser(ctx, o.Env); err == nil {
				o.say("installed the browser %s %s: %s", b.Kind, b.Version, b.Path)
				return nil
			}
		}
		if ctx.Err() != nil {
			return fmt.Errorf("installing a browser: %w", context.Cause(ctx))
		}
		o.say("that did not help: %v", err)
		failed = append(failed, fmt.Sprintf("%s: %v", w.say, err))
	}
	return &Missing{What: "browser", Msg: "no browser could be installed (" + strings.Join(failed, "; ") + ")", Fix: byHand(o.Env)}
}

// way is one way to install a browser.
type way struct {
	say   string
	argvs [][]string
}

// ways lists the ways that may work here, best first.
func ways(env Env, dir, node string) []way {
	if env.Brand != "" {
		return otherWays(env, env.Brand, dir, node)
	}
	var list []way
	names := []string{"chromium-headless-shell", "chromium"}
	if env.Headed {
		names = names[1:]
	}
	if apt := env.look("apt-get"); len(apt) > 0 && os.Geteuid() == 0 && debian(env) {
		// the first way brings the lists of packages up to date, the later ones find them so
		update := [][]string{{apt[0], "update"}}
		for _, name := range names {
			argv := []string{apt[0], "install", "-y", "--no-install-recommends", name}
			list = append(list, way{"installing the package " + name + " with apt-get", append(update, argv)})
			update = nil
		}
	}
	argv := []string{node, filepath.Join(dir, "package", "cli.js"), "install"}
	if os.Geteuid() == 0 && debian(env) {
		argv = append(argv, "--with-deps")
	}
	return append(list, way{"downloading Playwright's own " + names[0], [][]string{append(argv, names[0])}})
}

// debian tells whether the system installs packages as Debian does.
func debian(env Env) bool {
	raw, err := os.ReadFile(env.Root + "/etc/os-release")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(raw)) {
		k, v, _ := strings.Cut(strings.TrimSpace(line), "=")
		if (k == "ID" || k == "ID_LIKE") && strings.Contains(v, "debian") || k == "ID" && strings.Contains(v, "ubuntu") {
			return true
		}
	}
	return false
}

// byHand says what a person can do when nothing worked.
func byHand(env Env) string {
	if env.Brand != "" {
		return byHandOther(env.Brand)
	}
	if debian(env) && os.Geteuid() != 0 {
		return "run `sudo apt-get install chromium-headless-shell` (or chromium), or install Chrome, or set " + BrowserEnv
	}
	return "install Chromium, Chrome or Edge, or set " + BrowserEnv + " to one"
}

// each runs commands one after the other and stops at the first that fails.
func (o Options) each(ctx context.Context, argvs [][]string) error {
	for _, argv := range argvs {
		if err := o.run(ctx, "", argv...); err != nil {
			return err
		}
	}
	return nil
}

// run runs a command of an install, with its lines as progress.
func (o Options) run(ctx context.Context, dir string, argv ...string) error {
	exit, err := proc.Run(ctx, proc.Spec{Argv: argv, Dir: dir, Env: append(o.Env.Environ[:len(o.Env.Environ):len(o.Env.Environ)], "DEBIAN_FRONTEND=noninteractive"),
		Line: func(_ bool, line string) { o.say("  %s", line) }}, nil)
	if err == nil && (exit.Code != 0 || exit.Signal != "") {
		err = failure(exit)
	}
	if err != nil {
		return fmt.Errorf("running %q: %w", strings.Join(argv, " "), err)
	}
	return nil
}
