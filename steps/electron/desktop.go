package electron

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// maxEntry bounds a file that describes an app.
const maxEntry = 1 << 20

// installed finds an app of this machine by its name or id.
func installed(by, what, home string) (target, error) {
	return choose(everywhere(home), by, what)
}

// everywhere lists what may be an app of this machine, those of the user first.
func everywhere(home string) []target {
	if runtime.GOOS == "darwin" {
		return onMac(home)
	}
	return append(onLinux(home), inPlaces(places(home))...)
}

// choose finds the one app that a name or id means; of two with one name the first is meant, as the desktop does, unless
// that is no app of Electron: then it may be the script that starts one.
func choose(list []target, by, what string) (target, error) {
	var names []string
	var other *target
	for _, t := range list {
		has := t.name
		if by == "bundle_id" {
			has = t.id
		}
		is := evidence(resolved(t.executable)) == nil
		if strings.EqualFold(has, what) {
			if is {
				return t, nil
			}
			if other == nil {
				other = &t
			}
		}
		if is && has != "" {
			names = append(names, has)
		}
	}
	if other != nil {
		return *other, nil
	}
	slices.Sort(names)
	names = slices.Compact(names)
	hint := "no Electron app was found at all; name it by app_path or executable"
	if len(names) > 0 {
		hint = "found were " + strings.Join(names[:min(len(names), 8)], ", ")
	}
	return target{}, &missing{subNoApp, fmt.Sprintf("no app with the %s %q is installed: %s", strings.ReplaceAll(by, "_", " "), what, hint)}
}

func resolved(path string) string {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		return at
	}
	return path
}

// onLinux lists the apps that the desktop knows, those of the user first.
func onLinux(home string) []target {
	dirs := []string{"/usr/local/share", "/usr/share", "/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop"}
	if home != "" {
		dirs = append([]string{filepath.Join(home, ".local", "share")}, dirs...)
	}
	var out []target
	for _, dir := range dirs {
		files, _ := filepath.Glob(filepath.Join(quoted(dir), "applications", "*.desktop"))
		for _, f := range files {
			if t, ok := desktopEntry(f); ok {
				out = append(out, t)
			}
		}
	}
	return out
}

// desktopEntry reads the name and the program of a desktop entry.
func desktopEntry(file string) (target, bool) {
	t := target{id: strings.TrimSuffix(filepath.Base(file), ".desktop")}
	inside := false
	for line := range bytes.Lines(head(file)) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "[") {
			inside = text == "[Desktop Entry]"
			continue
		}
		key, value, ok := strings.Cut(text, "=")
		if !inside || !ok {
			continue
		}
		switch strings.TrimSpace(key) {
		case "Name":
			t.name = strings.TrimSpace(value)
		case "Exec":
			t.executable = program(strings.TrimSpace(value))
		}
	}
	return t, t.name != "" && filepath.IsAbs(t.executable)
}

// program is the first word of a line of Exec, past env and its variables.
func program(line string) string {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		var word string
		if rest, is := strings.CutPrefix(line, `"`); is {
			word, line, _ = strings.Cut(rest, `"`)
		} else {
			word, line, _ = strings.Cut(line, " ")
		}
		if base := filepath.Base(word); base == "env" || strings.Contains(word, "=") && !strings.Contains(base, "/") && !filepath.IsAbs(word) {
			continue
		}
		return word
	}
	return ""
}

// onMac lists the apps of the machine and of the user.
func onMac(home string) []target {
	dirs := []string{"/Applications"}
	if home != "" {
		dirs = append(dirs, filepath.Join(home, "Applications"))
	}
	var out []target
	for _, dir := range dirs {
		bundles, _ := filepath.Glob(filepath.Join(quoted(dir), "*.app"))
		for _, b := range bundles {
			if t, err := inBundle(b); err == nil {
				out = append(out, t)
			}
		}
	}
	return out
}

var (
	plistID      = regexp.MustCompile(`<key>CFBundleIdentifier</key>\s*<string>([^<]*)</string>`)
	plistProgram = regexp.MustCompile(`<key>CFBundleExecutable</key>\s*<string>([^<]*)</string>`)
)

// inBundle finds the program of a .app: the one that its Info.plist names, or the only one that it has.
func inBundle(dir string) (target, error) {
	t := target{name: strings.TrimSuffix(filepath.Base(dir), ".app"), path: dir}
	programs := filepath.Join(dir, "Contents", "MacOS")
	info := head(filepath.Join(dir, "Contents", "Info.plist"))
	if m := plistID.FindSubmatch(info); m != nil {
		t.id = string(m[1])
	}
	if m := plistProgram.FindSubmatch(info); m != nil {
		t.executable = filepath.Join(programs, filepath.Base(string(m[1])))
		return t, nil
	}
	entries, err := os.ReadDir(programs)
	if err != nil {
		return t, gone(programs, err)
	}
	if len(entries) != 1 {
		return t, &missing{subNoApp, fmt.Sprintf("%q does not say which of its programs it runs: name one by executable", dir)}
	}
	t.executable = filepath.Join(programs, entries[0].Name())
	return t, nil
}

// head reads the beginning of a file; nothing of one that cannot be read.
func head(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	b, _ := io.ReadAll(io.LimitReader(bufio.NewReader(f), maxEntry))
	return b
}
