package mask

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// table is an immutable set of patterns with an index by first byte.
type table struct {
	values   []string
	patterns []pattern
	byFirst  [256][]int32 // patterns that may begin with this byte
}

// pattern is one secret as text, or its base64 at one alignment.
type pattern struct {
	runes  []rune
	base64 bool
	lead   bool // the character before the match holds bits of the secret
	tail   bool // the character after it does
}

// region is a stretch to replace. hold tells that the input ended inside something that may become a match: what
// follows from there must be seen again with more input.
type region struct {
	from, to int
	hold     int // -1: nothing to hold
}

func (r region) found() bool { return r.to > r.from }

func (t *table) has(value string) bool { return t != nil && slices.Contains(t.values, value) }

// with gives a new table that also finds value.
func (t *table) with(value string) *table {
	n := &table{}
	if t != nil {
		n.values = append(n.values, t.values...)
		n.patterns = append(n.patterns, t.patterns...)
	}
	n.values = append(n.values, value)
	n.patterns = append(n.patterns, pattern{runes: []rune(value)})
	if lines := strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' }); len(lines) > 1 {
		for _, l := range lines {
			if l = strings.TrimSpace(l); utf8.RuneCountInString(l) >= MinRunes {
				n.patterns = append(n.patterns, pattern{runes: []rune(l)})
			}
		}
	}
	for _, form := range written(value) {
		for align := range 3 {
			n.patterns = append(n.patterns, aligned(form, align))
		}
	}
	for i := range n.patterns {
		n.index(i)
	}
	return n
}

// written gives the value and the forms that it has in a text which is then put into base64 as a whole: JSON, a form, a
// query. As text they need no pattern of their own.
func written(value string) []string {
	out := []string{value}
	add := func(s string) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, safe := range []bool{true, false} {
		once := inJSON(value, safe)
		add(once)
		add(inJSON(once, safe))
	}
	add(url.QueryEscape(value))
	add(strings.ReplaceAll(url.QueryEscape(value), "+", "%20"))
	return out
}

// inJSON is a text as it stands between the quotes of JSON.
func inJSON(s string, safe bool) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(safe)
	if e.Encode(s) != nil { // a string always encodes
		return s
	}
	return b.String()[1 : b.Len()-2]
}

// aligned is the base64 of value when align bytes of other text stand before it in the encoder's group of three, less
// the characters that those bytes and the ones behind have a share in.
func aligned(value string, align int) pattern {
	enc := base64.RawStdEncoding.EncodeToString(append(make([]byte, align), value...))
	from := (align*8 + 5) / 6
	to := (align + len(value)) * 8 / 6
	return pattern{runes: []rune(enc[from:to]), base64: true, lead: align > 0, tail: to < len(enc)}
}

// index files pattern i under each byte that an occurrence may begin with.
func (t *table) index(i int) {
	p := &t.patterns[i]
	var first []byte
	r := p.runes[0]
	first = append(first, utf8.AppendRune(nil, r)[0])
	switch {
	case p.base64 && (r == '+' || r == '/'):
		first = append(first, '-', '_', '\\', '%', '&')
	case !p.base64:
		first = append(first, '\\', '%', '&')
		if r == ' ' {
			first = append(first, '+')
		}
		if r == utf8.RuneError { // any byte that is no UTF-8
			for c := 0x80; c <= 0xff; c++ {
				first = append(first, byte(c))
			}
		}
	}
	for _, c := range first {
		if !slices.Contains(t.byFirst[c], int32(i)) {
			t.byFirst[c] = append(t.byFirst[c], int32(i))
		}
	}
}

// next finds the first region at or after i. Matches that overlap make one region, so that no rest of a longer secret is
// left beside a shorter one. Unless final, a match that might still begin or grow at the end of b is reported in hold.
func (t *table) next(b []byte, i int, final bool) region {
	r := region{hold: -1}
	for ; i < len(b); i++ {
		if r.found() && i >= r.to {
			return r
		}
		list := t.byFirst[b[i]]
		if len(list) == 0 {
			continue
		}
		for _, k := range list {
			p := &t.patterns[k]
			if p.hopeless(b, i) {
				continue
			}
			end, st := p.match(b, i)
			if st == short && !final {
				if r.found() {
					return region{hold: min(r.from, i)}
				}
				return region{hold: i}
			}
			if st == full {
				r.grow(p, b, i, end)
			}
		}
	}
	return r
}

// grow takes a match of p at b[from:to] into the region.
func (r *region) grow(p *pattern, b []byte, from, to int) {
	if p.lead && from > 0 && isBase64(b[from-1]) {
		from--
	}
	if p.tail && to < len(b) && isBase64(b[to]) {
		to++
	}
	if !r.found() {
		r.from, r.to = from, to
		return
	}
	r.from, r.to = min(r.from, from), max(r.to, to)
}

// hopeless is the quick way out: the first byte is plainly the pattern's first rune and the second plainly is not its
// second. It answers most positions of ordinary text without the matcher.
func (p *pattern) hopeless(b []byte, i int) bool {
	if rune(b[i]) != p.runes[0] || mayEscape(b[i]) || i+1 >= len(b) {
		return false
	}
	c := b[i+1]
	return rune(c) != p.runes[1] && c < utf8.RuneSelf && !mayEscape(c) && !(p.base64 && (c == '-' || c == '_'))
}

// mayEscape tells that a byte may begin another spelling of a rune.
func mayEscape(c byte) bool {
	switch c {
	case '\\', '%', '&', '+', '\r', '\n':
		return true
	}
	return false
}

func isBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}
