package steps

import (
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
)

// Asserts tells that a list of steps judges something: an expect row, an expect, an exit code.
func Asserts(list []Step) bool {
	found := false
	Walk(list, func(s *Step) bool {
		switch b := s.Body.(type) {
		case Opaque:
			found = found || b.Checks
		case Rows:
			found = found || b.Checks
			for _, r := range b.Rows {
				found = found || r.Call != nil && r.Call.Command.Traits.Has(argv.Asserts)
			}
		}
		found = found || len(s.Expect) > 0 || s.Provokes != nil
		return !found
	})
	return found
}

// unread reports at once a row that only reads and that nothing can use, having neither id nor expect. The last row of a
// step with an id is left to Unused.
func (d *Decoder) unread(s *Step) {
	body, ok := s.Body.(Rows)
	if !ok || body.Verdict != nil || len(s.Expect) > 0 || s.Provokes != nil {
		return
	}
	for i, r := range body.Rows {
		kept := i == len(body.Rows)-1 && (s.ID != "" || s.Save != nil)
		if r.Call != nil && r.Call.ReadsOnly() && !kept {
			report(r, "nothing uses what this row reads", d.Errs)
		}
	}
}

// Unused reports rows that only read and whose id no expression names. It is asked once all that may read the ids of a
// list is compiled: used is the Used of their scope. Fragments have ids of their own and are not looked into.
func Unused(list []Step, used map[string]bool, l *diag.List) {
	Walk(list, func(s *Step) bool {
		switch b := s.Body.(type) {
		case Group:
			return !b.Isolated
		case Rows:
			if b.Verdict != nil || s.ID == "" || used[s.ID] || s.used() || len(b.Rows) == 0 {
				return true
			}
			if r := b.Rows[len(b.Rows)-1]; r.Call != nil && r.Call.ReadsOnly() {
				report(r, "no expression reads steps."+s.ID+", so nothing uses what this row reads", l)
			}
		}
		return true
	})
}

func report(r Row, msg string, l *diag.List) {
	l.Add(r.Pos, msg, "to check it write "+argv.Instead(r.Call))
}
