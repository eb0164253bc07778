package console_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/reporters"
)

// screen is a terminal of endless height: it does what the console asks of one and refuses the rest.
type screen struct {
	width int
	rows  [][]rune // one rune a column; 0 behind a wide one
	x, y  int
	wraps int // lines that did not fit
	// highest is how many lines up the cursor was ever sent.
	highest int
	odd     []string
}

var sequence = regexp.MustCompile(`^\x1b\[([0-9;]*)([A-Za-z])`)

func (s *screen) Write(p []byte) (int, error) {
	text := string(p)
	for text != "" {
		if m := sequence.FindStringSubmatch(text); m != nil {
			s.control(m[1], m[2])
			text = text[len(m[0]):]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		switch {
		case r == '\n':
			s.x, s.y = 0, s.y+1
		case r == '\r':
			s.x = 0
		case r < ' ':
			s.odd = append(s.odd, fmt.Sprintf("%q", r))
		default:
			s.put(r)
		}
	}
	return len(p), nil
}

func (s *screen) control(args, verb string) {
	n, _ := strconv.Atoi(args)
	switch verb {
	case "A":
		s.y -= n
		s.highest = max(s.highest, n)
		if s.y < 0 {
			s.odd = append(s.odd, "above the first line")
			s.y = 0
		}
	case "J":
		if s.y < len(s.rows) {
			s.rows = s.rows[:s.y]
		}
	case "m":
	default:
		s.odd = append(s.odd, args+verb)
	}
}

func (s *screen) put(r rune) {
	n := reporters.Columns(string(r))
	if n == 0 {
		return
	}
	if s.x+n > s.width {
		s.x, s.y = 0, s.y+1
		s.wraps++
	}
	for len(s.rows) <= s.y {
		s.rows = append(s.rows, nil)
	}
	for len(s.rows[s.y]) < s.x+n {
		s.rows[s.y] = append(s.rows[s.y], ' ')
	}
	s.rows[s.y][s.x] = r
	if n == 2 {
		s.rows[s.y][s.x+1] = 0
	}
	s.x += n
}

func (s *screen) String() string {
	var b strings.Builder
	for _, row := range s.rows {
		b.WriteString(strings.TrimRight(strings.ReplaceAll(string(row), "\x00", ""), " ") + "\n")
	}
	return b.String()
}
