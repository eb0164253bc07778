package conformance_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// said makes an answer of ours beside one of the reference.
func said(row []string, want answer, got steps.Observation) ours {
	want.Row = row
	return ours{vector: &vector{Name: "made-up"}, answer: want, obs: got, data: map[string]any(got.Data),
		command: &argv.Command{Data: []argv.DataKey{{Name: "status"}}}}
}

func good(data map[string]any) answer { return answer{OK: true, Data: data} }

type data = map[string]any

var _ = DescribeTable("what differs is found", func(row []string, want answer, got steps.Observation, forms ...string) {
	o := said(row, want, got)
	var found []string
	for _, d := range compare(o) {
		found = append(found, d.form)
	}
	if len(forms) == 0 {
		Expect(found).To(BeEmpty())
		return
	}
	Expect(found).To(ConsistOf(forms))
	v := judge([]ours{o}, nil)
	Expect(v.equal).To(BeZero())
	Expect(v.open).To(HaveLen(len(forms)))
},
	Entry("nothing", []string{"get", "title"}, good(data{"title": "a"}), steps.OK(data{"title": "a"}, "")),
	Entry("ids and measures aside", []string{"get", "box", "#a"}, good(data{"x": 1.0, "targetId": "<targetId>"}), steps.OK(data{"x": 2.0}, "")),
	Entry("a value", []string{"get", "title"}, good(data{"title": "a"}), steps.OK(data{"title": "b"}, ""), "~title"),
	Entry("a key that is missing", []string{"get", "title"}, good(data{"title": nil}), steps.OK(data{}, ""), "-title"),
	Entry("a key that nobody documents", []string{"get", "title"}, good(data{}), steps.OK(data{"bonus": 1.0}, ""), "+bonus"),
	Entry("the length of a list", []string{"tab", "list"}, good(data{"tabs": []any{"a"}}), steps.OK(data{"tabs": []any{}}, ""), "~#tabs"),
	Entry("a line of the console", []string{"console"}, good(data{"messages": []any{data{"type": "log", "text": "a"}}}),
		steps.OK(data{"messages": []any{}}, ""), "-messages[]"),
	Entry("a failure of ours", []string{"hover", "#a"}, good(data{}), steps.Fail(steps.Timeout, "", "late"), "ok ≠ timeout"),
	Entry("a failure of theirs", []string{"hover", "#a"}, answer{Error: "Wait timed out after 5ms"}, steps.OK(data{}, ""), "timeout ≠ ok"),
	Entry("another failure", []string{"hover", "@e1"}, answer{Error: "Unknown ref: e1"}, steps.Fail(steps.NotFound, "not-found", "no"),
		"stale-ref ≠ not-found/not-found"),
	Entry("the same failure", []string{"hover", "#a"}, answer{Error: "Element not found: #a. Verify the selector, role, or name is correct"},
		steps.Fail(steps.NotFound, "not-found", "no")))

var _ = It("documented keys are no difference, and are counted", func() {
	v := judge([]ours{said([]string{"open", "/"}, good(data{"url": "/"}), steps.OK(data{"url": "/", "status": 200.0}, ""))}, nil)
	Expect([]int{v.equal, v.more, len(v.open)}).To(Equal([]int{1, 1, 0}))
})
