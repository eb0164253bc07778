package mask

import "unicode/utf8"

// status is how far a match got.
type status uint8

const (
	none  status = iota
	short        // the input ended while all fitted
	full
)

// place is a position in the input while a pattern is matched. slashes tells that a run of backslashes was just taken
// for backslashes of the secret, so that what follows may still be the letter of an escape.
type place struct {
	at      int
	slashes bool
}

// places is the small set of positions that the runes so far may have led to: "%25" is both the text "%25" and an
// encoded "%". More than its size never occurs in what an encoder writes.
type places struct {
	p     [8]place
	n     int
	short bool // some alternative ran out of input
}

func (s *places) add(at int, slashes bool) {
	for _, q := range s.p[:s.n] {
		if q.at == at && q.slashes == slashes {
			return
		}
	}
	if s.n < len(s.p) {
		s.p[s.n] = place{at, slashes}
		s.n++
	}
}

// match follows the pattern from b[i] through every spelling and gives the farthest end.
func (p *pattern) match(b []byte, i int) (int, status) {
	var now places
	now.add(i, false)
	ranOut := false
	for k, want := range p.runes {
		var then places
		for _, q := range now.p[:now.n] {
			if p.base64 {
				stepBase64(&then, b, q, want, k > 0)
			} else {
				step(&then, b, q, want)
			}
		}
		ranOut = ranOut || then.short
		if then.n == 0 {
			if ranOut {
				return 0, short
			}
			return 0, none
		}
		now = then
	}
	end := 0
	for _, q := range now.p[:now.n] {
		end = max(end, q.at)
	}
	return end, full
}

// step adds every place that one spelling of want leads to from q.
func step(out *places, b []byte, q place, want rune) {
	if want == '\\' && q.slashes {
		out.add(q.at, true)
	}
	if q.at >= len(b) {
		out.short = true
		return
	}
	c := b[q.at]
	if c < utf8.RuneSelf {
		if rune(c) == want && c != '\\' {
			out.add(q.at+1, false)
		}
		switch {
		case c == '%':
			percent(out, b, q.at, want)
		case c == '&':
			entity(out, b, q.at, want)
		case c == '+' && want == ' ':
			out.add(q.at+1, false)
		case c == '\\' || q.slashes:
			backslash(out, b, q, want)
		}
		return
	}
	r, size := utf8.DecodeRune(b[q.at:])
	if r == want {
		out.add(q.at+size, false)
	}
	if r == utf8.RuneError && size == 1 && !utf8.FullRune(b[q.at:]) && want >= utf8.RuneSelf {
		out.short = true
	}
}

// stepBase64 is step in the base64 alphabets; between two characters a line may be wrapped.
func stepBase64(out *places, b []byte, q place, want rune, inside bool) {
	alt := want
	switch want {
	case '+':
		alt = '-'
	case '/':
		alt = '_'
	}
	at := q.at
	if inside {
		at = skipWrap(b, at)
	}
	for n, from := range [2]int{q.at, at} {
		if n == 1 && from == q.at {
			break
		}
		if from >= len(b) {
			out.short = true
			continue
		}
		switch c := rune(b[from]); {
		case c == want || c == alt:
			out.add(from+1, false)
		case want == '+' || want == '/':
			step(out, b, place{at: from}, want)
		case c == '\\' && from+1 >= len(b):
			out.short = true
		}
	}
}

// skipWrap passes one line end, raw or JSON-escaped.
func skipWrap(b []byte, i int) int {
	for n := 0; n < 2; n++ {
		if i < len(b) && (b[i] == '\r' || b[i] == '\n') {
			i++
			continue
		}
		if j := skipSlashes(b, i); j > i && j < len(b) && (b[j] == 'r' || b[j] == 'n') {
			i = j + 1
		}
	}
	return i
}

// maxSlashes bounds a run of backslashes: six levels of JSON in JSON.
const maxSlashes = 64

func skipSlashes(b []byte, i int) int {
	j := i
	for j < len(b) && j-i < maxSlashes && b[j] == '\\' {
		j++
	}
	return j
}
