package runner

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// Limit is the cause of a context that ended because a limit passed: it names which one.
type Limit struct {
	What string // row, step, test, suite, run, finally, after_each, teardown …
	For  time.Duration
}

// Error names the limit.
func (e *Limit) Error() string {
	article := "the "
	if e.What == string(journal.PhaseFinally) || e.What == string(journal.PhaseAfterEach) || e.What == string(journal.PhaseTeardown) {
		article = "" // these are keys
	}
	return article + e.What + " has passed its limit of " + short(e.For)
}

// Stopped is the cause of a context that ended because the run was told to stop.
type Stopped struct {
	By   string // SIGINT, SIGTERM, or what the caller says
	Exit int
}

// Error says who stopped the run.
func (e *Stopped) Error() string { return "stopped by " + e.By }

// graceOver is the cause of a context that ended because the time for an orderly stop is over.
type graceOver struct{ stage stage }

func (e *graceOver) Error() string {
	return "the time to " + e.stage.String() + " after a stop is over"
}

// short prints a duration without its zero parts: 2m, not 2m0s.
func short(d time.Duration) string {
	s := d.Round(time.Millisecond).String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// ended turns the end of a context into a failed observation; false if ctx has not ended.
func ended(ctx context.Context) (steps.Observation, bool) {
	if ctx.Err() == nil {
		return steps.Observation{}, false
	}
	cause := context.Cause(ctx)
	var limit *Limit
	var stop *Stopped
	switch {
	case errors.As(cause, &limit):
		return steps.Fail(steps.Timeout, limit.What+"-limit", cause.Error()), true
	case errors.As(cause, &stop):
		return steps.Fail(steps.Interrupted, "", cause.Error()), true
	}
	return steps.Fail(steps.Interrupted, "", cause.Error()), true
}

// overrule corrects what a body said of its failure by what ended its context. The detail of the body stays.
func overrule(ctx context.Context, o steps.Observation) steps.Observation {
	end, over := ended(ctx)
	if !over || o.Success {
		return o
	}
	said := o.Error
	o.Category, o.Sub = end.Category, end.Sub
	o.Error = end.Error
	if said != "" && !strings.Contains(said, end.Error) {
		o.Error += ": " + said
	}
	return o
}
