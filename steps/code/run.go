package code

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// lastWord is how long a child may take to say where its deadline met it, before it is killed.
const lastWord = 100 * time.Millisecond

// tooLong is the cause of a cell that its own limit ended.
type tooLong struct{ limit time.Duration }

// Error says what took too long.
func (t tooLong) Error() string { return "the code ran longer than " + t.limit.String() }

// run runs the cell in a child and answers what it asks for. All rows happen on this goroutine, one after the other.
func (c *cell) run(ctx context.Context, e steps.Env) steps.Observation {
	if e.Self == "" || e.Proc == nil {
		return steps.Fail(steps.Environment, "no-child", "a code step runs in a child of the checkrow binary, and this run was started without its path")
	}
	given, err := c.given(ctx, e)
	if err != nil {
		return trouble(err)
	}
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.timeout, tooLong{c.timeout})
		defer cancel()
	}
	t, err := open(ctx, e)
	if err != nil {
		return steps.Fail(steps.Environment, "no-child", "the child of a code step cannot be started: "+err.Error())
	}
	s := &session{cell: c, env: e, talk: t, images: map[string]steps.Artifact{}}
	s.serve(ctx, start{Source: c.source, Inputs: given, Limit: left(ctx), Calls: c.calls})
	return s.judge(ctx, t.close())
}

// left is how much time ctx has, in milliseconds.
func left(ctx context.Context) int64 {
	until, ok := ctx.Deadline()
	if !ok {
		return 0
	}
	return max(time.Until(until).Milliseconds(), 1)
}

// given renders the inputs.
func (c *cell) given(ctx context.Context, e steps.Env) (map[string]any, error) {
	out := make(map[string]any, len(c.inputs))
	for _, in := range c.inputs {
		v, err := in.value.Value(ctx, e.Values, e.Reader)
		if err != nil {
			return nil, fmt.Errorf("rendering inputs.%s: %w", in.name, err)
		}
		out[in.name] = v
	}
	return out, nil
}

// trouble is the observation of an error that an expression or a page gave.
func trouble(err error) steps.Observation {
	var known steps.Observed
	if errors.As(err, &known) {
		o := known.Observation()
		o.Success = false
		return o
	}
	return steps.Fail(steps.Validation, "expression", err.Error())
}

// talk is a child that is talked to.
type talk struct {
	*wire
	ours   [2]*os.File
	finish func()
	ended  chan struct{}
	exit   steps.Exit
	err    error
}

// open starts the child of a cell. When ctx ends it is killed a little later; close waits for its end.
func open(ctx context.Context, e steps.Env) (*talk, error) {
	in, toChild, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	fromChild, out, err := os.Pipe()
	if err != nil {
		_, _ = in.Close(), toChild.Close()
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	t := &talk{wire: newWire(fromChild, toChild), ours: [2]*os.File{toChild, fromChild}, ended: make(chan struct{})}
	alive, kill := context.WithCancelCause(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, func() {
		timer := time.NewTimer(lastWord)
		defer timer.Stop()
		select {
		case <-timer.C:
			kill(context.Cause(ctx))
		case <-alive.Done():
		}
	})
	t.finish = func() { unhook(); kill(nil) }
	go func() {
		defer close(t.ended)
		t.exit, t.err = e.Proc.Run(alive, steps.Command{Argv: []string{e.Self, ChildArg}, Dir: e.Root, Env: []string{}, Limit: 64 << 10,
			Grace: 20 * time.Millisecond, In: in, Out: out})
	}()
	return t, nil
}

// close ends the child and tells how it ended. One that has said its last word gets a moment to go by itself.
func (t *talk) close() steps.Exit {
	_ = t.ours[0].Close() // its end of the conversation
	timer := time.NewTimer(lastWord)
	defer timer.Stop()
	select {
	case <-t.ended:
	case <-timer.C:
	}
	t.finish()
	<-t.ended
	_ = t.ours[1].Close()
	return t.exit
}

// session is one run of a cell.
type session struct {
	*cell
	env  steps.Env
	talk *talk

	calls    []called
	rejected []string
	failed   int // index+1 in calls of the first that failed
	fatal    *steps.Observation
	emits    []any
	images   map[string]steps.Artifact // those that rows of this cell made, by path
	shown    []steps.Artifact
	logs     []any
	page     steps.Page
	end      *endMessage
	over     string // the limit that the messages broke
}

// called is one row that the cell asked for.
type called struct {
	argv []string
	obs  steps.Observation
}

// serve answers the child until it has said its last word, or has gone.
func (s *session) serve(ctx context.Context, begin start) {
	if err := s.talk.send(begin); err != nil {
		if errors.Is(err, errTooLong) {
			s.over = "its inputs have more than 1 MiB"
		}
		return
	}
	for s.end == nil && s.fatal == nil {
		var m message
		err := s.talk.receive(&m)
		switch {
		case errors.Is(err, errTooLong) || s.talk.traffic() > maxTraffic:
			s.over = "it and its rows exchange more than 8 MiB"
			return
		case err != nil:
			return
		}
		s.take(ctx, m)
	}
}

// take handles one message of the child.
func (s *session) take(ctx context.Context, m message) {
	switch {
	case m.Call != nil:
		a := answer{ID: m.Call.ID}
		a.Value, a.Reject = s.call(ctx, m.Call)
		if err := s.talk.send(a); errors.Is(err, errTooLong) {
			a.Value, a.Reject = nil, s.reject("the answer of the row has more than 1 MiB")
			_ = s.talk.send(a) // a child that has gone is seen by the next read
		}
	case m.Image != nil:
		a := answer{ID: m.Image.ID}
		a.Reject = s.image(m.Image.Arg)
		_ = s.talk.send(a) // as above
	case m.Emit != nil:
		s.emits = append(s.emits, decodeJSON(m.Emit))
	case m.Log != nil:
		if len(s.logs) < maxLogs {
			s.logs = append(s.logs, *m.Log)
		}
	case m.End != nil:
		s.end = m.End
	}
}

// reject notes a call that was none: it fails the step, also if the script catches it.
func (s *session) reject(why string) string {
	s.rejected = append(s.rejected, why)
	return why
}

// call runs the row of a call.
func (s *session) call(ctx context.Context, m *callMessage) (json.RawMessage, string) {
	if len(s.calls)+len(s.rejected) >= s.cell.calls {
		return nil, s.reject("too many calls") // the child stops before
	}
	row, why := readCall(m.Arg)
	if why != "" {
		return nil, s.reject(why)
	}
	if s.env.Row == nil {
		return nil, s.reject("no rows can run here")
	}
	row.Pos = s.pos(m.Line, m.Col)
	o := s.env.Row(ctx, row)
	shown := o.Argv
	if len(shown) == 0 {
		shown = row.Cells
	}
	s.calls = append(s.calls, called{shown, o})
	if !o.Success && s.failed == 0 {
		s.failed = len(s.calls)
	}
	if o.Page != (steps.Page{}) {
		s.page = o.Page
	}
	for _, a := range o.Artifacts {
		if strings.HasPrefix(a.Type, "image/") && a.State == steps.Saved {
			s.images[a.Path] = a
		}
	}
	if o.Category == steps.Crash || o.Category == steps.Interrupted || o.Category == steps.Internal {
		s.fatal = &o
	}
	text, err := json.Marshal(view(o))
	if err != nil {
		return nil, s.reject("the answer of the row cannot be given to the script")
	}
	return text, ""
}

// image shows an image of one of the cell's rows with the step.
func (s *session) image(arg json.RawMessage) (reject string) {
	path := ""
	switch v := decodeJSON(arg).(type) {
	case string:
		path = v
	case map[string]any:
		path, _ = v["path"].(string)
	}
	a, ok := s.images[path]
	if !ok {
		return s.reject("emitImage takes an artifact of a row of this script that is an image: (await browser({args: [\"screenshot\"]})).artifacts[0]")
	}
	total := a.Bytes
	for _, have := range s.shown {
		if have.Path == a.Path {
			return ""
		}
		total += have.Bytes
	}
	if len(s.shown) >= maxImages || a.Bytes > maxImage || total > maxImageBytes {
		return s.reject(fmt.Sprintf("emitImage takes %d images of at most 5 MiB each, 20 MiB together", maxImages))
	}
	s.shown = append(s.shown, a)
	return ""
}
