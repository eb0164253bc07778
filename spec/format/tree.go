package format

// sort is what a node is, as written.
type sort uint8

const (
	empty   sort = iota // nothing
	plain               // a scalar without quotes
	single              // '…'
	double              // "…"
	literal             // | or >
	alias               // *name
	list
	dict
)

// node is one node as it is written: anchors, tags, comments and the style are kept.
type node struct {
	sort    sort
	flow    bool     // a list or dict in brackets
	props   string   // anchor and tag, "&a !!str"
	lines   []string // of a scalar: its source by line, trimmed; of a literal: its content without its indentation
	header  string   // of a literal: "|", ">-", "|2+"
	entries []*entry // of a list or dict
	tail    []remark // behind the last entry
}

// entry is one item of a list, or one pair of a dict.
type entry struct {
	lead  []remark // own lines before it
	key   *node    // nil in a list
	value *node
	note  string // the comment at the end of its first line, or ""
}

// remark is an own line that is no content: a comment, or a blank line if text is "".
type remark struct {
	text string
	col  int // as written, 0-based
}

func (n *node) scalar() bool { return n.sort < list }

// commented tells that a comment stands somewhere below a node.
func (n *node) commented() bool {
	if hasComment(n.tail) {
		return true
	}
	for _, e := range n.entries {
		if e.note != "" || hasComment(e.lead) || e.value.commented() {
			return true
		}
	}
	return false
}

func hasComment(list []remark) bool {
	for _, r := range list {
		if r.text != "" {
			return true
		}
	}
	return false
}
