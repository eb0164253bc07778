package code

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// The wrapping of a script takes its first line.
const (
	scriptName = "code.js"
	scriptHead = "(async () => {\n"
	scriptTail = "\n})()"
)

// scriptError is something wrong with a script, at its line and column, 1-based; 0 if it is not known.
type scriptError struct {
	text      string
	line, col int
}

// compile parses a script to say what is wrong with it before anything runs; nil if it is JavaScript.
func compile(source string) *scriptError {
	_, err := program(source)
	return err
}

// program compiles a script. Comments that name a source map are not followed: the interpreter would read files.
func program(source string) (*goja.Program, *scriptError) {
	if deep(source) {
		return nil, &scriptError{text: "its brackets nest more than " + strconv.Itoa(maxNesting) + " deep"}
	}
	tree, err := parser.ParseFile(nil, scriptName, scriptHead+source+scriptTail, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, syntaxError(err)
	}
	if len(tree.Body) != 1 { // "}); f(); (() => {" would leave the function
		return nil, &scriptError{text: "it has a bracket too many"}
	}
	p, err := goja.CompileAST(tree, true)
	if err != nil {
		return nil, syntaxError(err)
	}
	return p, nil
}

func syntaxError(err error) *scriptError {
	var list parser.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return &scriptError{text: list[0].Message, line: list[0].Position.Line - 1, col: list[0].Position.Column}
	}
	var compiler *goja.CompilerSyntaxError
	if errors.As(err, &compiler) {
		out := &scriptError{text: compiler.Message}
		if compiler.File != nil {
			p := compiler.File.Position(compiler.Offset)
			out.line, out.col = p.Line-1, p.Column
		}
		return out
	}
	return &scriptError{text: err.Error()}
}

// deep tells brackets that nest deeper than the parser should follow, strings and all.
func deep(source string) bool {
	depth := 0
	for i := range len(source) {
		switch source[i] {
		case '(', '[', '{':
			if depth++; depth > maxNesting {
				return true
			}
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return false
}

// frame is a place in a stack: "at f (code.js:3:5(12))".
var frame = regexp.MustCompile(regexp.QuoteMeta(scriptName) + `:(\d+):(\d+)`)

// placed gives the innermost place of a stack that lies in the script.
func placed(stack string) (line, col int) {
	for _, m := range frame.FindAllStringSubmatch(stack, -1) {
		line, _ = strconv.Atoi(m[1])
		col, _ = strconv.Atoi(m[2])
		if line > 1 {
			return line - 1, col
		}
	}
	return 0, 0
}

// firstLine is the sentence of an error without its stack.
func firstLine(text string) string {
	head, _, _ := strings.Cut(text, "\n")
	return head
}
