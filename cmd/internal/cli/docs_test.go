package cli

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/cmd/internal/manual"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/steps/argv"
)

// TestReferenceIsWhole looks for everything that the tables have, and for links that lead nowhere.
func TestReferenceIsWhole(t *testing.T) {
	pages := map[string]string{}
	var list []manual.Page
	for _, p := range (&app{}).referencePages() {
		pages[p.Name] = p.Text
		list = append(list, p)
	}
	want := func(page, heading string) {
		if !strings.Contains(pages[page], "\n"+heading+"\n") {
			t.Errorf("%s has no %q", page, heading)
		}
	}
	for _, c := range argv.Commands() {
		want("rows", "### "+c.Name())
	}
	for _, k := range standard.Kinds() {
		want("steps", "## "+k.Name)
	}
	for _, topic := range topics() {
		want("codes", "### "+topic.Code)
	}
	for _, c := range (&app{}).root().Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			want("commands", "## checkrow "+c.Name())
		}
	}
	for _, name := range []string{"language", "login-once", "file-upload", "downloads", "two-users", "api-then-ui", "visual-check",
		"flaky-hunt", "shards", "merge-gate"} {
		if pages[name] == "" {
			t.Errorf("there is no page %s", name)
		}
	}
	href := regexp.MustCompile(`href="([^"#]*)\.html`)
	for _, p := range list {
		out := manual.HTML(p, list)
		for _, m := range href.FindAllStringSubmatch(out, -1) {
			if pages[m[1]] == "" {
				t.Errorf("%s links to %s, which is not there", p.Name, m[1])
			}
		}
		if strings.Contains(out, "\x00") || strings.Contains(out, "```") {
			t.Errorf("%s: Markdown is left in its HTML", p.Name)
		}
	}
}

// commandLine is a call of checkrow in a snippet.
var commandLine = regexp.MustCompile(`^\s*(?:- )?(?:run: )?checkrow ((?:[^#])*)`)

// TestReferenceCommandLines holds every call in a snippet, and every example of help, against the flags.
func TestReferenceCommandLines(t *testing.T) {
	found := 0
	for _, p := range (&app{}).referencePages() {
		for _, s := range manual.Snippets(p.Text) {
			if s.Lang == "" {
				continue // help as a terminal has it
			}
			for line := range strings.Lines(s.Text) {
				m := commandLine.FindStringSubmatch(line)
				if m == nil {
					continue
				}
				found++
				if err := parsesAsCall(shellWords(m[1])); err != nil {
					t.Errorf("%s: %s: %v", p.Name, strings.TrimSpace(line), err)
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d calls were found", found)
	}
}

func parsesAsCall(words []string) error {
	a := &app{}
	root := a.root()
	root.InitDefaultCompletionCmd(words...)
	c, rest, err := root.Find(words)
	switch {
	case err != nil:
		return err
	case c == root:
		return unknownCommand(root, words[0])
	}
	if err := c.ParseFlags(rest); err != nil {
		return flagError(c, err)
	}
	if c.Args != nil {
		return c.Args(c, c.Flags().Args())
	}
	return cobra.ArbitraryArgs(c, nil)
}

// shellWords splits a line at blanks outside of quotes and "${{ }}", and ends at what only a shell knows.
func shellWords(line string) []string {
	words := regexp.MustCompile(`'[^']*'|\S*\$\{\{[^}]*\}\}\S*|\S+`).FindAllString(line, -1)
	for i, w := range words {
		if w == ">" || w == "|" || w == ";" {
			return words[:i]
		}
		words[i] = strings.Trim(regexp.MustCompile(`\$\{\{[^}]*\}\}|\$[A-Z_]+`).ReplaceAllString(w, "1"), "'")
	}
	return words
}

// TestServeDocs asks for pages, and ends the server by a signal.
func TestServeDocs(t *testing.T) {
	out, in := io.Pipe()
	raise := make(chan chan<- os.Signal, 1)
	w := World{Stdout: in, Stderr: io.Discard, Now: time.Now, Notify: func(c chan<- os.Signal) func() {
		raise <- c
		return func() {}
	}}
	code := make(chan int, 1)
	go func() { code <- Main([]string{"docs", "--serve", ":0"}, w) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, url, _ := strings.Cut(strings.TrimSpace(line), " at ")
	if !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Errorf("it is served at %q, others could read it", url)
	}
	for path, want := range map[string]string{"": "<h1 id=\"checkrow\">", "rows.html": "<h3 id=\"click\">", "rows.md": "### click", "none": "404"} {
		res, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s", path, want)
		}
	}
	(<-raise) <- syscall.SIGTERM
	if got := <-code; got != ExitPassed {
		t.Errorf("exit code %d", got)
	}
}
