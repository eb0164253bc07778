package install

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// The brands of browser beside Chromium and its kin, as browser.name has them.
const (
	Firefox = "firefox"
	WebKit  = "webkit"
)

// Kinds of browsers that are no Chromium.
const (
	KindFirefox Kind = "firefox"
	KindWebKit  Kind = "webkit"
)

// FindOther finds a Firefox or WebKit: the executable that is named, else Playwright's own, else the Firefox of the system,
// which is driven over WebDriver BiDi. A WebKit other than Playwright's own cannot be driven.
func FindOther(ctx context.Context, env Env, brand, executable string) (Browser, error) {
	if executable != "" {
		return named(ctx, env, brand, executable)
	}
	list := ownOther(env, brand)
	for _, path := range list {
		if runnable(path) {
			return describe(ctx, env, candidate{path, Kind(brand), SourcePlaywright, "Playwright's own"})
		}
	}
	if brand == Firefox {
		for _, path := range systemFirefox(env) {
			if runnable(path) {
				return describe(ctx, env, candidate{path, KindFirefox, SourceSystem, "the one of the system, over WebDriver BiDi"})
			}
		}
		return Browser{}, &Missing{What: Firefox, Msg: "no Firefox found (Playwright's own, firefox or firefox-esr on PATH)",
			Fix: "run `checkrow install --browser firefox`, or name one as browser.executable"}
	}
	return Browser{}, &Missing{What: WebKit, Msg: "no WebKit found (only Playwright's own can be driven)",
		Fix: "run `checkrow install --browser webkit`"}
}

// named takes the executable that a suite names.
func named(ctx context.Context, env Env, brand, executable string) (Browser, error) {
	path := executable
	if !strings.ContainsRune(path, filepath.Separator) {
		if hits := env.look(path); len(hits) > 0 {
			path = hits[0]
		}
	}
	if !runnable(path) {
		return Browser{}, &Missing{What: brand, Msg: fmt.Sprintf("browser.executable is %q, which is not a program", executable),
			Fix: "name the path of a " + brand + ", or leave it out"}
	}
	c := candidate{path, Kind(brand), SourceSystem, "browser.executable names it"}
	if brand == WebKit || playwrights(env, brand, path) {
		c.source = SourcePlaywright
	}
	return describe(ctx, env, c)
}

// playwrights tells that a path lies in a folder as Playwright names them, there or elsewhere: firefox-1502.
func playwrights(env Env, brand, path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "INSTALLATION_COMPLETE")); err == nil && strings.HasPrefix(filepath.Base(dir), brand+"-") {
			return true
		}
	}
	return false
}

// ownOther lists the executables of Playwright's own browser of a brand.
func ownOther(env Env, brand string) []string {
	patterns := map[string]map[string][]string{
		Firefox: {"darwin": {"firefox/Nightly.app/Contents/MacOS/firefox"}, "windows": {"firefox/firefox.exe"}, "": {"firefox/firefox"}},
		WebKit:  {"windows": {"Playwright.exe"}, "": {"pw_run.sh"}},
	}[brand]
	list, ok := patterns[runtime.GOOS]
	if !ok {
		list = patterns[""]
	}
	return ownBrowsers(env, brand, list)
}

// systemFirefox lists where a Firefox of the system may be.
func systemFirefox(env Env) []string {
	var list []string
	for _, name := range []string{"firefox", "firefox-esr"} {
		list = append(list, env.look(name)...)
	}
	return append(list, env.Root+"/Applications/Firefox.app/Contents/MacOS/firefox")
}

// byHandOther says what a person can do when no Firefox or WebKit could be installed.
func byHandOther(brand string) string {
	if brand == Firefox {
		return "install Firefox, or name one as browser.executable"
	}
	return "give this machine access to Playwright's downloads (PLAYWRIGHT_DOWNLOAD_HOST)"
}

// otherWays lists the ways to a Firefox or WebKit that may work here, best first.
func otherWays(env Env, brand, dir, node string) []way {
	argv := []string{node, filepath.Join(dir, "package", "cli.js"), "install"}
	root := os.Geteuid() == 0 && debian(env)
	if root {
		argv = append(argv, "--with-deps")
	}
	list := []way{{"downloading Playwright's own " + brand, [][]string{append(argv, brand)}}}
	if apt := env.look("apt-get"); len(apt) > 0 && root && brand == Firefox {
		list = append(list, way{"installing the package firefox-esr with apt-get",
			[][]string{{apt[0], "update"}, {apt[0], "install", "-y", "--no-install-recommends", "firefox-esr"}}})
	}
	return list
}
