package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/mxschmitt/playwright-go"
)

// failed is an error that is an observation already.
type failed struct{ obs steps.Observation }

// Error is the sentence of the observation.
func (f *failed) Error() string { return f.obs.Error }

// Observation is what the error says.
func (f *failed) Observation() steps.Observation { return f.obs }

var _ steps.Observed = (*failed)(nil)

// problem makes an error that is a finished observation.
func problem(c steps.Category, sub, text string, acts ...steps.NextAction) *failed {
	o := steps.Fail(c, sub, text)
	o.NextActions = acts
	return &failed{o}
}

// failure gives the observation of an error that is one.
func failure(err error) steps.Observation {
	var f *failed
	if errors.As(err, &f) {
		return f.obs
	}
	return steps.Fail(steps.Internal, "", firstLine(err))
}

// next is a row to try.
func next(id, reason string, row ...string) steps.NextAction {
	return steps.NextAction{ID: id, Reason: reason, Row: row}
}

// crashed is the observation of a session that died.
func crashed(d death) steps.Observation {
	o := steps.Fail(steps.Crash, d.sub, d.text)
	o.Collateral = d.collateral
	return o
}

// explain turns the error of a driver call into one of the closed categories with one sentence.
func (s *session) explain(ctx context.Context, r *row, err error) steps.Observation {
	var f *failed
	if errors.As(err, &f) {
		return f.obs
	}
	if errors.Is(err, world.ErrGone) {
		o := steps.Fail(steps.Navigation, "document-replaced",
			"the page was replaced while the row ran: nobody knows how far it came")
		return o
	}
	if d := s.fate(err); d != nil {
		return crashed(*d)
	}
	text := cleanError(err)
	if strings.Contains(text, "net::ERR_ABORTED") { // the event of a crash comes after the failure of the navigation
		if await(s.deadCh, 150*time.Millisecond) {
			return crashed(*s.fate(nil))
		}
	}
	if ctx.Err() != nil {
		return s.late(ctx, r, "")
	}
	switch {
	case errors.Is(err, playwright.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return steps.Fail(steps.Timeout, "", "the browser did not finish within "+r.waited())
	case badSelector(text):
		return steps.Fail(steps.Validation, "bad-target", "the target cannot be understood: "+text)
	case strings.HasPrefix(text, "Unknown key"):
		return steps.Fail(steps.Validation, "unknown-key", fmt.Sprintf("there is no key %q", r.op(0)))
	case strings.Contains(text, "net::"), strings.Contains(text, "NS_ERROR"), strings.Contains(text, "browsingContext.navigate"):
		return steps.Fail(steps.Navigation, "net", text)
	case targetClosed(err):
		return steps.Fail(steps.Crash, "page-closed", "the page was closed while the row ran")
	case transient(err):
		return steps.Fail(steps.Navigation, "document-replaced", "the page was replaced while the row ran")
	}
	return steps.Fail(steps.Internal, "driver", text)
}

// The library gives no sentinels for these; its wording is all there is (ENGINE 3).

func connectionClosed(err error) bool {
	if err == nil {
		return false
	}
	t := err.Error()
	return t == "Connection closed" || strings.HasSuffix(t, ": Connection closed") || strings.Contains(t, "could not read protocol") ||
		strings.Contains(t, "transport closed") || strings.Contains(t, "broken pipe")
}

func targetCrashed(err error) bool { return strings.Contains(err.Error(), "Target crashed") }

func targetClosed(err error) bool {
	return errors.Is(err, playwright.ErrTargetClosed) || errors.Is(err, world.ErrClosed) ||
		strings.Contains(err.Error(), "Target page, context or browser has been closed") ||
		strings.Contains(err.Error(), "browser has been closed")
}

// transient tells that a call met a document that was just being replaced.
func transient(err error) bool {
	t := err.Error()
	for _, x := range []string{"Execution context was destroyed", "Cannot find context", "Frame was detached",
		"frame was detached", "Inspected target navigated", "Cannot find default execution context", "uniqueContextId not found"} {
		if strings.Contains(t, x) {
			return true
		}
	}
	return false
}

func badSelector(text string) bool {
	for _, x := range []string{"while parsing css selector", "is not a valid selector", "Unknown engine", "InvalidSelectorError",
		"is not a valid XPath", "Failed to execute 'evaluate' on 'Document'", "Invalid frame in aria-ref"} {
		if strings.Contains(text, x) {
			return true
		}
	}
	return false
}

// cleanError is the first line of a driver's error without the names of its layers.
func cleanError(err error) string {
	t := firstLine(err)
	for _, p := range []string{"playwright: ", "timeout: ", "target closed: ", "Error: "} {
		t = strings.TrimPrefix(t, p)
	}
	if i := strings.Index(t, ": playwright: "); i >= 0 { // "Frame.Goto URL: playwright: …"
		t = t[i+len(": playwright: "):]
	}
	return strings.TrimSpace(t)
}

// brief words the failure of a launch: its first line, and what the program itself said.
type brief struct{ err error }

// Error is one line.
func (b brief) Error() string {
	text := cleanError(b.err)
	for _, l := range strings.Split(b.err.Error(), "\n")[1:] {
		if l = strings.TrimSpace(l); strings.Contains(l, "[err]") || strings.Contains(l, "error while loading") {
			return text + ": " + l
		}
	}
	return text
}

// Unwrap gives the whole error.
func (b brief) Unwrap() error { return b.err }

// firstLine is the first line of an error.
func firstLine(err error) string {
	t, _, _ := strings.Cut(err.Error(), "\n")
	return t
}

// span writes a duration as a suite would.
func span(d time.Duration) string {
	if d >= time.Second && d%time.Second == 0 {
		return d.String()
	}
	return d.Round(time.Millisecond).String()
}

func notFileInput(err error) bool {
	return strings.Contains(err.Error(), "Node is not an HTMLInputElement") || strings.Contains(err.Error(), "not an input element of type file") || strings.Contains(err.Error(), "Not an input[type=file]")
}

func manyFiles(err error) bool { return strings.Contains(err.Error(), "Non-multiple file input") }
