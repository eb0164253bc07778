package scaffold

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// nodeScripts are the scripts that serve, the most wanted first.
var nodeScripts = []string{"dev", "start", "serve", "develop", "preview"}

// nodeServers are the programs of scripts and how each takes its port: by flags, or by PORT if there are none.
var nodeServers = []struct {
	word  string
	flags []string
}{
	{"vite", []string{"--port", PortWord, "--strictPort"}},
	{"next", []string{"--port", PortWord}},
	{"astro", []string{"--port", PortWord}},
	{"ng", []string{"--port", PortWord}},
	{"webpack", []string{"--port", PortWord}},
	{"webpack-dev-server", []string{"--port", PortWord}},
	{"vue-cli-service", []string{"--port", PortWord}},
	{"parcel", []string{"--port", PortWord}},
	{"http-server", []string{"-p", PortWord}},
	{"serve", []string{"-l", PortWord}},
	{"nuxt", nil}, {"nuxi", nil}, {"react-scripts", nil}, {"remix", nil}, {"remix-serve", nil},
}

// nodeManagers are the lock files, the manager that writes each, and its clean install.
var nodeManagers = []struct{ lock, name, install string }{
	{"pnpm-lock.yaml", "pnpm", "corepack enable && pnpm install --frozen-lockfile"},
	{"yarn.lock", "yarn", "corepack enable && yarn install --immutable"},
	{"bun.lock", "bun", "bun install --frozen-lockfile"},
	{"bun.lockb", "bun", "bun install --frozen-lockfile"},
	{"package-lock.json", "npm", "npm ci"},
}

var (
	nodeEnv    = regexp.MustCompile(`process\.env(?:\.((?:[A-Z]+_)?PORT)\b|\[["']((?:[A-Z]+_)?PORT)["']\])`)
	nodeListen = regexp.MustCompile(`(?:\.listen\(\s*|\b(?:port|PORT)\s*[:=]\s*)(\d{2,5})\b`)
)

// node reads the scripts of package.json.
func node(dir fs.FS) (App, string) {
	text := read(dir, "package.json")
	if text == "" {
		return App{}, ""
	}
	var p struct {
		Scripts         map[string]string
		Dependencies    map[string]string
		DevDependencies map[string]string
	}
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return App{}, "package.json cannot be read: " + err.Error()
	}
	i := slices.IndexFunc(nodeScripts, func(s string) bool { return strings.TrimSpace(p.Scripts[s]) != "" })
	if i < 0 {
		return App{}, "package.json has no script that serves: one of " + strings.Join(nodeScripts, ", ")
	}
	name := nodeScripts[i]
	script := p.Scripts[name]
	manager, lock := "npm", ""
	for _, m := range nodeManagers {
		if there(dir, m.lock) {
			manager, lock = m.name, m.install
			break
		}
	}
	if lock == "" && len(p.Dependencies)+len(p.DevDependencies) > 0 {
		lock = "npm install"
	}
	app := App{Start: []string{manager, "run", name}, Kind: Node, Lock: lock, Slow: true, From: "the script " + name + " of package.json"}
	if nodePort(&app, dir, manager, script) {
		return app, ""
	}
	return App{}, "package.json has the script " + name + ", but no port was found: say it with --start \"" + manager + " run " + name + "\" --port N"
}

// nodePort says how a script takes its port: by a flag of a server that is known, by PORT, or not at all.
func nodePort(app *App, dir fs.FS, manager, script string) bool {
	if m := anyPort.FindStringSubmatch(script); m != nil {
		app.Port = number(m[1])
		app.From += ", which names port " + m[1]
		return app.Port > 0
	}
	words := strings.Fields(script)
	chained := strings.ContainsAny(script, "&|;") // flags behind it would go to the last program
	for _, s := range nodeServers {
		if !slices.Contains(words, s.word) {
			continue
		}
		if s.flags == nil {
			app.Env = []string{"PORT=" + PortWord}
			return true
		}
		if chained {
			return false
		}
		if manager == "npm" {
			app.Start = append(app.Start, "--")
		}
		app.Start = append(app.Start, s.flags...)
		return true
	}
	names, text := sources(dir, 3, func(name string) bool {
		for _, end := range []string{".js", ".mjs", ".cjs", ".ts", ".mts"} {
			if strings.HasSuffix(name, end) && !strings.HasSuffix(name, ".d.ts") {
				return !strings.Contains(name, ".test.") && !strings.Contains(name, ".spec.") && !strings.Contains(name, ".config.")
			}
		}
		return false
	})
	for _, name := range names {
		if m := nodeEnv.FindStringSubmatch(text[name]); m != nil {
			word := m[1] + m[2]
			app.Env = []string{word + "=" + PortWord}
			app.From += " and " + word + " that " + name + " reads"
			return true
		}
	}
	for _, name := range names {
		if m := nodeListen.FindStringSubmatch(text[name]); m != nil && number(m[1]) > 0 {
			app.Port = number(m[1])
			app.From += " and the port in " + name
			return true
		}
	}
	return false
}
