package format

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// wide is how long a line with a list or map in brackets may be.
	wide = 100
	// far is how long a line may be for the comments of its neighbours to be aligned with its own.
	far  = 60
	step = 2
)

// writer prints a tree in the canonical style.
type writer struct {
	lines []line
	keep  bool // quotes stay as they are
}

// line is one line of output. A comment is kept apart until it can be aligned.
type line struct {
	text, note string
	hold       bool // a blank line that counts: it stands in a block scalar
}

// write gives the text of a document whose root is a map.
func write(root *node, keep bool) string {
	w := &writer{keep: keep}
	w.entries(root, 0)
	return w.text()
}

func (w *writer) put(text, note string) { w.lines = append(w.lines, line{text: text, note: note}) }

// text joins the lines, with comments of neighbouring lines in one column.
func (w *writer) text() string {
	for len(w.lines) > 0 && w.lines[len(w.lines)-1] == (line{}) {
		w.lines = w.lines[:len(w.lines)-1]
	}
	var b strings.Builder
	for i := 0; i < len(w.lines); {
		end, col := i, 0
		for end < len(w.lines) && w.lines[end].note != "" {
			if n := width(w.lines[end].text); n <= far {
				col = max(col, n)
			}
			end++
		}
		for ; i < end; i++ {
			l := w.lines[i]
			b.WriteString(l.text + strings.Repeat(" ", max(col-width(l.text), 0)+2) + l.note + "\n")
		}
		if i < len(w.lines) {
			b.WriteString(w.lines[i].text + "\n")
			i++
		}
	}
	return b.String()
}

func width(s string) int { return utf8.RuneCountInString(s) }

func pad(n int) string { return strings.Repeat(" ", n) }

// remarks prints own lines: comments at the indentation, and at most one blank line in a row.
func (w *writer) remarks(list []remark, indent int) {
	for _, r := range list {
		switch {
		case r.text != "":
			w.put(pad(indent)+r.text, "")
		case len(w.lines) > 0 && w.lines[len(w.lines)-1] != (line{}):
			w.put("", "")
		}
	}
}

// entries prints the entries of a list or map as a block.
func (w *writer) entries(n *node, indent int) {
	for i, e := range n.entries {
		lead := e.lead
		if i == 0 && indent > 0 {
			lead = withoutFirstBlank(lead)
		}
		w.remarks(lead, indent)
		w.entry(e, indent, pad(indent))
	}
	w.remarks(withoutLastBlank(n.tail), indent)
}

// withoutFirstBlank drops a blank line between a key and its first entry.
func withoutFirstBlank(list []remark) []remark {
	if len(list) > 0 && list[0].text == "" {
		return list[1:]
	}
	return list
}

// withoutLastBlank drops a blank line that only ends a block: the entry behind it has its own.
func withoutLastBlank(list []remark) []remark {
	if n := len(list); n > 0 && list[n-1].text == "" {
		return list[:n-1]
	}
	return list
}

// entry prints one entry whose first line begins with head: the indentation, or the dash of a list around it.
func (w *writer) entry(e *entry, indent int, head string) {
	isRow := e.key == nil
	if e.key == nil {
		head += "-"
	} else {
		head += w.key(e.key) + ":"
		isRow = e.key.text() == "row"
	}
	v := e.value
	props := ""
	if v.props != "" {
		props = " " + v.props
	}
	switch {
	case v.sort == empty:
		w.put(head+props, e.note)
	case v.sort == literal:
		w.literal(v, head+props, e.note, indent)
	case v.scalar():
		w.scalar(v, head+props+" ", e.note, indent)
	default:
		w.collection(e, head, props, indent, isRow)
	}
}

// key prints a key; it stays as it was written.
func (w *writer) key(k *node) string {
	if k.props != "" {
		return k.props + " " + k.lines[0]
	}
	return k.lines[0]
}

// text is a scalar of one line as written.
func (n *node) text() string { return strings.Join(n.lines, " ") }

// literal prints a block scalar with its content one step deeper.
func (w *writer) literal(v *node, head, note string, indent int) {
	header := strings.Map(func(r rune) rune {
		if r >= '1' && r <= '9' {
			return '0' + step
		}
		return r
	}, v.header)
	w.put(head+" "+header, note)
	for _, l := range v.lines {
		if l != "" {
			l = pad(indent+step) + l
		}
		w.lines = append(w.lines, line{text: l, hold: true})
	}
}

// scalar prints a scalar; one over several lines goes on one step deeper.
func (w *writer) scalar(v *node, head, note string, indent int) {
	lines := w.spell(v, false)
	if len(lines) == 1 {
		w.put(head+lines[0], note)
		return
	}
	for i, l := range lines {
		switch {
		case i == 0:
			l = head + l
		case l != "":
			l = pad(indent+step) + l
		}
		if i == len(lines)-1 {
			w.put(l, note)
		} else {
			w.put(l, "")
		}
	}
}

// collection prints a list or map: in brackets if it was so, or is a row, and fits the line; else as a block.
func (w *writer) collection(e *entry, head, props string, indent int, isRow bool) {
	v := e.value
	isRow = isRow && v.sort == list && v.row()
	if v.flow || isRow || len(v.entries) == 0 {
		if text, ok := w.inside(v, 0, false); ok && (len(v.entries) == 0 || width(head+props+" "+text) <= wide) {
			w.put(head+props+" "+text, e.note)
			return
		}
		if w.packed(v, head+props+" ", e.note) {
			return
		}
	}
	if e.key == nil && e.note == "" && props == "" && len(v.entries[0].lead) == 0 {
		w.compact(v, indent+step, head+" ")
		return
	}
	w.put(head+props, e.note)
	w.entries(v, indent+step)
}

// compact prints a block whose first entry stands behind the dash.
func (w *writer) compact(v *node, indent int, head string) {
	w.entry(v.entries[0], indent, head)
	rest := *v
	rest.entries = v.entries[1:]
	for _, e := range rest.entries {
		w.remarks(e.lead, indent)
		w.entry(e, indent, pad(indent))
	}
	w.remarks(withoutLastBlank(v.tail), indent)
}

// row tells a list of scalars, none of them a block.
func (n *node) row() bool {
	return len(n.entries) > 0 && !n.commented() && !slices.ContainsFunc(n.entries, func(e *entry) bool {
		return !e.value.scalar() || e.value.sort == literal || e.value.sort == empty
	})
}

// packed prints a list of scalars in brackets over as few lines as it needs.
func (w *writer) packed(v *node, head, note string) bool {
	if v.sort != list || !v.row() {
		return false
	}
	var items []string
	for _, e := range v.entries {
		text, ok := w.inside(e.value, 0, true)
		if !ok {
			return false
		}
		items = append(items, text)
	}
	current, under := head+"[", pad(width(head)+1)
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		} else {
			item += "]"
		}
		switch {
		case i == 0:
			current += item
		case width(current)+1+width(item) <= wide:
			current += " " + item
		default:
			w.put(current, "")
			current = under + item
		}
	}
	w.put(current, note)
	return true
}

// inside prints a value on one line, as it stands inside brackets if flow; false if it cannot.
func (w *writer) inside(n *node, depth int, flow bool) (string, bool) {
	if n.sort == literal || n.commented() {
		return "", false
	}
	props := ""
	if n.props != "" && depth > 0 {
		props = n.props + " "
	}
	if n.scalar() {
		lines := w.spell(n, flow || depth > 0)
		if len(lines) > 1 {
			return "", false
		}
		if n.props != "" {
			props = n.props + " "
		}
		return strings.TrimRight(props+strings.Join(lines, ""), " "), true
	}
	parts := make([]string, len(n.entries))
	for i, e := range n.entries {
		value, ok := w.inside(e.value, depth+1, true)
		if !ok {
			return "", false
		}
		parts[i] = value
		if e.key == nil {
			continue
		}
		parts[i] = w.key(e.key)
		if e.value.sort != empty || e.value.props != "" {
			parts[i] += ": " + value
		}
	}
	body := strings.Join(parts, ", ")
	switch {
	case n.sort == list:
		return props + "[" + body + "]", true
	case body == "":
		return props + "{}", true
	}
	return props + "{ " + body + " }", true
}
