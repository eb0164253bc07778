package qa_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

type object = map[string]any

func ok(data object) steps.Observation { return steps.Observation{Success: true, Data: data} }

// judge runs the verdict of a qa step over what its rows gave; rows that are not given answered with nothing.
func judge(step string, explained func(steps.Fault) bool, gave map[string]object) steps.Observation {
	GinkgoHelper()
	body := compiled(step)
	var list []steps.Observation
	for _, r := range body.Rows {
		list = append(list, ok(gave[r.From]))
	}
	return body.Verdict(context.Background(), steps.Env{Explained: explained}, list)
}

func failedChecks(o steps.Observation) []string {
	var out []string
	for _, c := range o.Data["failed_checks"].([]any) {
		out = append(out, c.(string))
	}
	return out
}

var _ = Describe("the verdict of qa", func() {
	old, fresh := object{"text": "Error: old"}, object{"text": "Error: new"}
	const unverified = "page-error check could not be verified"

	DescribeTable("holds page errors against those that were there before",
		func(baseline, final []any, fails ...string) {
			o := judge("qa: { url: / }", nil, map[string]object{"qa.errorBaselineAfterClear": {"errors": baseline}, "qa.errors": {"errors": final}})
			Expect(failedChecks(o)).To(HaveExactElements(anything(fails)...))
			Expect(o.Success).To(Equal(len(fails) == 0))
		},
		Entry("none before, none after", []any{}, []any{}),
		Entry("some before, none after", []any{old}, []any{}),
		Entry("a new one", []any{}, []any{fresh}, "page error: Error: new"),
		Entry("the same as before", []any{old}, []any{old}, unverified),
		Entry("the same once more", []any{old}, []any{old, old}, "page error: Error: old", unverified),
		Entry("one old and one new", []any{old}, []any{old, fresh}, "page error: Error: new", unverified),
		Entry("numbered: what came before is known", []any{object{"text": "Error: old", "seq": 3}}, []any{object{"text": "Error: old", "seq": 3}}),
		Entry("numbered: the same text again is new", []any{object{"text": "Error: old", "seq": 3}},
			[]any{object{"text": "Error: old", "seq": 3}, object{"text": "Error: old", "seq": 4}}, "page error: Error: old"),
	)

	It("does not trust a log that overflowed", func() {
		o := judge("qa: { url: / }", nil, map[string]object{"qa.errors": {"errors": []any{}, "dropped": 7}, "qa.console": {"dropped": 1},
			"qa.network": {"dropped": 2, "requests": []any{object{"url": "http://h/a", "method": "GET", "status": 500, "resourceType": "fetch"}}}})
		Expect(failedChecks(o)).To(HaveExactElements(
			"failed request: GET http://h/a answered 500 (fetch)", "network check could not be verified: the log overflowed, 2 entries fell out unread",
			HavePrefix("console check could not be verified"), HavePrefix(unverified)))
		var states []string
		for _, c := range o.Checks {
			states = append(states, c.Name+" "+string(c.State))
		}
		Expect(states).To(Equal([]string{"open passed", "load passed", "network failed", "console unverified", "page errors unverified"}))
	})

	DescribeTable("tells a missing icon from a failed request",
		func(r object, counts bool) {
			o := judge("qa: { url: /, check_console: false, check_errors: false }", nil, map[string]object{"qa.network": {"requests": []any{r}}})
			Expect(o.Success).To(Equal(!counts), o.Error)
		},
		Entry("favicon 404", object{"url": "http://h/favicon.ico", "status": 404}, false),
		Entry("with a query", object{"url": "http://h/x/favicon-32x32.png?v=1", "status": 404.0, "resourceType": "Image"}, false),
		Entry("apple-touch-icon refused", object{"url": "http://h/apple-touch-icon.png", "failed": true, "resourceType": "other"}, false),
		Entry("an error in words", object{"url": "http://h/FAVICON.SVG", "error": "net::ERR_FAILED", "mimeType": "image/svg+xml"}, false),
		Entry("favicon 500", object{"url": "http://h/favicon.ico", "status": 500}, true),
		Entry("fetched by a script", object{"url": "http://h/favicon.ico", "status": 404, "resourceType": "fetch"}, true),
		Entry("the resource type is preferred", object{"url": "http://h/favicon.ico", "status": 404, "resourceType": "xhr", "mimeType": "image/png"}, true),
		Entry("another picture", object{"url": "http://h/my-favicon.gif", "status": 404, "resourceType": "image"}, true),
		Entry("refused", object{"url": "http://h/a", "failed": true, "error": "net::ERR_CONNECTION_REFUSED", "resourceType": "fetch"}, true),
		Entry("aborted", object{"url": "http://h/a", "failed": true, "error": "net::ERR_ABORTED", "resourceType": "xhr"}, true),
		Entry("data:", object{"url": "data:image/png;base64,xx", "failed": true, "resourceType": "image"}, false),
		Entry("under way", object{"url": "http://h/a", "failed": false, "error": nil}, false),
	)

	It("lets pass what is explained, and shows where the rest comes from", func() {
		requests := []any{object{"url": "http://h/api/me", "method": "GET", "status": 401, "resourceType": "fetch", "seq": 4},
			object{"url": "http://h/api/x", "method": "GET", "status": 503, "resourceType": "fetch", "seq": 5, "initiator": "script http://h/a.js:3 load"}}
		o := judge("qa: { url: / }", func(f steps.Fault) bool { return f.Request == 4 || f.Text == "known" }, map[string]object{
			"qa.network": {"requests": requests},
			"qa.console": {"messages": []any{object{"type": "error", "text": "known"}, object{"type": "warning", "text": "no matter"},
				object{"type": "error", "text": "Failed to load resource: the server responded with a status of 503 ()", "url": "http://h/api/x"}}}})
		Expect(failedChecks(o)).To(Equal([]string{"failed request: GET http://h/api/x answered 503 (fetch)"}))
		Expect(o.Data["warnings"]).To(HaveExactElements("1 expected failed request ignored", "1 expected console error ignored"))
		Expect(o.Detail.Found).To(Equal([]string{"GET http://h/api/x answered 503 (fetch), from script http://h/a.js:3 load"}))
	})

	It("keeps the category of a row that could not do its work, and says what did not run", func() {
		body := compiled("qa: { url: /, expected_text: Tea }")
		gave := []steps.Observation{ok(nil), ok(nil), ok(nil), ok(nil), steps.Fail(steps.Navigation, "http-status", "/ answered 500")}
		o := body.Verdict(context.Background(), steps.Env{}, gave)
		Expect(o.Category).To(Equal(steps.Navigation))
		Expect(o.Error).To(Equal("qa failed: open: / answered 500"))
		Expect(o.Checks[len(o.Checks)-1].State).To(Equal(steps.CheckNotRun))
	})
})

var _ = Describe("a11y", func() {
	rule := func(id, impact string) any {
		return object{"id": id, "impact": impact, "help": "Mend it", "helpUrl": "https://h/" + id, "nodeCount": 2,
			"nodes": []any{object{"target": []any{"#a"}, "html": `<img id="a" data-source-file="src/A.tsx" data-source-line="7">`}, object{"target": []any{"#b"}, "html": "<b>"}}}
	}
	audit := func(step string) steps.Observation {
		GinkgoHelper()
		locate := func(_ context.Context, from []steps.Place, _ string) string {
			if len(from) == 0 {
				return ""
			}
			return from[0].URL
		}
		return compiled(step).Verdict(context.Background(), steps.Env{Locate: locate},
			[]steps.Observation{ok(object{"violations": []any{rule("image-alt", "critical"), rule("region", "moderate")}})})
	}

	It("says which frames were not looked into", func() {
		o := compiled("a11y: {}").Verdict(context.Background(), steps.Env{}, []steps.Observation{
			ok(object{"violations": []any{}, "framesSkipped": []any{object{"url": "/ad", "why": "it is not visible"}}})})
		Expect(o.Success).To(BeTrue())
		Expect(o.Warnings).To(Equal([]string{"the frame /ad was not looked into: it is not visible"}))
		Expect(o.Data["framesSkipped"]).To(HaveLen(1))
	})

	It("makes one row, and fails with the elements and where the rule is explained", func() {
		Expect(cells(compiled("a11y: { tags: [wcag2a, wcag2aa], selector: main }"))).To(Equal([]string{"a11y --tags wcag2a,wcag2aa --selector main"}))
		o := audit("a11y: {}")
		Expect(o.Error).To(Equal("2 accessibility rules are broken at 4 elements: image-alt, region"))
		Expect(o.Category).To(Equal(steps.Assertion))
		Expect(o.Detail.Found[:3]).To(Equal([]string{"image-alt (critical, Mend it): https://h/image-alt",
			`  #a <img id="a" data-source-file="src/A.tsx" data-source-line="7"> → src/A.tsx`, "  #b <b>"}))
	})

	DescribeTable("passes what weighs less or is allowed",
		func(step string, passes bool) { Expect(audit(step).Success).To(Equal(passes)) },
		Entry("serious and above", "a11y: { impact: serious }", false),
		Entry("serious, one allowed", "a11y: { impact: serious, allow: [image-alt] }", true),
		Entry("one allowed", "a11y: { allow: [image-alt] }", false),
		Entry("both allowed", "a11y: { allow: [image-alt, region] }", true),
	)
})
