package conformance_test

// acting are differences in what a row does to the page.
var acting = []decision{
	{"not-actionable", "a control that is read-only, disabled, hidden or of another sort refuses the row", "DESIGN §3", []rule{
		{form: "ok ≠ not-actionable/readonly", row: "fill #ro"}, {form: "ok ≠ not-actionable/disabled", row: "fill #disf"},
		{form: "ok ≠ not-actionable/wrong-element", at: "form#28-29 form#38 form#41 snapshot-frames#3 fill-destructive#9 get#7"},
		{form: "ok ≠ not-actionable/invisible", row: "check #hc"}, {form: "ok ≠ not-actionable/invisible", row: "hover #vh"},
		{form: "~value", at: "fill-destructive#3-8 inputs#10 inputs#12"}, {form: "~checked", at: "inputs#25 inputs#27"}}},
	{"fill-verified", "fill sets date, colour, range and contenteditable controls, and reads back what it filled", "DESIGN §3", []rule{
		{form: "ok ≠ not-actionable/value-mismatch", row: "fill #max"},
		{form: "~value", at: "inputs#4 inputs#6 inputs#8"}, {form: "~text", at: "form#16"}}},
	{"key-events", "fill fires change, and type and keyboard type send key events", "DESIGN §3, checkrow commands type", []rule{
		{form: "~result[]", at: "inputs#16-23"}}},
	{"select-values", "select answers with the values that are chosen, not with what was asked for", "DESIGN §3, checkrow commands select", []rule{
		{form: "~selected[]", row: "select"}, {form: "~#selected", row: "select"}}},
	{"upload-missing", "a file that is not there cannot be uploaded", "DESIGN §3", []rule{
		{form: "ok ≠ validation/no-file", row: "upload #file /nope/none.txt"}}},
	{"scroll-moves", "a scroll that moves nothing fails", "DESIGN §3", []rule{
		{form: "ok ≠ not-actionable/not-moved", row: "scroll down 9999"}}},
	{"touch", "tap and swipe need a touch screen: browser touch or device", "DESIGN §3, checkrow commands tap", []rule{
		{form: "* ≠ validation/no-touch", row: "tap"}, {form: "* ≠ validation/no-touch", row: "swipe"}}},
	{"clipboard", "clipboard rows give the page the permission", "DESIGN §3, checkrow commands clipboard read", []rule{
		{form: "upstream-error ≠ ok", row: "clipboard"}}},
	{"no-traces", "find, snapshot and highlight leave the page's elements alone", "DESIGN §3, checkrow commands highlight", []rule{
		{form: "~result*", at: "snapshot-side-effects"}}},
	{"secrets", "what goes into a password field is shown as •••", "DESIGN §9", []rule{
		{form: "~typed", at: "type-secret-echo"}, {form: "~value", at: "form#43"}}},
	{"devices", "set device knows Playwright's devices: the page is as high as the browser's own bars leave it", "DESIGN §3, checkrow commands set device", []rule{
		{form: "~height", row: "set device"}, {form: "~result[]", at: "set#8"}, {form: "~text.headers.user-agent", at: "set#18"}}},
	{"screen", "the screen is as large as the viewport, whose default is explicit", "CONTRACT R200", []rule{
		{form: "~result[]", at: "viewport-media-tz#1"}}},
}

// waiting are differences in navigation, waiting and dialogs.
var waiting = []decision{
	{"open-status", "open fails on 400 and more unless --status expects it", "DESIGN §3", []rule{
		{form: "ok ≠ navigation/http-status", at: "nav#12-13"}}},
	{"hosts", "a host that is not allowed is not there: the browser cannot find it, by whatever way, and the page hears no more", "DECISIONS 24", []rule{
		{form: "~result", at: "allowed-domains#2"}}},
	{"schemes", "only http, https, about and data are opened unless the suite allows more", "CONTRACT R199", []rule{
		{form: "upstream-error ≠ policy/scheme", row: "open"}}},
	{"error-pages", "a step in the history that ends on the browser's error page fails; one from the first page works", "CONTRACT R193", []rule{
		{form: "ok ≠ navigation/net", at: "nav#19"}, {form: "upstream-error ≠ ok", at: "edge-history#1"}}},
	{"opened-tabs", "tab new opens an empty tab and then goes to the page: a script of the page cannot close it", "DESIGN §3, checkrow commands tab new", []rule{
		{form: "~*", at: "closed-tab pin-tab"}}},
	{"tab-titles", "a tab has the title of its page, at once", "DESIGN §3", []rule{
		{form: "~tabs[].title", row: "tab list"}}},
	{"dialog-held", "a held confirm or prompt fails the next row of the page at once, a pause too", "DESIGN §3", []rule{
		{form: "* ≠ dialog-blocked/dialog-blocked", at: "dialogs dialog-blocking"}}},
	{"dialog-kept", "an alert is accepted and kept for expect dialog; dialogOpened tells of one that is held", "DESIGN §3", []rule{
		{form: "-dialogOpened", row: "click #al", at: "dialogs"}}},
	{"crash", "a page that crashed fails the attempt; nothing opens another behind its back", "DESIGN §3", []rule{
		{form: "* ≠ crash/renderer-crashed", at: "single-crash"}}},
	{"hang", "a page that never answers is a timeout of the row that opened it, and the page before it stays", "DESIGN §13", []rule{
		{form: "timeout ≠ ok", at: "open-timeouts#4"}}},
	{"durations", "times may carry their unit: 120ms, 5s", "LANGUAGE §9", []rule{
		{form: "timeout ≠ ok", at: "wait#18"}}},
	{"script-errors", "wait --fn fails at once on a script that cannot run", "DESIGN §3", []rule{
		{form: "timeout ≠ assertion/js-syntax", row: "wait --fn"}}},
}
