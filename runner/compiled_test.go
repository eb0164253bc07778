package runner_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

var _ = It("tells what a step of few words came to", func(ctx SpecContext) {
	engine := &fakeEngine{answer: func(row []string) steps.Observation {
		switch {
		case row[0] == "wait" && row[1] == "--load":
			return steps.Fail(steps.Timeout, "", "the page does not load")
		case row[0] == "find" && row[1] == "role":
			return steps.OK(map[string]any{"clicked": "@e7", "effective": []any{"click", "@e7"}}, "clicked")
		case row[0] == "find":
			return steps.Observation{Success: true, Argv: []string{"find", "label", "Pin", "fill", "•••"}}
		}
		return steps.OK(map[string]any{}, "")
	}}
	body := "tests:\n  - name: t\n    steps:\n" +
		"      - action: { action: click, role: button, name: Pay, resolve: snapshot }\n" +
		"      - action: { action: fill, locator: label, value: Pin, text: hunter2 }\n" +
		"      - [reload]\n" +
		"      - qa: { url: /shop, expected_text: Tea, check_console: false, check_errors: false }\n"
	o := play(ctx, suite(body), func(o *runner.Options, _ *plan.Options) { o.Engine = engine })
	var got []*steps.Compiled
	for _, s := range o.last("t").Steps {
		if s.Obs != nil && (s.Obs.Compiled != nil || s.Path == "3") {
			got = append(got, s.Obs.Compiled)
		}
	}
	Expect(got).To(HaveLen(4))
	Expect(*got[0]).To(Equal(steps.Compiled{Plan: []steps.PlanRow{{Row: []string{"find", "role", "button", "click", "--name", "Pay", "--resolve", "snapshot"},
		From: "action", State: steps.RowCompleted, Effective: []string{"click", "@e7"}}}}))
	Expect(got[1].Plan).To(Equal([]steps.PlanRow{{Row: []string{"find", "label", "Pin", "fill", "•••"}, From: "action", State: steps.RowCompleted}}))
	Expect(got[2]).To(BeNil(), "a row of the suite is what it says")
	var plan []string
	for _, r := range got[3].Plan {
		plan = append(plan, r.From+" "+string(r.State))
	}
	Expect(plan).To(Equal([]string{"qa.networkReset completed", "qa.open completed", "qa.load failed", "qa.expectedText not-run", "qa.network not-run"}))
	Expect(got[3].Plan[2].Row).To(Equal([]string{"wait", "--load", "domcontentloaded"}))
	Expect(got[3].Reset).To(BeTrue())
	Expect(got[3].Checks).To(Equal([]string{"open", "load", `text "Tea"`, "network"}))
})
