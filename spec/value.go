package spec

import (
	"math"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// Value gives the plain Go value: string, bool, int, float64, nil, []any, map[string]any. Core YAML scalars keep their
// type; quoted ones are strings.
func (n Node) Value(l *diag.List) any {
	if n.n == nil {
		return nil
	}
	switch n.n.kind {
	case kindEmpty:
		return nil
	case kindPlain:
		return plainValue(n.n.text)
	case kindSeq:
		out := make([]any, len(n.n.items))
		for i, item := range n.n.items {
			out[i] = Node{n: item}.Value(l)
		}
		return out
	case kindMap:
		out := make(map[string]any, len(n.n.pairs))
		for _, e := range n.Entries("the value", l) {
			out[e.Name] = e.Value.Value(l)
		}
		return out
	}
	return n.n.text
}

// plainValue resolves a plain scalar by the core schema of YAML 1.2: 0123 is a hundred and twenty-three, yes is text.
func plainValue(s string) any {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return nil
	case "true", "True", "TRUE":
		return true
	case "false", "False", "FALSE":
		return false
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return math.Inf(1)
	case "-.inf", "-.Inf", "-.INF":
		return math.Inf(-1)
	case ".nan", ".NaN", ".NAN":
		return math.NaN()
	}
	c := s[0]
	if c != '-' && c != '+' && c != '.' && (c < '0' || c > '9') || strings.Contains(s, "_") {
		return s
	}
	if base, digits := 0, ""; len(s) > 2 && c == '0' {
		switch s[1] {
		case 'x':
			base, digits = 16, s[2:]
		case 'o':
			base, digits = 8, s[2:]
		}
		if base > 0 {
			if i, err := strconv.ParseInt(digits, base, 64); err == nil && digits[0] != '-' && digits[0] != '+' {
				return int(i)
			}
			return s
		}
	}
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return int(i)
	}
	if !coreFloat(s) {
		return s
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return f
	}
	return s
}

// coreFloat is [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? — Go reads more than that.
func coreFloat(s string) bool {
	s = strings.TrimLeft(s[:1], "+-") + s[1:]
	whole := digits(s)
	s = s[whole:]
	if strings.HasPrefix(s, ".") {
		part := digits(s[1:])
		if whole+part == 0 {
			return false
		}
		s = s[1+part:]
	} else if whole == 0 {
		return false
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = s[1:]
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return s != "" && digits(s) == len(s)
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
