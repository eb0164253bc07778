package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// sourceMap is version 3 of the format, as far as it is needed to find the original of a place.
type sourceMap struct {
	Version  int      `json:"version"`
	Root     string   `json:"sourceRoot"`
	Sources  []string `json:"sources"`
	Mappings string   `json:"mappings"`
	Sections []struct {
		Offset struct{ Line, Column int } `json:"offset"`
		Map    *sourceMap                 `json:"map"`
	} `json:"sections"`
}

var errVLQ = errors.New("the mappings are damaged")

// parseMap reads a source map. Some servers put )]}' before it, so that no page can run it.
func parseMap(text []byte) (*sourceMap, error) {
	s := string(text)
	if strings.HasPrefix(s, ")]}'") {
		_, s, _ = strings.Cut(s, "\n")
	}
	var m sourceMap
	if err := json.Unmarshal([]byte(s), &m); err != nil {
		return nil, fmt.Errorf("reading a source map: %w", err)
	}
	if m.Version != 3 {
		return nil, fmt.Errorf("reading a source map: version %d is not known", m.Version)
	}
	return &m, nil
}

// original finds where a place of the generated script comes from; line and column are 1-based.
func (m *sourceMap) original(line, column int) (file string, atLine, atColumn int, ok bool) {
	for i := len(m.Sections) - 1; i >= 0; i-- {
		s := m.Sections[i]
		if s.Map == nil || line-1 < s.Offset.Line || line-1 == s.Offset.Line && column-1 < s.Offset.Column {
			continue
		}
		if line-1 == s.Offset.Line {
			column -= s.Offset.Column
		}
		s.Map.Sections = nil // they do not nest
		return s.Map.original(line-s.Offset.Line, column)
	}
	if len(m.Sections) > 0 {
		return "", 0, 0, false
	}
	hit, err := m.segment(line-1, max(column-1, 0))
	if err != nil || hit == nil || hit.source < 0 || hit.source >= len(m.Sources) {
		return "", 0, 0, false
	}
	file = m.Sources[hit.source]
	if m.Root != "" && !strings.Contains(file, "://") && !strings.HasPrefix(file, "/") {
		file = strings.TrimSuffix(m.Root, "/") + "/" + file
	}
	return file, hit.line + 1, hit.column + 1, true
}

// segment is one mapping, 0-based.
type segment struct{ source, line, column int }

// segment finds the last mapping of a line at or before a column: mappings are differences, so that all before it are
// read.
func (m *sourceMap) segment(line, column int) (*segment, error) {
	var at segment // source, line and column go on over lines
	rest := m.Mappings
	for n := 0; n <= line; n++ {
		var text string
		var more bool
		text, rest, more = strings.Cut(rest, ";")
		var hit *segment
		generated := 0
		for text != "" {
			var part string
			part, text, _ = strings.Cut(text, ",")
			fields, err := vlq(part)
			if err != nil {
				return nil, err
			}
			if len(fields) == 0 {
				continue
			}
			generated += fields[0]
			known := len(fields) >= 4
			if known {
				at.source, at.line, at.column = at.source+fields[1], at.line+fields[2], at.column+fields[3]
			}
			if n == line && generated <= column {
				hit = nil
				if known {
					here := at
					hit = &here
				}
			}
		}
		if n == line {
			return hit, nil
		}
		if !more {
			break
		}
	}
	return nil, nil
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// vlq reads the numbers of one mapping: five bits a digit, the lowest first; a sixth says that more follow, and the first
// bit of all is the sign.
func vlq(s string) ([]int, error) {
	var out []int
	value, shift := 0, 0
	for i := 0; i < len(s); i++ {
		d := strings.IndexByte(base64Digits, s[i])
		if d < 0 || shift > 30 {
			return nil, errVLQ
		}
		value |= (d & 31) << shift
		if d&32 != 0 {
			shift += 5
			continue
		}
		n := value >> 1
		if value&1 != 0 {
			n = -n
		}
		out = append(out, n)
		value, shift = 0, 0
	}
	if shift != 0 || len(out) > 5 {
		return nil, errVLQ
	}
	return out, nil
}
