package journal

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// Part is one shard that is merged: its run folder, as the user named it, and what its journal says. Damage is nil if the
// journal can be read to its end.
type Part struct {
	Name   string
	Dir    string
	State  *State
	Damage error
}

// MergeError says why runs are no parts of one whole.
type MergeError struct{ Msg string }

// Error is the sentence.
func (e *MergeError) Error() string { return e.Msg }

// LoadPart reads the run of a folder as a shard. Damage is no error: what stands before it counts.
func LoadPart(name, dir string) (Part, error) {
	s, err := Load(dir)
	var damage *DamageError
	if err != nil && !errors.As(err, &damage) {
		return Part{}, fmt.Errorf("reading shard %q: %w", name, err)
	}
	p := Part{Name: name, Dir: dir, State: s}
	if damage != nil {
		p.Damage = damage
	}
	return p, nil
}

// planned tells that the shard's plan could be read.
func (p Part) planned() bool { return p.State.Run.ID != "" || len(p.State.Tests) > 0 }

// Whole gives the parts of a whole in the order of their shards, each once: a later run of a shard stands for the ones
// before. A shard that is missing, and parts of different wholes, are an error. One whose plan cannot be read is taken for
// one that is missing.
func Whole(parts []Part) ([]Part, error) {
	var first *Part
	byShard := map[int]Part{}
	var lost []Part
	for _, p := range parts {
		switch {
		case !p.planned():
			lost = append(lost, p)
			continue
		case p.State.Run.Shard == nil:
			return nil, &MergeError{fmt.Sprintf("%q is no shard: it was run without --shard", p.Name)}
		case first == nil:
			first = &p
		case p.State.Run.Shard.Plan != first.State.Run.Shard.Plan:
			return nil, &MergeError{fmt.Sprintf("%q (shard %s) and %q (shard %s) are not of one plan: %s", first.Name,
				first.State.Run.Shard, p.Name, p.State.Run.Shard, difference(first.State, p.State))}
		}
		at := p.State.Run.Shard.Index
		if have, ok := byShard[at]; !ok || p.State.Run.Started.After(have.State.Run.Started) {
			byShard[at] = p
		}
	}
	if first == nil {
		return nil, &MergeError{"none of the runs has a plan that can be read"}
	}
	of := first.State.Run.Shard.Of
	out := make([]Part, 0, of)
	var missing []string
	for i := 1; i <= of; i++ {
		p, ok := byShard[i]
		if !ok && len(lost) > 0 {
			p, ok, lost = unread(lost[0], first, i), true, lost[1:]
		}
		if !ok {
			missing = append(missing, fmt.Sprintf("%d/%d", i, of))
			continue
		}
		out = append(out, p)
	}
	if len(missing) > 0 {
		return nil, &MergeError{"missing: shard " + strings.Join(missing, ", ")}
	}
	return out, nil
}

// unread is a shard of which nothing is known but which tests were to run in it.
func unread(p Part, first *Part, index int) Part {
	plan := Planned{Run: first.State.Run}
	plan.Run.Shard = &Shard{Index: index, Of: first.State.Run.Shard.Of, Plan: first.State.Run.Shard.Plan}
	for _, o := range first.State.Others {
		if o.Shard == index {
			plan.Tests = append(plan.Tests, PlannedTest{Key: o.Key})
		}
	}
	p.State = NewState()
	p.State.plan(plan)
	return p
}

// difference says what two plans were made of that is not the same.
func difference(a, b *State) string {
	sums := map[string]string{}
	for _, x := range a.Inputs {
		sums[x.What+" "+x.Name] = x.SHA256
	}
	var names []string
	for _, x := range b.Inputs {
		if sum := sums[x.What+" "+x.Name]; sum != x.SHA256 {
			names = append(names, x.Name)
		}
		delete(sums, x.What+" "+x.Name)
	}
	for key := range sums {
		_, name, _ := strings.Cut(key, " ")
		names = append(names, name)
	}
	if len(names) == 0 {
		return "they were selected or divided in another way (paths, --grep, --tag, --shard, --timings)"
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ") + " differs"
}

// Merge writes the journal of the whole into dir, from what Whole gave, and gives its state. exit chooses the code that it
// ends with.
func Merge(dir string, info RunInfo, parts []Part, exit func(*State) int) (*State, error) {
	path := filepath.Join(dir, FileName)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("creating the journal: %w", err)
	}
	m := &merger{out: bufio.NewWriter(f), state: NewState()}
	err = m.all(info, parts, exit)
	err = errors.Join(err, m.out.Flush(), f.Sync(), f.Close())
	if err != nil {
		return nil, fmt.Errorf("merging into %q: %w", path, err)
	}
	return m.state, nil
}

// merger writes events that have happened already.
type merger struct {
	out   *bufio.Writer
	state *State
	seq   uint64
}

func (m *merger) put(e Event) error {
	l := newLine()
	defer l.release()
	m.seq++
	e.Seq = m.seq
	if err := l.put(e.Body); err != nil {
		return err
	}
	if err := m.state.Apply(e); err != nil {
		return err
	}
	l.encode(e)
	_, err := m.out.Write(l.bytes())
	return err
}

func (m *merger) all(info RunInfo, parts []Part, exit func(*State) int) error {
	if err := m.put(Event{At: info.Started, Body: union(info, parts)}); err != nil {
		return err
	}
	last, took := info.Started, time.Duration(0)
	for _, p := range parts {
		if err := m.part(p); err != nil {
			return err
		}
		if p.State.LastAt.After(last) {
			last = p.State.LastAt
		}
		took = max(took, p.State.Took())
	}
	return m.put(Event{At: last, Body: RunEnd{Exit: exit(m.state), Took: took}})
}

// union is the plan of the whole.
func union(info RunInfo, parts []Part) Planned {
	out := Planned{Run: info}
	suites := map[string]int{}
	for _, p := range parts {
		if len(p.State.Inputs)+len(p.State.Broken) > 0 { // one whose plan is lost has neither
			out.Inputs, out.Broken = p.State.Inputs, p.State.Broken
		}
		for _, u := range p.State.Suites {
			if _, ok := suites[u.Planned.File]; !ok {
				suites[u.Planned.File] = len(out.Suites)
				out.Suites = append(out.Suites, u.Planned)
			}
		}
		for _, t := range p.State.Tests {
			out.Tests = append(out.Tests, t.Planned)
			if _, ok := suites[t.Planned.Key.Suite]; !ok { // of a shard whose plan is lost
				suites[t.Planned.Key.Suite] = len(out.Suites)
				out.Suites = append(out.Suites, PlannedSuite{File: t.Planned.Key.Suite, Name: t.Planned.Key.Suite})
			}
		}
	}
	slices.SortFunc(out.Suites, func(a, b PlannedSuite) int { return cmp.Compare(a.File, b.File) })
	slices.SortStableFunc(out.Tests, func(a, b PlannedTest) int {
		return cmp.Or(cmp.Compare(a.Key.Suite, b.Key.Suite), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Key.Name, b.Key.Name))
	})
	return out
}

// part copies the events of a shard, without what a later life of it took back, and says what is not known.
func (m *merger) part(p Part) error {
	shard := p.State.Run.Shard.String()
	var at time.Time
	if p.planned() && len(p.State.Suites) > 0 {
		lives := livesOf(p.Dir)
		var fault error
		_, err := Replay(p.Dir, func(e Event, s *State) {
			for _, x := range lives.copy(e, s) {
				if fault == nil {
					fault = m.put(x)
				}
			}
			at = e.At
		})
		var damage *DamageError
		if err != nil && !errors.As(err, &damage) {
			return err
		}
		if fault != nil {
			return fault
		}
	}
	warn := ""
	switch {
	case p.Damage != nil:
		warn = fmt.Sprintf("shard %s (%s) is damaged: %v", shard, p.Name, p.Damage)
	case !p.State.Ended:
		warn = fmt.Sprintf("shard %s (%s) did not end: it was killed", shard, p.Name)
	default:
		return nil
	}
	if err := m.put(Event{At: at, Body: Warning{Text: warn}}); err != nil {
		return err
	}
	if p.Damage == nil {
		return nil
	}
	for _, t := range p.State.Tests {
		if t.Done {
			continue
		}
		if err := m.put(Event{At: at, Suite: t.Planned.Key.Suite, Test: &t.Planned.Key, Pos: t.Planned.Pos,
			Body: TestEnd{Status: steps.Unknown, Reason: "the journal of shard " + shard + " is damaged: nobody knows what became of it"}}); err != nil {
			return err
		}
	}
	return nil
}

// lives says from which event on what a test or suite said counts: a run that was taken up again took the rest back.
type lives struct {
	tests  map[steps.TestKey]uint64
	suites map[string]uint64
}

func livesOf(dir string) lives {
	l := lives{map[steps.TestKey]uint64{}, map[string]uint64{}}
	_, _ = Replay(dir, func(e Event, s *State) { // damage is told by whoever reads the rest
		if b, ok := e.Body.(Resumed); ok {
			for _, i := range b.Rerun {
				if i >= 0 && i < len(s.Tests) {
					key := s.Tests[i].Planned.Key
					l.tests[key], l.suites[key.Suite] = e.Seq, e.Seq
				}
			}
		}
	})
	return l
}

// copy gives what of an event belongs into the whole.
func (l lives) copy(e Event, s *State) []Event {
	switch b := e.Body.(type) {
	case Planned, RunEnd, ProcStart, ProcEnd:
		return nil
	case TestEnd:
		if e.Seq < l.tests[*e.Test] {
			return nil
		}
	case Resumed:
		var out []Event
		for _, i := range b.Rerun {
			if i < 0 || i >= len(s.Tests) {
				continue
			}
			t := s.Tests[i]
			if a := t.Last(); a != nil && a.CutOff {
				out = append(out, Event{At: e.At, Suite: t.Planned.Key.Suite, Test: &t.Planned.Key, Attempt: a.N, Pos: t.Planned.Pos,
					Body: AttemptEnd{Status: steps.StatusInterrupted}})
			}
		}
		return out
	}
	if e.Test == nil && e.Suite != "" && e.Seq < l.suites[e.Suite] {
		return nil
	}
	return []Event{e}
}
