package scaffold

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxRead bounds what is read of one file, maxSources how many are looked at.
const (
	maxRead    = 1 << 20
	maxSources = 400
)

// Detect finds how the app in a folder is started. What is more specific wins: package.json, go.mod, Makefile, then a
// compose file. The second result says what was found and could not be used, one line each.
func Detect(dir fs.FS) (App, []string) {
	var notes []string
	for _, look := range []func(fs.FS) (App, string){node, golang, makefile, compose} {
		app, note := look(dir)
		if note != "" {
			notes = append(notes, note)
		}
		if app.Known() {
			app.Ready = cmp.Or(app.Ready, "/")
			return app, notes
		}
	}
	return App{Ready: "/"}, notes
}

func read(dir fs.FS, name string) string {
	f, err := dir.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxRead {
		return ""
	}
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return ""
	}
	return string(text)
}

func there(dir fs.FS, name string) bool {
	_, err := fs.Stat(dir, name)
	return err == nil
}

// skipped are folders in which no source of the app lies.
var skipped = []string{"node_modules", "vendor", "testdata", "dist", "build", "coverage", "test", "tests", "__tests__", "third_party"}

// sources gives the text of files with one of the endings, by name, those near the root first.
func sources(dir fs.FS, depth int, keep func(name string) bool) (names []string, text map[string]string) {
	text = map[string]string{}
	// What cannot be read is no source that anything can be learnt from.
	_ = fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case d.IsDir():
			hidden := strings.HasPrefix(d.Name(), ".") && name != "."
			if hidden || slices.Contains(skipped, d.Name()) || strings.Count(name, "/") >= depth {
				return fs.SkipDir
			}
			return nil
		case len(names) >= maxSources:
			return fs.SkipAll
		case keep(name):
			names = append(names, name)
			text[name] = read(dir, name)
		}
		return nil
	})
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(a, b))
	})
	return names, text
}

var (
	goFlag   = regexp.MustCompile(`\.(?:Int|Uint|String)(?:Var)?\((?:&?[\w.]+,\s*)?"(port|addr|address|listen|http)"`)
	goEnv    = regexp.MustCompile(`(?:Getenv|LookupEnv)\("((?:[A-Z]+_)?PORT)"\)`)
	goListen = regexp.MustCompile(`(?:ListenAndServe(?:TLS)?\(\s*|Addr:\s*|\.Run\(|net\.Listen\("tcp",\s*)"[\w.]*:(\d{2,5})"`)
	goHealth = regexp.MustCompile(`"(?:GET )?(/healthz|/health|/readyz|/ready|/ping)"`)
	goMain   = regexp.MustCompile(`(?m)^package main\b`)
)

// golang looks for a main package that serves.
func golang(dir fs.FS) (App, string) {
	if !there(dir, "go.mod") {
		return App{}, ""
	}
	names, text := sources(dir, 4, func(name string) bool {
		return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
	})
	packages := map[string]string{} // folder of a main package -> its source
	var order []string
	everything := ""
	for _, name := range names {
		everything += text[name]
		if folder := path.Dir(name); goMain.MatchString(text[name]) {
			if packages[folder] == "" {
				order = append(order, folder)
			}
			packages[folder] += text[name]
		}
	}
	for _, folder := range order {
		app, ok := goApp(folder, packages[folder])
		if !ok {
			continue
		}
		app.Kind, app.Slow = Go, true
		if m := goHealth.FindStringSubmatch(packages[folder]); m != nil {
			app.Ready = m[1]
		} else if m := goHealth.FindStringSubmatch(everything); m != nil {
			app.Ready = m[1]
		}
		return app, ""
	}
	return App{}, "go.mod is there, but no main package of it says by a flag, PORT or a literal address where it listens"
}

func goApp(folder, src string) (App, bool) {
	run := "./" + folder
	if folder == "." {
		run = "."
	}
	in := " of the main package"
	if folder != "." {
		in += " in " + folder
	}
	app := App{Start: []string{"go", "run", run}}
	if m := goFlag.FindStringSubmatch(src); m != nil {
		value := "localhost:" + PortWord
		if m[1] == "port" {
			value = PortWord
		}
		app.Start = append(app.Start, "--"+m[1], value)
		app.From = "the flag --" + m[1] + in
		return app, true
	}
	if m := goEnv.FindStringSubmatch(src); m != nil {
		app.Env, app.From = []string{m[1] + "=" + PortWord}, "the variable "+m[1]+in
		return app, true
	}
	if m := goListen.FindStringSubmatch(src); m != nil {
		app.Port, app.From = number(m[1]), "the address"+in
		return app, true
	}
	return app, false
}

// number reads digits that a pattern matched; what is no port is 0.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > 65535 {
		return 0
	}
	return n
}

var (
	makeTarget = regexp.MustCompile(`(?m)^(dev|serve|start|run|server|up)\s*:(?:[^=]|$)`)
	makePort   = regexp.MustCompile(`(?m)^(?:export\s+)?((?:[A-Z]+_)?PORT)\s*[:?]?=\s*(\d{2,5})`)
	anyPort    = regexp.MustCompile(`(?:--port[ =]|-p[ =]?|PORT=|localhost:|127\.0\.0\.1:|0\.0\.0\.0:)(\d{2,5})\b`)
)

// makefile looks for a target that serves.
func makefile(dir fs.FS) (App, string) {
	for _, name := range []string{"Makefile", "makefile", "GNUmakefile"} {
		text := read(dir, name)
		m := makeTarget.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		target := text[m[2]:m[3]]
		app := App{Start: []string{"make", target}, From: "the target " + target + " of " + name, Slow: true}
		if p := makePort.FindStringSubmatch(text); p != nil {
			app.Start = append(app.Start, p[1]+"="+PortWord)
			return app, ""
		}
		if p := anyPort.FindStringSubmatch(recipe(text[m[1]:])); p != nil {
			app.Port = number(p[1])
			return app, ""
		}
		return App{}, name + " has the target " + target + ", but no PORT is in it: say it with --start \"make " + target + "\" --port N"
	}
	return App{}, ""
}

// recipe is the text of a target up to the first line that is not indented.
func recipe(text string) string {
	var b strings.Builder
	for i, line := range slices.Collect(strings.Lines(text)) {
		if i > 0 && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "\t") {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

var composePort = regexp.MustCompile(`(?m)^\s*-\s*["']?(?:[\d.]+:)?(\d{2,5}):\d{2,5}(?:/tcp)?["']?\s*(?:#.*)?$`)

// compose looks for the first port that a compose file publishes.
func compose(dir fs.FS) (App, string) {
	for _, name := range []string{"compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"} {
		if !there(dir, name) {
			continue
		}
		m := composePort.FindStringSubmatch(read(dir, name))
		if m == nil {
			return App{}, name + " publishes no fixed port: say it with --start \"docker compose up\" --port N"
		}
		return App{Start: []string{"docker", "compose", "up"}, Port: number(m[1]), From: "the first port that " + name + " publishes", Slow: true}, ""
	}
	return App{}, ""
}
