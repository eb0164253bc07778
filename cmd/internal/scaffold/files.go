package scaffold

import (
	"strconv"
	"strings"
)

// SchemaFile is the schema that editors read.
const SchemaFile = "checkrow.schema.json"

// Suite is the first suite, in the folder that checkrow run takes without an operand.
const Suite = "suites/first.yaml"

// Files are the files for an app: the project file, the suite and the schema that its first line names. path is the page
// that the suite opens.
func Files(app App, path, schema string) []File {
	return []File{
		{"checkrow.yaml", project(app), "what all suites share"},
		{Suite, suite(app, path), "the first suite"},
		{SchemaFile, schema, "what editors complete and check suites with"},
	}
}

func project(app App) string {
	var b strings.Builder
	b.WriteString("# What all suites below this folder share. Services and exec steps run in this folder.\n")
	switch {
	case app.URL != "":
		b.WriteString("base_url: " + scalar(app.URL) + "   # rows such as [open, /login] start here\n")
	case len(app.Start) > 0:
		started(&b, app)
	default:
		b.WriteString(`# How the app is started was not found. Say it here, then open its pages instead of the one in ` + Suite + `:
# services:
#   app:
#     exec: [npm, run, dev, --, --port, "${{ self.port }}"]   # the port is free and chosen for each run
#     ready: { http: /, within: 1m }
# base_url: "${{ services.app.url }}"
# or, for an app that runs already:
# base_url: http://localhost:3000
`)
	}
	b.WriteString(`
timeouts: { test: 2m }                 # the longest that a test may take
# retries: 1                           # a test that passes at the second attempt is flaky, not green
# secrets: [APP_PASSWORD]              # from the environment, hidden in every file of a run
# health: { console_errors: fail }     # console.error of a page fails its test; an uncaught error does anyway
`)
	return b.String()
}

// started writes the service and the address of its pages.
func started(b *strings.Builder, app App) {
	base, ready := "${{ services.app.url }}", app.Ready
	if app.Port > 0 {
		base = "http://localhost:" + strconv.Itoa(app.Port)
		ready = base + app.Ready
	}
	within := "30s"
	if app.Slow {
		within = "2m" // it may build first
	}
	b.WriteString("# The app runs while the suites do")
	if app.Port > 0 {
		b.WriteString(", always on port " + strconv.Itoa(app.Port) + "; a free one (\"${{ self.port }}\") would let runs work side by side.\n")
	} else {
		b.WriteString(", on a free port, so that runs can work side by side.\n")
	}
	if app.From != "" {
		b.WriteString("# Taken from " + app.From + ".\n")
	}
	b.WriteString("services:\n  app:\n    exec: " + flow(app.Start) + "\n")
	for i, e := range app.Env {
		if i == 0 {
			b.WriteString("    env:\n")
		}
		name, value, _ := strings.Cut(e, "=")
		b.WriteString("      " + name + ": " + scalar(value) + "\n")
	}
	b.WriteString("    ready: { http: " + scalar(ready) + ", within: " + within + " }   # answers with less than 400\n")
	if app.Port > 0 {
		b.WriteString("    # reuse: " + base + "   # take an app that runs there already\n")
	}
	b.WriteString("base_url: " + scalar(base) + "   # rows such as [open, /login] start here\n")
}

func suite(app App, path string) string {
	var b strings.Builder
	b.WriteString("# yaml-language-server: $schema=../" + SchemaFile + "\n" + `# A suite: tests of steps. Most steps are rows, a command with its operands. "checkrow commands" lists them,
# "checkrow commands click" is the reference of one.
suite: first look
tags: [smoke]                          # checkrow run --tag smoke
tests:
`)
	if app.Known() {
		b.WriteString(`  - name: the front page opens
    steps:
      - [open, ` + scalar(path) + `]                       # fails on a status of 400 and more
      - [expect, count, body, "1"]         # read again until it is true, up to 5 s
      - [screenshot, front.png]            # verified, and kept in the folder of the run
      - expect: url() != "about:blank"     # expressions read the page
`)
	} else {
		b.WriteString(`  - name: a page opens
    steps:
      # This page is only here so that the suite passes. With base_url in checkrow.yaml: [open, /]
      - [open, "data:text/html,<title>Hello</title><h1>Hello</h1><button onclick='textContent=1'>0"]
      - [expect, text, h1, Hello]          # read again until it is true, up to 5 s
      - [click, role=button]               # waits until the one visible match is ready
      - [expect, text, role=button, "1"]
      - [screenshot, hello.png]            # verified, and kept in the folder of the run
      - expect: title() == "Hello"         # expressions read the page
`)
	}
	b.WriteString(`
  # What to write next, with the names of your pages:
  # - name: a user logs in
  #   steps:
  #     - [open, /login]
  #     - [fill, label=E-mail, ada@example.test]
  #     - [fill, label=Password, "${{ secrets.APP_PASSWORD }}"]   # secrets: [APP_PASSWORD] in checkrow.yaml
  #     - [click, role=button Log in]
  #     - [wait, --url, /account]
  #     - [expect, visible, "#logout"]
`)
	return b.String()
}

// flow spells texts as a YAML list on one line.
func flow(cells []string) string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = scalar(c)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// scalar spells a text inside a flow list or map, quoted where YAML would read something else.
func scalar(s string) string {
	plain := s != "" && s == strings.TrimSpace(s) && !strings.ContainsAny(s, ",[]{}#&*!|>'\"%@`\\\n\t") &&
		!strings.Contains(s, ": ") && !strings.HasSuffix(s, ":") && !strings.HasPrefix(s, "?") && !strings.HasPrefix(s, "- ")
	if plain {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}
