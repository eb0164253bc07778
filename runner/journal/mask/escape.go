package mask

import (
	"html"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxNest is how many times one encoding may be applied over itself.
const maxNest = 4

// percent adds the places behind a percent-encoded want, encoded up to maxNest times over (%41, %2541, …).
func percent(out *places, b []byte, i int, want rune) {
	if want == ' ' {
		percent(out, b, i, '+') // the + of a form, encoded once more
	}
	var buf [utf8.UTFMax]byte
	raw := buf[:utf8.EncodeRune(buf[:], want)]
	for nest := range maxNest {
		at, st := percentBytes(b, i, raw, nest)
		switch st {
		case full:
			out.add(at, false)
		case short:
			out.short = true
		}
	}
}

func percentBytes(b []byte, i int, raw []byte, nest int) (int, status) {
	for _, want := range raw {
		if i >= len(b) {
			return 0, short
		}
		if b[i] != '%' {
			return 0, none
		}
		i++
		for range nest {
			if st := literal(b, i, "25"); st != full {
				return 0, st
			}
			i += 2
		}
		v, st := hex(b, i, 2)
		if st == full && v != rune(want) {
			st = none
		}
		if st != full {
			return 0, st
		}
		i += 2
	}
	return i, full
}

// literal tells whether text stands at b[i].
func literal(b []byte, i int, text string) status {
	for k := range len(text) {
		if i+k >= len(b) {
			return short
		}
		if b[i+k] != text[k] {
			return none
		}
	}
	return full
}

// hex reads n hexadecimal digits.
func hex(b []byte, i, n int) (rune, status) {
	var v rune
	for k := range n {
		if i+k >= len(b) {
			return 0, short
		}
		c := b[i+k]
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			v = v<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			v = v<<4 | rune(c-'A'+10)
		default:
			return 0, none
		}
	}
	return v, full
}

// maxEntity bounds the name between & and ; (the longest named entity has 31 letters).
const maxEntity = 33

// entity adds the places behind want written as an HTML or XML entity, named or numeric, also escaped over itself.
func entity(out *places, b []byte, i int, want rune) {
	at := i + 1
	for range maxNest {
		end := at
		for end < len(b) && end-at < maxEntity && isName(b[end]) {
			end++
		}
		if end >= len(b) {
			out.short = true
			return
		}
		if b[end] != ';' {
			return
		}
		name := string(b[at:end])
		if entityRune(name) == want {
			out.add(end+1, false)
		}
		if name != "amp" {
			return
		}
		at = end + 1
	}
}

func isName(c byte) bool {
	return c == '#' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// entityRune gives the rune of an entity's name, or -1.
func entityRune(name string) rune {
	if len(name) > 1 && name[0] == '#' {
		digits, base := name[1:], 10
		if digits[0] == 'x' || digits[0] == 'X' {
			digits, base = digits[1:], 16
		}
		if v, err := strconv.ParseUint(digits, base, 21); err == nil {
			return rune(v)
		}
		return -1
	}
	text := html.UnescapeString("&" + name + ";")
	if r, size := utf8.DecodeRuneInString(text); size == len(text) {
		return r
	}
	return -1
}

// backslash adds the places behind want when backslashes stand before it: backslashes of the secret itself, doubled any
// number of times, or an escape of JSON and its kin (\" \n \/ \u00e9 \xe9).
func backslash(out *places, b []byte, q place, want rune) {
	at := skipSlashes(b, q.at)
	if want == '\\' && at > q.at {
		out.add(at, true)
	}
	if at >= len(b) {
		out.short = true
		return
	}
	c := b[at]
	if at > q.at && rune(c) == want && !isName(c) {
		out.add(at+1, false)
	}
	if at > q.at && c >= utf8.RuneSelf {
		if r, size := utf8.DecodeRune(b[at:]); r == want {
			out.add(at+size, false)
		}
	}
	switch c {
	case 'n', 'r', 't', 'b', 'f', 'v', 'a', '0', 'e':
		if letter(c) == want {
			out.add(at+1, false)
		}
	case 'u':
		unicodeEscape(out, b, at+1, want)
	case 'x':
		numeric(out, b, at+1, 2, want)
	case 'U':
		numeric(out, b, at+1, 8, want)
	}
}

// letter gives the meaning of a short escape of JSON and C.
func letter(c byte) rune {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'v':
		return '\v'
	case 'a':
		return '\a'
	case 'e':
		return 0x1b
	}
	return 0
}

func numeric(out *places, b []byte, i, digits int, want rune) {
	v, st := hex(b, i, digits)
	switch {
	case st == short:
		out.short = true
	case st == full && v == want:
		out.add(i+digits, false)
	}
}

// unicodeEscape reads XXXX after \u, and the second half of a surrogate pair.
func unicodeEscape(out *places, b []byte, i int, want rune) {
	if want <= 0xffff {
		numeric(out, b, i, 4, want)
		return
	}
	hi, lo := utf16.EncodeRune(want)
	v, st := hex(b, i, 4)
	if st == short {
		out.short = true
	}
	if st != full || v != hi {
		return
	}
	at := skipSlashes(b, i+4)
	if at >= len(b) {
		out.short = true
		return
	}
	if at == i+4 || b[at] != 'u' {
		return
	}
	numeric(out, b, at+1, 4, lo)
}
