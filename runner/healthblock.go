package runner

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// maxHealthWarnings is how many faults of one attempt become warnings of their own.
const maxHealthWarnings = 10

// healthOf judges the pages of a setup, a teardown or a login, none of which has more than one block: faults beside another
// failure are listed in its own, and what would be a failure is a warning there.
func (p *player) healthOf(ctx context.Context, b *journal.Failure, at diag.Pos) *journal.Failure {
	found := p.checkup(ctx, b != nil)
	ill := p.healthFailure(found, at)
	switch {
	case b == nil:
		b = ill
	case b.Health == nil:
		b.Health = found.all
	}
	if ill != nil && ill != b && b.Category != steps.Interrupted {
		p.warn(ill.Pos, "health: "+ill.Message)
	}
	if b != nil {
		p.sourced(ctx, b.Health)
	}
	return b
}

// healthFailure makes warnings of what is worth one, and the failure of what fails the attempt; nil if nothing does.
func (p *player) healthFailure(found findings, at diag.Pos) *journal.Failure {
	for i, x := range found.warn {
		if i == maxHealthWarnings {
			p.warn(diag.Pos{}, fmt.Sprintf("health: … and %s", plural(len(found.warn)-i, "more fault", "more faults")))
			break
		}
		pos, during := p.place(x, diag.Pos{})
		p.warn(pos, "health: "+x.String()+during)
	}
	if len(found.fail) == 0 && len(found.lost) == 0 {
		return nil
	}
	b := &journal.Failure{Phase: p.judgedPhase(), Category: steps.Health, Sub: "unverified", Pos: at, Services: p.suite.died()}
	if len(found.fail) == 0 {
		b.Message = strings.Join(found.lost, "; ")
		b.Excerpt = excerpt(p.sources[at.File], at.Line)
		return b
	}
	first := found.fail[0]
	pos, during := p.place(first, at)
	b.Pos, b.Sub, b.Excerpt = pos, first.key, excerpt(p.sources[pos.File], pos.Line)
	b.Message = first.String() + during
	if n := len(found.fail) - 1 + len(found.lost); n > 0 {
		b.Message += ", and " + plural(n, "more fault", "more faults")
	}
	if first.row != nil {
		if b.Row = p.done[first.row]; b.Row == nil {
			b.Row = source(first.row)
		}
	}
	for _, x := range found.fail {
		b.Health = append(b.Health, x.fault)
	}
	b.Paste = pasteAllow(found.fail)
	return b
}

// judgedPhase is where the faults of pages belong: those of an attempt are judged together.
func (p *player) judgedPhase() journal.Phase {
	if p.key != nil {
		return journal.PhaseSteps
	}
	return p.phase
}

// String says what happened.
func (x finding) String() string {
	f, text := x.fault, ""
	switch f.Kind {
	case steps.FaultPageError:
		text = "uncaught error: " + f.Text
	case steps.FaultConsole:
		text = "console error: " + f.Text
	case steps.FaultRequest:
		text = "no response: " + f.Text
	default:
		text = f.Text
	}
	text = clip(oneLine(text), 300)
	if f.Kind == steps.FaultPageError || f.Kind == steps.FaultConsole {
		if f.URL != "" {
			text += " (" + f.URL
			if f.Line > 0 {
				text += fmt.Sprintf(":%d", f.Line)
			}
			text += ")"
		}
	}
	if x.again > 0 {
		text += fmt.Sprintf(", %d times", x.again+1)
	}
	return text
}

// place gives the row of a finding, and says it.
func (p *player) place(x finding, otherwise diag.Pos) (diag.Pos, string) {
	if x.row == nil {
		return otherwise, ""
	}
	cells := p.done[x.row]
	if cells == nil {
		cells = source(x.row)
	}
	if x.after {
		return x.row.Pos, ", after " + argv.Row(cells)
	}
	return x.row.Pos, ", during " + argv.Row(cells)
}

// pasteAllow gives the line that allows what was found, beside the levels that the suite has.
func pasteAllow(list []finding) []string {
	var keys []string
	allow, levels := map[string][]string{}, map[string]string{}
	for _, x := range list {
		levels[x.key] = x.level
		if _, ok := allow[x.key]; !ok {
			keys = append(keys, x.key)
		}
		if text := quoteSingle(allowPattern(x.fault)); len(allow[x.key]) < 5 && !slices.Contains(allow[x.key], text) {
			allow[x.key] = append(allow[x.key], text)
		}
	}
	for i, key := range keys {
		level := ""
		if l := levels[key]; l != "" {
			level = "level: " + l + ", "
		}
		keys[i] = key + ": { " + level + "allow: [" + strings.Join(allow[key], ", ") + "] }"
	}
	return []string{"health: { " + strings.Join(keys, ", ") + " }"}
}

func quoteSingle(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

var (
	origin = regexp.MustCompile(`(?:https?|wss?)://[^/\s"'()]+`)
	digits = regexp.MustCompile(`[0-9]+`)
)

// allowPattern is a regular expression for a fault and its like in the next run: hosts and numbers differ there.
func allowPattern(f steps.Fault) string {
	text := oneLine(f.Text)
	if f.Kind == steps.FaultHTTP || f.Kind == steps.FaultRequest {
		path := origin.ReplaceAllString(f.URL, "")
		path, _, _ = strings.Cut(path, "?")
		end := fmt.Sprintf(" answered %d", f.Status)
		if f.Kind == steps.FaultRequest {
			_, why, _ := strings.Cut(text, f.URL+": ")
			end = ": " + regexp.QuoteMeta(why)
		}
		return f.Method + ` \S+` + digits.ReplaceAllString(regexp.QuoteMeta(path), `\d+`) + `\S*` + end
	}
	if r := []rune(text); len(r) > 100 {
		text = string(r[:100])
	}
	var b strings.Builder
	for text != "" {
		at := origin.FindStringIndex(text)
		if at == nil {
			at = []int{len(text), len(text)}
		}
		b.WriteString(digits.ReplaceAllString(regexp.QuoteMeta(text[:at[0]]), `\d+`))
		if at[1] > at[0] {
			b.WriteString(`\S+`)
		}
		text = text[at[1]:]
	}
	return b.String()
}
