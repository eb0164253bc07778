package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// editor talks to the language server of the real binary, over pipes.
type editor struct {
	t    *testing.T
	dir  string
	in   io.WriteCloser
	out  *bufio.Reader
	cmd  *exec.Cmd
	id   int
	vers map[string]int
}

type answer struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

func newEditor(t *testing.T, files map[string]string) *editor {
	t.Helper()
	self, err := exec.LookPath("checkrow")
	if err != nil {
		t.Fatal(err)
	}
	e := &editor{t: t, dir: t.TempDir(), vers: map[string]int{}}
	for name, text := range files {
		e.write(name, text)
	}
	e.cmd = exec.Command(self, "lsp", "--stdio")
	e.cmd.Dir, e.cmd.Stderr = e.dir, os.Stderr
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	e.out = bufio.NewReader(out)
	if err := e.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(2*time.Minute, func() { _ = e.cmd.Process.Kill() })
	t.Cleanup(func() { stuck.Stop(); _ = e.in.Close(); _ = e.cmd.Wait() })
	return e
}

func (e *editor) write(name, text string) {
	e.t.Helper()
	if err := os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.Join(e.dir, name)}).String()
}

func (e *editor) send(m map[string]any) {
	e.t.Helper()
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		e.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(e.in, "Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s", len(body), body); err != nil {
		e.t.Fatal(err)
	}
}

// next reads one message.
func (e *editor) next() answer {
	e.t.Helper()
	line, err := e.out.ReadString('\n')
	if err != nil {
		e.t.Fatalf("reading: %v", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "Content-Length:")))
	if err != nil {
		e.t.Fatalf("a header %q: %v", line, err)
	}
	if _, err := e.out.ReadString('\n'); err != nil {
		e.t.Fatal(err)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(e.out, body); err != nil {
		e.t.Fatal(err)
	}
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		e.t.Fatal(err)
	}
	return a
}

// ask sends a request and gives its answer; what comes between is left out.
func (e *editor) ask(method string, params any) answer {
	e.t.Helper()
	e.id++
	e.send(map[string]any{"id": e.id, "method": method, "params": params})
	for {
		if a := e.next(); a.ID == e.id {
			return a
		}
	}
}

func (e *editor) start() {
	e.t.Helper()
	a := e.ask("initialize", map[string]any{"capabilities": map[string]any{}})
	if !strings.Contains(string(a.Result), `"completionProvider"`) {
		e.t.Fatalf("initialize gives %s", a.Result)
	}
	e.send(map[string]any{"method": "initialized", "params": map[string]any{}})
}

func (e *editor) open(name, text string) {
	e.t.Helper()
	e.vers[name]++
	e.send(map[string]any{"method": "textDocument/didOpen", "params": map[string]any{"textDocument": map[string]any{
		"uri": e.uri(name), "languageId": "yaml", "version": e.vers[name], "text": text}}})
}

func (e *editor) change(name, text string) {
	e.t.Helper()
	e.vers[name]++
	e.send(map[string]any{"method": "textDocument/didChange", "params": map[string]any{
		"textDocument": map[string]any{"uri": e.uri(name), "version": e.vers[name]}, "contentChanges": []any{map[string]any{"text": text}}}})
}

// told waits until the server says something of a file that holds, and gives it: "line:from-to severity message".
func (e *editor) told(name string, holds func([]string) bool) []string {
	e.t.Helper()
	for {
		a := e.next()
		if a.Method != "textDocument/publishDiagnostics" {
			continue
		}
		var p struct {
			URI         string
			Diagnostics []struct {
				Range    struct{ Start, End struct{ Line, Character int } }
				Severity int
				Message  string
			}
		}
		if err := json.Unmarshal(a.Params, &p); err != nil {
			e.t.Fatal(err)
		}
		if p.URI != e.uri(name) {
			continue
		}
		list := []string{}
		for _, d := range p.Diagnostics {
			list = append(list, fmt.Sprintf("%d:%d-%d %d %s", d.Range.Start.Line, d.Range.Start.Character, d.Range.End.Character, d.Severity, d.Message))
		}
		if holds(list) {
			return list
		}
	}
}

// here takes the cursor, the sign ‸, out of a text.
func here(t *testing.T, text string) (out string, line, char int) {
	t.Helper()
	before, after, ok := strings.Cut(text, "‸")
	if !ok {
		t.Fatal("no cursor in " + text)
	}
	line = strings.Count(before, "\n")
	for _, r := range before[strings.LastIndexByte(before, '\n')+1:] {
		if char++; r > 0xffff {
			char++
		}
	}
	return before + after, line, char
}

// at asks something of the place of the cursor in a text that is open under a name of its own.
func (e *editor) at(method, name, text string) json.RawMessage {
	e.t.Helper()
	plain, line, char := here(e.t, text)
	e.open(name, plain)
	a := e.ask(method, map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}, "position": map[string]any{"line": line, "character": char}})
	if a.Error != nil {
		e.t.Fatalf("%s: %s", method, a.Error.Message)
	}
	e.send(map[string]any{"method": "textDocument/didClose", "params": map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}}})
	return a.Result
}

const headOfSuite = "suite: s\ntests:\n  - name: t\n    steps:\n"

func TestLanguageServerDiagnoses(t *testing.T) {
	bad := "fragment: log in\ninputs: { who: { type: string } }\nsteps:\n  - [fil, label=User, \"${{ inputs.who }}\"]\n"
	e := newEditor(t, map[string]string{"login.yaml": bad, "checkrow.yaml": "{}\n"})
	if a := e.ask("textDocument/hover", nil); a.Error == nil || a.Error.Code != -32002 {
		t.Fatalf("before initialize: %+v", a)
	}
	e.start()
	anything := func([]string) bool { return true }
	same := func(got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	// Nothing of it is on the disk; the column counts UTF-16.
	e.open("a.yaml", headOfSuite+"      - [expect, text, \"#😀\", x, --mtches]\n      - { row: [reload], tiemout: 5s }\n")
	same(e.told("a.yaml", anything), "4:33-41 1 expect text has no flag \"--mtches\"\ndid you mean \"--matches\"?",
		"5:25-32 1 unknown key \"tiemout\" in a row step\ndid you mean \"timeout\"?")
	e.change("a.yaml", headOfSuite+"      - [expect, visible, h1]\n")
	same(e.told("a.yaml", func(l []string) bool { return len(l) == 0 }))

	// The errors of a fragment are told of the fragment, with a suite that uses it and on its own.
	e.open("b.yaml", headOfSuite+"      - { use: ./login.yaml, with: { who: ada } }\n      - [expect, visible, h1]\n")
	first := e.told("login.yaml", anything)
	if len(first) != 1 || !strings.HasPrefix(first[0], "3:5-8 1 ") {
		t.Errorf("of the fragment on disk: %q", first)
	}
	e.open("login.yaml", bad)
	same(e.told("login.yaml", anything), first...)
	e.change("login.yaml", strings.Replace(bad, "[fil,", "[fill,", 1))
	same(e.told("login.yaml", func(l []string) bool { return len(l) == 0 }))

	e.open("checkrow.yaml", "timeouts: { tset: 5s }\n")
	if got := e.told("checkrow.yaml", anything); len(got) != 1 || !strings.Contains(got[0], `"tset"`) {
		t.Errorf("of checkrow.yaml: %q", got)
	}
	e.open("compose.yaml", "services: { db: { image: x } }\n")
	same(e.told("compose.yaml", anything))

	if a := e.ask("workspace/symbol", map[string]any{}); a.Error == nil || a.Error.Code != -32601 {
		t.Errorf("an unknown request: %+v", a)
	}
	if a := e.ask("shutdown", nil); a.Error != nil || string(a.Result) != "null" {
		t.Errorf("shutdown: %s", a.Result)
	}
	e.send(map[string]any{"method": "exit"})
	if err := e.cmd.Wait(); err != nil {
		t.Errorf("after shutdown and exit: %v", err)
	}
}

func TestLanguageServerCompletes(t *testing.T) {
	e := newEditor(t, map[string]string{"login.yaml": "fragment: f\nsteps:\n  - [reload]\n"})
	e.start()
	for i, x := range []struct {
		text       string
		has, lacks []string // labels
		writes     string   // of the first of has
	}{
		{"suite: s\nte‸", []string{"tests", "timeouts", "base_url"}, []string{"suite", "steps"}, "tests: "},
		{"suite: s\nte‸\nbase_url: /\n", []string{"tests"}, []string{"base_url"}, ""},
		{"suite: s\ntests:\n  - name: t\n    s‸", []string{"steps", "session", "skip"}, []string{"name", "tests"}, "steps: "},
		{"suite: s\ntests:\n- name: t\n  s‸\n", []string{"steps"}, []string{"name"}, ""},
		{headOfSuite + "      - ‸", []string{"click", "qa", "use", "expect text"}, []string{"suite"}, "[click, "},
		{headOfSuite + "      - qa:\n          che‸", []string{"check_errors", "url"}, []string{"click", "selector"}, "check_errors: "},
		{headOfSuite + "      - action: { action: click, ro‸ }", []string{"role", "resolve"}, []string{"action"}, "role: "},
		{headOfSuite + "      - qa: { url: / }\n        e‸", []string{"expect", "id", "provokes"}, []string{"qa", "stdin"}, ""},
		{headOfSuite + "      - [cl‸]", []string{"click", "clipboard", "fill"}, []string{"steps"}, "click"},
		{headOfSuite + "      - [expect, ‸]", []string{"text", "visible"}, []string{"click"}, "text"},
		{headOfSuite + "      - [expect, text, h1, a, --‸]", []string{"--contains", "--not"}, []string{"text", "--state"}, "--contains"},
		{headOfSuite + "      - [wait, \"#a, b\", --state, ‸]", []string{"hidden"}, []string{"--state", "--text"}, ""},
		{headOfSuite + "      - [find, role, button, ‸]", []string{"click", "fill"}, nil, ""},
		{headOfSuite + "      - rows: [[reload], [ge‸", []string{"get", "click"}, []string{"steps"}, ""},
		{"suite: s\nbrowser:\n  name: ‸", []string{"chromium", "webkit"}, nil, "chromium"},
		{"suite: s\nbrowser: { name: web‸ }", []string{"webkit"}, nil, "webkit"},
		{headOfSuite + "      - code: |\n          le‸", nil, []string{"tests", "click", "let"}, ""},
		{"fragment: f\ninputs:\n  who:\n    t‸", []string{"type", "default", "secret"}, nil, ""},
		{"# te‸", nil, []string{"tests"}, ""},
	} {
		var list []struct {
			Label    string
			TextEdit struct{ NewText string }
		}
		if err := json.Unmarshal(e.at("textDocument/completion", fmt.Sprintf("c%d.yaml", i), x.text), &list); err != nil {
			t.Fatal(err)
		}
		var labels []string
		for _, c := range list {
			labels = append(labels, c.Label)
			if len(x.has) > 0 && c.Label == x.has[0] && x.writes != "" && c.TextEdit.NewText != x.writes {
				t.Errorf("%q: %s writes %q, want %q", x.text, c.Label, c.TextEdit.NewText, x.writes)
			}
		}
		for _, want := range x.has {
			if !slices.Contains(labels, want) {
				t.Errorf("%q: no %s in %v", x.text, want, labels)
			}
		}
		for _, not := range x.lacks {
			if slices.Contains(labels, not) {
				t.Errorf("%q: %s is offered", x.text, not)
			}
		}
	}
}

func TestLanguageServerExplains(t *testing.T) {
	e := newEditor(t, map[string]string{"login.yaml": "fragment: f\nsteps:\n  - [reload]\n"})
	e.start()
	for i, x := range []struct{ text, says string }{
		{"suite: s\ntes‸ts:\n", "The tests."},
		{headOfSuite + "      - [cli‸ck, h1]", "### click"},
		{headOfSuite + "      - [get, te‸xt, h1]", "### get text"},
		{headOfSuite + "      - [expect, text, h1, a, --con‸tains]", "`--contains`"},
		{headOfSuite + "      - qa: { check_con‸sole: false }", "no error on the console"},
		{headOfSuite + "      - expect: vis‸ible(\"#a\")", "can be seen"},
		{headOfSuite + "      - [click, h‸1]", ""},
	} {
		got := string(e.at("textDocument/hover", fmt.Sprintf("h%d.yaml", i), x.text))
		if x.says == "" && got != "null" || !strings.Contains(strings.ToLower(got), strings.ToLower(x.says)) {
			t.Errorf("%q: %s", x.text, got)
		}
	}
	for i, text := range []string{headOfSuite + "      - use: ./log‸in.yaml\n", headOfSuite + "      - { use: ./log‸in.yaml }\n"} {
		if got := string(e.at("textDocument/definition", fmt.Sprintf("d%d.yaml", i), text)); !strings.Contains(got, e.uri("login.yaml")) {
			t.Errorf("the definition of %q: %s", text, got)
		}
	}
	if got := string(e.at("textDocument/definition", "d.yaml", headOfSuite+"      - use: ./no‸ne.yaml\n")); got != "null" {
		t.Errorf("a fragment that is not there: %s", got)
	}
	var top []struct {
		Name     string
		Children []struct {
			Name  string
			Range struct{ Start, End struct{ Line int } }
		}
	}
	text := headOfSuite + "      - [reload]\n  - { name: two, steps: [[reload]] }\nteardown:\n  - [reload]‸\n"
	if err := json.Unmarshal(e.at("textDocument/documentSymbol", "s.yaml", text), &top); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%+v", top); got != "[{Name:s Children:[{Name:t Range:{Start:{Line:2} End:{Line:4}}} {Name:two Range:{Start:{Line:5} End:{Line:5}}}]}]" {
		t.Error(got)
	}
}
