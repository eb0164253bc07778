package argv

// read is what rows share that only read an element.
const read = UsesRefs | ReadsOnly | Repeatable | Page

func reads() []*Command {
	origin := DataKey{"origin", "string", "URL of the page"}
	out := []*Command{
		{
			Words: words("get text"), Operands: []Operand{targetOperand("the element")},
			Data: []DataKey{origin, {"text", "string", "its visible text, as it is"}}, Value: "text", Traits: read, Trips: 1,
			Doc: "Reads the text of an element.", Example: []string{"get", "text", "#total"},
		},
		{
			Words: words("get html"), Operands: []Operand{targetOperand("the element")},
			Flags: []Flag{{Name: "--outer", Bool: true, Doc: "with the element itself"},
				{Name: "--ancestors", Bool: true, Doc: "the tags around it too"}},
			Data: []DataKey{{"html", "string", "the markup inside the element"},
				{"ancestors", "list", "with --ancestors: the tags around it, nearest first"}}, Value: "html", Traits: read, Trips: 1,
			Doc: "Reads the markup inside an element.", Example: []string{"get", "html", "#cart", "--outer"},
			Differs: "--outer gives the element's own tag too, --ancestors those around it",
		},
		{
			Words: words("get value"), Operands: []Operand{targetOperand("a control")},
			Data: []DataKey{{"value", "string", "its value; masked for a password field"}}, Value: "value", Traits: read, Trips: 1,
			Doc: "Reads the value of a control.", Example: []string{"get", "value", "label=E-mail"},
		},
		{
			Words: words("get attr"), Operands: []Operand{targetOperand("the element"),
				{Name: "name", Kind: Text, Doc: "of the attribute"}},
			Data:  []DataKey{origin, {"value", "any", "the attribute as text; nil if it is not there"}},
			Value: "value", Traits: read, Trips: 1,
			Doc: "Reads an attribute.", Example: []string{"get", "attr", "#buy", "href"}, Check: checkAttr,
		},
		{
			Words: words("get title"), Data: []DataKey{{"title", "string", "of the page"}}, Value: "title",
			Traits: ReadsOnly | Repeatable | Page, Trips: 1,
			Doc: "Reads the title of the page.", Example: []string{"get", "title"},
		},
		{
			Words: words("get url"), Data: []DataKey{{"url", "string", "of the page, fragment included"}}, Value: "url",
			Traits: ReadsOnly | Repeatable | Page, Trips: 1,
			Doc: "Reads the URL of the page.", Example: []string{"get", "url"},
		},
		{
			Words: words("get count"), Operands: []Operand{targetOperand("what to count")},
			Data:  []DataKey{{"count", "int", "number of matches, hidden ones too"}, {"selector", "string", "the target"}},
			Value: "count", Traits: read, Trips: 1,
			Doc: "Counts the matches of a target.", Example: []string{"get", "count", ".line"},
			Differs: "takes every target, not CSS alone",
		},
		{
			Words: words("get box"), Operands: []Operand{targetOperand("the element")},
			Data: []DataKey{{"x", "float", "left edge, CSS pixels of the viewport"}, {"y", "float", "top edge"},
				{"width", "float", ""}, {"height", "float", ""}},
			Traits: read, Trips: 1,
			Doc: "Reads where an element is.", Example: []string{"get", "box", "#logo"},
		},
		{
			Words: words("get styles"), Operands: []Operand{targetOperand("the element")},
			Data: []DataKey{{"styles", "map", "every computed property"}}, Value: "styles", Traits: read, Trips: 1,
			Doc: "Reads the computed style of an element.", Example: []string{"get", "styles", "#logo"},
		},
	}
	for _, state := range []string{"visible", "enabled", "checked"} {
		out = append(out, &Command{
			Words: []string{"is", state}, Operands: []Operand{targetOperand("the element")},
			Data: []DataKey{origin, {state, "bool", "false also if nothing matches"}}, Value: state, Traits: read, Trips: 1,
			Doc: "Tells whether an element is " + state + ", without waiting.", Example: []string{"is", state, "#accept"},
			Differs: "never waits; a missing element is false",
		})
	}
	return out
}
