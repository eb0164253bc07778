package conformance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/artifact"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/checkrow/checkrow/steps/browser"
)

// driver runs vectors on the engine.
type driver struct {
	engine *browser.Engine
	server *httptest.Server
	store  *artifact.Store
}

// ours is what the engine said to one row.
type ours struct {
	vector  *vector
	index   int
	answer  answer
	command *argv.Command // nil: there is none
	obs     steps.Observation
	data    any // of obs, as JSON has it, with the names of the vectors for addresses and folders
}

// options are those of the reference: no waiting for elements, and the first of several matches is taken.
func (d *driver) options(v *vector) steps.SessionOptions {
	limits := steps.Limits{Wait: 2 * time.Second, Open: 5 * time.Second, Row: 10 * time.Second}
	if v.Name == "flood" {
		limits.Wait = 20 * time.Second
	}
	o := steps.SessionOptions{Headless: true, Viewport: [2]int{1280, 633}, Timezone: "UTC", BaseURL: d.server.URL,
		Limits: limits}
	if slices.Contains(v.Globals, "react-devtools") {
		o.React = true
	}
	if at := slices.Index(v.Globals, "--allowed-domains"); at >= 0 {
		o.Hosts = strings.Split(v.Globals[at+1], ",")
	}
	if ms, err := time.ParseDuration(v.Env["AGENT_BROWSER_DEFAULT_TIMEOUT"] + "ms"); err == nil {
		o.Limits.Wait = ms
	}
	return o
}

// run runs the rows of a vector that the reference answered, also behind a row that failed: that ends a batch, which
// the reference's answers say.
func (d *driver) run(ctx context.Context, v *vector, name string) []ours {
	s, err := d.engine.Open(ctx, d.options(v))
	Expect(err).NotTo(HaveOccurred())
	defer s.Close()
	folder := d.store.Folder("out/"+name, false)
	Expect(folder.Make()).To(Succeed())
	var (
		out   []ours
		known = refs{}
	)
	for i, a := range v.Rows {
		if a.Absent {
			continue
		}
		o := ours{vector: v, index: i, answer: a}
		cells := known.cells(a.Row)
		o.obs, o.command = d.row(ctx, s, folder, fmt.Sprintf("row %d", i), d.cells(cells, folder.Path()))
		o.data = d.plain(o.obs.Data, folder.Path())
		if m, ok := o.data.(map[string]any); ok { // a row repeats the ref that it was given
			for k, v := range m {
				if at := slices.IndexFunc(cells, func(c string) bool { return v == c }); at >= 0 {
					m[k] = a.Row[at]
				}
			}
		}
		theirs := a.Text
		if m, ok := a.Data.(map[string]any); ok {
			theirs, _ = m["snapshot"].(string)
		}
		if mine, ok := o.obs.Data["snapshot"].(string); ok {
			known.learn(theirs, mine)
		}
		out = append(out, o)
	}
	return out
}

// row checks, binds and executes a row, as a suite would.
func (d *driver) row(ctx context.Context, s steps.Session, f *artifact.Folder, name string, cells []string) (steps.Observation, *argv.Command) {
	var l diag.List
	at := diag.Pos{File: "vector.yaml", Line: 1, Col: 1}
	in := make([]argv.Cell, len(cells))
	for i, c := range cells {
		in[i] = argv.Cell{Text: c, Pos: at}
	}
	call := argv.Parse(in, at, &l)
	var command *argv.Command
	if call != nil {
		command = call.Command
	}
	for _, e := range l.All() {
		if e.Severity != diag.Lint {
			return steps.Fail(steps.Validation, "compile", e.Error()), command
		}
	}
	args, err := call.Bind(cells)
	if err != nil {
		return steps.Fail(steps.Validation, "compile", err.Error()), command
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	return s.Do(ctx, args, steps.RowOptions{Files: f.For("", name), Dir: f.Path()}), command
}

// cells puts addresses and folders into a row.
func (d *driver) cells(row []string, folder string) []string {
	_, port, _ := strings.Cut(strings.TrimPrefix(d.server.URL, "http://"), ":")
	r := strings.NewReplacer("{{BASE}}", d.server.URL, "{{HOST}}", strings.TrimPrefix(d.server.URL, "http://"), "{{ART}}", folder,
		"{{ROOT}}", d.store.Dir(), ":8917", ":"+port)
	out := make([]string, len(row))
	for i, c := range row {
		out[i] = r.Replace(c)
	}
	return out
}

// plain gives data as JSON has it, with the names of the vectors for addresses and folders.
func (d *driver) plain(data map[string]any, folder string) any {
	if data == nil {
		return nil
	}
	text, err := json.Marshal(data)
	Expect(err).NotTo(HaveOccurred())
	_, port, _ := strings.Cut(strings.TrimPrefix(d.server.URL, "http://"), ":")
	r := strings.NewReplacer(d.server.URL, "{{BASE}}", strings.TrimPrefix(d.server.URL, "http://"), "{{HOST}}", folder, "{{ART}}",
		d.store.Dir(), "{{ROOT}}", ":"+port, ":8917")
	var out any
	Expect(json.Unmarshal([]byte(r.Replace(string(text))), &out)).To(Succeed())
	return out
}
