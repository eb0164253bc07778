package cli_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// lineTime is the time of a line of a journal.
var lineTime = regexp.MustCompile(`"at":"([^"]+)","kind"`)

// setClock makes a journal as if somebody had set the clock before one of its lines: "setclock JOURNAL LINE -3h". Versions
// that wrote what the clock said have left such journals.
func setClock(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: setclock JOURNAL LINE DURATION")
	}
	from, err := strconv.Atoi(args[1])
	ts.Check(err)
	by, err := time.ParseDuration(args[2])
	ts.Check(err)
	lines := strings.SplitAfter(ts.ReadFile(args[0]), "\n")
	if len(lines) <= from {
		ts.Fatalf("%s has %d lines", args[0], len(lines))
	}
	for i := from - 1; i < len(lines)-1; i++ {
		lines[i] = lineTime.ReplaceAllStringFunc(lines[i], func(s string) string {
			at, err := time.Parse(time.RFC3339Nano, lineTime.FindStringSubmatch(s)[1])
			ts.Check(err)
			return `"at":"` + at.Add(by).Format(time.RFC3339Nano) + `","kind"`
		})
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(lines, "")), 0o600))
}
