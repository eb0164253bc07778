package source_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

// app is one that a step has launched.
type app struct{ steps.App }

func (app) Fate(time.Duration) (text, output string) { return "", "" }

func (app) Record() steps.AppRecord {
	return steps.AppRecord{LaunchID: "electron-1", Name: "Notes", Path: "/opt/notes", Executable: "/opt/notes/notes"}
}

var _ = DescribeTable("In the session of an app, the steps say which it is, and how to look on",
	func(step string, launched steps.App, gave steps.Observation, status string, about, next OmegaMatcher) {
		body := compiled(step)
		gave.Page.URL = "app://main?q=secret"
		e := steps.Env{Root: project(map[string]string{"src/b.ts": ""}), Apps: func() steps.Apps { return steps.Apps{Current: launched} }}
		o := body.Verdict(GinkgoT().Context(), e, []steps.Observation{gave, ok(object{"html": gave.Data["html"]})}[:len(body.Rows)])
		Expect(o.Success).To(BeTrue(), o.Error)
		Expect(o.Data).To(And(HaveKeyWithValue("status", status), HaveKeyWithValue("workspace_root", e.Root)))
		Expect(o.Data["electron_context"]).To(about)
		Expect(o.NextActions).To(next)
	},
	Entry("nothing was found", `source: { selector: "#a" }`, app{}, ok(object{"html": "<b>"}), "no-candidates", isNotes, lookOn),
	Entry("something was found", `source: { selector: "#a" }`, app{}, ok(object{"html": `<b data-file="src/b.ts">`}), "candidates-found", isNotes, BeEmpty()),
	Entry("a request that nobody names", `network_source: { filter: /x }`, app{},
		ok(object{"requests": []any{object{"requestId": "r1", "url": "https://h.test/x", "status": 500}}}), "no-candidates", isNotes, lookOn),
	Entry("no request failed", `network_source: { filter: /x }`, app{}, ok(object{"requests": []any{}}), "no-failed-requests", isNotes, BeEmpty()),
	Entry("in a browser", `source: { selector: "#a" }`, nil, ok(object{"html": "<b>"}), "no-candidates", BeNil(), BeEmpty()),
)

var (
	isNotes = And(HaveKeyWithValue("launch_id", "electron-1"), HaveKeyWithValue("name", "Notes"), HaveKeyWithValue("executable", "/opt/notes/notes"), HaveKeyWithValue("url", Not(ContainSubstring("secret"))))
	lookOn  = HaveExactElements(HaveField("Row", []string{"snapshot", "-i"}), HaveField("Step", "electron: { probe: true }"), HaveField("Row", []string{"tab", "list"}))
)
