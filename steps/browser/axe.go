package browser

import (
	"context"
	_ "embed" // axe-core
	"fmt"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// axeSource is axe-core as its makers publish it, under the Mozilla Public License 2.0 that its head names.
//
//go:embed axe.min.js
var axeSource string

// axeRun makes axe-core look and keeps what a row tells. axe-core leaves a global behind, which is taken away again. In a
// frame of an audited page the rules are left out that a page keeps as a whole: one main landmark, one heading.
const axeRun = `(async (root, tags) => {
	const had = Object.getOwnPropertyDescriptor(window, 'axe');
	AXE;
	const axe = window.axe;
	if (had) Object.defineProperty(window, 'axe', had); else delete window.axe;
	const o = { iframes: false, resultTypes: ['violations', 'incomplete'] };
	if (tags.length) o.runOnly = { type: 'tag', values: tags };
	const inner = root.initiator === false;
	if (inner) o.rules = Object.fromEntries(['bypass', 'landmark-one-main', 'page-has-heading-one', 'region'].map(id => [id, { enabled: false }]));
	const r = inner ? await axe.finishRun([await axe.runPartial(root, o)], o) : await axe.run(root, o);
	const rule = v => ({ id: v.id, impact: v.impact, help: v.help, helpUrl: v.helpUrl, tags: v.tags, nodeCount: v.nodes.length,
		nodes: v.nodes.slice(0, 50).map(n => ({ target: n.target.map(String), html: n.html.slice(0, 500), failureSummary: n.failureSummary || '' })) });
	const within = [...(root.querySelectorAll ? root.querySelectorAll('iframe,frame') : [])].map(f => f.src || f.name);
	return { within, url: r.url, axeVersion: r.testEngine.version, violations: r.violations.map(rule), incomplete: r.incomplete.map(rule),
		counts: { violations: r.violations.length, incomplete: r.incomplete.length, passes: r.passes.length, inapplicable: r.inapplicable.length } };
})`

// axeScript is axeRun with axe-core in it.
func axeScript() string { return strings.Replace(axeRun, "AXE", axeSource, 1) }

func a11y(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	if err := s.visitFirst(r); err != nil {
		return steps.Observation{}, err
	}
	tags := []any{}
	if v, ok := r.a.Flag("--tags"); ok {
		for _, t := range strings.Split(v, ",") {
			tags = append(tags, t)
		}
	}
	found, err := s.audit(ctx, r, tags)
	if err != nil {
		return steps.Observation{}, err
	}
	data, ok := plain(found).(map[string]any)
	if !ok {
		return steps.Observation{}, problem(steps.Internal, "axe", "axe-core gave no result")
	}
	if within, _ := data["within"].([]any); s.wholePage(r) {
		s.auditFrames(ctx, r, tags, data)
	} else {
		a := &frameAudit{data: data, skipped: []any{}, audited: []any{}}
		for _, f := range within {
			a.skip(fmt.Sprint(f), "only the frames of a whole page are looked into")
		}
		a.finish()
	}
	delete(data, "within")
	o := steps.OK(data, "violations")
	if counts, ok := data["counts"].(map[string]any); ok {
		o.Summary = fmt.Sprintf("%v violations, %v for a human to look at", counts["violations"], counts["incomplete"])
		if skipped, _ := data["framesSkipped"].([]any); len(skipped) > 0 {
			o.Summary += fmt.Sprintf(", %d frames not looked into", len(skipped))
		}
	}
	return o, nil
}

// wholePage tells that an audit is of the page, not of an element or a selected frame.
func (s *session) wholePage(r *row) bool {
	_, part := r.a.Flag("--selector")
	return !part && len(s.where().in) == 0 && s.scope(s.active()) == nil
}

// visitFirst opens the page that a row names before it looks.
func (s *session) visitFirst(r *row) error {
	if len(r.a.Operands) == 0 {
		return nil
	}
	to, err := s.resolve(r.op(0))
	if err != nil {
		return err
	}
	limit := r.limit
	r.extend(max(limit, s.o.Limits.Open))
	err = s.visit(r, to)
	r.extend(limit)
	return err
}

// audit runs axe-core: in a world of its own where it looks at the whole page, so that the page's scripts cannot disturb
// it; in the document of an element or of the selected frame through the driver.
func (s *session) audit(ctx context.Context, r *row, tags []any) (any, error) {
	if src, ok := r.a.Flag("--selector"); ok {
		t, err := parse(src)
		if err != nil {
			return nil, err
		}
		e, err := s.element(ctx, t)
		if err != nil {
			return nil, err
		}
		return s.auditElement(ctx, r, e, tags)
	}
	if len(s.where().in) > 0 {
		e, err := s.innermost(ctx)
		if err != nil {
			return nil, err
		}
		v, err := e.frame.Locator(e.sel()).Evaluate("(root, tags) => "+axeScript()+"(root, tags)", tags,
			playwright.LocatorEvaluateOptions{Timeout: r.ms()})
		return v, s.axeProblem(err)
	}
	tab := s.active()
	if s.scope(tab) != nil {
		f, err := s.base(ctx, tab)
		if err != nil {
			return nil, err
		}
		v, err := f.Evaluate("tags => "+axeScript()+"(document, tags)", tags)
		return v, s.axeProblem(err)
	}
	return s.auditPage(ctx, tags)
}

func (s *session) auditElement(ctx context.Context, r *row, e *element, tags []any) (any, error) {
	if err := e.present(ctx, r); err != nil {
		return nil, err
	}
	v, err := e.any().Evaluate("(root, tags) => "+axeScript()+"(root, tags)", tags, playwright.LocatorEvaluateOptions{Timeout: milliseconds(s.o.Limits.Wait)})
	return v, s.axeProblem(err)
}

// auditPage runs axe-core in an isolated world of the main frame.
func (s *session) auditPage(ctx context.Context, tags []any) (any, error) {
	if s.bare() { // there is no isolated world to be had: it runs among the page's own scripts
		v, err := s.page().MainFrame().Evaluate("tags => "+axeScript()+"(document, tags)", tags)
		return v, s.axeProblem(err)
	}
	cdp, err := s.protocol(ctx)
	if err != nil {
		return nil, err
	}
	tree, err := s.send(ctx, cdp, "Page.getFrameTree", nil)
	if err != nil {
		return nil, err
	}
	m, _ := tree.(map[string]any)
	if t, ok := m["frameTree"].(map[string]any); ok {
		m = t
	}
	frame, _ := m["frame"].(map[string]any)
	made, err := s.send(ctx, cdp, "Page.createIsolatedWorld", map[string]any{"frameId": frame["id"], "worldName": "checkrow-axe"})
	if err != nil {
		return nil, err
	}
	world := made
	if m, ok := made.(map[string]any); ok {
		world = m["executionContextId"]
	}
	list := make([]string, len(tags))
	for i, t := range tags {
		list[i] = literal(fmt.Sprint(t))
	}
	raw, err := s.send(ctx, cdp, "Runtime.evaluate", map[string]any{"contextId": world, "awaitPromise": true, "returnByValue": true,
		"expression": axeScript() + "(document, [" + strings.Join(list, ",") + "])"})
	if err != nil {
		return nil, err
	}
	v, _, err := evaluated(raw)
	return v, err
}

// axeProblem words what a script threw; what the driver says stays.
func (s *session) axeProblem(err error) error {
	if err == nil || s.fate(nil) != nil || transient(err) || targetClosed(err) || connectionClosed(err) || isTimeout(err) {
		return err
	}
	return jsProblem(cleanError(err))
}
