package spec

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
)

// PageFuncs are the functions that read the page, in the order of the reference. They never wait.
var PageFuncs = []PageFunc{
	{"visible", []string{"target"}, Type{Base: Bool}, "The target matches an element that can be seen."},
	{"exists", []string{"target"}, Type{Base: Bool}, "The target matches an element."},
	{"hidden", []string{"target"}, Type{Base: Bool}, "The target matches an element that cannot be seen."},
	{"enabled", []string{"target"}, Type{Base: Bool}, "The target matches a control that is not disabled."},
	{"checked", []string{"target"}, Type{Base: Bool}, "The target matches a checked box or radio button."},
	{"text", []string{"target"}, Type{Base: String}, `Its text, "" if there is no match.`},
	{"input", []string{"target"}, Type{Base: String}, `The value of the field, "" if there is no match.`},
	{"attr", []string{"target", "name"}, Type{Base: String}, "Its attribute, nil if it has none."},
	{"count", []string{"target"}, Type{Base: Int}, "How many elements match."},
	{"url", nil, Type{Base: String}, "The page's URL."},
	{"path", nil, Type{Base: String}, "The path of the page's URL."},
	{"query", []string{"name"}, Type{Base: String}, "A parameter of the page's URL, nil if it has none."},
	{"title", nil, Type{Base: String}, "The page's title."},
	{"js", []string{"js"}, Type{Base: Any}, "What a JavaScript expression gives on the page."},
}

func pageFunc(name string) (PageFunc, bool) {
	for _, f := range PageFuncs {
		if f.Name == name {
			return f, true
		}
	}
	return PageFunc{}, false
}

// Names of the functions that the patcher puts in; no source can spell them.
const (
	fnTerm = "$term"
	fnTick = "$tick"
	fnSize = "$size"
	fnPage = "$page"
	fnTotp = "$totp"
	runVar = "$run"
	ctxVar = "$ctx"
)

// maxText bounds what an expression may build: doubling a text thirty times must not fill the memory.
const maxText = 4 << 20

// disabled are builtins of the library that are off, with what to write instead.
var disabled = map[string]string{
	"repeat": "it is off, for it fills the memory",
	"reduce": "it is off; write sum, map or filter",
}

// functions is what expressions may call beside the library's builtins. It is built once and only read.
var functions = makeFunctions()

// builtins are those of the library that are on.
var builtins = func() conf.FunctionsTable {
	out := make(conf.FunctionsTable, len(builtin.Builtins))
	for _, f := range builtin.Builtins {
		if _, off := disabled[f.Name]; !off && functions[f.Name] == nil {
			out[f.Name] = f
		}
	}
	return out
}()

var offTable = map[string]bool{"repeat": true, "reduce": true, "count": true}

func makeFunctions() conf.FunctionsTable {
	out := conf.FunctionsTable{}
	add := func(name string, fn func(args ...any) (any, error), signatures ...any) {
		f := &builtin.Function{Name: name, Func: fn}
		for _, s := range signatures {
			f.Types = append(f.Types, reflect.TypeOf(s).Elem())
		}
		out[name] = f
	}
	for _, f := range PageFuncs {
		add(f.Name, func(...any) (any, error) { return nil, fmt.Errorf("%s() was not bound to a page", f.Name) }, signature(f))
	}
	add("unique", func(args ...any) (any, error) { return unique(args[0].(string)) }, new(func(string) string))
	add("today", today, new(func() string), new(func(string) string), new(func(string, string) string))
	add("replace", replaceText, new(func(string, string, string) string), new(func(string, string, string, int) string))
	add("join", joinList, new(func(any) string), new(func(any, string) string))
	add("fromJSON", func(args ...any) (any, error) { return DecodeJSON([]byte(args[0].(string))) }, new(func(string) any))
	add("totp", func(...any) (any, error) { return nil, errors.New("totp() was not bound to an evaluation") }, new(func(string) string))
	add(fnTotp, func(args ...any) (any, error) { return args[0].(*run).totp(args[1], time.Now()) })
	add(fnTerm, func(args ...any) (any, error) { return args[0].(*run).term(args[1].(int), args[2]) })
	add(fnSize, func(args ...any) (any, error) { return args[1], checkSize(args[1]) })
	add(fnTick, func(args ...any) (any, error) {
		return args[3], args[0].(*run).tick(args[1].(context.Context), args[2].(int))
	})
	add(fnPage, func(args ...any) (any, error) {
		return args[0].(*run).page(args[1].(context.Context), args[2].(string), args[3].(int), args[4:])
	})
	return out
}

func signature(f PageFunc) any {
	in := make([]reflect.Type, len(f.Params))
	for i := range in {
		in[i] = reflect.TypeFor[string]()
	}
	out := reflect.TypeFor[any]()
	switch f.Result.Base {
	case Bool:
		out = reflect.TypeFor[bool]()
	case Int:
		out = reflect.TypeFor[int]()
	case String:
		out = reflect.TypeFor[string]()
	}
	return reflect.New(reflect.FuncOf(in, []reflect.Type{out}, false)).Interface()
}

// read asks the reader and makes sure that what comes back is of the declared type: the checker relied on it.
func read(ctx context.Context, r Reader, f PageFunc, args []any) (any, error) {
	v, err := r.Read(ctx, f.Name, args)
	if err != nil {
		return nil, err
	}
	switch f.Result.Base {
	case Int:
		switch n := v.(type) {
		case int:
			return n, nil
		case int64:
			return int(n), nil
		case float64:
			if n == math.Trunc(n) {
				return int(n), nil
			}
		}
	case Bool:
		if b, ok := v.(bool); ok {
			return b, nil
		}
	case String:
		if s, ok := v.(string); ok || v == nil && (f.Name == "attr" || f.Name == "query") {
			if v == nil {
				return nil, nil
			}
			return s, nil
		}
	default:
		return plain(v), nil
	}
	return nil, fmt.Errorf("%s() gave no %s", f.Name, strings.TrimPrefix(f.Result.words(), "a "))
}

// unique gives a text that no other call gives: the name, the time and some randomness.
func unique(name string) (string, error) {
	var b [4]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("making a unique name: %w", err)
	}
	return name + "-" + strconv.FormatInt(time.Now().UnixMilli(), 36) + fmt.Sprintf("%08x", b), nil
}

// today gives the date, moved by an offset such as +1d, -2w, +3m, -1y, in a format of YYYY MM DD HH mm ss.
func today(args ...any) (any, error) {
	t := time.Now()
	if len(args) > 0 {
		moved, err := shift(t, args[0].(string))
		if err != nil {
			return nil, err
		}
		t = moved
	}
	format := "YYYY-MM-DD"
	if len(args) > 1 {
		format = args[1].(string)
	}
	return strings.NewReplacer("YYYY", t.Format("2006"), "YY", t.Format("06"), "MM", t.Format("01"), "DD", t.Format("02"),
		"HH", t.Format("15"), "mm", t.Format("04"), "ss", t.Format("05")).Replace(format), nil
}

func shift(t time.Time, offset string) (time.Time, error) {
	s := strings.TrimSpace(offset)
	if s == "" || s == "0" {
		return t, nil
	}
	n, err := strconv.Atoi(s[:len(s)-1])
	if err != nil || n > 100_000 || n < -100_000 {
		return t, fmt.Errorf("today(%q): the offset is a number and d, w, m or y: +1d, -2w", offset)
	}
	switch s[len(s)-1] {
	case 'd':
		return t.AddDate(0, 0, n), nil
	case 'w':
		return t.AddDate(0, 0, 7*n), nil
	case 'm':
		return t.AddDate(0, n, 0), nil
	case 'y':
		return t.AddDate(n, 0, 0), nil
	}
	return t, fmt.Errorf("today(%q): the offset is a number and d, w, m or y: +1d, -2w", offset)
}

// replaceText and joinList stand for the library's, whose results have no limit.
func replaceText(args ...any) (any, error) {
	s, from, to := args[0].(string), args[1].(string), args[2].(string)
	n := -1
	if len(args) > 3 {
		n = args[3].(int)
	}
	found := strings.Count(s, from)
	if n >= 0 {
		found = min(found, n)
	}
	if len(s)+found*max(0, len(to)-len(from)) > maxText {
		return nil, errTooLarge
	}
	return strings.Replace(s, from, to, n), nil
}

func joinList(args ...any) (any, error) {
	list := reflect.ValueOf(args[0])
	if !list.IsValid() || list.Kind() != reflect.Slice {
		return nil, fmt.Errorf("join() takes a list")
	}
	sep := ""
	if len(args) > 1 {
		sep = args[1].(string)
	}
	var b strings.Builder
	for i := range list.Len() {
		if i > 0 {
			b.WriteString(sep)
		}
		s, err := FormatValue(list.Index(i).Interface())
		if err != nil {
			return nil, fmt.Errorf("joining item %d: %w", i+1, err)
		}
		b.WriteString(s)
		if b.Len() > maxText {
			return nil, errTooLarge
		}
	}
	return b.String(), nil
}
