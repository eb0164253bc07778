package spec

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec/diag"
)

// The limits on a file that `each` names.
const (
	MaxDataBytes = 10 << 20
	MaxDataRows  = 10_000
)

// DataRow is one row of `each`: a map, or a scalar of a plain list.
type DataRow struct {
	Pos   diag.Pos
	Value any
}

// DataFormats are the suffixes of the files that `each` reads.
var DataFormats = []string{".csv", ".json", ".yaml", ".yml"}

// ParseData reads the rows of a data file; the suffix of its name says how. Cells of a CSV file are text, JSON and YAML
// keep their types. ${{ }} in it is text: data is never code. Problems go to l with their place in the file.
func ParseData(file string, src []byte, l *diag.List) []DataRow {
	read, known := map[string]func(string, []byte, *diag.List) []DataRow{
		".csv": csvRows, ".json": jsonRows, ".yaml": yamlRows, ".yml": yamlRows,
	}[strings.ToLower(filepath.Ext(file))]
	top := diag.Pos{File: file, Line: 1, Col: 1}
	if !known {
		l.Add(diag.Pos{File: file}, "is no kind of data that each reads", "one of "+strings.Join(DataFormats, ", "))
		return nil
	}
	if len(src) > MaxDataBytes {
		l.Add(diag.Pos{File: file}, fmt.Sprintf("is larger than %d MB", MaxDataBytes>>20), "")
		return nil
	}
	src = bytes.TrimPrefix(src, []byte(bom))
	if i := bytes.IndexByte(src, 0); i >= 0 {
		l.Add(placeIn(file, src, i), "the file holds a NUL byte: it is no text", "")
		return nil
	}
	if !utf8.Valid(src) {
		l.Add(placeIn(file, src, invalidUTF8(src)), "the file is not UTF-8", "")
		return nil
	}
	before := l.Len()
	rows := read(file, src, l)
	switch {
	case l.Len() > before:
		return nil
	case len(rows) == 0:
		l.Add(top, "the file holds no row", "a test without rows would never run")
		return nil
	}
	CheckRows(rows, l)
	return rows
}

// CheckRows reports rows that are too many, or of more than one sort.
func CheckRows(rows []DataRow, l *diag.List) {
	if len(rows) > MaxDataRows {
		l.Add(rows[MaxDataRows].Pos, "each has more than "+strconv.Itoa(MaxDataRows)+" rows", "")
		return
	}
	for _, r := range rows {
		switch v := r.Value.(type) {
		case nil:
			l.Add(r.Pos, "the row is empty", "")
		case []any:
			l.Add(r.Pos, diag.WantKind("a row", "a map or a single value", "a list"), "give its values names")
		case map[string]any:
			if len(v) == 0 {
				l.Add(r.Pos, "the row is empty", "")
			}
		}
		_, isMap := r.Value.(map[string]any)
		_, first := rows[0].Value.(map[string]any)
		if isMap != first && r.Value != nil {
			l.Add(r.Pos, "a row is a map here and a single value there", "the first row is at "+rows[0].Pos.String())
			return
		}
	}
}

// placeIn gives line and column of an offset.
func placeIn(file string, src []byte, offset int) diag.Pos {
	line, col := placeOf(src, min(offset, len(src)))
	return diag.Pos{File: file, Line: line, Col: col}
}

// yamlRows reads a YAML list; the limits on any YAML file hold.
func yamlRows(file string, src []byte, l *diag.List) []DataRow {
	top := readTree(file, src, l)
	if top == nil {
		return nil
	}
	n := Node{n: top}
	items, ok := n.Seq()
	if !ok {
		n.report(l, diag.WantKind("the data", "a list", n.Sort()), `each row is a list item: "- name: Ada"`)
		return nil
	}
	return RowsOf(items, l)
}

// RowsOf gives the rows of a list as they are written.
func RowsOf(items []Node, l *diag.List) []DataRow {
	out := make([]DataRow, len(items))
	for i, item := range items {
		out[i] = DataRow{Pos: item.Pos(), Value: item.Value(l)}
	}
	return out
}
