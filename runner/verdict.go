package runner

import (
	"fmt"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// subKnownBug marks the failure of a test that passes though its bug is said to be there.
const subKnownBug = "known-bug"

// unexpected is the failure of an attempt that passed though its bug is said to be there; nil for any other.
func (s *suiteRun) unexpected(t *plan.Test, status steps.Status) *journal.Failure {
	if status != steps.Passed || t.KnownBug.ID == "" {
		return nil
	}
	at := t.KnownBug.Pos
	return &journal.Failure{Pos: at, Excerpt: excerpt(s.plan.Sources[at.File], at.Line), Phase: journal.PhaseSteps, Category: steps.Assertion,
		Sub: subKnownBug, Message: fmt.Sprintf("the test passes: take known_bug: %s out if the bug is mended", t.KnownBug.ID)}
}

// final tells that no further attempt changes anything: the attempt passed, in its own sense, or the run ends.
func final(end journal.AttemptEnd) bool {
	return end.Status == steps.Passed || end.Status == steps.StatusInterrupted || end.Failure != nil && end.Failure.Sub == subKnownBug
}

// verdict turns the end of the last attempt into the test's: known_bug, then quarantine (DECISIONS 20).
func verdict(t *plan.Test, end journal.AttemptEnd, status steps.Status, took time.Duration) journal.TestEnd {
	out := journal.TestEnd{Status: status, Reason: reasonOf(end), Took: took}
	if id := t.KnownBug.ID; id != "" {
		met := status == steps.Failed && end.Failure != nil && end.Failure.Sub != subKnownBug
		switch {
		case met && len(end.Cleanup) > 0:
			out.Status, out.Reason = steps.Errored, "known bug "+id+", and its cleanup failed"
		case met:
			out.Status, out.Reason = steps.KnownBug, id
		case status == steps.Errored && end.Failure != nil:
			out.Reason = fmt.Sprintf("known bug %s is met by a failed check, not by %s", id, end.Failure.Category)
		}
	}
	q := t.Quarantine
	if q == nil || out.Status == steps.StatusInterrupted {
		return out
	}
	until := q.Until.Format(time.DateOnly)
	switch {
	case !q.Over:
		out.Status, out.Reason = steps.Quarantined, q.Why+" (until "+until+")"
	case out.Reason == "" && (out.Status == steps.Failed || out.Status == steps.Errored):
		out.Reason = "its quarantine has ended on " + until
	}
	return out
}

// plannedTest is what the journal keeps of a test before it runs.
func plannedTest(t *plan.Test) journal.PlannedTest {
	out := journal.PlannedTest{Key: t.Key, Pos: t.Pos, Tags: t.Tags, Retries: t.Retries, Params: params(t), KnownBug: t.KnownBug.ID}
	if q := t.Quarantine; q != nil {
		out.Quarantine = &journal.Quarantine{Why: q.Why, Until: q.Until.Format(time.DateOnly), Over: q.Over}
	}
	return out
}
