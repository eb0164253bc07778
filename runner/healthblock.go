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
	p.healthWarnings(found.warn)
	phase := p.phase
	if p.key != nil { // the pages of an attempt are judged together
		phase = journal.PhaseSteps
	}
	return p.healthBlock(found.fail, found.lost, phase, at)
}

func (p *player) healthWarnings(list []finding) {
	for i, x := range list {
		if i == maxHealthWarnings {
			p.warn(diag.Pos{}, fmt.Sprintf("health: … and %s", plural(len(list)-i, "more fault", "more faults")))
			return
		}
		pos, during := p.place(x, diag.Pos{})
		p.warn(pos, "health: "+x.String()+during)
	}
}

// healthBlock makes the failure of faults that fail, and of those that nobody could read; nil if there are none.
func (p *player) healthBlock(fail []finding, lost []string, phase journal.Phase, at diag.Pos) *journal.Failure {
	if len(fail) == 0 && len(lost) == 0 {
		return nil
	}
	b := &journal.Failure{Phase: phase, Category: steps.Health, Sub: "unverified", Pos: at, Services: p.suite.died()}
	if len(fail) == 0 {
		b.Message = strings.Join(lost, "; ")
		b.Excerpt = excerpt(p.sources[at.File], at.Line)
		return b
	}
	first := fail[0]
	pos, during := p.place(first, at)
	b.Pos, b.Sub, b.Excerpt = pos, first.key, excerpt(p.sources[pos.File], pos.Line)
	b.Message = first.String() + during
	if n := len(fail) - 1 + len(lost); n > 0 {
		b.Message += ", and " + plural(n, "more fault", "more faults")
	}
	if first.row != nil {
		if b.Row = p.done[first.row]; b.Row == nil {
			b.Row = source(first.row)
		}
	}
	for _, x := range fail {
		b.Health = append(b.Health, x.fault)
	}
	b.Paste = pasteAllow(fail)
	return b
}

// aftermath judges what the pages told while finally and after_each ran: the attempt ends behind them (LANGUAGE §10). A
// fault in the window of one of their rows is a failure of theirs, which masks nothing; one of a row before them came too
// late for the judgement, and is a failure of the attempt as if it had been in time.
func (p *player) aftermath(ctx context.Context, block *journal.Failure, at diag.Pos, end *journal.AttemptEnd) *journal.Failure {
	found := p.checkup(ctx, false)
	p.healthWarnings(found.warn)
	if block != nil && block.Category == steps.Interrupted {
		return block
	}
	groups := map[journal.Phase][]finding{}
	for _, x := range found.fail {
		if x.phase != journal.PhaseFinally && x.phase != journal.PhaseAfterEach {
			x.phase = journal.PhaseSteps
		}
		groups[x.phase] = append(groups[x.phase], x)
	}
	for _, phase := range []journal.Phase{journal.PhaseFinally, journal.PhaseAfterEach} {
		lost := found.lost
		if phase != p.phase {
			lost = nil
		}
		if b := p.healthBlock(groups[phase], lost, phase, at); b != nil {
			p.sourced(ctx, b.Health)
			end.Cleanup = append(end.Cleanup, cleanupFailed(b))
		}
	}
	late := p.healthBlock(groups[journal.PhaseSteps], nil, journal.PhaseSteps, at)
	if late == nil {
		return block
	}
	p.sourced(ctx, late.Health)
	if block != nil {
		p.more = append(p.more, late)
		return block
	}
	end.Status = statusOf(late.Category)
	if p.session != nil && p.watching(p.session).still { // else its page is another one by now
		p.collect(ctx, late)
	}
	return late
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
