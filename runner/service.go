package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/proc"
)

// service is one running service of a suite or of the run.
type service struct {
	plan     *plan.Service
	values   map[string]any // services.NAME
	process  *proc.Process  // nil: it was not started, or what runs elsewhere is used
	ports    []int
	started  time.Time
	tail     tail
	stopping atomic.Bool
	watched  chan struct{} // closed when its end is journaled
}

// tail keeps the last lines of output and tells a waiter of each new one.
type tail struct {
	mu    sync.Mutex
	lines []string
	match *regexp.Regexp
	hit   chan struct{} // closed at the first match
}

const tailLines = 20

func (t *tail) add(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, clip(line, 400))
	if n := len(t.lines); n > tailLines {
		t.lines = append(t.lines[:0], t.lines[n-tailLines:]...)
	}
	if t.match != nil && t.match.MatchString(line) {
		t.match = nil
		close(t.hit)
	}
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}

// startServices starts the services that the suite needs, each ready before one that reads its address: run-wide ones
// first, unless they run, then its own.
func (s *suiteRun) startServices(ctx context.Context) *journal.Failure {
	if len(s.plan.Services) == 0 && len(s.plan.Shared) == 0 {
		return nil
	}
	addresses := map[string]any{}
	for _, svc := range s.plan.Shared {
		x, bad := s.run.shared(s.plan.Project).need(ctx, svc, addresses)
		if bad != nil {
			own := *bad
			own.Rerun = rerun(diag.Pos{File: s.plan.File})
			return &own
		}
		if x != nil {
			s.borrowed = append(s.borrowed, x)
			addresses[svc.Spec.Name] = x.values
		}
	}
	vars, err := evalVars(ctx, s.base, [][]plan.Var{s.plan.Vars}, true)
	if err != nil {
		return s.broken(s.plan.Spec.Pos, journal.PhaseServices, steps.Environment, err)
	}
	for i := range s.plan.Services {
		svc := &s.plan.Services[i]
		delete(addresses, svc.Spec.Name) // one of the suite hides one of the run
		if bad := s.bringService(ctx, svc, vars, addresses); bad != nil {
			return bad
		}
	}
	s.base["services"] = addresses
	return nil
}

// bringService starts one service, or finds what it is to reuse, and adds its address.
func (s *suiteRun) bringService(ctx context.Context, svc *plan.Service, vars, addresses map[string]any) *journal.Failure {
	vals := maps.Clone(s.base)
	vals["vars"], vals["services"] = vars, maps.Clone(addresses)
	x, err := s.startService(ctx, svc, vals)
	if x != nil && x.process != nil {
		s.services = append(s.services, x)
	}
	if err != nil {
		return s.serviceFailure(svc, x, err)
	}
	if x != nil {
		addresses[svc.Spec.Name] = x.values
	}
	return nil
}

// serviceFailure is the block of a service that did not come up.
func (s *suiteRun) serviceFailure(svc *plan.Service, x *service, err error) *journal.Failure {
	b := s.broken(svc.Spec.Pos, journal.PhaseServices, steps.Environment, fmt.Errorf("starting service %q: %w", svc.Spec.Name, err))
	b.Sub = "service-not-ready"
	var stop *Stopped
	if errors.As(err, &stop) {
		b.Category, b.Sub = steps.Interrupted, ""
	}
	if x != nil {
		if out := x.tail.text(); out != "" {
			b.Detail = &steps.Detail{Output: out}
		}
	}
	return b
}

// startService starts one service and waits until it is ready. It is returned even if it is not, to be stopped; nil is a
// service whose `if` is false.
func (s *suiteRun) startService(ctx context.Context, svc *plan.Service, vals spec.Values) (*service, error) {
	if svc.If != nil {
		yes, _, err := svc.If.Eval(ctx, vals, nil)
		if err != nil || yes != true {
			return nil, err
		}
	}
	x, err := s.reuse(ctx, svc, vals)
	if x != nil || err != nil {
		return x, err
	}
	x = &service{plan: svc, started: time.Now(), watched: make(chan struct{})}
	if x.ports, err = s.run.ports.take(1 + len(svc.Spec.Ports)); err != nil {
		return nil, fmt.Errorf("choosing a port: %w", err)
	}
	x.values = addressOf("http", "localhost", x.ports[0])
	if len(svc.Spec.Ports) > 0 {
		named := map[string]any{}
		for i, p := range svc.Spec.Ports {
			named[p.Name] = x.ports[i+1]
		}
		x.values["ports"] = named
	}
	vals["self"] = x.values
	spec := proc.Spec{Dir: s.plan.Root, Grace: svc.Spec.Grace, Limit: 64 << 10}
	for _, t := range svc.Argv {
		arg, err := t.String(ctx, vals, nil)
		if err != nil {
			return nil, err
		}
		spec.Argv = append(spec.Argv, arg)
	}
	if err := s.plan.Policy.Program(spec.Argv[0]); err != nil {
		return nil, err
	}
	if spec.Env, err = evalEnv(ctx, vals, s.run, append(s.plan.Base[:len(s.plan.Base):len(s.plan.Base)], svc.Env...)); err != nil {
		return nil, err
	}
	ready, err := x.readiness(ctx, vals)
	if err != nil {
		return nil, err
	}
	spec.Line = func(_ bool, line string) { x.tail.add(line) }
	dog, err := s.run.procs.watchdog()
	if err != nil {
		return nil, err
	}
	if x.process, err = proc.Start(spec, dog); err != nil {
		x.process = nil
		return nil, err
	}
	s.run.procs.note("service", svc.Spec.Name, x.process.PID())
	s.run.helpers.Go(func() { x.watch(s.run) })
	limit := svc.Spec.Ready.Within
	if limit <= 0 {
		limit = 30 * time.Second
	}
	ctx, le := s.run.life.enter(ctx, running, limit, &Limit{"start of the service", limit})
	defer le.end()
	return x, x.await(ctx, ready)
}

// watch journals the end of the service.
func (x *service) watch(r *run) {
	defer close(x.watched)
	<-x.process.Done()
	died := !x.stopping.Load()
	e := journal.ProcEnd{Exit: exitWords(x.process.Exit()), Died: died}
	if died {
		e.Output = x.tail.text()
	}
	r.procs.gone(x.process.PID(), e)
}

// probe tells whether a service is ready; an error says why not.
type probe func(ctx context.Context) error

// readiness makes the probe of a service; nil if it is ready once started.
func (x *service) readiness(ctx context.Context, vals spec.Values) (probe, error) {
	text := func(t *spec.Text) (string, error) { return t.String(ctx, vals, nil) }
	switch svc := x.plan; {
	case svc.HTTP != nil:
		url, err := text(svc.HTTP)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(url, "://") {
			url = x.values["url"].(string) + "/" + strings.TrimPrefix(url, "/")
		}
		return func(ctx context.Context) error { return askHTTP(ctx, url) }, nil
	case svc.OwnTCP, svc.TCP != nil:
		at := fmt.Sprint(x.values["port"])
		if svc.TCP != nil {
			var err error
			if at, err = text(svc.TCP); err != nil {
				return nil, err
			}
		}
		if !strings.Contains(at, ":") {
			at = "localhost:" + at
		}
		return func(ctx context.Context) error { return dial(ctx, at) }, nil
	case svc.Log != nil:
		pattern, err := text(svc.Log)
		if err != nil {
			return nil, err
		}
		if x.tail.match, err = regexp.Compile(pattern); err != nil {
			return nil, fmt.Errorf("compiling the pattern of ready.log: %w", err)
		}
		x.tail.hit = make(chan struct{})
		hit := x.tail.hit
		return func(context.Context) error {
			select {
			case <-hit:
				return nil
			default:
				return fmt.Errorf("no line of its output matches %q", pattern)
			}
		}, nil
	}
	return nil, nil
}

// askHTTP wants an answer below 400.
func askHTTP(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	// A transport of its own: no proxy stands between us and our own child, and no connection is left open.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	_ = res.Body.Close()
	if res.StatusCode >= 400 {
		return &statusError{url, res.StatusCode}
	}
	return nil
}

func dial(ctx context.Context, at string) error {
	d := net.Dialer{Timeout: 2 * time.Second}
	c, err := d.DialContext(ctx, "tcp", at)
	if err != nil {
		return err
	}
	return c.Close()
}

// await waits until the service is ready, has ended, or its time is over.
func (x *service) await(ctx context.Context, ready probe) error {
	if ready == nil {
		return nil
	}
	wait := 5 * time.Millisecond
	for {
		why := ready(ctx)
		if why == nil {
			return nil
		}
		t := time.NewTimer(wait)
		select {
		case <-x.process.Done():
			t.Stop()
			return fmt.Errorf("it ended before it was ready (exit %s)", exitWords(x.process.Exit()))
		case <-ctx.Done():
			t.Stop()
			return fmt.Errorf("%w: %w", context.Cause(ctx), why)
		case <-t.C:
		}
		wait = min(2*wait, 100*time.Millisecond)
	}
}

// stopServices ends the services, the last one first.
func (s *suiteRun) stopServices(ctx context.Context) {
	for i := len(s.services) - 1; i >= 0; i-- {
		x := s.services[i]
		if x.process == nil {
			continue
		}
		x.stopping.Store(true)
		limit := x.plan.Spec.Grace + 10*time.Second
		sctx, le := s.run.life.enter(ctx, closing, limit, &Limit{"end of the service", limit})
		x.process.Stop(sctx)
		le.end()
		<-x.watched
		s.run.ports.give(x.ports)
	}
}

// died lists services that ended by themselves, with their last lines.
func (s *suiteRun) died() []string {
	var out []string
	for _, x := range append(s.borrowed[:len(s.borrowed):len(s.borrowed)], s.services...) {
		if x.process == nil || x.stopping.Load() {
			continue
		}
		select {
		case <-x.process.Done():
			e := x.process.Exit()
			text := fmt.Sprintf("service %q ended by itself after %s (exit %s)", x.plan.Spec.Name, short(e.Took), exitWords(e))
			if last := x.tail.text(); last != "" {
				text += ":\n" + last
			}
			out = append(out, text)
		default:
		}
	}
	return out
}

// deadService is the failure of a test whose suite has lost a service; nil if all are alive.
func (s *suiteRun) deadService(at diag.Pos) *journal.Failure {
	list := s.died()
	if len(list) == 0 {
		return nil
	}
	first, _, _ := strings.Cut(list[0], "\n")
	return &journal.Failure{Pos: at, Excerpt: excerpt(s.plan.Sources[at.File], at.Line), Category: steps.Process,
		Sub: "service-died", Message: strings.TrimSuffix(first, ":"), Services: list}
}
