package mask

import "bytes"

// cutMark is what stands where a text was cut short: by the engine, a preview, the tail of an output.
const cutMark = "…"

// minTorn is the least part of a secret, in bytes, that is hidden where a text was cut.
const minTorn = 4

// maxTorn bounds how far from a cut the part of a secret may reach.
const maxTorn = 8 << 10

// torn hides the halves of secrets that a cut has left: the beginning of one before the mark, the end of one behind it. It
// gives b itself if there is none.
func (t *table) torn(b []byte) []byte {
	at := bytes.Index(b, []byte(cutMark))
	if at < 0 {
		return b
	}
	var out []byte
	last := 0
	for at >= 0 {
		if from := t.begun(b, at, last); from < at {
			out = append(append(out, b[last:from]...), Replacement...)
			last = at
		}
		behind := at + len(cutMark)
		if to := t.ended(b, behind); to > behind {
			out = append(append(out, b[last:behind]...), Replacement...)
			last = to
		}
		next := bytes.Index(b[max(behind, last):], []byte(cutMark))
		if next < 0 {
			break
		}
		at = max(behind, last) + next
	}
	if out == nil {
		return b
	}
	return append(out, b[last:]...)
}

// begun gives where the beginning of a secret stands that the cut at b[at] has ended, or at.
func (t *table) begun(b []byte, at, least int) int {
	for j := max(least, at-maxTorn); j <= at-minTorn; j++ {
		for _, k := range t.byFirst[b[j]] {
			p := &t.patterns[k]
			if p.hopeless(b[:at], j) {
				continue
			}
			if _, st := p.match(b[:at], j); st == short {
				return j
			}
		}
	}
	return at
}

// ended gives where the end of a secret ends that begins at b[at], behind a cut, or at.
func (t *table) ended(b []byte, at int) int {
	end := at
	for i := range t.patterns {
		p := &t.patterns[i]
		for n := 1; n < len(p.runes) && n < maxTorn; n++ {
			rest := pattern{runes: p.runes[n:], base64: p.base64}
			if len(rest.runes) < minTorn {
				break
			}
			if to, st := rest.match(b, at); st == full {
				end = max(end, to)
				break
			}
		}
	}
	return end
}
