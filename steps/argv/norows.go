package argv

// noRows are commands of the reference dialect that are no rows here, and what to use instead.
var noRows = map[string]string{
	"addinitscript": "run a script once the page is there: [eval, \"…\"]", "removeinitscript": "init scripts are not part of a suite",
	"inspect": "run with --debug to look at the page",
	"auth":    "log in with rows, once, as the login of a session: sessions: { ada: { login: ./login.yaml } }",
	"close":   "a session is closed when its test ends", "quit": "a session is closed when its test ends",
	"exit": "a session is closed when its test ends", "connect": "checkrow starts its browser itself",
	"confirm": "answer a dialog: [dialog, accept]", "deny": "answer a dialog: [dialog, dismiss]",
	"frames": "choose a frame: [frame, \"#payment\"]", "stream": "record a video: [record, start, test.webm]",
	"batch": "rows that stand together are a batch already", "session": "name it at the test or step: session: ada",
	"profiles": "a session starts from its login: sessions: { ada: { login: ./login.yaml } }", "profile": "a profile of the browser's work: [profiler, start]",
	"chat": "an agent works on a suite with its own tools; a suite has rows only", "dashboard": "see a run: checkrow run --reporter html, or checkrow serve",
	"providers": "choose the browser in the suite: browser: { executable: /usr/bin/chromium }", "provider": "choose the browser in the suite: browser: { executable: /usr/bin/chromium }",
	"install": "it is a command of its own: checkrow install", "doctor": "it is a command of its own: checkrow doctor",
	"upgrade": "the version is that of the binary: checkrow version", "skills": "checkrow commands and checkrow kinds tell what there is",
	"plugin": "what rows cannot do an exec step does", "plugins": "what rows cannot do an exec step does", "mcp": "tools of the page: [webmcp, list]",
	"device": "look like a device: [set, device, \"iPhone 15\"]", "help": "checkrow commands lists the rows",
	"get cdp-url": "checkrow talks to its browser over a pipe, which has no URL",
	"state list":  "a saved state is a file that rows name: [state, show, login.json]", "state rename": "an exec step can move files",
	"state clear": "cookies and storage are cleared by [cookies, clear] and [storage, local, clear]", "state clean": "what a run saved is in its own folder",
}

// noFlags are flags of the reference dialect that rows cannot have, and what to use instead.
var noFlags = map[string]string{
	"eval --stdin":                    "a row has no input: write the script as the cell behind eval, a block | for several lines",
	"screenshot --screenshot-format":  "the suffix of the file names the format: a.png, a.jpg",
	"screenshot --screenshot-dir":     "files lie in the folder of the attempt",
	"screenshot --screenshot-quality": "pictures are PNG, or JPEG of quality 90",
	"open --headers":                  "[set, headers, …], or browser: { headers: … }",
	"open --init-script":              "init scripts are not part of a suite",
	"open --enable":                   "the React hook is there in suites that have react rows",
	"wait --time":                     "a pause is the operand: [wait, 200]",
}
