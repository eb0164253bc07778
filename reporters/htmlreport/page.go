package htmlreport

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/steps"
)

//go:embed page/style.css
var style string

//go:embed page/base.js
var baseScript string

//go:embed page/list.js
var listScript string

//go:embed page/time.js
var timeScript string

//go:embed page/test.js
var testScript string

//go:embed page/main.js
var mainScript string

//go:embed page/page.html
var page string

// assemble puts the document into the page. JSON is written with <, > and & escaped, so that no text of a test or a page can
// end its element; the pictures are Base64.
func assemble(d *document) ([]byte, error) {
	script := "\"use strict\";\n" + baseScript + listScript + timeScript + testScript + mainScript
	var out bytes.Buffer
	head, tail, _ := strings.Cut(page, "{{data}}")
	fill := strings.NewReplacer("{{style}}", style, "{{script}}", script, "{{title}}", html.EscapeString(title(d)),
		"{{policy}}", policy(script), "{{plain}}", plain(d))
	out.WriteString(fill.Replace(head))
	if err := element(&out, "index", d.index); err != nil {
		return nil, err
	}
	for i, c := range d.chunks {
		if err := element(&out, fmt.Sprintf("chunk-%d", i), c); err != nil {
			return nil, err
		}
	}
	for _, m := range d.images {
		fmt.Fprintf(&out, "<script type=\"text/plain\" id=\"image-%s\">data:%s;base64,%s</script>\n", m.id, m.kind,
			base64.StdEncoding.EncodeToString(m.data))
	}
	out.WriteString(fill.Replace(tail))
	return out.Bytes(), nil
}

func element(out *bytes.Buffer, id string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding %q: %w", id, err)
	}
	fmt.Fprintf(out, "<script type=\"application/json\" id=\"%s\">%s</script>\n", id, text)
	return nil
}

// policy lets the page run its own script only, and fetch nothing: even a hole in it would lead nowhere.
func policy(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'; img-src 'self' data: file:; " +
		"media-src 'self' file:; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func title(d *document) string {
	bad, run := 0, d.index.Run
	for s, n := range d.index.Counts {
		if reporters.Bad(s) {
			bad += n
		}
	}
	switch {
	case !run.Ended:
		return "✗ not ended · checkrow"
	case bad > 0:
		return fmt.Sprintf("✗ %d of %d · checkrow", bad, len(d.index.Tests))
	case run.Exit != 0:
		return fmt.Sprintf("✗ exit %d · checkrow", run.Exit)
	}
	return fmt.Sprintf("✓ %d · checkrow", len(d.index.Tests))
}

// plain is what a reader sees where scripts are forbidden.
func plain(d *document) string {
	var b strings.Builder
	for _, s := range []steps.Status{steps.Failed, steps.Errored, steps.StatusInterrupted, steps.Unknown, steps.NotRun, steps.Flaky, steps.KnownBug,
		steps.Quarantined, steps.Skipped, steps.Passed} {
		if n := d.index.Counts[s]; n > 0 {
			fmt.Fprintf(&b, "<p>%s: %d</p>\n", s, n)
		}
	}
	for _, t := range d.index.Tests {
		if reporters.Bad(t.Status) {
			fmt.Fprintf(&b, "<p>%s %s › %s: %s</p>\n", t.Status, html.EscapeString(d.index.Suites[t.Suite].File),
				html.EscapeString(t.Name), html.EscapeString(t.Why))
		}
	}
	return b.String()
}
