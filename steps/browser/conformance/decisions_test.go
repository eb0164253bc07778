package conformance_test

// decision is a difference from the reference that is meant. Its rules say which differences of which rows it covers;
// one that covers nothing any more fails the test.
type decision struct {
	id    string
	why   string
	where string // the paragraph that decides it
	rules []rule
}

// rule covers differences: those of a form, in rows that begin so, in some places. What is "" stands for all.
type rule struct {
	form string // as difference has it; "*" at the end stands for any rest, and so does "*" at the begin
	row  string // cells that the row begins with
	at   string // "find#3 find#5-7": vector and row; "find" is all of a vector
}

// decisions are in the order in which a difference is looked for.
func decisions() []decision {
	var all []decision
	for _, part := range [][]decision{compiled, targets, acting, waiting, seeing, storing, witnessing} {
		all = append(all, part...)
	}
	return all
}

// compiled are differences that a row shows before it runs.
var compiled = []decision{
	{"strict-cells", "an unknown flag or a further operand is a compile error; the reference ignores it", "DESIGN §3", []rule{
		{form: "ok ≠ validation/compile", at: "batch-nested#5 click#24 nav#25 open-variants#4 snapshot#9 snapshot#10 snapshot#14 single-flag-equals#1"},
		{form: "ok ≠ validation/compile", row: "screenshot --screenshot-format"},
		{form: "timeout ≠ validation/compile", row: "wait --time"}}},
	{"one-text-cell", "fill and type take exactly one text cell: the reference joins further ones, and takes none for empty", "DESIGN §3", []rule{
		{form: "ok ≠ validation/compile", at: "form#6 raw-tokenize#9"},
		{form: "~value", at: "form#7 form#9 raw-tokenize#10"}}},
	{"operand-needed", "what a row cannot do without must be there: open without URL, eval without script, find without action, --threshold without --if-changed", "DESIGN §3", []rule{
		{form: "ok ≠ validation/compile", at: "nav#0 eval#17 find#15 find#36 screenshot#12"},
		{form: "~text", at: "find#16 find#23 find#37"}}},
	{"checked-before", "what a cell can be is checked before anything runs: keys, directions, states, formats, roles, ids of tabs and requests", "DESIGN §3", []rule{
		{form: "ok ≠ validation/compile", at: "form#54 get#13 misc#22 network#9 screenshot#13 scroll-mouse#9 wait#16"},
		{form: "* ≠ validation/compile", at: "find#13 network#12 open-variants#0 set#11 tabs#10 tabs#14 wait#36"}}},
	{"tab-list-named", "tab and tab list are two rows, each with its data", "DESIGN §3, checkrow commands tab list", []rule{
		{form: "ok ≠ validation/compile", at: "tabs#1 single-singles-json#17 single-singles-text#13"}}},
	{"eval-stdin", "a row has no input to read a script from", "DESIGN §3, checkrow commands eval", []rule{
		{form: "ok ≠ validation/compile", row: "eval --stdin"}}},
	{"url-patterns", "a URL pattern is a glob on the path or on the whole URL without fragment; a bare word is a compile error", "LANGUAGE §4", []rule{
		{form: "* ≠ *", row: "wait --url"},
		{form: "ok ≠ validation/compile", row: "network route *"},
		{form: "*requests[].*", at: "network-route#10"}}},
	{"category-names", "a frame or a part of the page that is not there is not-found, as every target", "DECISIONS 11", []rule{
		{form: "upstream-error ≠ not-found/not-found", at: "frame-scope#17 frames-oop#5 snapshot-frames#12 snapshot-frames#16 snapshot#8 vitals-a11y#4"}}},
}

// targets are differences in what a target matches.
var targets = []decision{
	{"ref-spelling", "a ref is written @e3, everywhere; e3 alone would be a tag", "LANGUAGE §3", []rule{
		{form: "* ≠ validation/compile", at: "click#6 click#8 stale#21 wait-refs#7"},
		{form: "~text", at: "click#7 click#12 click#15"}}},
	{"target-grammar", "text=, :has-text() and open shadow roots are part of the target grammar; XPath needs its prefix", "LANGUAGE §3", []rule{
		{form: "selector-not-found ≠ validation/compile", row: "click //button[@id='b1']"},
		{form: "selector-not-found ≠ ok", at: "click#11 click#33 shadow#4"},
		{form: "~count", at: "shadow#6 select-options-ref#18"}}},
	{"targets-everywhere", "wait takes every target: refs, XPath and text too", "DESIGN §3", []rule{
		{form: "timeout ≠ *", at: "wait-refs stale#16"}}},
	{"first-visible", "a row that acts takes a visible match before a hidden one that stands first", "LANGUAGE §3", []rule{
		{form: "upstream-error ≠ ok", at: "hidden-dup#2"}}},
	{"find-names", "find matches as the target grammar does: any case, part of the name, whole elements, nothing that is no content", "DESIGN §3", []rule{
		{form: "selector-not-found ≠ ok", at: "find-form#5 find-form#10 find-text-traps#5-6 find#19 find#27"},
		{form: "upstream-error ≠ ok", at: "find-text-traps#2 shadow#7"},
		{form: "ok ≠ not-found/not-found", at: "find-text-traps#3"},
		{form: "~value", at: "find-form#6 find-form#11"}}},
	{"find-target", "find names the target that it acted on, not a mark that it left in the page", "DESIGN §3", []rule{
		{form: "~clicked", row: "find"}, {form: "~filled", row: "find"}, {form: "~checked", row: "find"}, {form: "~hovered", row: "find"}}},
	{"frame-scope", "find, wait and eval follow the selected frame, and a reload selects it again", "DESIGN §3", []rule{
		{form: "* ≠ ok", at: "frame-scope frames-oop#5"}, {form: "~value", at: "frame-scope#5"}, {form: "~result", at: "frame-scope#8"}}},
	{"is-missing", "is never waits, and an element that is missing is not visible, enabled or checked: false", "DESIGN §3", []rule{
		{form: "selector-not-found ≠ ok", at: "is#3 is#6 is#11"}}},
	{"see-through", "what is wholly transparent counts as visible, as it can be clicked", "LANGUAGE §3", []rule{
		{form: "~visible", at: "inputs#28"}, {form: "ok ≠ timeout/wait", at: "inputs#34"}}},
	{"refs", "a ref belongs to the document of its snapshot and fails at once when its element is gone or was replaced", "DESIGN §3", []rule{
		{form: "ok ≠ stale-ref/stale-ref", at: "stale#5"},
		{form: "stale-ref ≠ ok", at: "ref-lifetime-pushstate#7"},
		{form: "upstream-error ≠ stale-ref/stale-ref", at: "select-options-ref#2"},
		{form: "~#removedRefs", row: "snapshot"}, {form: "~removedRefs[]", row: "snapshot"}}},
	{"aria-snapshot", "a snapshot is Playwright's aria snapshot: it names roles as ARIA does, gives refs to more and numbers them in the order of the document", "DESIGN §3", []rule{
		{form: "~snapshot", row: "snapshot"}, {form: "+refs.*", row: "snapshot"}, {form: "-refs.option *", row: "snapshot"}, {form: "-refs.iframe *", row: "snapshot"}, {form: "*snapshot.*", row: "snapshot --delta"}}},
}
