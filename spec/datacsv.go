package spec

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec/diag"
)

// csvRows reads a CSV file with a header (RFC 4180). Every row has as many cells as the header: a ragged one is a
// forgotten comma, and would shift its values under other names.
func csvRows(file string, src []byte, l *diag.List) []DataRow {
	r := csv.NewReader(bytes.NewReader(src))
	r.FieldsPerRecord = -1
	c := &csvFile{file: file, src: src, r: r, errs: l}
	header, ok := c.record()
	if !ok || !c.header(header) {
		return nil
	}
	var out []DataRow
	for {
		cells, ok := c.record()
		if !ok {
			return out
		}
		p := c.pos(0)
		if len(cells) != len(header) {
			c.ragged(p, len(cells), len(header))
			continue
		}
		row := make(map[string]any, len(header))
		for i, name := range header {
			row[name] = cells[i]
		}
		out = append(out, DataRow{Pos: p, Value: row})
		if len(out) > MaxDataRows {
			return out // CheckRows says so; the rest need not be read
		}
	}
}

// csvFile is a CSV file while it is read.
type csvFile struct {
	file   string
	src    []byte
	r      *csv.Reader
	errs   *diag.List
	starts []int // of lines, made when a place is first asked for
}

// record reads the next record; false at the end and after a fault that the rest cannot be read behind.
func (c *csvFile) record() ([]string, bool) {
	cells, err := c.r.Read()
	if err == nil {
		return cells, true
	}
	var bad *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
	case errors.As(err, &bad):
		msg, hint := csvWords(bad.Err)
		c.errs.Add(c.place(bad.Line, bad.Column), msg, hint)
	default:
		c.errs.Append(&diag.Error{Pos: diag.Pos{File: c.file}, Msg: "cannot be read as CSV", Err: err})
	}
	return nil, false
}

// csvWords says what a message of the library means.
func csvWords(err error) (msg, hint string) {
	switch {
	case errors.Is(err, csv.ErrBareQuote):
		return `a quote inside a cell that does not start with one`, `write "a ""quoted"" word"`
	case errors.Is(err, csv.ErrQuote):
		return `the quoted cell is not closed before the next comma`, `a quote inside quotes is written twice: ""`
	}
	return "this is no CSV", ""
}

// pos gives the place of a cell of the last record.
func (c *csvFile) pos(cell int) diag.Pos {
	line, col := c.r.FieldPos(cell)
	return c.place(line, col)
}

// place turns a column in bytes into one in runes.
func (c *csvFile) place(line, col int) diag.Pos {
	if c.starts == nil {
		c.starts = lineStarts(string(c.src))
	}
	if line >= 1 && line <= len(c.starts) {
		text := c.src[c.starts[line-1]:]
		col = utf8.RuneCount(text[:min(max(col-1, 0), len(text))]) + 1
	}
	return diag.Pos{File: c.file, Line: line, Col: col}
}

// header checks the names of the columns.
func (c *csvFile) header(names []string) bool {
	before := c.errs.Len()
	seen := map[string]int{}
	for i, name := range names {
		switch first, twice := seen[name]; {
		case strings.TrimSpace(name) == "":
			c.errs.Add(c.pos(i), "column "+strconv.Itoa(i+1)+" has no name", "the first line names the columns")
		case name != strings.TrimSpace(name):
			c.errs.AddWide(c.pos(i), utf8.RuneCountInString(name), "the name of the column "+strconv.Quote(name)+" has a space at its end",
				"CSV keeps spaces: write "+strings.TrimSpace(name))
		case twice:
			c.errs.AddWide(c.pos(i), utf8.RuneCountInString(name), "the column "+strconv.Quote(name)+" is there twice",
				"first as column "+strconv.Itoa(first+1))
		default:
			seen[name] = i
		}
	}
	if len(names) == 1 && strings.ContainsAny(names[0], ";\t") && c.errs.Len() == before {
		c.errs.AddWide(c.pos(0), utf8.RuneCountInString(names[0]), "the header is one column", "cells are separated by commas")
	}
	return c.errs.Len() == before
}

func (c *csvFile) ragged(p diag.Pos, got, want int) {
	hint := "a cell with a comma stands in quotes"
	if got < want {
		hint = "an empty cell still has its comma"
	}
	c.errs.Add(p, fmt.Sprintf("the row has %s, the header %d", cellCount(got), want), hint)
}

func cellCount(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return strconv.Itoa(n) + " cells"
}
