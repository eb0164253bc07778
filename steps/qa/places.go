package qa

import (
	"regexp"
	"strconv"

	"github.com/checkrow/checkrow/steps"
)

// source is the file of the project that a request comes from, in words to put behind a line.
func (f *findings) source(r map[string]any) string {
	var from []steps.Place
	frames, _ := r["stack"].([]any)
	for _, x := range frames {
		m, _ := x.(map[string]any)
		from = append(from, steps.Place{URL: text(m["url"]), Line: number(m["line"]), Column: number(m["column"]), Func: text(m["function"])})
	}
	return f.lookup(from, text(r["url"]))
}

func (f *findings) locate(from []steps.Place) string {
	if len(from) == 0 {
		return ""
	}
	return f.lookup(from, "")
}

func arrow(file string) string {
	if file == "" {
		return ""
	}
	return " → " + file
}

func placeOf(m map[string]any) []steps.Place {
	if text(m["url"]) == "" {
		return nil
	}
	return []steps.Place{{URL: text(m["url"]), Line: number(m["line"]), Column: number(m["column"])}}
}

var frame = regexp.MustCompile(`(?m)^\s*at (?:(.*?) \()?((?:https?|file|webpack|webpack-internal)://[^\s()]+?):(\d+):(\d+)\)?$`)

// stackOf reads the stack of an error.
func stackOf(stack string) []steps.Place {
	var out []steps.Place
	for _, m := range frame.FindAllStringSubmatch(stack, 10) {
		line, err := strconv.Atoi(m[3])
		column, err2 := strconv.Atoi(m[4])
		if err == nil && err2 == nil {
			out = append(out, steps.Place{URL: m[2], Line: line, Column: column, Func: m[1]})
		}
	}
	return out
}
