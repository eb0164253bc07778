package spec

import (
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/checkrow/checkrow/spec/diag"
)

// converter turns the library's tree into the own one: positions, source text, anchors resolved, merge keys applied.
type converter struct {
	doc     *document
	errs    *diag.List
	anchors map[string]*anchor
	aliased int  // nodes that aliases stand for
	flow    int  // depth of [ ] and { }
	over    bool // the limit on aliased nodes was reported
}

// anchor is what a name stands for; node is nil while its content is being read.
type anchor struct{ node *node }

func (c *converter) at(tk *token.Token) (line, col int) {
	if tk == nil || tk.Position == nil {
		return 1, 1
	}
	line, col = max(1, tk.Position.Line), max(1, tk.Position.Column)
	for _, tag := range c.doc.tags[line] {
		if tk.Position.Column > tag {
			col++
		}
	}
	return line, col
}

func (c *converter) pos(tk *token.Token) diag.Pos {
	return c.doc.pos(c.at(tk))
}

func (c *converter) fresh(k kind, tk *token.Token) *node {
	line, col := c.at(tk)
	return &node{doc: c.doc, kind: k, line: line, col: col, expanded: 1}
}

// node converts one node of any kind. It never returns nil.
func (c *converter) node(n ast.Node) *node {
	switch n := n.(type) {
	case nil:
		return &node{doc: c.doc, line: 1, col: 1, expanded: 1}
	case *ast.StringNode:
		return c.text(n)
	case *ast.LiteralNode:
		out := c.fresh(kindBlock, n.Start)
		if n.Value != nil {
			out.text = n.Value.Value
		}
		return out
	case *ast.NullNode:
		if n.Token.Type == token.ImplicitNullType || n.Token.Origin == "" {
			return c.fresh(kindEmpty, n.Token)
		}
		return c.plain(n.Token)
	case *ast.MappingNode:
		return c.mapping(n)
	case *ast.MappingValueNode:
		return c.entries(c.fresh(kindMap, n.Key.GetToken()), []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		return c.sequence(n)
	case *ast.AnchorNode:
		return c.anchor(n)
	case *ast.AliasNode:
		return c.alias(n)
	case *ast.TagNode:
		return c.tag(n)
	case *ast.DirectiveNode:
		c.errs.Add(c.pos(n.GetToken()), "a % directive may not stand here", "leave the line out")
		return c.fresh(kindEmpty, n.GetToken())
	case *ast.MappingKeyNode:
		return c.node(n.Value)
	}
	return c.plain(n.GetToken())
}

// plain is a scalar whose source text counts, whatever type YAML sees in it.
func (c *converter) plain(tk *token.Token) *node {
	out := c.fresh(kindPlain, tk)
	if tk != nil {
		out.text = tk.Value
	}
	c.comment(out, tk)
	return out
}

func (c *converter) text(n *ast.StringNode) *node {
	switch n.Token.Type {
	case token.SingleQuoteType:
		out := c.fresh(kindSingle, n.Token)
		out.text = n.Value
		return out
	case token.DoubleQuoteType:
		out := c.fresh(kindDouble, n.Token)
		out.text = n.Value
		return out
	}
	out := c.fresh(kindPlain, n.Token)
	out.text = n.Value
	c.comment(out, n.Token)
	return out
}

// comment looks for a comment that cuts a plain scalar: `Buy #1`, `text("a #b")`.
func (c *converter) comment(n *node, tk *token.Token) {
	if tk == nil || tk.Next == nil || tk.Next.Type != token.CommentType || tk.Next.Position.Line != n.line {
		return
	}
	line, col := c.at(tk.Next)
	if !cuts(n.text, tk.Next.Value) {
		return
	}
	whole := c.meant(n.line, n.col)
	if whole == "" {
		return
	}
	n.text = whole // what is meant is judged further on, not its first half
	c.errs.Append(&diag.Error{
		Pos: c.doc.pos(line, col), Msg: `"#" starts a comment here and cuts the text`,
		Hint: pasteRest(c.doc.line(line), n.col, c.flow > 0),
	})
}

func (c *converter) sequence(n *ast.SequenceNode) *node {
	out := c.fresh(kindSeq, n.Start)
	out.flow = n.IsFlowStyle
	out.items = make([]*node, 0, len(n.Values))
	if out.flow {
		c.flow++
		defer func() { c.flow-- }()
	}
	for i, v := range n.Values {
		item := c.node(v)
		if item.kind == kindEmpty {
			if !out.flow && i < len(n.Entries) {
				item.line, item.col = c.at(n.Entries[i].Start)
			}
			c.errs.Add(item.pos(), "a list item is empty", `leave it out, or write "" for empty text`)
			item.kind, item.told = kindDouble, true
		}
		out.items = append(out.items, item)
		out.expanded += item.expanded
	}
	if out.flow {
		if last := c.trailing(n); last != nil {
			out.items = append(out.items, last)
		}
	}
	return out
}

// trailing refuses `[fill, "#a", ]`: the last cell was forgotten. It gives the empty item that is meant. A list over
// several lines may end in a comma.
func (c *converter) trailing(n *ast.SequenceNode) *node {
	if n.End == nil || n.End.Prev == nil || n.End.Prev.Type != token.CollectEntryType {
		return nil
	}
	comma := n.End.Prev
	if comma.Position.Line == n.End.Position.Line && n.Start.Position.Line == n.End.Position.Line {
		line, col := c.at(comma)
		c.errs.Append(&diag.Error{
			Pos: c.doc.pos(line, col), Msg: "the list ends in a comma: its last item is empty",
			Hint: pasteInsert(c.doc.line(line), col, ` ""`),
		})
		return &node{doc: c.doc, kind: kindDouble, line: line, col: col, expanded: 1, told: true}
	}
	return nil
}

func (c *converter) mapping(n *ast.MappingNode) *node {
	start := n.Start
	if !n.IsFlowStyle && len(n.Values) > 0 && n.Values[0].Key != nil {
		start = n.Values[0].Key.GetToken()
	}
	out := c.fresh(kindMap, start)
	out.flow = n.IsFlowStyle
	if out.flow {
		c.flow++
		defer func() { c.flow-- }()
	}
	return c.entries(out, n.Values)
}

func (c *converter) entries(out *node, values []*ast.MappingValueNode) *node {
	out.pairs = make([]pair, 0, len(values))
	var merges []*node
	for _, v := range values {
		if v.Key.IsMergeKey() {
			from := c.node(v.Value)
			if from.kind == kindEmpty {
				from.line, from.col = c.at(v.Key.GetToken())
			}
			merges = append(merges, from)
			continue
		}
		key := c.key(v.Key)
		value := c.node(v.Value)
		if value.kind == kindEmpty {
			// The library invents a token for it: it stands where the key does.
			value.line, value.col = key.line, key.col
		}
		out.pairs = append(out.pairs, pair{key: key, value: value})
		out.expanded += 1 + value.expanded
	}
	for _, m := range merges {
		c.merge(out, m)
	}
	return out
}

// key converts the key of a map, which must be a scalar.
func (c *converter) key(k ast.MapKeyNode) *node {
	out := c.node(k)
	if out.scalar() {
		return out
	}
	c.errs.Add(out.pos(), "a key must be text, got "+out.kind.words(), "")
	return c.fresh(kindPlain, k.GetToken())
}

// merge adds the entries of a merged map (or of a list of them) that the map does not have itself.
func (c *converter) merge(out, from *node) {
	switch from.kind {
	case kindSeq:
		for _, item := range from.items {
			c.merge(out, item)
		}
	case kindMap:
		for _, p := range from.pairs {
			if !(Node{n: out}).Has(p.key.text) {
				out.pairs = append(out.pairs, pair{key: p.key, value: p.value, merged: true})
				out.expanded += 1 + p.value.expanded
				c.count(1+p.value.expanded, from.pos())
			}
		}
	default:
		c.errs.Add(from.pos(), "a merge key takes a map, got "+from.kind.words(), "")
	}
}

func (c *converter) anchor(n *ast.AnchorNode) *node {
	name := n.Name.GetToken().Value
	if c.anchors == nil {
		c.anchors = map[string]*anchor{}
	}
	a := &anchor{}
	c.anchors[name] = a
	if n.Value == nil {
		a.node = c.fresh(kindEmpty, n.Start)
	} else {
		a.node = c.node(n.Value)
	}
	return a.node
}

func (c *converter) alias(n *ast.AliasNode) *node {
	name := n.Value.GetToken().Value
	a := c.anchors[name]
	switch {
	case a == nil:
		line, col := c.at(n.Start)
		names := make([]string, 0, len(c.anchors))
		for k := range c.anchors {
			names = append(names, k)
		}
		hint := pasteRest(c.doc.line(line), col, c.flow > 0)
		if near := diag.Nearest(name, names); len(near) > 0 {
			hint = diag.Suggest(name, names)
		}
		c.errs.Append(&diag.Error{
			Pos: c.doc.pos(line, col), Width: 1 + len([]rune(name)), Hint: hint,
			Msg: `"*" starts an alias here, and no anchor is called ` + strconv.Quote(name),
		})
	case a.node == nil:
		msg := "the alias " + strconv.Quote("*"+name) + " stands inside its own anchor"
		c.errs.AddWide(c.pos(n.Start), 1+len([]rune(name)), msg, "")
	default:
		c.count(a.node.expanded, c.pos(n.Start))
		if !c.over {
			return a.node
		}
	}
	out := c.fresh(kindPlain, n.Start)
	out.text, out.told = c.meant(c.at(n.Start)), true
	return out
}

// count adds up what aliases stand for.
func (c *converter) count(nodes int, p diag.Pos) {
	c.aliased += nodes
	if c.aliased > maxAliased && !c.over {
		c.over = true
		c.errs.Add(p, "aliases expand to more than "+strconv.Itoa(maxAliased)+" values", "")
	}
}

// coreTags are the tags that say nothing a suite does not know already.
var coreTags = map[string]bool{
	"!!str": true, "!!int": true, "!!float": true, "!!bool": true, "!!null": true, "!!map": true, "!!seq": true,
}

func (c *converter) tag(n *ast.TagNode) *node {
	if coreTags[n.Start.Value] {
		out := c.node(n.Value)
		if n.Start.Value == "!!str" && out.kind == kindPlain {
			copied := *out
			copied.kind = kindDouble
			return &copied
		}
		return out
	}
	line, col := c.at(n.Start)
	t := tagTrap([]rune(c.doc.line(line)), col, c.flow > 0)
	c.errs.Append(t.diagnostic(c.doc, line))
	out := c.fresh(kindPlain, n.Start)
	out.text = c.meant(line, col)
	return out
}

// meant is the scalar that was meant to start at a column.
func (c *converter) meant(line, col int) string {
	r := []rune(c.doc.line(line))
	if col-1 >= len(r) {
		return ""
	}
	return string(r[col-1 : intended(r, col-1, c.flow > 0)])
}
