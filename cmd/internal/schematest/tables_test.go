package schematest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

const (
	loginFragment = "fragment: log in\ninputs: { user: { type: string, default: ada } }\nsteps:\n  - [fill, label=User, \"${{ inputs.user }}\"]\n"
	smallSuite    = "suite: s\ntests:\n  - name: t\n    steps:\n      - [expect, visible, h1]\n"
	oneTest       = "tests: [{ name: t, steps: [[expect, visible, h1]] }]\n"
)

// table is a map of the language: its keys, what must stand in it, and where it stands.
type table struct {
	name  string
	keys  []spec.Key
	needs []string // "key: value", without which the map is not complete
	place func(entries string) string
	file  string
}

// palette has a value of every sort.
var palette = []string{"text", `""`, "5", "-1", "0", "1.5", "true", "yes", "5s", "", "[]", "[a]", "[[reload]]", "[5, a]", "[a, a]", "{}", "{ a: b }",
	"{ a: { b: c } }", `"${{ 1 }}"`, `"a b"`, "http://localhost:1", "./login.yaml", "users.csv", "1280x720", "fail", "light", "[{ a: b }]", `"#a"`}

// few are the values that tell a key that a kind handles in its own way.
var few = []string{"text", "5", "true", "5s", "", "[a]", "{ a: b }"}

func isCommon(k spec.Key) bool {
	return slices.ContainsFunc(steps.CommonKeys, func(c spec.Key) bool { return c.Name == k.Name && c.Type == k.Type })
}

func inTest(entries string) string {
	return "suite: s\nsessions: { ada: { open: / } }\ntests:\n  - { name: t, steps: [[expect, visible, h1]], " + entries + " }\n"
}

func inStep(entries string) string {
	return "suite: s\nsessions: { ada: { open: / } }\ntests:\n  - name: t\n    steps:\n      - { " + entries + " }\n      - [expect, visible, h1]\n"
}

func inSuite(key string) func(string) string {
	return func(entries string) string { return "suite: s\n" + key + ": { " + entries + " }\n" + oneTest }
}

func inRow(key string) func(string) string {
	return func(entries string) string { return inStep("row: [click, \"#a\"], " + key + ": { " + entries + " }") }
}

// tables are all maps of the language with a table of keys.
func tables() []table {
	out := []table{
		{"suite", spec.SuiteKeys, []string{"suite: s", "tests: [{ name: t, steps: [[expect, visible, h1]] }]"},
			func(e string) string { return "{ " + e + " }\n" }, ""},
		{"test", spec.TestKeys, []string{"name: t", "steps: [[expect, visible, h1]]"},
			func(e string) string { return "suite: s\nsessions: { ada: { open: / } }\ntests:\n  - { " + e + " }\n" }, ""},
		{"service", spec.ServiceKeys, []string{"exec: [./api]"}, func(e string) string {
			return "suite: s\nservices: { api: { " + e + " } }\n" + oneTest
		}, ""},
		{"ready", spec.ReadyKeys, nil, func(e string) string {
			return "suite: s\nservices: { api: { exec: [./api], ready: { " + e + " } } }\n" + oneTest
		}, ""},
		{"browser", spec.BrowserKeys, nil, inSuite("browser"), ""},
		{"browser of a test", spec.BrowserKeys, nil, func(e string) string { return inTest("browser: { " + e + " }") }, ""},
		{"timeouts", spec.TimeoutKeys, nil, inSuite("timeouts"), ""},
		{"timeouts of a test", spec.TimeoutKeys, nil, func(e string) string { return inTest("timeouts: { " + e + " }") }, ""},
		{"health", spec.HealthKeys, nil, inSuite("health"), ""},
		{"health rule", spec.HealthRuleKeys, nil, func(e string) string {
			return "suite: s\nhealth: { console_errors: { " + e + " } }\n" + oneTest
		}, ""},
		{"session", spec.SessionKeys, nil, func(e string) string { return "suite: s\nsessions: { ada: { " + e + " } }\n" + oneTest }, ""},
		{"dismiss", spec.DismissKeys, []string{`overlay: "#b"`, `do: [[click, "#c"]]`}, func(e string) string {
			return "suite: s\ndismiss: [{ " + e + " }]\n" + oneTest
		}, ""},
		{"artifacts", spec.ArtifactsKeys, nil, inSuite("artifacts"), ""},
		{"artifact", spec.ArtifactKeys, []string{"path: a.bin"}, func(e string) string { return inTest("artifacts: [{ " + e + " }]") }, ""},
		{"quarantine", spec.QuarantineKeys, []string{"why: flaky", "until: 2099-01-01"}, func(e string) string { return inTest("quarantine: { " + e + " }") }, ""},
		{"retry", steps.RetryKeys, []string{"times: 2", "unsafe: true"}, inRow("retry"), ""},
		{"provokes", steps.ProvokesKeys, nil, inRow("provokes"), ""},
		{"fragment", spec.FragmentKeys, []string{"fragment: f", `steps: [[click, "#a"]]`}, func(e string) string { return "{ " + e + " }\n" }, "fragment.yaml"},
		{"input", spec.InputKeys, []string{"type: string"}, func(e string) string {
			return "fragment: f\ninputs: { user: { " + e + " } }\nsteps:\n  - [fill, \"#a\", \"${{ inputs.user }}\"]\n"
		}, "fragment.yaml"},
		{"project", spec.ProjectKeys, nil, func(e string) string { return "{ " + e + " }\n" }, spec.ProjectFile},
		{"common keys of a row", steps.CommonKeys, []string{"row: [get, text, h1]", `expect: value == "a"`}, inStep, ""},
	}
	return append(out, kindTables()...)
}

// kindNeeds say what a step of each kind must have.
var kindNeeds = map[string][]string{
	"exec": {"exec: [make]"}, "expect": {"expect: 1 == 1"}, "for": {"for: x in [1]", "do: [[reload]]"},
	"group": {"group: g", "do: [[reload]]"}, "if": {"if: 1 == 1", "then: [[reload]]"}, "pause": {"pause: look"}, "checkpoint": {"checkpoint: here"},
	"row": {"row: [reload]"}, "rows": {"rows: [[reload]]"}, "scope": {`scope: "#a"`, "do: [[reload]]"}, "set": {`set: { a: "1" }`},
	"use": {"use: ./login.yaml"}, "while": {"while: 1 == 2", "max: 3", "do: [[reload]]"}, "http": {"http: { url: /x }"},
	"code": {`code: "return 1"`}, "page_script": {`page_script: "return 1"`}, "handoff": {"handoff: press it"},
	"qa": {"qa: { url: /x }"}, "a11y": {"a11y: {}"}, "electron": {"electron: { status: true }"}, "action": {`action: { action: click, selector: "#a" }`},
	"source": {`source: { selector: "#a" }`}, "network_source": {"network_source: { filter: /x }"},
}

// mapNeeds say what must stand in the map of a kind where that is no path.
var mapNeeds = map[string][]string{"action": {"action: click", `selector: "#a"`}, "qa": {"url: /x"}, "source": {`selector: "#b"`},
	"network_source": {"filter: /x"}, "electron": {"status: true"}, "electron launch": {"app_path: dist"}}

// kindTables are the step kinds, and the maps inside them that have tables.
func kindTables() []table {
	var out []table
	for _, k := range standard.Kinds() {
		needs := kindNeeds[k.Name]
		keys := slices.Clone(k.Keys)
		for _, c := range steps.CommonKeys {
			if !slices.ContainsFunc(keys, func(have spec.Key) bool { return have.Name == c.Name }) {
				keys = append(keys, c)
			}
		}
		out = append(out, table{k.Name + " step", keys, needs, inStep, ""})
		for _, key := range k.Keys {
			if len(key.Keys) > 0 && key.Name == k.Name {
				out = append(out, mapTables(k.Name, key.Keys, func(e string) string { return inStep(k.Name + ": { " + e + " }") })...)
			}
		}
	}
	return out
}

// mapTables are a map with a table of keys and the maps in it.
func mapTables(name string, keys []spec.Key, place func(string) string) []table {
	var needs []string
	for _, k := range keys {
		if k.Required {
			needs = append(needs, k.Name+": /x")
		}
	}
	if own, ok := mapNeeds[name]; ok {
		needs = own
	}
	out := []table{{name + " map", keys, needs, place, ""}}
	for _, k := range keys {
		if len(k.Keys) > 0 {
			out = append(out, mapTables(name+" "+k.Name, k.Keys, func(e string) string {
				beside := slices.DeleteFunc(slices.Clone(needs), func(need string) bool {
					key, _, _ := strings.Cut(need, ":")
					return slices.Contains(k.Excludes, key)
				})
				return place(strings.Join(append(beside, k.Name+": { "+e+" }"), ", "))
			})...)
		}
	}
	return out
}

// asItMustBe is the name of the smallest good file of a table.
const asItMustBe = "as it must be"

// systematicCases make a file for every key of every map with every sort of value, and for every mistake that a map can
// have: a key that is missing, misspelt, there twice, or beside one that it excludes.
func systematicCases() []yamlCase {
	var out []yamlCase
	for _, tb := range tables() {
		add := func(name string, entries ...string) {
			c := yamlCase{name: tb.name + ": " + name, src: tb.place(strings.Join(entries, ", ")), file: tb.file}
			switch tb.file {
			case "":
				c.file = "suite.yaml"
			case "fragment.yaml":
				c.files = map[string]string{"suite.yaml": "suite: s\ntests:\n  - name: t\n    steps:\n      - { use: ./fragment.yaml, with: { user: ada } }\n      - [expect, visible, h1]\n"}
				if !strings.Contains(c.src, "user") {
					c.files["suite.yaml"] = strings.Replace(c.files["suite.yaml"], ", with: { user: ada }", "", 1)
				}
			}
			out = append(out, c)
		}
		if len(tb.needs) > 0 || strings.HasSuffix(tb.name, " step") { // a kind that the table above forgets is not good
			add(asItMustBe, tb.needs...)
		}
		for i, need := range tb.needs {
			name, _, _ := strings.Cut(need, ":")
			add("without "+name, slices.Delete(slices.Clone(tb.needs), i, i+1)...)
			add("twice "+name, append(slices.Clone(tb.needs), need)...)
			add("misspelt "+name, append(slices.Delete(slices.Clone(tb.needs), i, i+1), name+"q"+strings.TrimPrefix(need, name))...)
		}
		for _, k := range tb.keys {
			name := strings.Replace(k.Name, "*", "a", 1)
			values := palette
			if _, kind := kindNeeds[strings.TrimSuffix(tb.name, " step")]; kind && isCommon(k) {
				values = few // all of them are tried on a row
			}
			for _, value := range values {
				add(name+" "+value, with(tb.needs, name+": "+value)...)
			}
			for _, other := range k.Excludes {
				add(name+" beside "+other, append(with(tb.needs, name+": a"), other+": a")...)
			}
		}
	}
	return out
}

// with puts an entry into a map, in the place of one with the same key.
func with(needs []string, entry string) []string {
	name, _, _ := strings.Cut(entry, ":")
	for i, n := range needs {
		if strings.HasPrefix(n, name+":") {
			out := slices.Clone(needs)
			out[i] = entry
			return out
		}
	}
	return append(slices.Clone(needs), entry)
}

// goldenCases are the YAML files of the project and of its goldens that are suites.
func goldenCases(t *testing.T) []yamlCase {
	t.Helper()
	var out []yamlCase
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root:
			return fs.SkipDir
		case filepath.Ext(path) != ".txtar" || !strings.Contains(path, "testdata"):
			return nil
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		c := yamlCase{name: path, file: "suite.yaml", files: map[string]string{}}
		for _, f := range archive.Files {
			switch {
			case f.Name == "suite.yaml" || c.src == "" && strings.HasPrefix(string(f.Data), "suite:") && strings.HasSuffix(f.Name, ".yaml"):
				c.src = string(f.Data)
			case strings.HasSuffix(f.Name, ".yaml") && filepath.Base(f.Name) == f.Name:
				c.files[f.Name] = string(f.Data)
			}
		}
		if c.src != "" {
			out = append(out, c)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"examples", "suites"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, yamlCase{name: path, file: "suite.yaml", src: strings.ReplaceAll(string(text), "./fragments/login.yaml", "./login.yaml")})
		}
	}
	return out
}
