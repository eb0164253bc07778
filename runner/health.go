package runner

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// settleLimit bounds the look at a page before a verdict; a page that is well answers within a frame.
const settleLimit = time.Second

// watch is what a player remembers of a session to judge its health: the row of each window, which faults a step was to
// provoke, which came in tries that a retry repaired, and how far it was judged before cleanup.
type watch struct {
	session  steps.Session
	rows     []window
	met      map[uint64]bool // Seq of faults that were provoked
	repaired []span
	read     uint64 // Seq of the newest fault that was read
	judged   uint64 // Seq of the newest that was judged
	still    bool   // no row was sent since the judgement
}

// window is a row, the number that the session gave it, and the phase in which it was sent.
type window struct {
	n     uint64
	row   *steps.Row
	phase journal.Phase
}

// span is what happened between two marks.
type span struct{ from, to steps.Mark }

func (s span) holds(f steps.Fault) bool {
	return f.Seq > s.from.Faults && f.Seq <= s.to.Faults ||
		f.Request > s.from.Network && f.Request != 0 && f.Request <= s.to.Network && f.Seq > s.from.Faults
}

// watching gives the watch of a session, a new one if it has none.
func (p *player) watching(s steps.Session) *watch {
	for _, w := range p.watches {
		if w.session == s {
			return w
		}
	}
	w := &watch{session: s}
	p.watches = append(p.watches, w)
	return w
}

// note remembers the window of a row that was sent just now.
func (w *watch) note(row *steps.Row, phase journal.Phase) {
	w.rows, w.still = append(w.rows, window{w.session.Mark().Row, row, phase}), false
}

// window finds the row in whose window a fault came; that of none before the first. A row that changes nothing has caused
// nothing: the fault came after the last one before it that does, for what a click sets off is told when it has returned.
func (w *watch) window(f steps.Fault) (at window, after bool) {
	for i := len(w.rows) - 1; i >= 0; i-- {
		x := w.rows[i]
		switch {
		case x.n > f.Row:
		case x.row.Call.Mutates() || x.row.Call.Command.Traits.Has(argv.Navigates):
			return x, at.row != nil
		case at.row == nil:
			at = x
		}
	}
	return at, false
}

func (w *watch) wasRepaired(f steps.Fault) bool {
	return slices.ContainsFunc(w.repaired, func(s span) bool { return s.holds(f) })
}

// rank orders the levels.
func rank(level string) int { return slices.Index([]string{"off", "warn", "fail"}, level) }

// ruleOf gives the rule that a fault falls under, its key and its level; "" if none judges it.
func ruleOf(h spec.Health, f steps.Fault) (key string, rule spec.HealthRule, level string) {
	preset := "warn"
	switch f.Kind {
	case steps.FaultPageError:
		key, rule = "page_errors", h.PageErrors
		if f.Site != steps.OtherSite {
			preset = "fail"
		}
	case steps.FaultConsole:
		key, rule = "console_errors", h.ConsoleErrors
	case steps.FaultRequest:
		key, rule = "failed_requests", h.FailedRequests
	case steps.FaultHTTP:
		if f.Site != steps.SameSite || !slices.Contains([]string{"xhr", "fetch", "script", "stylesheet"}, f.Type) {
			return "", rule, ""
		}
		key, rule = "http_errors", h.HTTPErrors
	}
	level = rule.Level
	if level == "" {
		level = preset
	}
	return key, rule, level
}

// allows tells that an expression of the rule matches a fault's text or URL.
func allows(r spec.HealthRule, f steps.Fault) bool {
	return slices.ContainsFunc(r.Allow, func(re *regexp.Regexp) bool {
		return re.MatchString(f.Text) || f.URL != "" && re.MatchString(f.URL)
	})
}

var icon = regexp.MustCompile(`(?i)(?:^|/)(?:favicon(?:[-.\w]*)?\.(?:ico|png|svg)|apple-touch-icon(?:[-.\w]*)?\.png)$`)

// benign tells what is no fault of any page: what a navigation cut off, the two messages that browsers give for nothing,
// and an icon that is not there (CONTRACT R57).
func benign(f steps.Fault) bool {
	if f.Cut || strings.HasPrefix(f.URL, "data:") {
		return true
	}
	path, _, _ := strings.Cut(f.URL, "?")
	path, _, _ = strings.Cut(path, "#")
	switch f.Kind {
	case steps.FaultPageError, steps.FaultConsole:
		text := strings.TrimPrefix(strings.TrimPrefix(f.Text, "Uncaught "), "Error: ")
		return strings.HasPrefix(text, "ResizeObserver loop") || f.Kind == steps.FaultPageError && strings.TrimSuffix(text, ".") == "Script error" ||
			resourceLine(f) && icon.MatchString(path) && (strings.Contains(f.Text, " 404 ") || strings.Contains(f.Text, "net::"))
	}
	kind := f.Type == "" || f.Type == "image" || f.Type == "img" || f.Type == "other"
	return kind && icon.MatchString(path) && (f.Status == 404 || f.Kind == steps.FaultRequest)
}

// resourceLine tells a console line that the browser itself writes for a request that failed.
func resourceLine(f steps.Fault) bool {
	return f.Kind == steps.FaultConsole && strings.HasPrefix(f.Text, "Failed to load resource")
}

// finding is a fault that the suite's health rules judge.
type finding struct {
	key   string
	fault steps.Fault
	row   *steps.Row
	phase journal.Phase // of the row
	after bool          // it came after the row, not while it ran
	level string        // that the suite sets; "" for the default
	again int           // how often the same came again
}

// findings are what the pages of an attempt amount to.
type findings struct {
	fail, warn []finding
	lost       []string      // sorts of faults of which some fell out unread, under fail
	all        []steps.Fault // that nothing explains, for the failure block
}

// checkup settles the pages of an attempt and judges what they said that was not judged before. For a page without a fault
// that is one round trip, and none for one to which nothing was sent since it was judged.
func (p *player) checkup(ctx context.Context, must bool) findings {
	var out findings
	for _, s := range p.seats {
		if s.session != nil {
			p.watching(s.session)
		}
	}
	if len(p.watches) == 0 || !must && off(p.health) {
		return out
	}
	cctx, le := p.run.life.enter(ctx, evidence, settleLimit, &Limit{"look at the page", settleLimit})
	defer le.end()
	for _, w := range p.watches {
		got := steps.Signals{}
		if w.still {
			got = w.session.Seen(steps.Mark{})
		} else {
			got, _ = w.session.Signals(cctx, steps.Mark{})
		}
		if n := len(got.Faults); n > 0 {
			w.read = got.Faults[n-1].Seq
		}
		if w.judged > 0 { // of what fell out, too, only the news count
			got.Lost = w.session.Seen(steps.Mark{Faults: w.judged}).Lost
		}
		p.nameFaults(w.session, got.Faults)
		p.judgeFaults(w, got, &out)
	}
	return out
}

// settled notes that what was read has been judged.
func (p *player) settled() {
	for _, w := range p.watches {
		w.judged, w.still = w.read, true
	}
}

func off(h spec.Health) bool {
	return h.PageErrors.Level == "off" && h.ConsoleErrors.Level == "off" && h.FailedRequests.Level == "off" && h.HTTPErrors.Level == "off"
}

// judgeFaults sorts the faults of one session. Requests come first: the line that the browser writes for each on the
// console says nothing new.
func (p *player) judgeFaults(w *watch, got steps.Signals, out *findings) {
	told := map[string][]int{} // URL -> rank of each request that was dealt with
	for _, f := range got.Faults {
		if f.Kind == steps.FaultHTTP || f.Kind == steps.FaultRequest {
			if r := p.judgeFault(w, f, out); r >= 0 {
				told[f.URL] = append(told[f.URL], r)
			}
		}
	}
	_, _, level := ruleOf(p.health, steps.Fault{Kind: steps.FaultConsole})
	for _, f := range got.Faults {
		switch list := told[f.URL]; {
		case f.Kind == steps.FaultHTTP, f.Kind == steps.FaultRequest:
			continue
		case resourceLine(f) && len(list) > 0:
			told[f.URL] = list[1:]
			if list[0] >= rank(level) {
				continue
			}
		}
		p.judgeFault(w, f, out)
	}
	for _, list := range [][]finding{out.fail, out.warn} {
		slices.SortStableFunc(list, func(a, b finding) int { return cmp.Compare(a.fault.Seq, b.fault.Seq) })
	}
	p.unverified(got.Lost, out)
}

// silent is the rank of what was explained: no line on the console about it counts.
const silent = 9

// judgeFault sorts one fault. It gives the rank of its level, silent if it is explained, -1 if no rule judges it.
func (p *player) judgeFault(w *watch, f steps.Fault, out *findings) int {
	at, after := w.window(f)
	if w.met[f.Seq] || benign(f) {
		return silent
	}
	if f.Kind == steps.FaultHTTP && f.Type == "document" && at.row != nil && at.row.Call.Loads() {
		return silent // the row has judged the status itself
	}
	key, rule, level := ruleOf(p.health, f)
	news := f.Seq > w.judged
	switch {
	case key == "" && news:
		out.all = append(out.all, f)
		return -1
	case key == "":
		return -1
	case allows(rule, f):
		return silent
	case level == "off", !news:
		return rank(level)
	}
	out.all = append(out.all, f)
	list := &out.warn
	if level == "fail" && !w.wasRepaired(f) {
		list = &out.fail
	}
	for i := range *list {
		if x := &(*list)[i]; x.key == key && x.fault.Text == f.Text && x.fault.URL == f.URL && x.row == at.row {
			x.again++
			return rank(level)
		}
	}
	*list = append(*list, finding{key: key, fault: f, row: at.row, phase: at.phase, after: after, level: rule.Level})
	return rank(level)
}

// unverified says of which sorts some faults were lost: nobody knows then whether they were allowed.
func (p *player) unverified(lost steps.Lost, out *findings) {
	for _, x := range []struct {
		n     int
		kinds []string
	}{{lost.Errors, []string{steps.FaultPageError}}, {lost.Console, []string{steps.FaultConsole}},
		{lost.Network, []string{steps.FaultRequest, steps.FaultHTTP}}} {
		if x.n == 0 {
			continue
		}
		level, keys := "off", ""
		for _, kind := range x.kinds {
			key, _, l := ruleOf(p.health, steps.Fault{Kind: kind, Site: steps.SameSite, Type: "fetch"})
			if rank(l) > rank(level) {
				level, keys = l, key
			}
		}
		text := fmt.Sprintf("%s could not be verified: %s dropped before anybody read them", keys, plural(x.n, "fault was", "faults were"))
		switch level {
		case "fail":
			out.lost = append(out.lost, text)
		case "warn":
			p.warn(diag.Pos{}, "health: "+text)
		}
	}
}
