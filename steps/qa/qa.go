// Package qa holds the step kinds that look a page over and give a verdict: qa for what every page must be free of, and
// a11y for what assistive technology needs.
package qa

import (
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// Kind is the qa step: it opens a page, or takes the one that is there, and judges its texts, requests, console and
// errors. It compiles to a fixed list of rows; the step's verdict is made of what they gave.
var Kind = steps.Kind{
	Name: "qa",
	Doc: "Opens a page and looks it over: it must show what is expected, and have no failed request, no console error and no uncaught error. " +
		"With attached it looks at the page that is there, and only at what is asked for.",
	Example: "- qa: { url: /shop, expected_text: Catalogue, expected_selector: \"#products > li\" }\n" +
		"- qa: { attached: true, check_errors: true }\n",
	Keys:   []spec.Key{{Name: "qa", Type: "map", Doc: "the page and what is checked of it", Required: true, Keys: qaKeys}},
	Decode: decodeQA,
}

// qaKeys are the keys of the map under qa.
var qaKeys = []spec.Key{
	{Name: "url", Type: "text", Doc: "the page to open: a URL, or a path on base_url", Excludes: []string{"attached"}, Aka: []string{"open", "page", "path", "uri"}},
	{Name: "attached", Type: "bool", Doc: "true: look at the page that is open", Excludes: []string{"url"}, Aka: []string{"attach", "current"}},
	{Name: "expected_text", Type: "text or texts", Doc: "text that the page must show within 5s: one, or a list", Aka: []string{"text", "expecttext", "expectedtexts", "texts"}},
	{Name: "expected_selector", Type: "text", Doc: "a target that must become visible", Aka: []string{"selector", "expectselector", "target"}},
	{Name: "screenshot", Type: "text", Doc: "a file for a picture of the page", Aka: []string{"screenshotpath"}},
	{Name: "check_network", Type: "bool", Doc: "no request fails, is refused or answered 400 or more", Default: "true with url, false with attached", Aka: []string{"network", "requests"}},
	{Name: "check_console", Type: "bool", Doc: "no error on the console", Default: "true with url, false with attached", Aka: []string{"console"}},
	{Name: "check_errors", Type: "bool", Doc: "no uncaught error", Default: "true with url, false with attached", Aka: []string{"errors", "pageerrors"}},
	{Name: "load_state", Type: "text", Doc: "what is waited for: domcontentloaded, load or networkidle", Default: "domcontentloaded", Aka: []string{"load", "waituntil"}},
}

// qaResult is the type of steps.ID and of the names in expect.
func qaResult() spec.Type {
	texts := func(doc string) spec.Type {
		return spec.Type{Base: spec.List, Elem: &spec.Type{Base: spec.String}, Doc: doc}
	}
	passed := spec.Type{Base: spec.Bool, Doc: "no check failed"}
	return steps.Result(map[string]spec.Type{
		"value": passed,
		"data": {Base: spec.Struct, Fields: map[string]spec.Type{
			"passed": passed, "failed_checks": texts("what was wrong, one sentence each"), "warnings": texts("what was seen and let pass"),
			"summary": {Base: spec.String, Doc: "the verdict in one sentence"},
		}},
	})
}
