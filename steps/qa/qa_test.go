package qa_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/qa"
)

// compiled gives the body of one step.
func compiled(step string) steps.Rows {
	GinkgoHelper()
	var l diag.List
	s := spec.Parse("s.yaml", []byte("suite: s\nvars: { word: Tea \"x\" }\ntests:\n  - name: t\n    steps:\n      - "+step+"\n"), &l).Suite
	Expect(l.Err()).NotTo(HaveOccurred())
	sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Used: map[string]bool{}, Steps: map[string]spec.Type{},
		Names: map[string]spec.Type{"vars": {Base: spec.Struct, Fields: map[string]spec.Type{"word": {Base: spec.String}}}}}
	d := &steps.Decoder{Errs: &l, Scope: sc, Kinds: map[string]steps.Kind{"qa": qa.Kind, "a11y": qa.A11y}}
	list := d.Steps(s.Tests[0].Steps, sc)
	Expect(l.Err()).NotTo(HaveOccurred())
	Expect(list).To(HaveLen(1))
	body, ok := list[0].Body.(steps.Rows)
	Expect(ok).To(BeTrue())
	Expect(steps.Asserts(list)).To(BeTrue())
	return body
}

// cells gives the rows of a body, scripts cut short.
func cells(b steps.Rows) []string {
	var out []string
	for _, r := range b.Rows {
		var row []string
		for _, c := range r.Call.Cells {
			text := c.Text
			if strings.HasPrefix(text, "(() =>") {
				text = "JS"
			}
			row = append(row, text)
		}
		out = append(out, strings.Join(row, " "))
	}
	return out
}

// vector is a batch that the reference answered.
type vector struct {
	Name string
	Rows []struct {
		Row     []string
		Success bool
		Error   string
		Result  map[string]any
	}
}

func vectors() map[string]vector {
	GinkgoHelper()
	text, err := os.ReadFile("testdata/plans.json")
	Expect(err).NotTo(HaveOccurred())
	var list []vector
	Expect(json.Unmarshal(text, &list)).To(Succeed())
	out := map[string]vector{}
	for _, v := range list {
		out[v.Name] = v
	}
	return out
}

// gave makes observations of what the reference answered; a predicate that timed out is a wait that timed out here.
func (v vector) gave(from int) []steps.Observation {
	var out []steps.Observation
	for _, r := range v.Rows[from:] {
		o := steps.Observation{Success: r.Success, Data: r.Result, Error: r.Error}
		if !r.Success {
			if strings.Contains(r.Error, "Omitted") || strings.Contains(r.Error, "skipped") {
				break
			}
			o.Category, o.Sub = steps.Timeout, "wait"
		}
		out = append(out, o)
	}
	return out
}

var _ = Describe("qa", func() {
	DescribeTable("compiles to the plan of the reference and judges what it answered",
		func(name, step string, from int, fails, warns []string, found ...string) {
			v := vectors()[name]
			Expect(v.Rows).NotTo(BeEmpty())
			body := compiled(step)
			var want []string
			for _, r := range v.Rows[from:] {
				row := strings.Join(r.Row, " ")
				if r.Row[0] == "wait" && r.Row[1] == "--fn" {
					row = "wait --fn JS --timeout 5000"
				}
				want = append(want, strings.NewReplacer("{{BASE}}", "", "{{ART}}/", "").Replace(row))
			}
			Expect(cells(body)[:len(want)]).To(Equal(want))
			for _, r := range body.Rows {
				Expect(r.From).To(HavePrefix("qa."))
			}
			o := body.Verdict(context.Background(), steps.Env{}, v.gave(from))
			Expect(o.Success).To(Equal(len(fails) == 0), o.Error)
			Expect(o.Data["failed_checks"]).To(HaveExactElements(anything(fails)...))
			Expect(o.Data["warnings"]).To(HaveExactElements(anything(warns)...))
			if len(fails) > 0 {
				Expect(o.Category).To(Equal(steps.Assertion))
				Expect(o.Sub).To(Equal("qa"))
				Expect(o.Detail.Found).To(HaveExactElements(anything(found)...))
			}
		},
		Entry("a clean page", "qa-plan-clean", `qa: { url: /, expected_text: Fixture Home, expected_selector: "#b1", screenshot: qa1.png }`, 0,
			nil, []string{"1 benign network request failure(s) ignored"}),
		Entry("a page with faults of every sort", "qa-plan-errors", "qa: { url: /console, expected_text: Console, screenshot: qa2.png }", 0,
			[]string{"2 failed requests, the first: GET {{BASE}}/api/missing answered 404 (Fetch)",
				"console error: an error {stack: \"Error: inner\n    at {{BASE}}/console:2:112\", message: \"inner\"}",
				"2 page errors, the first: Error: rejected promise"}, []string{"1 benign network request failure(s) ignored"},
			"GET {{BASE}}/api/missing answered 404 (Fetch)", "POST {{BASE}}/api/fail answered 500 (Fetch)",
			"console error: an error {stack: \"Error: inner\n    at {{BASE}}/console:2:112\", message: \"inner\"}",
			"uncaught Error: rejected promise", "uncaught TypeError: uncaught later"),
		Entry("icons that are not there", "qa-plan-icons", "qa: { url: /icons, expected_text: Icons, screenshot: qa3.png }", 0,
			nil, []string{"3 benign network request failure(s) ignored"}),
		Entry("a text that does not come", "qa-plan-missing-text", "qa: { url: /, expected_text: Nope Not Here, screenshot: qa4.png }", 0,
			[]string{`expected text not found: "Nope Not Here"`}, nil),
		Entry("errors of the page before", "qa-plan-residue", "qa: { url: /, expected_text: Fixture Home, screenshot: qa5.png }", 3, nil, nil),
	)

	It("looks only at what is asked for where it is attached", func() {
		Expect(cells(compiled("qa: { attached: true, check_errors: true }"))).To(Equal([]string{"errors"}))
		Expect(cells(compiled("qa: { attached: true, expected_text: [a, b], check_network: true, load_state: load }"))).To(Equal([]string{
			"wait --load load", "wait --fn JS --timeout 5000", "wait --fn JS --timeout 5000", "network requests"}))
		Expect(cells(compiled("qa: { url: /, check_errors: false, check_console: false }"))).To(Equal([]string{
			"network requests --clear", "open /", "wait --load domcontentloaded", "network requests"}))
	})

	It("puts a text that the run knows into the script when it is rendered", func() {
		row := compiled(`qa: { attached: true, expected_text: "${{ vars.word }}!" }`).Rows[0]
		Expect(row.Call.Cells[2].Dynamic).To(BeTrue())
		out := row.Cells([]string{"wait", "--fn", `Tea "x"!`, "--timeout", "5000"})
		Expect(out[2]).To(ContainSubstring(`want = flat("Tea \"x\"!");`))
	})
})

func anything(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
