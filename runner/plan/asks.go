package plan

import (
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps"
)

// webMCP is the switch that lets pages offer tools.
const webMCP = "--enable-blink-features=WebMCP"

// askBrowser gives the browser of a suite what its rows ask for and others do not pay for: React's hook, and the tools
// that pages offer to agents.
func askBrowser(s *Suite) {
	react, tools := false, false
	look := func(lists ...[]steps.Step) {
		for _, list := range lists {
			steps.EachRow(list, func(_ *steps.Step, r *steps.Row) {
				react = react || r.Call != nil && r.Call.Is("react")
				tools = tools || r.Call != nil && r.Call.Is("webmcp")
			})
		}
	}
	look(s.Setup, s.Teardown)
	for _, in := range s.Sessions {
		look(in.Login, in.Open)
	}
	for _, t := range s.Tests {
		look(t.BeforeEach, t.Steps, t.Finally, t.AfterEach)
	}
	if !react && !tools {
		return
	}
	all := []*steps.SessionOptions{&s.Browser}
	for _, t := range s.Tests {
		all = append(all, &t.Browser)
	}
	for _, o := range all {
		o.React = react
		if tools && !slices.ContainsFunc(o.Args, func(a string) bool { return strings.Contains(a, "WebMCP") }) {
			o.Args = append(slices.Clone(o.Args), webMCP)
		}
	}
}
