package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// The exit codes.
const (
	ExitPassed      = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitEnvironment = 3
	ExitInternal    = 4
	ExitDeadline    = 5
	ExitFlaky       = 6
	ExitInterrupt   = 130
	ExitTerminated  = 143
)

// exitDoc is one line of the table of exit codes.
type exitDoc struct {
	Code int
	Doc  string
}

// exitDocs is the table of exit codes, as help and README show it.
var exitDocs = []exitDoc{
	{ExitPassed, "everything that was selected passed or was skipped"},
	{ExitFailed, "a test failed, or did not run though it should have"},
	{ExitUsage, "a spec or the command line is wrong"},
	{ExitEnvironment, "no browser, a service that does not start, a full disk"},
	{ExitInternal, "a fault in checkrow itself"},
	{ExitDeadline, "the run's deadline passed"},
	{ExitFlaky, "a test needed a second attempt, with `--fail-on-flaky`"},
	{ExitInterrupt, "stopped by SIGINT; reports are written"},
	{ExitTerminated, "stopped by SIGTERM; reports are written"},
}

// exitOrder says which code wins when several apply: the first that does.
var exitOrder = []int{ExitInterrupt, ExitTerminated, ExitInternal, ExitDeadline, ExitFailed, ExitEnvironment, ExitUsage,
	ExitFlaky}

// firstExit gives the code of codes that wins.
func firstExit(codes ...int) int {
	for _, c := range exitOrder {
		for _, have := range codes {
			if c == have {
				return c
			}
		}
	}
	return ExitPassed
}

// codedError carries an exit code; wrapping it never changes the code. Without an error it stands for an outcome that
// was reported already, and nothing more is printed.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *codedError) Unwrap() error { return e.err }

// outcome is the end of a run whose reports said everything; nil for 0.
func outcome(code int) error {
	if code == ExitPassed {
		return nil
	}
	return &codedError{code: code}
}

// usagef is an error of the command line.
func usagef(format string, args ...any) error {
	return &codedError{ExitUsage, fmt.Errorf(format, args...)}
}

// environment marks an error as one of the machine; nil stays nil.
func environment(err error) error {
	if err == nil {
		return nil
	}
	return &codedError{ExitEnvironment, err}
}

// exitCode is the one place that turns an error into an exit code.
func exitCode(err error) int {
	if err == nil {
		return ExitPassed
	}
	var coded *codedError
	if errors.As(err, &coded) {
		return coded.code
	}
	var spec *diag.Error
	if errors.As(err, &spec) {
		return ExitUsage
	}
	return ExitInternal
}

// show prints an error that no one has shown yet.
func (a *app) show(err error) {
	if err == nil {
		return
	}
	var coded *codedError
	if errors.As(err, &coded) && coded.err == nil {
		return
	}
	for line := range strings.SplitSeq(strings.TrimRight(err.Error(), "\n"), "\n") {
		if strings.HasPrefix(line, "checkrow") { // it names the command already
			fmt.Fprintln(a.Stderr, line)
			continue
		}
		a.warnf("%s", line)
	}
}

// exitMarkdown renders the table of exit codes.
func exitMarkdown() string {
	var b strings.Builder
	b.WriteString("| code | means |\n|---|---|\n")
	for _, d := range exitDocs {
		fmt.Fprintf(&b, "| %d | %s |\n", d.Code, d.Doc)
	}
	return b.String()
}

// exitHelp renders the table for a terminal.
func exitHelp() string {
	var b strings.Builder
	for _, d := range exitDocs {
		fmt.Fprintf(&b, "  %3d  %s\n", d.Code, strings.ReplaceAll(d.Doc, "`", ""))
	}
	return b.String()
}
