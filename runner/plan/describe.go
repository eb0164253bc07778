package plan

import (
	"fmt"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// Description is a plan as `checkrow plan` shows it, as text or as JSON.
type Description struct {
	Hash    string             `json:"hash"`
	Suites  []SuiteDescription `json:"suites"`
	Ignored []string           `json:"ignored,omitempty"`
	Broken  []string           `json:"broken,omitempty"`
}

// SuiteDescription is one suite of a Description.
type SuiteDescription struct {
	File     string            `json:"file"`
	Name     string            `json:"name"`
	Services []string          `json:"services,omitempty"`
	Shared   []string          `json:"run_services,omitempty"` // of checkrow.yaml
	Sessions []string          `json:"sessions,omitempty"`
	Dismiss  []string          `json:"dismiss,omitempty"`
	Serial   bool              `json:"serial,omitempty"`
	Locks    []string          `json:"lock,omitempty"`
	Setup    []Entry           `json:"setup,omitempty"`
	Tests    []TestDescription `json:"tests"`
	Teardown []Entry           `json:"teardown,omitempty"`
}

// TestDescription is one test of a Description.
type TestDescription struct {
	Name    string   `json:"name"`
	Like    string   `json:"like,omitempty"` // the test before it whose steps it shares: another form of the same test
	Pos     diag.Pos `json:"pos"`
	Tags    []string `json:"tags,omitempty"`
	Skip    string   `json:"skip,omitempty"`
	Retries int      `json:"retries,omitempty"`
	Known   string   `json:"known_bug,omitempty"`
	Until   string   `json:"quarantine_until,omitempty"`
	Session string   `json:"session,omitempty"` // other than the main one
	Logins  []string `json:"logins,omitempty"`  // sessions that are logged in before it
	Dismiss []string `json:"dismiss,omitempty"` // its own overlays and the suite's
	Browser bool     `json:"browser"`
	Page    string   `json:"page,omitempty"` // what of it is not the default: "393x659 @3 mobile touch"
	Limit   string   `json:"limit"`
	Locks   []string `json:"lock,omitempty"`
	Needs   []string `json:"needs,omitempty"`
	Before  []Entry  `json:"before_each,omitempty"`
	Steps   []Entry  `json:"steps"`
	Finally []Entry  `json:"finally,omitempty"`
	After   []Entry  `json:"after_each,omitempty"`
}

// Entry is a batch of rows, or a step of another kind with the lists inside it.
type Entry struct {
	Step    string       `json:"step"` // path of the first step, as the journal has it
	Batch   []RowEntry   `json:"batch,omitempty"`
	Kind    string       `json:"kind,omitempty"`
	Name    string       `json:"name,omitempty"`
	Pos     *diag.Pos    `json:"pos,omitempty"`
	If      string       `json:"if,omitempty"`
	Expect  []string     `json:"expect,omitempty"`
	Session string       `json:"session,omitempty"` // that it runs in, if other than the one around it
	Inside  []ListOfStep `json:"inside,omitempty"`
}

// ListOfStep is a list of steps inside a step: an arm of a branch, the body of a loop.
type ListOfStep struct {
	When  string  `json:"when"`
	Steps []Entry `json:"steps"`
}

// RowEntry is one row of a batch.
type RowEntry struct {
	Step      string   `json:"step"`
	Pos       diag.Pos `json:"pos"`
	Row       []string `json:"row"`
	From      string   `json:"generated_from,omitempty"`
	Traits    []string `json:"traits,omitempty"`
	Trips     int      `json:"trips"`
	Artifacts []string `json:"artifacts,omitempty"` // destinations it reserves, below the attempt's folder
	If        string   `json:"if,omitempty"`
	Expect    []string `json:"expect,omitempty"`
	Session   string   `json:"session,omitempty"` // other than the one around it
	Soft      bool     `json:"soft,omitempty"`
	Optional  bool     `json:"optional,omitempty"`
	Retry     int      `json:"retry,omitempty"`
	Provokes  string   `json:"provokes,omitempty"`
}

// Describe lays the plan out.
func (p *Plan) Describe() Description {
	d := Description{Hash: p.Hash, Ignored: p.Ignored, Suites: make([]SuiteDescription, 0, len(p.Suites))}
	for _, b := range p.Broken {
		d.Broken = append(d.Broken, b.File)
	}
	for _, s := range p.Suites {
		x := SuiteDescription{File: s.File, Name: s.Name, Setup: entries(s.Setup, ""), Teardown: entries(s.Teardown, "")}
		for _, svc := range s.Services {
			x.Services = append(x.Services, svc.Spec.Name)
		}
		for _, svc := range s.Shared {
			x.Shared = append(x.Shared, svc.Spec.Name)
		}
		x.Serial, x.Locks = s.Serial, s.Locks
		x.Dismiss = overlays(s.Dismiss)
		for _, in := range s.Sessions {
			x.Sessions = append(x.Sessions, in.Name)
		}
		for _, t := range s.Tests {
			x.Tests = append(x.Tests, t.describe(x.Tests, s.Tests))
		}
		d.Suites = append(d.Suites, x)
	}
	return d
}

// entries lays out a list of steps.
func entries(list []steps.Step, prefix string) []Entry {
	var out []Entry
	for i := 0; i < len(list); {
		from, to := BatchOf(list, i)
		first := prefix + fmt.Sprint(from+1)
		if _, rows := list[i].Body.(steps.Rows); rows {
			e := Entry{Step: first}
			for j := from; j < to; j++ {
				e.Batch = append(e.Batch, rowEntries(&list[j], prefix+fmt.Sprint(j+1))...)
			}
			out = append(out, e)
		} else {
			out = append(out, stepEntry(&list[i], first))
		}
		i = to
	}
	return out
}

func rowEntries(s *steps.Step, path string) []RowEntry {
	body, _ := s.Body.(steps.Rows)
	var out []RowEntry
	for i, r := range body.Rows {
		e := RowEntry{Step: path, Pos: r.Pos, From: r.From, Traits: r.Call.Command.Traits.Names(), Trips: r.Call.Command.Trips,
			Soft: s.Soft, Optional: s.Optional, Session: s.Session, Retry: s.Retry.Times, If: condition(s)}
		if i == len(body.Rows)-1 {
			e.Expect = expects(s)
		}
		if len(body.Rows) > 1 {
			e.Step = fmt.Sprintf("%s.%d", path, i+1)
		}
		for _, c := range r.Call.Cells {
			e.Row = append(e.Row, c.Text)
		}
		for _, f := range OutFiles(r) {
			e.Artifacts = append(e.Artifacts, f.Name)
		}
		if s.Save != nil && i == len(body.Rows)-1 {
			if name, ok := s.Save.Static(); ok {
				e.Artifacts = append(e.Artifacts, name)
			}
		}
		if s.Provokes != nil {
			e.Provokes = s.Provokes.String()
		}
		out = append(out, e)
	}
	return out
}

func stepEntry(s *steps.Step, path string) Entry {
	p := s.Pos
	e := Entry{Step: path, Kind: s.Kind, Name: s.Name, Pos: &p, If: condition(s), Expect: expects(s), Session: s.Session}
	switch b := s.Body.(type) {
	case steps.Branch:
		for i, a := range b.Arms {
			name, when := "elif"+fmt.Sprint(i), "else"
			if i == 0 {
				name = "then"
			}
			if a.Cond != nil {
				when = a.Cond.Source()
			} else {
				name = "else"
			}
			e.Inside = append(e.Inside, ListOfStep{when, entries(a.Do, path+"."+name+".")})
		}
	case steps.Loop:
		when := ""
		if b.While != nil {
			when = "while " + b.While.Source()
		} else {
			when = b.Var + " in " + b.Over.Source()
		}
		e.Inside = append(e.Inside, ListOfStep{when, entries(b.Do, path+"[n].")})
	case steps.Group:
		name := b.Name
		if b.File != "" {
			name = b.File
		}
		if b.Scope != nil {
			name = b.Scope.Label()
		}
		e.Inside = append(e.Inside, ListOfStep{name, entries(b.Do, path+".")})
	}
	return e
}

func condition(s *steps.Step) string {
	if s.If == nil {
		return ""
	}
	return s.If.Source()
}

// inSession says which session something happens in.
func inSession(session string) string {
	if session == "" {
		return ""
	}
	return "  in session " + session
}

// overlays names the entries of dismiss.
func overlays(list []steps.Dismissal) []string {
	var out []string
	for _, d := range list {
		out = append(out, d.Overlay.Source())
	}
	return out
}

func expects(s *steps.Step) []string {
	var out []string
	for _, e := range s.Expect {
		out = append(out, e.Source())
	}
	return out
}

// Text is the description for reading.
func (d Description) Text() string {
	var b strings.Builder
	for i, s := range d.Suites {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s  suite %q\n", s.File, s.Name)
		if len(s.Services) > 0 {
			fmt.Fprintf(&b, "  services: %s\n", strings.Join(s.Services, ", "))
		}
		if len(s.Shared) > 0 {
			fmt.Fprintf(&b, "  services of the run: %s\n", strings.Join(s.Shared, ", "))
		}
		if len(s.Sessions) > 0 {
			fmt.Fprintf(&b, "  sessions: %s\n", strings.Join(s.Sessions, ", "))
		}
		if len(s.Dismiss) > 0 {
			fmt.Fprintf(&b, "  dismisses: %s\n", strings.Join(s.Dismiss, ", "))
		}
		if len(s.Locks) > 0 {
			fmt.Fprintf(&b, "  lock: %s\n", strings.Join(s.Locks, ", "))
		}
		if s.Serial {
			b.WriteString("  serial\n")
		}
		phase(&b, "setup", s.Setup, 1)
		for _, t := range s.Tests {
			t.text(&b)
		}
		phase(&b, "teardown", s.Teardown, 1)
	}
	for _, f := range d.Broken {
		fmt.Fprintf(&b, "\n%s does not compile, left out\n", f)
	}
	return b.String()
}

func (t TestDescription) text(b *strings.Builder) {
	fmt.Fprintf(b, "  test %q  line %d", t.Name, t.Pos.Line)
	if len(t.Tags) > 0 {
		fmt.Fprintf(b, "  [%s]", strings.Join(t.Tags, " "))
	}
	if t.Retries > 0 {
		fmt.Fprintf(b, "  retries %d", t.Retries)
	}
	b.WriteString(inSession(t.Session))
	if len(t.Logins) > 0 {
		fmt.Fprintf(b, "  logs in %s", strings.Join(t.Logins, ", "))
	}
	if len(t.Locks) > 0 {
		fmt.Fprintf(b, "  lock %s", strings.Join(t.Locks, ", "))
	}
	for i, n := range t.Needs {
		fmt.Fprintf(b, "%s%q", [...]string{"  needs ", ", "}[min(i, 1)], n)
	}
	if t.Skip != "" {
		fmt.Fprintf(b, "  skipped: %s", t.Skip)
	}
	if t.Known != "" {
		fmt.Fprintf(b, "  known bug %s", t.Known)
	}
	if t.Until != "" {
		fmt.Fprintf(b, "  quarantined until %s", t.Until)
	}
	if t.Page != "" {
		fmt.Fprintf(b, "  on %s", t.Page)
	}
	if t.Like != "" {
		b.WriteString("  (steps as above)")
	}
	b.WriteByte('\n')
	phase(b, "before_each", t.Before, 2)
	phase(b, "steps", t.Steps, 2)
	phase(b, "finally", t.Finally, 2)
	phase(b, "after_each", t.After, 2)
}

func phase(b *strings.Builder, name string, list []Entry, depth int) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "%s%s\n", indent(depth), name)
	writeEntries(b, list, depth+1)
}

func indent(depth int) string { return strings.Repeat("  ", depth) }

func writeEntries(b *strings.Builder, list []Entry, depth int) {
	for _, e := range list {
		if e.Batch != nil {
			trips := 0
			for _, r := range e.Batch {
				trips += r.Trips
			}
			fmt.Fprintf(b, "%sbatch of %s, %s\n", indent(depth), count(len(e.Batch), "row"), count(trips, "round trip"))
			for _, r := range e.Batch {
				r.text(b, depth+1)
			}
			continue
		}
		fmt.Fprintf(b, "%s%-6s %s  line %d%s\n", indent(depth), e.Step, strings.TrimSpace(e.Kind+" "+e.Name), e.Pos.Line, inSession(e.Session)+marks(e.If, e.Expect))
		for _, in := range e.Inside {
			fmt.Fprintf(b, "%s%s:\n", indent(depth+1), in.When)
			writeEntries(b, in.Steps, depth+2)
		}
	}
}

func (r RowEntry) text(b *strings.Builder, depth int) {
	fmt.Fprintf(b, "%s%-6s %s", indent(depth), r.Step, r.place())
	if len(r.Traits) > 0 {
		fmt.Fprintf(b, "  (%s)", strings.Join(r.Traits, ", "))
	}
	if len(r.Artifacts) > 0 {
		fmt.Fprintf(b, "  writes %s", strings.Join(r.Artifacts, ", "))
	}
	b.WriteString(inSession(r.Session) + marks(r.If, r.Expect))
	if r.Soft {
		b.WriteString("  soft")
	}
	if r.Optional {
		b.WriteString("  optional")
	}
	if r.Retry > 0 {
		fmt.Fprintf(b, "  retry %d", r.Retry)
	}
	if r.Provokes != "" {
		fmt.Fprintf(b, "  provokes %s", r.Provokes)
	}
	b.WriteByte('\n')
}

func marks(cond string, expect []string) string {
	out := ""
	if cond != "" {
		out += "  if " + cond
	}
	for _, e := range expect {
		out += "  expect " + e
	}
	return out
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
