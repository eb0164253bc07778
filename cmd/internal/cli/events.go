package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/checkrow/checkrow/reporters/events"
)

// eventFlags are the flags of run that stream its events.
type eventFlags struct {
	events string
	only   []string
}

func (f *eventFlags) flags(fs *pflag.FlagSet) {
	fs.StringVar(&f.events, "events", "", "stream events as JSON lines to `FILE|fd:N|-` while running; with - the console goes to stderr")
	fs.StringSliceVar(&f.only, "events-only", nil, "stream events of these `KINDS` only: done,test-end (see checkrow schema events)")
}

// validate refuses what means nothing, before anything is opened.
func (f *eventFlags) validate(set *pflag.FlagSet) error {
	if len(f.only) > 0 || set.Changed("events-only") {
		if f.events == "" {
			return usagef("--events-only chooses from the events of --events, which is not given")
		}
		if len(f.only) == 0 {
			return usagef("--events-only names no kind of event")
		}
		if err := events.CheckKinds(f.only); err != nil {
			return usagef("--events-only: %w", err)
		}
	}
	if !set.Changed("events") {
		return nil
	}
	if number, isFD := strings.CutPrefix(f.events, "fd:"); isFD {
		if n, err := strconv.Atoi(number); err != nil || n < 1 {
			return usagef("--events fd:N takes the number of an open file, got %q", f.events)
		}
		return nil
	}
	if _, err := strconv.Atoi(f.events); err == nil {
		return usagef("--events %s: write fd:%s for the open file of that number, or ./%s for a file", f.events, f.events, f.events)
	}
	if f.events == "" {
		return usagef("--events needs a file, fd:N or -")
	}
	return nil
}

// stream opens the stream of events, if one is wanted, as one of the reports. What goes to stdout then is the stream alone.
func (a *app) stream(f eventFlags, set *reportSet, stdout io.Writer) error {
	if f.events == "" {
		return nil
	}
	var out io.WriteCloser
	switch number, isFD := strings.CutPrefix(f.events, "fd:"); {
	case f.events == "-":
		out = keepOpen{stdout}
	case isFD:
		n, err := strconv.Atoi(number)
		if err != nil {
			return usagef("--events fd:N takes the number of an open file, got %q", f.events)
		}
		file := os.NewFile(uintptr(n), f.events)
		if _, err := file.Stat(); err != nil {
			return environment(fmt.Errorf("opening the stream of events: no file is open as %s", number))
		}
		out = file
	default:
		file, err := os.OpenFile(a.abs(f.events), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return environment(fmt.Errorf("opening the stream of events: %w", err))
		}
		out = file
	}
	set.list = append(set.list, &openReport{kind: reporterKind{name: "events", file: "events"}, rep: events.New(out, events.Options{Kinds: f.only})})
	return nil
}

// keepOpen is a stream that is not ours to close.
type keepOpen struct{ io.Writer }

// Close implements io.Closer.
func (keepOpen) Close() error { return nil }
