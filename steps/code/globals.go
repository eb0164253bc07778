package code

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/dop251/goja"
)

// tooMuch is said of a script that gives more than a report can hold.
const tooMuch = "it emits more than 65536 bytes of JSON"

// globals are what a script has beside the language itself.
func (v *vm) globals(inputs map[string]any) error {
	if inputs == nil {
		inputs = map[string]any{}
	}
	text, err := json.Marshal(inputs)
	if err != nil {
		return errors.New("the inputs cannot be given to the script")
	}
	given, err := v.parse(goja.Undefined(), v.ToValue(string(text)))
	if err != nil {
		return errors.New("the inputs cannot be given to the script")
	}
	console := v.NewObject()
	for _, name := range []string{"log", "info", "warn", "error", "debug"} {
		if err := console.Set(name, v.log); err != nil {
			return errors.New("the script has no console")
		}
	}
	for name, value := range map[string]any{"inputs": given, "browser": v.browser, "emit": v.emit, "emitImage": v.emitImage,
		"log": v.log, "console": console} {
		if err := v.Set(name, value); err != nil {
			return errors.New("the script has no " + name)
		}
	}
	return nil
}

// browser asks for a row and promises its observation. The call after the last one that is allowed ends the script, which
// cannot catch that.
func (v *vm) browser(c goja.FunctionCall) goja.Value {
	if v.left--; v.left < 0 {
		v.end(subCalls, "it calls browser() more often than max_calls says")
		return goja.Undefined()
	}
	return v.ask(c.Argument(0), func(m *callMessage) message { return message{Call: m} })
}

// emitImage asks for an image that a row of this script has made to be shown with the step.
func (v *vm) emitImage(c goja.FunctionCall) goja.Value {
	if v.shown++; v.shown > maxShown {
		v.end(subCalls, "it calls emitImage() too often")
		return goja.Undefined()
	}
	return v.ask(c.Argument(0), func(m *callMessage) message { return message{Image: m} })
}

func (v *vm) ask(arg goja.Value, as func(*callMessage) message) goja.Value {
	text, err := v.encode(arg)
	if err != nil {
		panic(err) // a script's own toJSON, or a value that holds itself: it is the script's to catch
	}
	if text == nil {
		text = json.RawMessage("null")
	}
	v.last++
	m := &callMessage{ID: v.last, Arg: text}
	m.Line, m.Col = v.caller()
	p, resolve, reject := v.NewPromise()
	v.pending[m.ID] = promise{resolve, reject, m.Line, m.Col}
	v.post(as(m))
	return v.ToValue(p)
}

// caller gives the line of the script that is at work.
func (v *vm) caller() (line, col int) {
	for _, f := range v.CaptureCallStack(0, nil) {
		if p := f.Position(); f.SrcName() == scriptName && p.Line > 1 {
			return p.Line - 1, p.Column
		}
	}
	return 0, 0
}

// end stops the script at its line.
func (v *vm) end(sub, text string) {
	line, col := v.caller()
	v.stop(halt{sub, text, line, col})
}

// post sends a message. What cannot be sent ends the script.
func (v *vm) post(m message) {
	switch err := v.wire.send(m); {
	case errors.Is(err, errTooLong):
		v.end(subSize, "it gives a value of more than 1 MiB at once")
	case err != nil:
		v.end(subScript, "the runner has gone")
	}
}

// emit gives a value as the result of the step, or one of several.
func (v *vm) emit(c goja.FunctionCall) goja.Value {
	text, err := v.encode(c.Argument(0))
	if err != nil {
		panic(err) // the script's own error, and its to catch
	}
	if text == nil {
		text = json.RawMessage("null")
	}
	if v.emitted += len(text); v.emitted > maxEmit {
		v.end(subSize, tooMuch)
		return goja.Undefined()
	}
	v.post(message{Emit: text})
	return goja.Undefined()
}

// log keeps a line for the report.
func (v *vm) log(c goja.FunctionCall) goja.Value {
	if v.logged++; v.logged > maxLogs {
		return goja.Undefined()
	}
	words := make([]string, len(c.Arguments))
	for i, a := range c.Arguments {
		words[i] = preview(a)
		if o, ok := a.(*goja.Object); ok {
			text, err := v.encode(o)
			switch {
			case err != nil || text == nil:
				words[i] = o.String()
			case string(text) == "{}": // an error has nothing that JSON shows
				words[i] = o.String()
			default:
				words[i] = string(text)
			}
		}
	}
	line := clip(strings.Join(words, " "), maxLogLine)
	v.post(message{Log: &line})
	return goja.Undefined()
}
