// Package install finds and installs what a browser run needs: Node, the Playwright driver and a browser. It knows paths
// and versions and starts no browser; the engine that drives one is the package above it.
//
// Everything checkrow keeps for later runs lies in one cache folder ([Env.CacheDir], mode 0700, the user's own):
//
//	driver/VERSION/package   playwright-core as published, with three null checks added (see patch)
//	driver/VERSION/node      a symbolic link to an installed Node, for runs without the shim
//	shim/                    the driver shim and its V8 code cache (see ShimEnv)
//	versions.json            what `--version` of each browser and Node said, so that it is asked once
//
// The order in which a browser is taken is documented at [Find].
package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// DriverVersion is the playwright-core release that the playwright-go release in go.mod speaks to. It says what to
// install; what is installed is read from the driver's package.json.
const DriverVersion = "1.64.1"

// MinNode is the oldest major version of Node that the driver runs on.
const MinNode = 20

// Environment variables that choose by hand what Find would look for.
const (
	BrowserEnv = "CHECKROW_BROWSER" // path or name on PATH of the browser to use
	NodeEnv    = "CHECKROW_NODE"    // path of the Node to use
)

// Kind says what sort of browser an executable is.
type Kind string

// The kinds of browser. A shell has no window: a headed run refuses it.
const (
	KindShell    Kind = "headless-shell"
	KindChromium Kind = "chromium"
	KindChrome   Kind = "chrome"
	KindEdge     Kind = "edge"
)

// Source says where a browser came from.
type Source string

// The sources of a browser, in the order in which they are asked.
const (
	SourceConfigured Source = "configured" // CHECKROW_BROWSER
	SourcePlaywright Source = "playwright" // Playwright's own download
	SourceSystem     Source = "system"     // on PATH, or where its package puts it
)

// Browser is an executable that can be launched.
type Browser struct {
	Path    string // the binary itself, never a wrapper script if that could be seen through
	Named   string // the path it was found by
	Kind    Kind
	Source  Source
	Version string // "156.0.8078.114", or "" if it would not say
	Why     string // one clause: why this one was taken
}

// Found is all that a run needs.
type Found struct {
	Cache         string // checkrow's cache folder
	Driver        string // the driver folder: playwright.RunOptions.DriverDirectory
	DriverVersion string // as its package.json says
	Node          string // the Node binary
	NodeVersion   string // "20.20.2"
	Browser       Browser
}

// Missing is the error of [Find] when something is not there; Install can mend it.
type Missing struct {
	What string // "driver", "node", "browser"
	Msg  string
	Fix  string // what to do
}

// Error says what is missing and what to do about it.
func (m *Missing) Error() string { return m.Msg + ": " + m.Fix }

// installFix is the advice that mends most things.
const installFix = "run `checkrow install`"

// Find looks for Node, the driver and a browser; it writes nothing but the memo of browser versions and never uses the
// network. All that is missing is reported at once, each as a [Missing].
//
// The browser is the first of: CHECKROW_BROWSER; Playwright's own headless shell; a headless shell on PATH; Playwright's
// own chromium; Chromium, Chrome or Edge of the system. A headed run skips the shells. A wrapper script such as Debian's
// /usr/bin/chromium is replaced by the binary it starts, which launches faster.
func Find(ctx context.Context, env Env) (Found, error) {
	f, errs := Found{}, []error(nil)
	cache, err := env.CacheDir()
	if err != nil {
		return f, err
	}
	f.Cache = cache
	f.Driver = driverDir(cache)
	if f.DriverVersion, err = checkDriver(f.Driver); err != nil {
		errs = append(errs, err)
	}
	if f.Node, f.NodeVersion, err = findNode(ctx, env, f.Driver); err != nil {
		errs = append(errs, err)
	}
	if !env.Remote {
		if f.Browser, err = FindBrowser(ctx, env); err != nil {
			errs = append(errs, err)
		}
	}
	return f, errors.Join(errs...)
}

// driverDir is the driver folder under a cache folder.
func driverDir(cache string) string { return filepath.Join(cache, "driver", DriverVersion) }

// private makes a folder that only its owner may enter, and refuses one that is somebody else's: what lies there is
// executed.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making cache folder %q: %w", dir, err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("looking at cache folder %q: %w", dir, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("using cache folder %q: it is not a folder", dir)
	}
	if uid, ok := owner(info); ok && uid != os.Geteuid() {
		return fmt.Errorf("using cache folder %q: it belongs to user %d, not to you", dir, uid)
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(dir, 0o700); err != nil {
			return fmt.Errorf("closing cache folder %q to others: %w", dir, err)
		}
	}
	return nil
}
