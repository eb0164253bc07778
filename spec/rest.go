package spec

import "unicode/utf8"

// Rest is a scalar without its first bytes, for a key that holds a word and an expression ("for: user in vars.users"):
// positions inside the expression stay right.
func (n Node) Rest(bytes int) Node {
	if n.n == nil || !n.n.scalar() || bytes <= 0 || bytes > len(n.n.text) {
		return n
	}
	rest := *n.n
	rest.whole, rest.skip = n.n, utf8.RuneCountInString(rest.text[:bytes])
	rest.text = rest.text[bytes:]
	return Node{n: &rest, key: n.key}
}
