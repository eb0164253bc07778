package spec

// SuiteKeys are the top-level keys of a suite.
var SuiteKeys = []Key{
	{Name: "suite", Type: "text", Required: true, Doc: "The suite's name; the key makes the file a suite."},
	{Name: "tags", Type: "texts", Doc: "Words that --tag selects; every test has them too.", Aka: []string{"labels"}},
	{Name: "base_url", Type: "text", Doc: "What relative URLs resolve against.", Aka: []string{"url", "baseuri", "host"}},
	{Name: "vars", Type: "map", Doc: "Values for expressions: vars.NAME.", Aka: []string{"variables", "data"}},
	{Name: "env", Type: "map of text", Doc: "Environment of exec steps and services.", Aka: []string{"environment"}},
	{Name: "secrets", Type: "texts", Doc: "Names of environment variables whose values are masked everywhere: secrets.NAME."},
	{Name: "browser", Type: "map", Doc: "How the browser and its pages are set up."},
	{Name: "timeouts", Type: "map", Doc: "Time limits; a test may set its own.", Aka: []string{"timeout"}},
	{Name: "retries", Type: "int", Doc: "Further attempts of a failed test.", Default: "0", Aka: []string{"retry"}},
	{Name: "services", Type: "map", Doc: "Processes that run while the suite does.", Aka: []string{"service", "servers", "webserver"}},
	{Name: "setup", Type: "steps", Doc: "Steps before the first test, in a session of their own.", Aka: []string{"beforeall"}},
	{Name: "teardown", Type: "steps", Doc: "Steps after the last test, whatever happened.", Aka: []string{"afterall"}},
	{Name: "before_each", Type: "steps", Doc: "Steps before each attempt of a test."},
	{Name: "after_each", Type: "steps", Doc: "Steps after each attempt of a test, whatever happened."},
	{Name: "tests", Type: "list", Required: true, Doc: "The tests.",
		Aka: []string{"testcase", "testcases", "test", "cases", "case", "specs", "scenarios"}},
	{Name: "matrix", Type: "matrix", Doc: "Axes of named values: every test runs once for each combination, as matrix.AXIS says."},
	{Name: "each", Type: "each", Doc: "A csv, json or yaml file, or a list: every test runs once for each row, as each.COLUMN says.",
		Aka: []string{"foreach", "rows", "parameters", "params", "dataset"}},
	{Name: "x-*", Type: "any", Doc: "Room for anchors; not read."},
	{Name: "fragment", Type: "text", Excludes: []string{"suite"}, Doc: "Makes the file a fragment instead."},
	{Name: "health", Type: "map", Keys: HealthKeys, Doc: "What errors of the page mean while a test runs.",
		Aka: []string{"pageerrors", "consoleerrors", "errors"}},
	{Name: "dismiss", Type: "list", Doc: "Overlays to take away when they are in the way of an action: a list of { overlay, do }."},
	{Name: "sessions", Type: "map", Doc: "Browser contexts of their own, with a login: NAME: { login, with, open, valid }."},
	{Name: "serial", Type: "bool", Default: "false", Doc: "The tests run one after the other in file order on one worker; after a failure the rest is not run.",
		Aka: []string{"sequential", "inorder", "ordered"}},
	{Name: "lock", Type: "names", Doc: "Names that one at a time holds in the whole run: this suite from its setup to its teardown, and each of its tests.",
		Aka: []string{"locks", "mutex", "exclusive"}},
	{Name: "artifacts", Type: "map", Keys: ArtifactsKeys, Doc: "Where rows may write files: { allow_outside: true }.", Aka: []string{"artefacts"}},
	{Name: "read_only", Type: "bool", Default: "false", Doc: "No row may change a page; navigation and reads work. Logins of sessions are free of it.",
		Aka: []string{"readonly"}},
	{Name: "isolation", Type: "text", Later: true}, {Name: "resume", Type: "resume", Default: "restart", Doc: resumeDoc},
}

// TestKeys are the keys of one test.
var TestKeys = []Key{
	{Name: "name", Type: "text", Required: true, Doc: "The test's name; one of its kind in the suite.", Aka: []string{"test", "title", "it"}},
	{Name: "tags", Type: "texts", Doc: "Words that --tag selects.", Aka: []string{"labels"}},
	{Name: "vars", Type: "map", Doc: "Values over those of the suite.", Aka: []string{"variables", "data"}},
	{Name: "browser", Type: "map", Doc: "Browser keys over those of the suite."},
	{Name: "matrix", Type: "matrix", Doc: "Axes of named values: the test runs once for each combination, as matrix.AXIS says."},
	{Name: "each", Type: "each", Doc: "A csv, json or yaml file, or a list: the test runs once for each row, as each.COLUMN says.",
		Aka: []string{"foreach", "parameters", "params", "dataset"}},
	{Name: "if", Type: "expr", Doc: "Runs the test only if true, else it is skipped.", Aka: []string{"when", "only"}},
	{Name: "skip", Type: "text", Doc: "Skips the test; the text is the reason."},
	{Name: "timeouts", Type: "map", Doc: "Time limits over those of the suite."},
	{Name: "timeout", Type: "duration", Doc: "Short for timeouts.test."},
	{Name: "retries", Type: "int", Doc: "Further attempts, over the suite's.", Aka: []string{"retry"}},
	{Name: "steps", Type: "steps", Required: true, Doc: "What the test does.", Aka: []string{"do", "rows", "actions"}},
	{Name: "finally", Type: "steps", Doc: "Steps after the test's own, whatever happened.", Aka: []string{"teardown", "cleanup", "after"}},
	{Name: "session", Type: "text", Doc: "The session that the test runs in.", Default: "main"},
	{Name: "lock", Type: "names", Doc: "Names that one test at a time holds in the whole run, beside those of its suite.",
		Aka: []string{"locks", "mutex", "exclusive"}},
	{Name: "needs", Type: "names", Doc: "Tests of this suite that must have passed before; they are selected with this one.",
		Aka: []string{"need", "dependson", "depends", "requires"}},
	{Name: "outputs", Type: "map of expr", Doc: "Expressions, read when the steps have passed; tests that need this one read needs.NAME.OUTPUT, or needs[\"the name\"].OUTPUT.",
		Aka: []string{"returns", "exports", "result"}},
	{Name: "known_bug", Type: "text", Doc: "Name of a bug: the test must fail until it is mended, and passing is a failure.",
		Aka: []string{"bug", "xfail", "expectedfailure", "fails", "issue"}},
	{Name: "quarantine", Type: "map", Keys: QuarantineKeys, Doc: "The test runs and does not count until a day: {why, until}.", Aka: []string{"flaky", "quarantined", "muted"}},
	{Name: "health", Type: "map", Keys: HealthKeys, Doc: "What errors of the page mean, over what the suite says.",
		Aka: []string{"pageerrors", "consoleerrors", "errors"}},
	{Name: "dismiss", Type: "list", Doc: "Overlays to take away when they are in the way of an action: a list of { overlay, do }."},
	{Name: "artifacts", Type: "list", Keys: ArtifactKeys, Doc: "Files that must be there when the steps have passed, each a path or a map that says more.",
		Aka: []string{"artefacts", "files"}},
	{Name: "read_only", Type: "bool", Default: "false", Doc: "No row of the test may change a page; what the suite says cannot be taken back.",
		Aka: []string{"readonly"}},
	{Name: "isolation", Type: "text", Later: true}, {Name: "resume", Type: "resume", Doc: resumeDoc},
}

// ServiceKeys are the keys of one entry of services.
var ServiceKeys = []Key{
	{Name: "exec", Type: "texts", Required: true, Doc: "Program and arguments; ${{ self.port }} is a free port.",
		Aka: []string{"command", "cmd", "run"}},
	{Name: "if", Type: "expr", Doc: "Starts the service only if true; else services.NAME is absent: services.NAME?.url.", Aka: []string{"when", "only"}},
	{Name: "ports", Type: "names", Doc: "Names of further free ports: self.ports.NAME, services.ID.ports.NAME.", Excludes: []string{"reuse"},
		Aka: []string{"port"}},
	{Name: "reuse", Type: "text", Doc: "A URL: what answers there is used and nothing is started. With CI set it is not looked at.",
		Excludes: []string{"ports"}, Aka: []string{"reuseexisting", "reuseexistingserver", "existing"}},
	{Name: "env", Type: "map of text", Doc: "Environment over the suite's.", Aka: []string{"environment"}},
	{Name: "ready", Type: "map", Doc: "When the service is up; without it, once it is started.", Aka: []string{"waitfor", "health", "healthcheck"}},
	{Name: "grace", Type: "duration", Doc: "From the request to stop to the kill.", Default: "2s"},
}

// ReadyKeys are the keys of a service's ready: one way to tell, and how long it may take.
var ReadyKeys = []Key{
	{Name: "http", Type: "text", Excludes: []string{"tcp", "log"}, Doc: "A path on the service's port or a URL that answers with less than 400.", Aka: []string{"url"}},
	{Name: "tcp", Type: "text", Excludes: []string{"http", "log"}, Doc: "true for the service's own port, a port, or host:port.", Aka: []string{"port"}},
	{Name: "log", Type: "text", Excludes: []string{"http", "tcp"}, Doc: "A regular expression that a line of its output matches.", Aka: []string{"output", "stdout"}},
	{Name: "within", Type: "duration", Doc: "How long it may take.", Default: "30s", Aka: []string{"timeout"}},
}

// BrowserKeys are the keys of browser.
var BrowserKeys = []Key{
	{Name: "name", Type: "brand", Default: "chromium", Doc: "Which browser: chromium, firefox or webkit. Rows that need Chromium are refused in the others.",
		Aka: []string{"browser", "engine", "type", "brand"}},
	{Name: "headless", Type: "bool", Default: "true", Doc: "Without a window."},
	{Name: "device", Type: "text", Doc: "A well-known device, as iPhone 15: its viewport, scale, touch screen and user agent.", Aka: []string{"devicename", "emulate"}},
	{Name: "viewport", Type: "text", Default: "1280x720", Doc: "Size of the page: WIDTHxHEIGHT."},
	{Name: "locale", Type: "text", Doc: "Language of the page: en-GB.", Aka: []string{"lang", "language"}},
	{Name: "timezone", Type: "text", Doc: "Time zone of the page: Europe/Berlin."},
	{Name: "user_agent", Type: "text", Doc: "What the browser says it is."},
	{Name: "color_scheme", Type: "text", Doc: "light or dark.", Aka: []string{"scheme", "theme", "colourscheme"}},
	{Name: "scale", Type: "number", Default: "1", Doc: "Device pixels per CSS pixel.", Aka: []string{"devicescalefactor", "dpr"}},
	{Name: "mobile", Type: "bool", Doc: "Honours the viewport meta tag, as a phone does.", Aka: []string{"ismobile"}},
	{Name: "touch", Type: "bool", Doc: "Has a touch screen.", Aka: []string{"hastouch"}},
	{Name: "args", Type: "texts", Doc: "Switches of the browser."},
	{Name: "executable", Type: "text", Doc: "Path of the browser.", Aka: []string{"path", "executablepath"}},
	{Name: "strict", Type: "bool", Default: "true", Doc: "false: act on the first of several matches, with a warning."},
	{Name: "headers", Type: "map of text", Doc: "Headers of every request."},
	{Name: "ignore_tls", Type: "bool", Doc: "Accepts any certificate.", Aka: []string{"ignorehttpserrors", "insecure"}},
	{Name: "trace", Type: "capture", Default: "off", Doc: "When a Playwright trace of an attempt is kept: off, on, on-failure or on-first-retry.",
		Aka: []string{"tracing", "traces"}},
	{Name: "video", Type: "capture", Default: "off", Doc: "When a video of an attempt is kept: off, on, on-failure or on-first-retry; needs ffmpeg.",
		Aka: []string{"videos", "recordvideo", "record"}},
	{Name: "screenshot", Type: "capture", Default: "on-failure", Doc: "When a screenshot of an attempt's end is kept: off, on, on-failure or on-first-retry.",
		Aka: []string{"screenshots"}},
	{Name: "har", Type: "text", Later: true},
	{Name: "permissions", Type: "texts", Later: true},
	{Name: "geolocation", Type: "map", Later: true}, {Name: "storage_state", Type: "text", Doc: "File of cookies and localStorage that each context starts with."},
	{Name: "proxy", Type: "text", Later: true},
	{Name: "allowed_domains", Type: "hosts", Doc: "The only hosts that anything in the browser can reach: shop.test, *.shop.test, localhost.",
		Aka: []string{"domains", "hosts", "allowedhosts"}},
	{Name: "allowed_schemes", Type: "schemes", Default: "http, https, about, data, blob", Doc: "The schemes of pages that rows may open, and of requests: Chromium sends nothing by http or https that is not listed, nor by their WebSockets.",
		Aka: []string{"schemes"}},
	{Name: "connect", Type: "address", Doc: "A browser that runs elsewhere, in contexts of the tests' own: ws://… of a Playwright server of the driver's version, " +
		"or http://… of a debugging port or grid (cdp+ws://… where its path does not say what it is).", Excludes: []string{"attach", "headless", "args", "executable", "allowed_domains"},
		Aka: []string{"remote", "wsendpoint", "endpoint", "server", "grid"}},
	{Name: "attach", Type: "map", Keys: AttachKeys, Doc: "A browser that somebody uses, as it is: { cdp, adopt }. Refused unless checkrow.yaml says allow_attach: true and the run --allow-attach.",
		Excludes: attachedIsAsItIs, Aka: []string{"cdp", "connectovercdp", "debugger"}},
	{Name: "channel", Type: "text", Later: true},
}

// TimeoutKeys are the keys of timeouts.
var TimeoutKeys = []Key{
	{Name: "action", Type: "duration", Default: "5s", Doc: "Until an element is ready to be acted on."},
	{Name: "expect", Type: "duration", Default: "5s", Doc: "Until an expect row is true."},
	{Name: "wait", Type: "duration", Default: "15s", Doc: "Until what a wait row names happens."},
	{Name: "open", Type: "duration", Default: "30s", Doc: "Until a page is loaded.", Aka: []string{"navigation", "load", "goto"}},
	{Name: "row", Type: "duration", Default: "35s", Doc: "One row in all.", Aka: []string{"step"}},
	{Name: "test", Type: "duration", Default: "2m", Doc: "One attempt of a test."},
	{Name: "cleanup", Type: "duration", Default: "15s", Doc: "Each of finally, after_each and teardown."},
	{Name: "suite", Type: "duration", Doc: "The whole suite; no limit unless it is set."},
	{Name: "run", Type: "duration", Default: "55m", Doc: "The whole run."},
}

// FragmentKeys are the top-level keys of a fragment.
var FragmentKeys = []Key{
	{Name: "fragment", Type: "text", Required: true, Doc: "The fragment's name; the key makes the file a fragment."},
	{Name: "inputs", Type: "map", Doc: "What a use step hands in: inputs.NAME.", Aka: []string{"params", "with", "args"}},
	{Name: "steps", Type: "steps", Required: true, Doc: "What the fragment does.", Aka: []string{"do", "rows"}},
	{Name: "outputs", Type: "map of expr", Doc: "Expressions that the use step hands back: steps.ID.NAME.", Aka: []string{"returns", "result"}},
	{Name: "x-*", Type: "any", Doc: "Room for anchors; not read."},
	{Name: "suite", Type: "text", Excludes: []string{"fragment"}, Doc: "Makes the file a suite instead."},
}

// InputKeys are the keys of one declared input of a fragment; its type alone may stand for them.
var InputKeys = []Key{
	{Name: "type", Type: "text", Required: true, Doc: "string, int, float, bool, list, map or any."},
	{Name: "secret", Type: "bool", Doc: "The value is masked everywhere."},
	{Name: "default", Type: "any", Doc: "The value if none is handed in; without it the input must be."},
}

// InputTypes are the types that an input can have.
var InputTypes = []string{"string", "int", "float", "bool", "list", "map", "any"}
