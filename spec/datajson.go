package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec/diag"
)

// jsonRows reads a JSON list.
func jsonRows(file string, src []byte, l *diag.List) []DataRow {
	var raw []json.RawMessage
	if err := json.Unmarshal(src, &raw); err != nil {
		p, msg := jsonFault(file, src, err)
		l.Add(p, msg, "")
		return nil
	}
	at := bytes.IndexByte(src, '[') + 1
	if at == 0 { // null
		l.Add(diag.Pos{File: file, Line: 1, Col: 1}, diag.WantKind("the data", "a list", "nothing"), "")
		return nil
	}
	out := make([]DataRow, 0, len(raw))
	line, col, from := 1, 1, 0 // of the last place, so that the file is walked once
	for _, item := range raw {
		at += len(src[at:]) - len(bytes.TrimLeft(src[at:], ", \t\r\n"))
		for i := from; i < at; i++ {
			switch {
			case src[i] == '\n':
				line, col = line+1, 1
			case utf8.RuneStart(src[i]):
				col++
			}
		}
		from = at
		v, err := DecodeJSON(item)
		p := diag.Pos{File: file, Line: line, Col: col}
		if err != nil {
			l.Append(&diag.Error{Pos: p, Msg: "the row cannot be read", Err: err})
			return nil
		}
		out = append(out, DataRow{Pos: p, Value: v})
		if len(out) > MaxDataRows {
			break
		}
		at += len(item)
	}
	return out
}

// jsonFault gives the place and the words of a message of the library.
func jsonFault(file string, src []byte, err error) (diag.Pos, string) {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		p := placeIn(file, src, max(0, int(syntax.Offset)-1))
		if strings.Contains(syntax.Error(), "unexpected end") {
			return placeIn(file, src, len(bytes.TrimRight(src, " \t\r\n"))), "the JSON ends too early"
		}
		return p, "this is no JSON: " + syntax.Error()
	}
	return diag.Pos{File: file, Line: 1, Col: 1}, diag.WantKind("the data", "a list", jsonSort(src))
}

// jsonSort names what a JSON file holds.
func jsonSort(src []byte) string {
	if bytes.HasPrefix(bytes.TrimLeft(src, " \t\r\n"), []byte("{")) {
		return "a map"
	}
	return "a single value"
}
