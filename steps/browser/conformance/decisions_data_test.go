package conformance_test

// seeing are differences in pictures, trees and audits.
var seeing = []decision{
	{"diff-baseline", "diff snapshot compares with the snapshot before, or with a file that is there; without either it fails", "DESIGN §3", []rule{
		{form: "ok ≠ validation/*", row: "diff snapshot"}, {form: "~*", row: "diff snapshot"}}},
	{"diff-trees", "diff url compares aria snapshots and shows how they differ", "DESIGN §3", []rule{
		{form: "~*", row: "diff url"}, {form: "+diff.text", row: "diff url"}}},
	{"pixels", "pixels that antialiasing changed are not counted", "DESIGN §3, checkrow commands diff screenshot", []rule{
		{form: "~differentPixels", row: "diff screenshot"}, {form: "~mismatchPercentage", row: "diff screenshot"}}},
	{"axe", "axe-core is embedded, in a later version with one rule more, and lists all nodes, not ten", "DESIGN §3, checkrow commands a11y", []rule{
		{form: "~axeVersion", row: "a11y"}, {form: "~counts.inapplicable", row: "a11y"}, {form: "~*[].helpUrl", row: "a11y"},
		{form: "~#violations[].nodes", row: "a11y"}}},
	{"annotations", "--annotate is a flag of the row, and numbers what it marks in the order of the document", "DESIGN §3, checkrow commands screenshot", []rule{
		{form: "selector-not-found ≠ ok", row: "screenshot --annotate"}, {form: "~*annotations*", row: "screenshot --annotate"}}},
	{"react-names", "react rows tell of the page's own components, by ids that stay, not of its elements too", "DESIGN §3, checkrow commands react tree", []rule{
		{form: "~tree", row: "react tree"}, {form: "ok ≠ validation/compile", row: "react tree --json"},
		{form: "ok ≠ not-found/no-component", row: "react inspect 3"}, {form: "~identifier", row: "react renders start"},
		{form: "-message", row: "react renders start"}, {form: "~report", row: "react renders stop"}, {form: "-report", row: "react suspense"}}},
	{"webmcp-data", "webmcp list gives the tools alone", "DESIGN §3, checkrow commands webmcp list", []rule{
		{form: "-experimental", row: "webmcp list"}, {form: "-untrusted", row: "webmcp list"}}},
}

// storing are differences in files.
var storing = []decision{
	{"artifact-paths", "a file lands in the attempt's folder, and its path is absolute", "DESIGN §8", []rule{
		{form: "~path", at: "relative-paths screenshot#4 screenshot#5 har#9"}}},
	{"artifact-parents", "parents of a file are made before its row runs", "DESIGN §3", []rule{
		{form: "upstream-error ≠ ok", row: "screenshot {{ART}}/nodir/deep/y.png"}}},
	{"artifact-outside", "a destination outside the run folder is refused", "DESIGN §8", []rule{
		{form: "upstream-error ≠ artifact/reserve", row: "screenshot /proc/nope.png"}, {form: "upstream-error ≠ artifact/reserve", row: "pdf /proc/nope.pdf"}}},
	{"trace-zip", "a trace is Playwright's zip, which trace stop names and checks", "DESIGN §8", []rule{
		{form: "upstream-error ≠ ok", at: "misc#23"}}},
	{"state-file", "a state file is Playwright's storage state", "DESIGN §7", []rule{
		{form: "-state.*", row: "state show"}}},
}

// witnessing are differences in what is told of console, errors and network.
var witnessing = []decision{
	{"console-lines", "the console also holds what the browser wrote, and an error in it as its first lines; no handles of the page are kept", "DECISIONS 15", []rule{
		{form: "-messages[].args"}, {form: "+messages[]", at: "console#2 console#7 qa-plan-errors#9 qa-plan-icons#9"},
		{form: "-messages[]", at: "console#2 console#7 qa-plan-errors#9"}}},
	{"error-places", "errors carry their URL, and lines and columns are counted from 1", "DESIGN §3, checkrow commands errors", []rule{
		{form: "~errors[].url", row: "errors"}, {form: "~errors[].line", row: "errors"}, {form: "~errors[].column", row: "errors"}}},
	{"resource-types", "types of requests are written small, as everywhere in the language", "LANGUAGE §10", []rule{
		{form: "~requests[].resourceType"}}},
	{"headless-shell", "headless runs use the headless shell, which asks for no icon and names no language", "DESIGN §13", []rule{
		{form: "-requests[]", at: "flood#8 icons network qa-plan-clean qa-plan-errors qa-plan-icons"}, {form: "-text.headers.accept-language", at: "set#18"}}},
	{"ring-buffers", "the ring of requests holds all of them: none is lost while a row runs", "DESIGN §3", []rule{
		{form: "+requests[]", at: "flood#8"}}},
}

// further are keys that entries of lists have beside those of the reference; keys of a row's data itself are those of
// the command table. The paragraph that decides them stands beside.
var further = map[string]string{
	"requests[].seq": "DESIGN §3", "requests[].stack": "DESIGN §3", "requests[].initiator": "DESIGN §3", "requests[].failed": "DESIGN §3", "requests[].error": "DESIGN §3",
	"requests[].headers.accept": "DESIGN §3", "requests[].responseHeaders.content-length": "DESIGN §3",
	"messages[].seq": "DESIGN §3", "messages[].url": "DESIGN §3", "messages[].line": "DESIGN §3", "messages[].column": "DESIGN §3",
	"messages[].timestamp": "DESIGN §3", "errors[].seq": "DESIGN §3", "errors[].message": "DESIGN §3",
	"cookies[].sameSite": "ENGINE §1", "state.cookies[].sameSite": "DESIGN §7",
}

// absence is why rows cannot be compared: always, or only on a machine that lacks something.
type absence struct{ id, lack, why, at string }

var absences = []absence{
	{"global-flags", "", "flags before the command set up the reference's browser; here that is the suite's browser map and --policy",
		"confirm-batch-bail#1 no-auto-dialog#1-4 single-confirm-evaluate#1 single-confirm-evaluate#4 " +
			"single-headers-flag#0-1 single-init-script single-policy-deny-evaluate#1"},
	{"host-commands", "", "commands of the reference's daemon: sessions, profiles, confirmations, init scripts, streams, its window",
		"batch-nested#11-12 confirm-actions#2 get#20 misc#14-15 misc#19 misc#32-37 single-confirm-evaluate#3 single-confirm-evaluate#5 " +
			"single-confirm-single#2 single-confirm-single#4 single-singles-json#18-20 single-singles-json#24-26 " +
			"single-singles-text#22-24"},
	{"races", "", "the row looks while the page is being replaced: either page may answer", "form#61-62 eval#22 submit-race#2-3"},
	{"react", "react", "npm could not give React", "react source-plan#1-4"},
	{"ffmpeg", "ffmpeg", "a recording is encoded with ffmpeg", "record ref-lifetime-sidefx relative-paths#7-9"},
}
