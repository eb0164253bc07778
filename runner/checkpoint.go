package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strconv"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/vault"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// savedState is what a checkpoint kept of a test. It holds what the journal must not, and lies in the private store.
type savedState struct {
	Name    string          `json:"name"`
	Step    int             `json:"step"` // place of the checkpoint in the steps of the test
	Attempt int             `json:"attempt"`
	URL     string          `json:"url,omitempty"`
	State   json.RawMessage `json:"state,omitempty"` // storage of the session
	Vars    map[string]any  `json:"vars,omitempty"`
	Steps   map[string]any  `json:"steps,omitempty"`
	Secret  []string        `json:"secret,omitempty"` // values to mask
}

// checkpoints is the store of the run's own.
func (r *run) checkpoints() *vault.Checkpoints { return vault.CheckpointsOf(r.o.Private, r.o.Info.ID) }

// load looks for what the tests that run again have kept, and for those that a person must decide on.
func (r *Resume) load(p *plan.Plan, o ResumeOptions) error {
	store := vault.CheckpointsOf(o.Private, o.Run)
	for _, t := range p.Tests {
		if _, ok := r.kept[t.Key]; ok || r.attempts[t.Key] == 0 {
			continue
		}
		if last, ok := r.unsure[t.Key]; ok && t.Resume == "manual" {
			r.stopped[t.Key] = heldWords(t, last)
		}
		if t.Resume != "checkpoint" {
			continue
		}
		text, err := store.Get(t.Key.String())
		if err != nil {
			return err
		}
		if text == nil {
			continue
		}
		s := &savedState{}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(s); err != nil {
			return fmt.Errorf("reading the checkpoint of %q: %w", t.Key.String(), err)
		}
		if s.Step >= 0 && s.Step < len(t.Steps) && s.Attempt == r.attempts[t.Key] {
			numbers(s.Vars)
			numbers(s.Steps)
			r.started[t.Key] = s
		}
	}
	return nil
}

// heldWords says why a test does not run again by itself.
func heldWords(t *plan.Test, last journal.Step) string {
	how := "was sent"
	if last.State == steps.RowSentUnknown {
		how = "may have been sent"
	}
	return fmt.Sprintf("resume: manual: %s at %s:%d %s before the run was cut off; see what it did, then: %s", last.Name, last.Pos.File, last.Pos.Line,
		how, rerunTest(t))
}

// lastMutation gives the last row or step of an attempt that may have changed something; nil if there is none.
func lastMutation(a *journal.Attempt) *journal.Step {
	if a == nil {
		return nil
	}
	for i := len(a.Steps) - 1; i >= 0; i-- {
		if s := a.Steps[i]; changes(s.Name) && (s.Phase == journal.PhaseSteps || s.Phase == journal.PhaseBeforeEach) {
			return s
		}
	}
	return nil
}

// numbers turns numbers that were read into those that expressions know.
func numbers(m map[string]any) {
	for k, v := range m {
		m[k] = plainNumber(v)
	}
}

func plainNumber(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.Atoi(v.String()); err == nil {
			return n
		}
		f, _ := v.Float64() // it was one when it was written
		return f
	case map[string]any:
		numbers(v)
	case []any:
		for i := range v {
			v[i] = plainNumber(v[i])
		}
	}
	return v
}

// resumeAt gives the checkpoint at which an attempt of a test begins; nil: at its start.
func (s *suiteRun) resumeAt(t *plan.Test, attempt int) *savedState {
	c := s.run.o.Resume
	if c == nil || attempt != c.attempts[t.Key]+1 {
		return nil
	}
	return c.started[t.Key]
}

// keeping lets a checkpoint step keep where the test is; nil where it cannot.
func (p *player) keeping(f *frame, c call) func(ctx context.Context, name string) error {
	if c.step().Kind != "checkpoint" || p.key == nil || p.phase != journal.PhaseSteps || f.scoped || c.path != number(c.at) {
		return nil
	}
	return func(ctx context.Context, name string) error {
		if why := p.failedBefore(ctx); why != "" { // the attempt that begins behind it would not know
			p.warn(c.step().Pos, "the checkpoint "+strconv.Quote(name)+" is not kept: "+why)
			return nil
		}
		s := savedState{Name: name, Step: c.at, Attempt: p.attempt, Vars: f.vars, Steps: f.steps, Secret: p.hidden}
		if p.session != nil {
			from, can := p.session.(steps.Stored)
			if !can {
				return errors.New("this browser engine does not hand out its storage")
			}
			state, err := from.StorageState(ctx)
			if err != nil {
				return err
			}
			at, err := p.session.Read(ctx, "url", nil)
			if err != nil {
				return err
			}
			s.State = state
			s.URL, _ = at.(string)
		}
		text, err := json.Marshal(s)
		if err != nil {
			return fmt.Errorf("what the test knows cannot be written down: %w", err)
		}
		p.run.mu.Lock()
		defer p.run.mu.Unlock()
		if p.run.saved == nil {
			p.run.saved = map[steps.TestKey]bool{}
		}
		p.run.saved[*p.key] = true
		return p.run.checkpoints().Put(p.key.String(), text)
	}
}

// failedBefore says what has failed the attempt already though its steps go on; "" if nothing has.
func (p *player) failedBefore(ctx context.Context) string {
	if len(p.soft) > 0 {
		return "a soft step before it has failed"
	}
	if found := p.checkup(ctx, false); len(found.fail)+len(found.lost) > 0 {
		return "the pages before it were not healthy"
	}
	return ""
}

// forgetCheckpoint removes what a test kept, once it has a verdict.
func (r *run) forgetCheckpoint(t *plan.Test, status steps.Status) {
	if t.Resume != "checkpoint" || !journal.Final(status) {
		return
	}
	r.mu.Lock()
	had := r.saved[t.Key] || r.o.Resume != nil
	r.mu.Unlock()
	if had {
		r.checkpoints().Drop(t.Key.String())
	}
}

// begin runs an attempt from its start, or from the checkpoint that it is taken up at.
func (p *player) begin(ctx context.Context, f *frame, t *plan.Test) *failed {
	if p.from != nil {
		p.phase = journal.PhaseSteps
		return p.takeUp(ctx, f, t)
	}
	p.phase = journal.PhaseBeforeEach
	if bad := p.list(ctx, f, t.BeforeEach, ""); bad != nil {
		return bad
	}
	p.phase = journal.PhaseSteps
	return p.list(ctx, f, t.Steps, "")
}

// takeUp brings the test back to where its checkpoint was and runs the steps behind it.
func (p *player) takeUp(ctx context.Context, f *frame, t *plan.Test) *failed {
	s := p.from
	for _, v := range s.Secret {
		p.run.secret(v)
	}
	p.hidden = append(p.hidden, s.Secret...)
	maps.Copy(f.vars, s.Vars)
	maps.Copy(f.steps, s.Steps)
	p.warn(t.Steps[s.Step].Pos, "began at the checkpoint "+strconv.Quote(s.Name)+", where the run was cut off behind it")
	if s.URL != "" && s.URL != "about:blank" {
		c := call{list: t.Steps, at: s.Step, path: number(s.Step)}
		if o := p.innerRows(f, c)(ctx, steps.InnerRow{Cells: []string{"open", s.URL}}); !o.Success {
			return p.fail(c, o)
		}
	}
	for i := s.Step + 1; i < len(t.Steps); i++ {
		if bad := p.step(ctx, f, t.Steps, i, number(i)); bad != nil {
			return bad
		}
	}
	return nil
}

// restored opens the session with what its checkpoint kept; false if there is nothing to restore.
func (p *player) restored(ctx context.Context, o steps.SessionOptions) (bad *steps.Observation, ok bool) {
	if p.from == nil || p.from.State == nil || p.seat != p.home() || p.seat.bare {
		return nil, false
	}
	file, err := p.run.vault.Put(filepath.Base(p.key.Name)+".json", p.from.State)
	if err != nil {
		o := steps.Fail(steps.Environment, "checkpoint", err.Error())
		return &o, true
	}
	o.StorageState = file
	return p.launch(ctx, o), true
}

// hide has a value masked from now on, also in a run that takes the test up.
func (p *player) hide(v string) {
	p.run.secret(v)
	if p.key != nil {
		p.hidden = append(p.hidden, v)
	}
}

// harmless are the kinds of steps that change nothing outside the test.
var harmless = map[string]bool{"expect": true, "set": true, "pause": true, "checkpoint": true}

// changes tells by the name of a row's command or a step's kind that it may change something outside.
func changes(name string) bool {
	if c, ok := argv.Lookup(name); ok {
		return c.Traits.Has(argv.Mutates)
	}
	return !harmless[name]
}
