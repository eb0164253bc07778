package runner

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/journal/redact"
	"github.com/checkrow/checkrow/steps"
)

// evidenceLimit bounds the whole of it; each part has a shorter one of its own in the session.
const evidenceLimit = 8 * time.Second

// collect adds to a failure what the page shows: screenshot, aria snapshot, console and network. What cannot be had is a
// warning and hides nothing.
func (p *player) collect(ctx context.Context, b *journal.Failure) {
	if p.session == nil {
		return
	}
	ectx, le := p.run.life.enter(ctx, evidence, evidenceLimit, &Limit{"evidence", evidenceLimit})
	defer le.end()
	e := p.session.Evidence(ectx)
	p.seen(b, steps.Page{URL: e.URL, Title: e.Title})
	if b.Page.URL == "" {
		b.Page = steps.Page{URL: e.URL, Title: e.Title}
	}
	for _, x := range e.Problems {
		p.warnings = append(p.warnings, "evidence: "+x)
	}
	files := p.folder.For("", "failure")
	for _, part := range []struct {
		name, kind string
		content    []byte
	}{
		{"failure.png", "screenshot", e.Screenshot},
		{"failure.aria.txt", "snapshot", []byte(e.Snapshot)},
		{"console.txt", "console", lines(e.Console)},
		{"network.txt", "network", lines(e.Network)},
		{"rows.txt", "rows", lines(p.lastRows())},
	} {
		if len(part.content) == 0 {
			continue
		}
		a, err := save(files, p.suffixed(part.name), p.masked(part.kind, part.content))
		if err != nil {
			p.warnings = append(p.warnings, "evidence: "+err.Error())
			continue
		}
		a.Kind = part.kind
		b.Artifacts = append(b.Artifacts, a)
	}
}

// lastRows tells what was done before the failure.
func (p *player) lastRows() []string {
	if p.trail == nil {
		return nil
	}
	return p.trail.lines()
}

func lines(list []string) []byte {
	if len(list) == 0 {
		return nil
	}
	return []byte(strings.Join(list, "\n") + "\n")
}

// save writes one file through the attempt's folder.
func save(files steps.Files, name string, content []byte) (steps.Artifact, error) {
	tmp, commit, err := files.Reserve(name)
	if err != nil {
		return steps.Artifact{}, err
	}
	if err := os.WriteFile(tmp, content, 0o600); err != nil {
		_ = os.Remove(tmp) // on a full disk the rest of it would keep the journal from being written
		return steps.Artifact{}, err
	}
	return commit()
}

// masked hides secrets in text; pictures cannot be scrubbed.
func (p *player) masked(kind string, content []byte) []byte {
	if kind == "screenshot" {
		return content
	}
	if m := p.run.o.Mask; m != nil {
		content = m.Mask(content)
	}
	if kind == "console" || kind == "network" {
		return []byte(redact.Text(string(content)))
	}
	return content
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
