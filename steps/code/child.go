package code

import (
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// The limits of the child. The data limit is the hard one; the collector works harder before it.
const (
	maxData    = 512 << 20
	softMemory = 384 << 20
	maxStack   = 64 << 20
	maxDepth   = 1_000 // calls of the script
)

// ChildMain is the child mode: it reads a start from in, runs the script and talks over in and out until it has ended.
func ChildMain(in io.Reader, out io.Writer) int {
	limitMemory(maxData)
	debug.SetMemoryLimit(softMemory)
	debug.SetMaxStack(maxStack)
	runtime.GOMAXPROCS(min(2, runtime.NumCPU()))
	w := newWire(in, out)
	var s start
	if err := w.receive(&s); err != nil {
		return 1
	}
	v := newVM(w, s)
	end := v.run(s)
	if err := w.send(message{End: &end}); err != nil {
		return 1
	}
	return 0
}

// vm is one interpreter. All of it happens on one goroutine; another one only reads answers.
type vm struct {
	*goja.Runtime
	wire    *wire
	answers chan answer
	over    <-chan time.Time // nil: never

	stringify, parse goja.Callable // as they were before the script could change them
	pending          map[int]promise
	blame            map[*goja.Object]promise // the calls that errors come from
	last             int                      // id of the last call
	left             int                      // calls that are allowed yet
	emitted          int                      // bytes
	logged           int                      // lines
	shown            int                      // calls of emitImage
	halted           atomic.Pointer[halt]
}

// promise is one that waits for an answer.
type promise struct {
	resolve, reject func(any) error
	line, col       int // of the call
}

// stop interrupts the script, from whichever goroutine. An interrupt inside a promise's job is told to nobody, so it is kept.
func (v *vm) stop(h halt) {
	v.halted.CompareAndSwap(nil, &h)
	v.Interrupt(h)
}

// halt is what interrupts a script, which cannot catch it.
type halt struct {
	sub, text string
	line, col int
}

// Error says why.
func (h halt) Error() string { return h.text }

func newVM(w *wire, s start) *vm {
	v := &vm{Runtime: goja.New(), wire: w, pending: map[int]promise{}, blame: map[*goja.Object]promise{}, left: s.Calls, answers: make(chan answer, s.Calls+maxShown+2)}
	v.SetMaxCallStackSize(maxDepth)
	v.SetParserOptions(parser.WithDisableSourceMaps)
	tools := v.Get("JSON").ToObject(v.Runtime)
	v.stringify, _ = goja.AssertFunction(tools.Get("stringify"))
	v.parse, _ = goja.AssertFunction(tools.Get("parse"))
	return v
}

// run executes the script and gives how it ended.
func (v *vm) run(s start) endMessage {
	if err := v.globals(s.Inputs); err != nil {
		return endMessage{Sub: subScript, Error: err.Error()}
	}
	p, wrong := program(s.Source)
	if wrong != nil {
		return endMessage{Sub: subSyntax, Error: wrong.text, Line: wrong.line, Col: wrong.col}
	}
	if s.Limit > 0 {
		limit := time.Duration(s.Limit) * time.Millisecond
		t := time.NewTimer(limit)
		defer t.Stop()
		v.over = t.C
		stop := time.AfterFunc(limit, func() { v.stop(halt{sub: subTimeout}) })
		defer stop.Stop()
	}
	go v.listen()
	value, err := v.RunProgram(p)
	if err != nil {
		return v.failed(err)
	}
	result, ok := value.Export().(*goja.Promise)
	if !ok {
		return endMessage{Sub: subScript, Error: "the script is no function body"}
	}
	if end := v.settle(result); end != nil {
		return *end
	}
	if result.State() == goja.PromiseStateRejected {
		return v.thrown(result.Result())
	}
	text, err := v.encode(result.Result())
	if err != nil {
		return v.failed(err)
	}
	if v.emitted += len(text); v.emitted > maxEmit {
		return endMessage{Sub: subSize, Error: tooMuch}
	}
	return endMessage{Value: text}
}

// listen reads answers until the runner has gone; then the script is of no use any more.
func (v *vm) listen() {
	for {
		var a answer
		if err := v.wire.receive(&a); err != nil {
			v.stop(halt{sub: subScript, text: "the runner has gone"})
			return
		}
		v.answers <- a
	}
}

// settle runs the script on with each answer until its promise is settled; the end is that of one that cannot be.
func (v *vm) settle(result *goja.Promise) *endMessage {
	for result.State() == goja.PromiseStatePending {
		if h := v.halted.Load(); h != nil {
			return &endMessage{Sub: h.sub, Error: h.text, Line: h.line, Col: h.col}
		}
		if len(v.pending) == 0 {
			return &endMessage{Sub: subStuck, Error: "it waits for a promise that nothing can settle"}
		}
		var a answer
		select {
		case a = <-v.answers:
		case <-v.over:
			return &endMessage{Sub: subTimeout}
		}
		p := v.pending[a.ID]
		delete(v.pending, a.ID)
		if err := v.Try(func() { v.deliver(p, a) }); err != nil {
			end := v.failed(err)
			return &end
		}
	}
	return nil
}

func (v *vm) deliver(p promise, a answer) {
	if a.Reject != "" {
		e := v.NewTypeError(a.Reject) // it has no stack: no script is at work
		v.blame[e] = p
		_ = p.reject(e)
		return
	}
	if len(a.Value) == 0 {
		_ = p.resolve(goja.Undefined())
		return
	}
	value, err := v.parse(goja.Undefined(), v.ToValue(string(a.Value)))
	if err != nil {
		_ = p.reject(v.NewTypeError("the answer cannot be read"))
		return
	}
	_ = p.resolve(value)
}

// encode gives a value as JSON; nil for undefined and functions.
func (v *vm) encode(value goja.Value) (json.RawMessage, error) {
	if value == nil {
		return nil, nil
	}
	text, err := v.stringify(goja.Undefined(), value)
	if err != nil || goja.IsUndefined(text) {
		return nil, err
	}
	return json.RawMessage(text.String()), nil
}

// failed words what ended the script from outside its promise.
func (v *vm) failed(err error) endMessage {
	var interrupted *goja.InterruptedError
	if errors.As(err, &interrupted) {
		h, _ := interrupted.Value().(halt)
		end := endMessage{Sub: h.sub, Error: h.text, Line: h.line, Col: h.col}
		if end.Line == 0 {
			end.Line, end.Col = placed(interrupted.String())
		}
		return end
	}
	var overflow *goja.StackOverflowError
	if errors.As(err, &overflow) {
		end := endMessage{Sub: subScript, Error: "RangeError: too many calls inside each other"}
		end.Line, end.Col = placed(overflow.String())
		return end
	}
	var exception *goja.Exception
	if errors.As(err, &exception) {
		return v.thrown(exception.Value())
	}
	return endMessage{Sub: subScript, Error: firstLine(err.Error())}
}

// thrown words what the script threw, with the innermost line of its own.
func (v *vm) thrown(value goja.Value) endMessage {
	end := endMessage{Sub: subScript, Error: "the script threw " + preview(value)}
	err := v.Try(func() {
		o, ok := value.(*goja.Object)
		if !ok {
			return
		}
		if stack := o.Get("stack"); stack != nil {
			end.Line, end.Col = placed(stack.String())
			end.Error = strings.TrimSpace(firstLine(o.String()))
			if p, ok := v.blame[o]; ok {
				end.Line, end.Col = p.line, p.col
			}
			return
		}
		if text, err := v.encode(o); err == nil && text != nil {
			end.Error = "the script threw " + clip(string(text), 500)
		}
	})
	if err != nil && end.Error == "" {
		end.Error = "the script threw what cannot be shown"
	}
	end.Error = clip(end.Error, 2_000)
	return end
}

// preview shows a value that is no object.
func preview(value goja.Value) string {
	if _, ok := value.(*goja.Object); ok || value == nil {
		return "an object"
	}
	return clip(value.String(), 500)
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
