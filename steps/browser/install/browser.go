package install

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

// candidate is a browser that may be there.
type candidate struct {
	path   string
	kind   Kind
	source Source
	why    string
}

// FindBrowser is the browser half of [Find]; the order is documented there.
func FindBrowser(ctx context.Context, env Env) (Browser, error) {
	if env.Brand != "" {
		return FindOther(ctx, env, env.Brand, "")
	}
	if set := env.get(BrowserEnv); set != "" {
		return configured(ctx, env, set)
	}
	for _, c := range candidates(env) {
		if runnable(c.path) && !(env.Headed && c.kind == KindShell) {
			return describe(ctx, env, c)
		}
	}
	msg := "no browser found (CHECKROW_BROWSER, Playwright's own, Chromium, Chrome, Edge)"
	if env.Headed {
		msg = "no browser with a window found (a headed run cannot use a headless shell)"
	}
	return Browser{}, &Missing{What: "browser", Msg: msg, Fix: installFix + ", or set " + BrowserEnv + " to a browser"}
}

// configured takes the browser that the user named, or fails: another one in its place would be a surprise.
func configured(ctx context.Context, env Env, set string) (Browser, error) {
	path, fix := set, fmt.Sprintf("set %s to the path of a Chromium, Chrome or Edge, or unset it", BrowserEnv)
	if !strings.ContainsRune(set, filepath.Separator) {
		hits := env.look(set)
		if len(hits) == 0 {
			return Browser{}, &Missing{What: "browser", Msg: fmt.Sprintf("%s is %q, which is not on PATH", BrowserEnv, set), Fix: fix}
		}
		path = hits[0]
	}
	if !runnable(path) {
		return Browser{}, &Missing{What: "browser", Msg: fmt.Sprintf("%s is %q, which is not a program", BrowserEnv, set), Fix: fix}
	}
	kind := kindOf(unwrap(env, path))
	if env.Headed && kind == KindShell {
		return Browser{}, &Missing{What: "browser", Fix: fix,
			Msg: fmt.Sprintf("%s is %q, a headless shell, and a headed run needs a window", BrowserEnv, set)}
	}
	return describe(ctx, env, candidate{path, kind, SourceConfigured, BrowserEnv + " names it"})
}

// candidates lists what may be there, best first.
func candidates(env Env) []candidate {
	var list []candidate
	add := func(kind Kind, source Source, why string, paths ...string) {
		for _, p := range paths {
			list = append(list, candidate{p, kind, source, why})
		}
	}
	add(KindShell, SourcePlaywright, "Playwright's own headless shell", ownBrowsers(env, "chromium_headless_shell", ownNames())...)
	for _, name := range []string{"chromium-headless-shell", "chrome-headless-shell", "headless_shell"} {
		add(KindShell, SourceSystem, "a headless shell on PATH starts faster and needs less memory", env.look(name)...)
	}
	add(KindChromium, SourcePlaywright, "Playwright's own Chromium", ownBrowsers(env, "chromium", ownNames())...)
	const why = "the first installed browser"
	for _, s := range []struct {
		kind  Kind
		names []string
		fixed []string
	}{
		{KindChromium, []string{"chromium", "chromium-browser"}, []string{"/Applications/Chromium.app/Contents/MacOS/Chromium"}},
		{KindChrome, []string{"google-chrome-stable", "google-chrome", "chrome"},
			[]string{"/opt/google/chrome/chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"}},
		{KindEdge, []string{"microsoft-edge-stable", "microsoft-edge"},
			[]string{"/opt/microsoft/msedge/msedge", "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"}},
	} {
		for _, name := range s.names {
			add(s.kind, SourceSystem, why, env.look(name)...)
		}
		for _, path := range s.fixed {
			add(s.kind, SourceSystem, why, env.Root+path)
		}
	}
	return list
}

// kindOf guesses the kind from the name of a binary.
func kindOf(path string) Kind {
	base := strings.ToLower(filepath.Base(path))
	switch {
	case strings.Contains(base, "headless"):
		return KindShell
	case strings.Contains(base, "edge"):
		return KindEdge
	case strings.Contains(base, "chrome"):
		return KindChrome
	}
	return KindChromium
}

// describe looks through a wrapper and asks for the version.
func describe(ctx context.Context, env Env, c candidate) (Browser, error) {
	b := Browser{Path: unwrap(env, c.path), Named: c.path, Kind: c.kind, Source: c.source, Why: c.why}
	if b.Path != b.Named {
		b.Why += fmt.Sprintf("; %s only starts it", b.Named)
	}
	version, err := browserVersion(ctx, env, b.Path)
	if err != nil {
		return b, &Missing{What: "browser", Msg: fmt.Sprintf("the browser %q does not start: %v", b.Path, err),
			Fix: "repair it, or set " + BrowserEnv + " to another one"}
	}
	b.Version = version
	return b, nil
}

// browsersDir is where Playwright keeps its own browsers, by its own rules.
func browsersDir(env Env) string {
	switch dir := env.get("PLAYWRIGHT_BROWSERS_PATH"); {
	case dir == "0":
		cache, err := env.CacheDir()
		if err != nil {
			return ""
		}
		return filepath.Join(driverDir(cache), "package", ".local-browsers")
	case dir != "":
		return dir
	}
	base, err := env.userCache()
	if err != nil {
		return ""
	}
	return filepath.Join(base, "ms-playwright")
}

// ownBrowsers lists the executables of a browser that Playwright installed: the revision this driver wants first, then
// the newest; patterns are the places of the executable in its folder. A folder without the completion marker is a
// download that was cut off.
func ownBrowsers(env Env, name string, patterns []string) []string {
	dir := browsersDir(env)
	folders, err := filepath.Glob(filepath.Join(dir, name+"-*"))
	if dir == "" || err != nil {
		return nil
	}
	want := wantedRevision(env, strings.ReplaceAll(name, "_", "-"))
	rank := func(folder string) int {
		rev := strings.TrimPrefix(filepath.Base(folder), name+"-")
		if rev == want {
			return int(^uint(0) >> 1)
		}
		n, err := strconv.Atoi(rev)
		if err != nil {
			return -1
		}
		return n
	}
	sort.Slice(folders, func(i, j int) bool { return rank(folders[i]) > rank(folders[j]) })
	var paths []string
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(folder, "INSTALLATION_COMPLETE")); err != nil || rank(folder) < 0 {
			continue
		}
		for _, pattern := range patterns {
			if hits, err := filepath.Glob(filepath.Join(folder, pattern)); err == nil {
				paths = append(paths, hits...)
			}
		}
	}
	return paths
}

// ownNames are the places of the executable in a folder of Playwright's.
func ownNames() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"chrome-headless-shell-*/chrome-headless-shell", "chrome-*/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
			"chrome-mac*/Chromium.app/Contents/MacOS/Chromium", "chrome-mac*/headless_shell"}
	case "windows":
		return []string{"chrome-headless-shell-*/chrome-headless-shell.exe", "chrome-win*/chrome.exe"}
	}
	return []string{"chrome-headless-shell-*/chrome-headless-shell", "chrome-linux*/chrome", "chrome-linux*/headless_shell"}
}

// wantedRevision is the revision that the installed driver was made for, or "".
func wantedRevision(env Env, name string) string {
	cache, err := env.CacheDir()
	if err != nil {
		return ""
	}
	raw, err := os.ReadFile(filepath.Join(driverDir(cache), "package", "browsers.json"))
	if err != nil {
		return ""
	}
	var list struct {
		Browsers []struct{ Name, Revision string }
	}
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	for _, b := range list.Browsers {
		if b.Name == name {
			return b.Revision
		}
	}
	return ""
}
