package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/cmd/internal/scaffold"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/spec/format"
)

// initFlags are the flags of init.
type initFlags struct {
	ci, start, url, path string
	port                 int
	force                bool
}

func (a *app) initCmd() *cobra.Command {
	var f initFlags
	c := &cobra.Command{Use: "init [DIR]", Short: "write a first suite that passes, for the app in a folder", Args: atMostOne,
		Long: `init finds out how the app in the folder is started and where it listens, from
package.json, go.mod with the main package's flags, a Makefile or a compose file,
and writes checkrow.yaml, a first suite with comments, the schema that editors
check it with, and a line in .gitignore. It starts nothing. What is there already
is kept: nothing at all is written then, unless --force is given.`,
		Example: "  checkrow init\n  checkrow init --ci github\n  checkrow init --start 'python3 app.py' --port 8000\n  checkrow init --url https://staging.example.test",
		RunE:    func(_ *cobra.Command, args []string) error { return a.init(f, args) }}
	fs := c.Flags()
	fs.StringVar(&f.ci, "ci", "", "also write the job of a CI: `github` or gitlab")
	fs.StringVar(&f.start, "start", "", "the `COMMAND` that starts the app; a shell runs it if it has quotes or operators")
	fs.IntVar(&f.port, "port", 0, "the port `N` that the app listens on, if it takes no other")
	fs.StringVar(&f.url, "url", "", "the `URL` of an app that runs elsewhere: nothing is started")
	fs.StringVar(&f.path, "path", "/", "the `PATH` of the page that the suite opens")
	fs.BoolVar(&f.force, "force", false, "write over files that are there")
	_ = c.RegisterFlagCompletionFunc("ci", cobra.FixedCompletions(scaffold.CIs, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (f initFlags) validate() error {
	switch u, err := url.Parse(f.url); {
	case f.ci != "" && !slices.Contains(scaffold.CIs, f.ci):
		return usagef("checkrow init: --ci knows no %q%s", f.ci, suggest(f.ci, scaffold.CIs))
	case f.url != "" && (f.start != "" || f.port != 0):
		return usagef("checkrow init: --url is an app that runs already, --start and --port are of one that is started")
	case f.url != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https"):
		return usagef("checkrow init: --url %q is no address such as http://localhost:3000", f.url)
	case f.port < 0 || f.port > 65535:
		return usagef("checkrow init: --port must be from 1 to 65535, got %d", f.port)
	case f.start != "" && f.port == 0:
		return usagef("checkrow init: --start needs --port, the port that the app listens on")
	case !strings.HasPrefix(f.path, "/"):
		return usagef("checkrow init: --path %q does not begin with a slash", f.path)
	}
	return nil
}

func (a *app) init(f initFlags, args []string) error {
	if err := f.validate(); err != nil {
		return err
	}
	dir := a.Dir
	if len(args) > 0 {
		dir = a.abs(args[0])
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usagef("checkrow init: %s is no folder", dir)
	}
	app, notes := f.app(dir)
	schema, err := suiteSchema(standard.Kinds())
	if err != nil {
		return err
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(schema); err != nil {
		return fmt.Errorf("encoding the schema: %w", err)
	}
	files := scaffold.Files(app, f.path, text.String())
	if f.ci != "" {
		file, note := scaffold.CI(f.ci, app, func(name string) bool { return fileThere(dir, name) })
		files = append(files, file)
		if note != "" {
			notes = append(notes, note)
		}
	}
	styled(files)
	replaced, err := scaffold.Write(dir, files, f.force)
	if errors.Is(err, scaffold.ErrExists) {
		return usagef("checkrow init: %w", err)
	}
	if err != nil {
		return environment(err)
	}
	added, err := scaffold.Ignore(dir)
	if err != nil {
		return environment(err)
	}
	return a.initialised(dir, app, files, replaced, added, notes)
}

// styled gives the files of the language the style that checkrow fmt --check wants.
func styled(files []scaffold.File) {
	for i, f := range files {
		var ignored diag.List
		if text, ok := format.Source(f.Name, []byte(f.Text), &ignored); ok && !strings.HasPrefix(f.Name, ".") && path.Ext(f.Name) == ".yaml" {
			files[i].Text = string(text)
		}
	}
}

func fileThere(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil
}

// app is what flags say, or what the folder says.
func (f initFlags) app(dir string) (scaffold.App, []string) {
	if f.url != "" {
		return scaffold.App{URL: strings.TrimRight(f.url, "/"), Ready: "/", From: "--url"}, nil
	}
	if f.start != "" {
		app := scaffold.App{Start: strings.Fields(f.start), Port: f.port, Ready: f.path, Slow: true, From: "--start and --port"}
		if strings.ContainsAny(f.start, "'\"|&;<>$`\\*?(){}") || strings.Contains(app.Start[0], "=") {
			app.Start = []string{"sh", "-c", f.start}
		}
		return app, nil
	}
	app, notes := scaffold.Detect(os.DirFS(dir))
	if f.port != 0 && app.Known() {
		app = app.On(f.port)
	}
	if f.port != 0 && !app.Known() {
		// Where it listens is known, how it is started is not: whoever has it running can begin.
		app.URL, app.From = fmt.Sprintf("http://localhost:%d", f.port), "--port"
	}
	return app, notes
}

// initialised says what was written and what to do next.
func (a *app) initialised(dir string, app scaffold.App, files []scaffold.File, replaced []string, added bool, notes []string) error {
	switch {
	case app.URL != "":
		a.printf("the app: %s (%s)\n", app.URL, app.From)
	case app.Known():
		a.printf("the app: %s (%s)\n", strings.Join(app.Start, " "), app.From)
	default:
		a.printf("the app: not found, the suite opens a page of its own; checkrow.yaml says how to name yours\n")
	}
	var rows [][]string
	for _, f := range files {
		word := "new"
		if slices.Contains(replaced, f.Name) {
			word = "replaced"
		}
		rows = append(rows, []string{"  " + word, f.Name, f.Why})
	}
	if added {
		rows = append(rows, []string{"  line", ".gitignore", "the folder of runs"})
	}
	if err := a.table(rows); err != nil {
		return err
	}
	for _, n := range notes {
		a.printf("note: %s\n", n)
	}
	a.printf("next:\n")
	next := [][]string{{"  checkrow install", "the browser, once for this machine"}, {"  checkrow check", "what is wrong with the suites"},
		{"  checkrow run", "run them"}}
	if dir != a.Dir {
		rel, err := filepath.Rel(a.Dir, dir)
		if err != nil {
			rel = dir
		}
		next = append([][]string{{"  cd " + rel}}, next...)
	}
	return a.table(next)
}
