package browser

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/checkrow/checkrow/steps"
)

// initiator is what caused a request: in words, and where in the scripts, innermost first.
type initiator struct {
	text  string
	stack []steps.Place
}

// maxStack is how many places of a stack are kept.
const maxStack = 8

// initiatorOf reads what the browser says of a request's cause.
func initiatorOf(init map[string]any) initiator {
	out := initiator{text: fmt.Sprint(init["type"])}
	stack, ok := init["stack"].(map[string]any)
	if !ok {
		if url, _ := init["url"].(string); url != "" {
			out.text += " " + url
			p := steps.Place{URL: bounded(url)}
			if line, ok := init["lineNumber"]; ok {
				p.Line = number(line) + 1
			}
			if column, ok := init["columnNumber"]; ok {
				p.Column = number(column) + 1
			}
			out.stack = []steps.Place{p}
		}
		return out
	}
	// What was awaited hangs on as a parent.
	for ; stack != nil && len(out.stack) < maxStack; stack, _ = stack["parent"].(map[string]any) {
		frames, _ := stack["callFrames"].([]any)
		for _, x := range frames {
			f, ok := x.(map[string]any)
			if !ok || len(out.stack) == maxStack {
				break
			}
			url, _ := f["url"].(string)
			name, _ := f["functionName"].(string)
			out.stack = append(out.stack, steps.Place{URL: bounded(url), Line: number(f["lineNumber"]) + 1, Column: number(f["columnNumber"]) + 1,
				Func: bounded(name)})
		}
	}
	if len(out.stack) > 0 {
		p := out.stack[0]
		out.text = fmt.Sprintf("%s %s:%d", out.text, p.URL, p.Line)
		if p.Func != "" {
			out.text += " " + p.Func
		}
	}
	return out
}

// places are a stack as a row tells it.
func places(stack []steps.Place) []any {
	out := make([]any, len(stack))
	for i, p := range stack {
		out[i] = map[string]any{"url": p.URL, "line": p.Line, "column": p.Column, "function": p.Func}
	}
	return out
}

// onePlace is one place, if its URL is known.
func onePlace(url string, line, column int) []steps.Place {
	if url == "" {
		return nil
	}
	return []steps.Place{{URL: url, Line: line, Column: column}}
}

// stackLine is one line of the stack of an error.
var stackLine = regexp.MustCompile(`(?m)^\s*at (?:(.*?) \()?((?:https?|file)://[^\s()]+?):(\d+):(\d+)\)?$`)

// stackOf reads the stack of an error.
func stackOf(stack string) []steps.Place {
	var out []steps.Place
	for _, m := range stackLine.FindAllStringSubmatch(stack, maxStack) {
		line, err := strconv.Atoi(m[3])
		column, err2 := strconv.Atoi(m[4])
		if err == nil && err2 == nil {
			out = append(out, steps.Place{URL: m[2], Line: line, Column: column, Func: m[1]})
		}
	}
	return out
}
