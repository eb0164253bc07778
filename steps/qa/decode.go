package qa

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

var loadStates = []string{"domcontentloaded", "load", "networkidle"}

// preset is a qa step while it is compiled: its rows and what each is for.
type preset struct {
	d    *steps.Decoder
	at   diag.Pos
	rows []steps.Row
	jobs []job
}

// job is what a row of the preset is for.
type job struct {
	part string    // open, load, text, selector, network, console, errors, screenshot; "" for what prepares
	want spec.Text // of text and selector
}

// The parts of a preset that are checks, by the names that reports show.
const (
	partOpen       = "open"
	partLoad       = "load"
	partText       = "text"
	partSelector   = "selector"
	partNetwork    = "network"
	partConsole    = "console"
	partErrors     = "page errors"
	partScreenshot = "screenshot"
	partBaseline   = "baseline"
)

func decodeQA(d *steps.Decoder, m map[string]spec.Node, at spec.Node) (steps.Body, spec.Type) {
	n, ok := m["qa"]
	if !ok {
		return nil, qaResult()
	}
	if text, is := n.Text(); is && !n.Empty() {
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("qa", "a map", "text"), "write qa: { url: "+strconv.Quote(text)+" }")
		return nil, qaResult()
	}
	k, ok := n.Map(`"qa"`, qaKeys, d.Errs)
	if !ok {
		return nil, qaResult()
	}
	before := d.Errs.Len()
	p := &preset{d: d, at: at.Pos()}
	p.build(n, k)
	if d.Errs.Len() > before || len(p.rows) == 0 {
		return nil, qaResult()
	}
	jobs := p.jobs
	return steps.Rows{Rows: p.rows, Checks: true, Again: true, Reset: strings.HasSuffix(p.rows[0].From, "Reset"),
		Verdict: func(ctx context.Context, e steps.Env, gave []steps.Observation) steps.Observation {
			return verdict(ctx, e, jobs, gave)
		}}, qaResult()
}

// build makes the rows in their fixed order (CONTRACT R50); those of a page that is there neither open nor empty
// anything.
func (p *preset) build(n spec.Node, k map[string]spec.Node) {
	l, before := p.d.Errs, p.d.Errs.Len()
	attached := spec.WantBool(k["attached"], "attached", l)
	url, opens := k["url"]
	switch {
	case k["attached"] != (spec.Node{}) && !attached && !opens:
		l.AddWide(k["attached"].Pos(), k["attached"].Width(), `"attached" can only be true`, "write url: for a page to open")
		return
	case !opens && !attached && k["attached"] == (spec.Node{}):
		if len(n.Keys()) != len(k) { // one of them may be it, and was refused
			return
		}
		l.Add(n.Pos(), `"qa" names no page`, "write url: /path for a page to open, or attached: true for the one that is there")
		return
	}
	on := func(key string) bool {
		if v, has := k[key]; has {
			return spec.WantBool(v, key, l)
		}
		return opens
	}
	network, console, errors := on("check_network"), on("check_console"), on("check_errors")
	if opens {
		p.reset(network, console, errors)
		if t, ok := p.d.TextOf(url, "url"); ok {
			p.row("qa.open", job{part: partOpen}, nil, append(steps.Cells(p.at, "open"), t)...)
		}
	}
	p.load(k["load_state"], opens)
	if opens && (console || errors) {
		p.fixed("qa.diagnosticSettle", job{}, "wait", "150")
	}
	p.texts(k["expected_text"])
	if v, has := k["expected_selector"]; has {
		if t, ok := p.d.TextOf(v, "expected_selector"); ok {
			p.row("qa.expectedSelector", job{part: partSelector, want: t}, nil, append(steps.Cells(p.at, "wait"), t)...)
		}
	}
	if network {
		p.fixed("qa.network", job{part: partNetwork}, "network", "requests")
	}
	if console {
		p.fixed("qa.console", job{part: partConsole}, "console")
	}
	if errors {
		p.fixed("qa.errors", job{part: partErrors}, "errors")
	}
	if v, has := k["screenshot"]; has {
		if t, ok := p.d.TextOf(v, "screenshot"); ok {
			p.row("qa.screenshot", job{part: partScreenshot}, nil, append(steps.Cells(p.at, "screenshot"), t)...)
		}
	}
	if len(p.rows) == 0 && l.Len() == before {
		l.Add(n.Pos(), `"qa" checks nothing`, "with attached every check is asked for: check_errors: true, expected_text: Thank you")
	}
}

// reset empties the logs of what is checked, so that what they hold afterwards is of this page.
func (p *preset) reset(network, console, errors bool) {
	if network {
		p.fixed("qa.networkReset", job{}, "network", "requests", "--clear")
	}
	if console {
		p.fixed("qa.consoleReset", job{}, "console", "--clear")
	}
	if errors {
		p.fixed("qa.errorReset", job{}, "errors", "--clear")
		p.fixed("qa.errorBaselineAfterClear", job{part: partBaseline}, "errors")
	}
}

func (p *preset) load(n spec.Node, opens bool) {
	state := ""
	if opens {
		state = loadStates[0]
	}
	if !n.IsZero() {
		given := spec.WantText(n, "load_state", p.d.Errs)
		if !slices.Contains(loadStates, given) {
			if given != "" {
				msg, hint := diag.BadValue("load_state", given, loadStates)
				if hint == "" {
					hint = "one of " + strings.Join(loadStates, ", ")
				}
				p.d.Errs.AddWide(n.Pos(), n.Width(), msg, hint)
			}
			return
		}
		state = given
	}
	if state != "" {
		p.fixed("qa.load", job{part: partLoad}, "wait", "--load", state)
	}
}

func (p *preset) texts(n spec.Node) {
	if n.IsZero() {
		return
	}
	list, many := n.Seq()
	if !many {
		list = []spec.Node{n}
	}
	if len(list) == 0 {
		p.d.Errs.Add(n.Pos(), `"expected_text" is empty`, "leave it out, or write what the page must show")
	}
	for _, item := range list {
		t, ok := p.d.TextOf(item, "expected_text")
		if !ok {
			continue
		}
		cells := append(steps.Cells(p.at, "wait", "--fn"), t)
		cells = append(cells, steps.Cells(p.at, "--timeout", "5000")...)
		p.row("qa.expectedText", job{part: partText, want: t}, func(texts []string) []string {
			out := slices.Clone(texts)
			out[2] = Shows(out[2])
			return out
		}, cells...)
	}
}

func (p *preset) fixed(from string, j job, cells ...string) {
	p.row(from, j, nil, steps.Cells(p.at, cells...)...)
}

func (p *preset) row(from string, j job, finish func([]string) []string, cells ...spec.Text) {
	if r, ok := p.d.Generated(from, p.at, cells, finish); ok {
		p.rows, p.jobs = append(p.rows, r), append(p.jobs, j)
	}
}
