package spec

import (
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// Node is one node of a YAML file with its position. The zero value is a missing node.
type Node struct {
	n, key *node
}

// Pos is where the node starts: the first rune of a scalar, the first key of a map, the first "-" or "[" of a list.
func (n Node) Pos() diag.Pos {
	if n.n == nil {
		return diag.Pos{}
	}
	return n.n.pos()
}

// KeyPos is where the node's key stands, if it is the value of a map entry, else Pos.
func (n Node) KeyPos() diag.Pos {
	if n.key == nil {
		return n.Pos()
	}
	return n.key.pos()
}

// Width is how many runes of the node's first line a caret underlines.
func (n Node) Width() int {
	if n.n == nil {
		return 1
	}
	return n.n.width()
}

// IsZero tells that the node is missing.
func (n Node) IsZero() bool { return n.n == nil }

// Empty tells that nothing was written where the value would stand ("key:" alone). Its text is "".
func (n Node) Empty() bool { return n.n != nil && n.n.kind == kindEmpty }

// Text gives a scalar: a plain one as its source text (007, 1e3, yes, null stay as written), a quoted or block one
// decoded. False for a list or map.
func (n Node) Text() (string, bool) {
	if n.n == nil || !n.n.scalar() {
		return "", false
	}
	return n.n.text, true
}

// Quoted tells that a scalar stood in quotes or in a block.
func (n Node) Quoted() bool {
	return n.n != nil && (n.n.kind == kindSingle || n.n.kind == kindDouble || n.n.kind == kindBlock)
}

// Sort names what the node is, for messages: text, a list, a map, nothing.
func (n Node) Sort() string {
	if n.n == nil {
		return kindEmpty.words()
	}
	return n.n.kind.words()
}

// Seq gives the items of a list; false for anything else.
func (n Node) Seq() ([]Node, bool) {
	if n.n == nil || n.n.kind != kindSeq {
		return nil, false
	}
	out := make([]Node, len(n.n.items))
	for i, item := range n.n.items {
		out[i] = Node{n: item}
	}
	return out, true
}

// IsMap tells that the node is a map.
func (n Node) IsMap() bool { return n.n != nil && n.n.kind == kindMap }

// Has tells that a map has the key, without any check.
func (n Node) Has(key string) bool {
	_, ok := n.get(key)
	return ok
}

// Get gives the value of a key without any check; the zero Node if there is none.
func (n Node) Get(key string) Node {
	v, _ := n.get(key)
	return v
}

func (n Node) get(key string) (Node, bool) {
	if !n.IsMap() {
		return Node{}, false
	}
	for _, p := range n.n.pairs {
		if p.key.text == key {
			return Node{n: p.value, key: p.key}, true
		}
	}
	return Node{}, false
}

// Keys gives the keys of a map in written order, without any check.
func (n Node) Keys() []string {
	if !n.IsMap() {
		return nil
	}
	out := make([]string, len(n.n.pairs))
	for i, p := range n.n.pairs {
		out[i] = p.key.text
	}
	return out
}

// Map checks a map against the table of keys it may have and gives its values by name. Unknown (with did-you-mean),
// duplicate, missing and conflicting keys and Later ones go to l. what names the map in messages: "a test", "an exec
// step". A key "x-*" in the table allows every key that starts with "x-". False if the node is no map, which is
// reported too.
func (n Node) Map(what string, keys []Key, l *diag.List) (map[string]Node, bool) {
	if !n.IsMap() {
		if n.n != nil {
			n.report(l, diag.WantKind(what, "a map", n.Sort()), mapHint)
		}
		return nil, false
	}
	out := make(map[string]Node, len(n.n.pairs))
	for _, p := range n.n.pairs {
		name := p.key.text
		if first, ok := out[name]; ok {
			if !p.merged {
				msg, hint := diag.Duplicate("key", name, first.KeyPos())
				l.AddWide(p.key.pos(), p.key.width(), msg, hint)
			}
			continue
		}
		k, ok := findKey(keys, name)
		if !ok {
			msg, hint := unknownKey(what, name, keys)
			l.AddWide(p.key.pos(), p.key.width(), msg, hint)
			continue
		}
		if k.Later {
			l.AddWide(p.key.pos(), p.key.width(), diag.NotBuilt(name), "")
			continue
		}
		out[name] = Node{n: p.value, key: p.key}
	}
	n.checkTable(what, keys, out, l)
	return out, true
}

// checkTable reports missing and conflicting keys.
func (n Node) checkTable(what string, keys []Key, got map[string]Node, l *diag.List) {
	for _, k := range keys {
		v, ok := got[k.Name]
		if !ok {
			// A key that is there but is refused for another reason is not missing as well.
			if k.Required && !n.Has(k.Name) && !n.misspelt(k.Name, keys) {
				l.Add(n.Pos(), diag.Missing(what, k.Name), "")
			}
			continue
		}
		for _, other := range k.Excludes {
			o, ok := got[other]
			if ok && later(v.KeyPos(), o.KeyPos()) {
				l.AddWide(v.KeyPos(), len(k.Name), diag.Conflict(k.Name, other), "")
				break // one message per key
			} else if ok && !excludes(keys, other, k.Name) {
				l.AddWide(o.KeyPos(), len(other), diag.Conflict(other, k.Name), "")
			}
		}
	}
}

// misspelt tells that an unknown key of the map was answered with a suggestion of want: one mistake, one message.
func (n Node) misspelt(want string, keys []Key) bool {
	for _, p := range n.n.pairs {
		if _, ok := findKey(keys, p.key.text); ok {
			continue
		}
		for _, near := range nearestKeys(p.key.text, keys) {
			if near == want {
				return true
			}
		}
	}
	return false
}

// Told tells that what is wrong with the node was reported when the file was read: nothing more needs to be said of it.
func (n Node) Told() bool { return n.n != nil && n.n.told }

// report adds an error at the node, unless another tells the same mistake.
func (n Node) report(l *diag.List, msg, hint string) {
	if n.Told() {
		return
	}
	l.AddWide(n.Pos(), n.Width(), msg, hint)
}

func later(a, b diag.Pos) bool {
	return a.Line > b.Line || a.Line == b.Line && a.Col > b.Col
}

func excludes(keys []Key, name, other string) bool {
	k, ok := findKey(keys, name)
	if !ok {
		return false
	}
	for _, e := range k.Excludes {
		if e == other {
			return true
		}
	}
	return false
}

func findKey(keys []Key, name string) (Key, bool) {
	for i := range keys {
		if keys[i].Name == name {
			return keys[i], true
		}
	}
	if strings.HasPrefix(name, "x-") {
		for i := range keys {
			if keys[i].Name == "x-*" {
				return keys[i], true
			}
		}
	}
	return Key{}, false
}

// nearestKeys are the keys that a misspelt one may have been meant to be: those that name it as a common mistake, else
// the near ones.
func nearestKeys(name string, keys []Key) []string {
	folded := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
	var names []string
	for _, k := range keys {
		for _, a := range k.Aka {
			if a == folded {
				return []string{k.Name}
			}
		}
		if k.Name != "x-*" {
			names = append(names, k.Name)
		}
	}
	return diag.Nearest(name, names)
}

func unknownKey(what, name string, keys []Key) (msg, hint string) {
	if near := nearestKeys(name, keys); len(near) > 0 {
		msg, _ = diag.Unknown(what, name, nil)
		return msg, diag.DidYouMean(near)
	}
	if hint := elsewhere(what, name); hint != "" {
		msg, _ = diag.Unknown(what, name, nil)
		return msg, hint
	}
	var built []string
	for _, k := range keys {
		if !k.Later && k.Name != "x-*" {
			built = append(built, k.Name)
		}
	}
	return diag.Unknown(what, name, built)
}

// mapHint says how a map is written.
const mapHint = "a map is { key: value }, or one key: value on each line below"

// Entries gives the pairs of a free-form map in written order; a duplicate or a node that is no map goes to l.
func (n Node) Entries(what string, l *diag.List) []Entry {
	if n.n == nil {
		return nil
	}
	if !n.IsMap() {
		n.report(l, diag.WantKind(what, "a map", n.Sort()), mapHint)
		return nil
	}
	seen := make(map[string]diag.Pos, len(n.n.pairs))
	out := make([]Entry, 0, len(n.n.pairs))
	for _, p := range n.n.pairs {
		if first, ok := seen[p.key.text]; ok {
			if !p.merged {
				msg, hint := diag.Duplicate("key", p.key.text, first)
				l.AddWide(p.key.pos(), p.key.width(), msg, hint)
			}
			continue
		}
		seen[p.key.text] = p.key.pos()
		out = append(out, Entry{Name: p.key.text, KeyPos: p.key.pos(), Value: Node{n: p.value, key: p.key}})
	}
	return out
}
