package lsp

import (
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// position is a place as the protocol counts: lines and UTF-16 units from 0.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// span is from one place to another, which is behind its last character.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// document is an open file.
type document struct {
	uri, path string // path is "" for what is no file
	version   int
	text      string
	lines     []string
	dirty     time.Time // when it is to be checked; zero: it is
}

func newDocument(uri string, version int, text string) *document {
	d := &document{uri: uri, path: pathOf(uri)}
	d.change(version, text)
	d.dirty = time.Now()
	return d
}

func (d *document) change(version int, text string) {
	d.version, d.text = version, text
	d.lines = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// kind is what a file is for checkrow.
type kind uint8

const (
	foreign kind = iota // a file of something else: nothing is said of it
	suiteFile
	fragmentFile
	projectFile
)

var (
	suiteLine    = regexp.MustCompile(`(?m)^suite\s*:`)
	fragmentLine = regexp.MustCompile(`(?m)^fragment\s*:`)
)

func (d *document) kind() kind {
	switch {
	case filepath.Base(d.path) == spec.ProjectFile:
		return projectFile
	case suiteLine.MatchString(d.text):
		return suiteFile
	case fragmentLine.MatchString(d.text):
		return fragmentFile
	}
	return foreign
}

// line gives a line without its end, or "".
func (d *document) line(n int) string {
	if n < 0 || n >= len(d.lines) {
		return ""
	}
	return d.lines[n]
}

// runes converts a place on a line to how many runes are before it.
func (d *document) runes(p position) int {
	units, n := 0, 0
	for _, r := range d.line(p.Line) {
		if units >= p.Character {
			break
		}
		units += utf16.RuneLen(r)
		n++
	}
	return n
}

// at converts a number of runes on a line to a place.
func (d *document) at(line, runes int) position {
	units, n := 0, 0
	for _, r := range d.line(line) {
		if n >= runes {
			break
		}
		units += max(1, utf16.RuneLen(r))
		n++
	}
	return position{line, units}
}

// spanOf is where a diagnostic is shown: as wide as its caret, to the end of the word if that is one character.
func (d *document) spanOf(p diag.Pos, width int) span {
	line, col := max(p.Line-1, 0), max(p.Col-1, 0)
	text := []rune(d.line(line))
	if width <= 1 {
		for width = 1; col+width < len(text) && !strings.ContainsRune(" ,:[]{}\"'", text[col+width]) &&
			!strings.ContainsRune(" ,:[]{}\"'", text[min(col, len(text)-1)]); width++ {
		}
	}
	if p.Line == 0 { // of the whole file
		return span{position{}, d.at(0, len([]rune(d.line(0))))}
	}
	return span{d.at(line, col), d.at(line, min(col+width, max(len(text), col)))}
}

// pathOf gives the path of a file: URI, or "".
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	p := u.Path
	if runtime.GOOS == "windows" {
		p = strings.TrimPrefix(p, "/")
	}
	return filepath.FromSlash(p)
}

// uriOf gives the URI of an absolute path.
func uriOf(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
