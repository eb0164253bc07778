package runner_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// people is an engine whose sessions know who is logged in: a fill of #user says who, and storage carries it on. What
// rows answer beyond that a spec decides.
type people struct {
	answer func(p *person, row []string, o steps.RowOptions) (steps.Observation, bool)
	read   func(p *person, fn string, args []any) any

	mu     sync.Mutex
	all    []*person
	logins []string // who logged in, in order
}

// person is one browser context.
type person struct {
	e      *people
	n      int // of the context
	seed   string
	user   string
	rows   []string // "SCOPE | ROW"
	closed bool
}

func (e *people) Open(_ context.Context, o steps.SessionOptions) (steps.Session, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := &person{e: e, n: len(e.all) + 1}
	if o.StorageState != "" {
		info, err := os.Stat(o.StorageState)
		if err != nil || info.Mode().Perm() != 0o600 {
			return nil, fmt.Errorf("the state must be private: %v %v", info, err)
		}
		b, err := os.ReadFile(o.StorageState)
		if err != nil {
			return nil, err
		}
		p.seed, p.user = o.StorageState, string(b)
	}
	e.all = append(e.all, p)
	return p, nil
}

func (e *people) Close(context.Context) error { return nil }

// count gives how often somebody logged in.
func (e *people) count(who string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for _, l := range e.logins {
		if l == who {
			n++
		}
	}
	return n
}

func (p *person) Do(_ context.Context, a argv.Args, o steps.RowOptions) steps.Observation {
	var in []string
	for _, s := range o.Scope {
		in = append(in, s.Label())
	}
	p.e.mu.Lock()
	p.rows = append(p.rows, strings.Join(in, " > ")+" | "+strings.Join(a.Argv, " "))
	if a.Argv[0] == "fill" && a.Argv[1] == "#user" {
		p.user = a.Argv[2]
		p.e.logins = append(p.e.logins, p.user)
	}
	p.e.mu.Unlock()
	if p.e.answer != nil {
		if out, ok := p.e.answer(p, a.Argv, o); ok {
			return out
		}
	}
	return steps.OK(map[string]any{"text": p.user}, "text")
}

func (p *person) Read(_ context.Context, fn string, args []any) (any, error) {
	if p.e.read != nil {
		if v := p.e.read(p, fn, args); v != nil {
			return v, nil
		}
	}
	if fn == "text" {
		return p.user, nil
	}
	return false, nil
}

func (p *person) ReadIn(ctx context.Context, in []steps.ScopePart, fn string, args []any) (any, error) {
	p.e.mu.Lock()
	p.rows = append(p.rows, in[len(in)-1].Label()+" ? "+fn)
	p.e.mu.Unlock()
	return p.Read(ctx, fn, args)
}

func (p *person) StorageState(context.Context) ([]byte, error) { return []byte(p.user), nil }

func (p *person) Signals(context.Context, steps.Mark) (steps.Signals, steps.Mark) {
	return steps.Signals{Faults: []steps.Fault{{Kind: steps.FaultRequest, Text: "fault of " + p.user, Seq: 1}}}, steps.Mark{}
}
func (p *person) Mark() steps.Mark              { return steps.Mark{} }
func (p *person) Seen(steps.Mark) steps.Signals { return steps.Signals{} }
func (p *person) Evidence(context.Context) steps.Evidence {
	return steps.Evidence{Snapshot: "- page of " + p.user, Console: []string{"log of " + p.user}}
}

func (p *person) Close() {
	p.e.mu.Lock()
	defer p.e.mu.Unlock()
	p.closed = true
}

// with sets the engine and the workers of a run, and a private folder that must be gone after it.
func (e *people) with(workers int) setting {
	private := GinkgoT().TempDir() + "/private"
	DeferCleanup(func() { Expect(private).NotTo(BeAnExistingFile()) })
	return func(o *runner.Options, _ *plan.Options) { o.Engine, o.Workers, o.Private = e, workers, private }
}

// loginSuite is a suite with a login fragment beside it.
func loginSuite(body string) map[string]string {
	return map[string]string{
		"a.yaml": "suite: a\n" + body,
		"in.yaml": "fragment: in\ninputs:\n\tuser: string\n\tpw: { type: string, secret: true, default: none-of-it }\nsteps:\n" +
			"\t- [open, /login]\n\t- [fill, \"#user\", \"${{ inputs.user }}\"]\n\t- [fill, \"#pw\", \"${{ inputs.pw }}\"]\n\t- [click, \"#go\"]\n",
	}
}

// taken masks nothing and remembers what it was told to mask.
type taken struct {
	mu   sync.Mutex
	list []string
}

// Add implements runner.Secrets.
func (t *taken) Add(v string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.list, v)
}

func loginsOf(o outcome) []*journal.Login { return o.state.Suites[0].Logins }
