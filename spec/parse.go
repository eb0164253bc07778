package spec

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/checkrow/checkrow/spec/diag"
)

// maxRepairs bounds how many broken lines of one file are mended in memory to be able to report what comes after them.
const maxRepairs = 50

// readTree reads the single document of a file; nil if nothing can be made of it. Problems go to l.
func readTree(file string, src []byte, l *diag.List) *node {
	doc := newDocument(file, src)
	if len(src) > maxBytes {
		doc.src = "" // no message needs the lines of a file that is never read
	}
	if offset, msg := checkBytes(src); msg != "" {
		p := diag.Pos{File: file, Line: 1, Col: 1}
		if offset > 0 && len(src) <= maxBytes {
			p.Line, p.Col = placeOf(src, offset)
		}
		l.Add(p, msg, "")
		return nil
	}
	parsed, doc := parseTree(doc, l)
	if parsed == nil {
		return nil
	}
	var body ast.Node
	for _, d := range parsed.Docs {
		switch {
		case d.Body == nil:
		case d.Body.Type() == ast.DirectiveType:
			c := &converter{doc: doc, errs: l}
			c.node(d.Body)
		case body != nil:
			c := &converter{doc: doc, errs: l}
			tk := d.Start
			if tk == nil {
				tk = d.Body.GetToken()
			}
			l.Add(c.pos(tk), "a file holds exactly one YAML document", "put the second one into a file of its own")
			return nil
		default:
			body = d.Body
		}
	}
	if body == nil || body.Type() == ast.CommentType {
		l.Add(diag.Pos{File: file, Line: 1, Col: 1}, "the file is empty", `a suite starts with "suite: NAME"`)
		return nil
	}
	c := &converter{doc: doc, errs: l}
	return c.node(body)
}

// placeOf gives line and column of an offset in bytes that may not be UTF-8.
func placeOf(src []byte, offset int) (line, col int) {
	head := string(src[:offset])
	starts := lineStarts(head)
	return len(starts), len([]rune(head[starts[len(starts)-1]:])) + 1
}

// parseTree runs the library. A syntax error whose cause is known is reported together with the line as it should be,
// and reading goes on as if the line had been written so: what is wrong further down is reported in the same go.
func parseTree(doc *document, l *diag.List) (*ast.File, *document) {
	var pending []*diag.Error // of one line; reported once the repaired line has proved good
	for range maxRepairs {
		parsed, fault, limit := parseOnce(doc)
		if limit != nil {
			fault = nil
			l.Append(limit)
		}
		var next remedy
		if fault != nil {
			next = explain(doc, fault)
		}
		if len(pending) > 0 && (fault == nil || next.e.Pos.Line != pending[0].Pos.Line) {
			appendAll(l, pending)
			pending = nil
		}
		if fault == nil {
			return parsed, doc
		}
		if next.fixed == "" || doc.repaired(next.line, next.col) {
			if len(pending) == 0 {
				l.Append(next.e)
			}
			for _, e := range pending {
				e.Hint = "" // the line is more broken than we understood: no advice is better than a wrong one
			}
			break
		}
		pending = append(pending, next.e)
		for _, e := range pending {
			e.Hint = paste + strings.TrimSpace(next.fixed)
		}
		doc = doc.withLine(next.line, next.fixed)
	}
	appendAll(l, pending)
	return nil, doc
}

func appendAll(l *diag.List, errs []*diag.Error) {
	for _, e := range errs {
		l.Append(e)
	}
}

// fault is a syntax error of the library, by its place and words.
type fault struct {
	line, col int
	words     string
	open      *token.Token // the outermost bracket that is open there
	tag       bool         // a tag that nobody meant: the library would take what follows for its value
}

// tokenError is what the library's errors have in common.
type tokenError interface {
	error
	GetMessage() string
	GetToken() *token.Token
}

func parseOnce(doc *document) (file *ast.File, f *fault, limit *diag.Error) {
	defer func() {
		if p := recover(); p != nil {
			// The library has panicked on input before; the file is to blame then, not the run.
			err := fmt.Errorf("parsing: %v", p)
			file, f, limit = nil, nil, &diag.Error{Pos: doc.pos(1, 1), Msg: "the file cannot be read as YAML", Err: err}
		}
	}()
	tokens, limit := scan(doc)
	if limit != nil {
		return nil, nil, limit
	}
	for _, tk := range tokens {
		if tk.Type != token.TagType {
			continue
		}
		if doc.tags == nil {
			doc.tags = map[int][]int{}
		}
		doc.tags[tk.Position.Line] = append(doc.tags[tk.Position.Line], tk.Position.Column)
		if !coreTags[tk.Value] {
			f = &fault{line: max(1, tk.Position.Line), col: max(1, tk.Position.Column), open: openBracket(tokens, tk), tag: true}
			return nil, f, nil
		}
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err == nil {
		return file, nil, nil
	}
	f = &fault{line: 1, col: 1, words: err.Error()}
	var placed tokenError
	if errors.As(err, &placed) {
		f.words = placed.GetMessage()
		if tk := placed.GetToken(); tk != nil && tk.Position != nil {
			f.line, f.col = max(1, tk.Position.Line), max(1, tk.Position.Column)
			f.open = openBracket(tokens, tk)
		}
	}
	f.line = min(f.line, strings.Count(doc.src, "\n")+1)
	return nil, f, nil
}

// openBracket finds the outermost bracket that is open where the library stopped.
func openBracket(tokens token.Tokens, at *token.Token) *token.Token {
	var open []*token.Token
	for _, tk := range tokens {
		if tk == at && len(open) > 0 {
			return open[0]
		}
		switch tk.Type {
		case token.SequenceStartType, token.MappingStartType:
			open = append(open, tk)
		case token.SequenceEndType, token.MappingEndType:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
		if tk == at {
			break
		}
	}
	if len(open) > 0 {
		return open[0]
	}
	return nil
}
