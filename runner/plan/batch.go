package plan

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// BatchOf gives the bounds of the batch that step i of a list belongs to: the maximal run of rows in one session without a branch, loop
// or other step between them. A step with `if` or `skip` is a branch, and stands alone.
func BatchOf(list []steps.Step, i int) (from, to int) {
	if !joins(&list[i]) {
		return i, i + 1
	}
	in := list[i].Session
	for from = i; from > 0 && joins(&list[from-1]) && list[from-1].Session == in; {
		from--
	}
	for to = i + 1; to < len(list) && joins(&list[to]) && list[to].Session == in; {
		to++
	}
	return from, to
}

func joins(s *steps.Step) bool {
	_, rows := s.Body.(steps.Rows)
	_, skips := s.Skip.Static()
	return rows && s.If == nil && skips
}

// needsBrowser tells that a list has rows or reads the page.
func needsBrowser(list []steps.Step) bool {
	for i := range list {
		s := &list[i]
		if _, ok := s.Body.(steps.Rows); ok {
			return true
		}
		if s.If != nil && s.If.UsesPage() || s.Title != nil && s.Title.UsesPage() {
			return true
		}
		if b, ok := s.Body.(steps.Opaque); ok && b.Page {
			return true
		}
		for _, e := range s.Expect {
			if e.UsesPage() {
				return true
			}
		}
		if controlled(s.Body) {
			return true
		}
		for _, inner := range steps.Inside(s.Body) {
			if needsBrowser(inner) {
				return true
			}
		}
	}
	return false
}

// controlled tells that what a branch or loop goes by reads the page.
func controlled(body steps.Body) bool {
	switch b := body.(type) {
	case steps.Loop:
		return b.While != nil && b.While.UsesPage() || b.Over != nil && b.Over.UsesPage()
	case steps.Branch:
		return slices.ContainsFunc(b.Arms, func(a steps.Arm) bool { return a.Cond != nil && a.Cond.UsesPage() })
	}
	return false
}

// checkAttempt checks what holds over all phases of an attempt: files that two rows write, refs that an earlier row has
// dropped, soft rows that later rows build on.
func (u *unit) checkAttempt(t *Test) {
	claims := map[string]diag.Pos{}
	for _, list := range [][]steps.Step{t.BeforeEach, t.Steps, t.Finally, t.AfterEach} {
		u.checkBatches(list)
		claims = u.claim(list, "", claims)
	}
	u.beyond(claims, t)
}

// checkBatches checks each batch of a list, and the lists inside.
func (u *unit) checkBatches(list []steps.Step) {
	for i := 0; i < len(list); {
		for _, inner := range steps.Inside(list[i].Body) {
			u.checkBatches(inner)
		}
		from, to := BatchOf(list, i)
		u.checkBatch(list[from:to])
		i = to
	}
}

func (u *unit) checkBatch(batch []steps.Step) {
	var soft *steps.Step
	var calls []*argv.Call
	for i := range batch {
		body, ok := batch[i].Body.(steps.Rows)
		if !ok {
			continue
		}
		for _, r := range body.Rows {
			if r.Call == nil || r.Call.Command == nil {
				continue
			}
			calls = append(calls, r.Call)
			if soft != nil && r.Call.Command.Traits.Has(argv.Page) && !r.Call.Loads() {
				u.l.Add(soft.Pos, "soft on a row that opens a page: the rows after it would run on the wrong page", "leave soft out")
				soft = nil
			}
			if batch[i].Soft && r.Call.Loads() && body.Verdict == nil {
				soft = &batch[i]
			}
		}
	}
	argv.Latch(calls, u.l)
}

// claim collects the files that rows write and reports a second row that writes the same one in one attempt. The arms of
// a branch exclude each other; loops and fragments have folders of their own.
func (u *unit) claim(list []steps.Step, prefix string, have map[string]diag.Pos) map[string]diag.Pos {
	for i := range list {
		u.claimSave(&list[i], prefix, have)
		switch b := list[i].Body.(type) {
		case steps.Rows:
			for _, r := range b.Rows {
				for _, name := range OutFiles(r) {
					u.claimFile(r, prefix, name, have)
				}
			}
		case steps.Branch:
			joined := cloneClaims(have)
			for _, a := range b.Arms {
				for k, v := range u.claim(a.Do, prefix, cloneClaims(have)) {
					joined[k] = v
				}
			}
			have = joined
		case steps.Loop:
			u.claim(b.Do, prefix, map[string]diag.Pos{})
		case steps.Group:
			if b.Isolated {
				u.claim(b.Do, prefix, map[string]diag.Pos{})
			} else {
				have = u.claim(b.Do, prefix, have)
			}
		}
	}
	return have
}

func cloneClaims(m map[string]diag.Pos) map[string]diag.Pos {
	out := make(map[string]diag.Pos, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

func (u *unit) claimFile(r steps.Row, prefix string, f OutFile, have map[string]diag.Pos) {
	p := f.Pos
	if p.IsZero() {
		p = r.Pos
	}
	name := path.Clean(strings.ReplaceAll(f.Name, `\`, "/"))
	if !u.goodPath(p, f.Name) {
		return
	}
	key := prefix + strings.ToLower(name)
	for other, at := range have {
		if strings.EqualFold(other, key) {
			u.l.AddWide(p, len([]rune(f.Name)), `"`+f.Name+`" is written twice in one attempt`,
				"the first row that writes it is at "+at.String())
			return
		}
	}
	have[key] = p
}

// OutFile is a file that a row says it writes.
type OutFile struct {
	Name string
	Pos  diag.Pos
}

// OutFiles gives the files a row writes, as far as they are known before the run.
func OutFiles(r steps.Row) []OutFile {
	if r.Call == nil || r.Call.Command == nil {
		return nil
	}
	var out []OutFile
	add := func(cell int) {
		if cell >= 0 && cell < len(r.Call.Cells) && !r.Call.Cells[cell].Dynamic {
			out = append(out, OutFile{r.Call.Cells[cell].Text, r.Call.Cells[cell].Pos})
		}
	}
	cmd := r.Call.Command
	for i, at := range r.Call.Operands {
		if r.Call.OperandKind(i) == argv.OutFile {
			add(at)
		}
	}
	for name, at := range r.Call.Flags {
		for _, f := range cmd.Flags {
			if f.Name == name && f.Kind == argv.OutFile && !f.Bool {
				add(at)
			}
		}
	}
	return out
}

// RowWait is how long a row says it may wait, by its step's within or timeout and its own flags; 0 if it says nothing.
func RowWait(r steps.Row, s *steps.Step) time.Duration {
	wait := s.Timeout
	if s.Within != nil {
		wait = max(wait, *s.Within)
	}
	if r.Call == nil || r.Call.Command == nil {
		return wait
	}
	for _, f := range r.Call.Command.Flags {
		at, set := r.Call.Flags[f.Name]
		if set && at >= 0 && f.Kind == argv.Duration && !r.Call.Cells[at].Dynamic {
			if d, err := argv.ParseDuration(r.Call.Cells[at].Text); err == nil {
				wait = max(wait, d)
			}
		}
	}
	for i, at := range r.Call.Operands {
		if at >= 0 && r.Call.OperandKind(i) == argv.Duration && !r.Call.Cells[at].Dynamic {
			if d, err := argv.ParseDuration(r.Call.Cells[at].Text); err == nil {
				wait = max(wait, d)
			}
		}
	}
	return wait
}
