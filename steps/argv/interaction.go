package argv

import (
	"strconv"

	"github.com/checkrow/checkrow/spec/diag"
)

// act is what rows share that act on one element.
const act = Mutates | UsesRefs | Page

func interaction() []*Command {
	return append(pointer(), append(keys(), controls()...)...)
}

func targetOperand(doc string) Operand { return Operand{Name: "target", Kind: Target, Doc: doc} }

// human is the flag of rows that move the mouse as a person would.
var human = Flag{Name: "--human", Bool: true, Doc: "the mouse gets there on a curve and takes its time"}

func pointer() []*Command {
	clicked := []DataKey{{"clicked", "string", "the target"}, {"dialogOpened", "bool", "a dialog opened and is held"}}
	return []*Command{
		{
			Words: words("click"), Operands: []Operand{targetOperand("what to click")}, Value: "clicked",
			Flags:  []Flag{{Name: "--new-tab", Bool: true, Doc: "opens the link in a new tab, which becomes the current one, instead of clicking"}, human},
			Data:   append([]DataKey{{"newTab", "bool", "with --new-tab: always true"}, {"url", "string", "with --new-tab: of the new tab"}}, clicked...),
			Traits: act | Navigates | Latches, Trips: 2,
			Doc:     "Clicks the middle of the one visible match once it is ready.",
			Example: []string{"click", "role=button Buy now"},
			Differs: "waits until the target is visible, enabled, still and not covered; several visible matches fail",
			Check:   checkClick,
		},
		{
			Words: words("dblclick"), Operands: []Operand{targetOperand("what to double-click")}, Data: clicked, Value: "clicked",
			Traits: act | Navigates | Latches, Trips: 2,
			Doc: "Double-clicks the target.", Example: []string{"dblclick", "#cell"},
		},
		{
			Words: words("hover"), Operands: []Operand{targetOperand("where to move the pointer")},
			Data: []DataKey{{"hovered", "string", "the target"}}, Value: "hovered",
			Traits: act | Latches | Repeatable, Trips: 2,
			Doc: "Moves the pointer over the target.", Example: []string{"hover", "role=menuitem File"},
		},
		{
			Words: words("focus"), Operands: []Operand{targetOperand("what to focus")},
			Data: []DataKey{{"focused", "string", "the target"}}, Value: "focused",
			Traits: act | Repeatable, Trips: 1,
			Doc: "Gives the target the keyboard focus.", Example: []string{"focus", "label=E-mail"},
		},
		{
			Words: words("drag"), Operands: []Operand{
				{Name: "source", Kind: Target, Doc: "what to drag"}, {Name: "destination", Kind: Target, Doc: "where to drop it"}},
			Flags: []Flag{human},
			Data: []DataKey{{"dragged", "bool", "always true"}, {"source", "string", "what was dragged"},
				{"target", "string", "where it was dropped"}},
			Traits: act | Latches, Trips: 1,
			Doc: "Drags the source and drops it on the destination.", Example: []string{"drag", "#card-1", "#column-done"},
		},
		{
			Words: words("scroll"), Operands: []Operand{
				{Name: "direction", Kind: Enum, Values: []string{"up", "down", "left", "right"}, Optional: true, Doc: "default down"},
				{Name: "pixels", Kind: Number, Optional: true, Doc: "default 300"}},
			Flags: []Flag{{Name: "--selector", Short: "-s", Kind: Target, Doc: "the element to scroll; default the page"}},
			Data:  []DataKey{{"scrolled", "bool", "always true"}},
			Value: "scrolled", Traits: act | Latches, Trips: 1,
			Doc: "Scrolls the page or an element.", Example: []string{"scroll", "down", "500"},
			Differs: "fails if nothing moves",
			Check:   checkPixels,
		},
		{
			Words: words("scrollintoview"), Aliases: aliases("scrollinto"),
			Operands: []Operand{targetOperand("what to bring into view")},
			Data:     []DataKey{{"scrolled", "string", "the target"}}, Value: "scrolled",
			Traits: act | Latches | Repeatable, Trips: 1,
			Doc: "Scrolls until the target is in view.", Example: []string{"scrollintoview", "#footer"},
		},
	}
}

// slowly is the flag of rows that type key by key.
var slowly = Flag{Name: "--delay", Kind: Duration, Doc: "the pause between keys"}

func keys() []*Command {
	typed := []DataKey{{"typed", "string", "the text; masked for a password field"}}
	return []*Command{
		{
			Words:    words("press"),
			Aliases:  aliases("key"),
			Operands: []Operand{{Name: "key", Kind: KeyName, Doc: "Enter, Escape, a, Control+a, Shift+Tab …"}},
			Data:     []DataKey{{"pressed", "string", "the key"}}, Value: "pressed",
			Traits: Mutates | Navigates | Latches | Page, Trips: 1,
			Doc: "Presses a key, or a chord, where the focus is.", Example: []string{"press", "Enter"},
			Differs: "an unknown key is an error",
		},
		{
			Words:    words("keyboard type"),
			Operands: []Operand{{Name: "text", Kind: Text, Doc: "one cell"}}, Flags: []Flag{slowly}, Data: typed, Value: "typed",
			Traits: Mutates | Navigates | Latches | Page, Trips: 2,
			Doc: "Types text key by key where the focus is.", Example: []string{"keyboard", "type", "hello"},
			Differs: "sends key events; takes exactly one text cell",
		},
		{
			Words:    words("keyboard inserttext"),
			Operands: []Operand{{Name: "text", Kind: Text, Doc: "one cell"}},
			Data:     []DataKey{{"inserted", "bool", "always true"}}, Value: "inserted",
			Traits: Mutates | Latches | Page, Trips: 2,
			Doc: "Inserts text at once, without key events, where the focus is.", Example: []string{"keyboard", "inserttext", "日本語"},
			Differs: "takes exactly one text cell",
		},
	}
}

func controls() []*Command {
	text := Operand{Name: "text", Kind: Text, Doc: "one cell"}
	return []*Command{
		{
			Words: words("fill"), Operands: []Operand{targetOperand("the control"), text},
			Data: []DataKey{{"filled", "string", "the target"}}, Value: "filled", Traits: act, Trips: 1,
			Doc:     "Replaces the value of a control and reads it back.",
			Example: []string{"fill", "label=E-mail", "ada@example.test"},
			Differs: "sets date, color, range and contenteditable too; fails on a mismatch and on a disabled or read-only " +
				"control; takes exactly one text cell",
		},
		{
			Words: words("type"), Operands: []Operand{targetOperand("the control"), text},
			Flags: []Flag{{Name: "--clear", Bool: true, Doc: "empties the control first"}, slowly},
			Data:  []DataKey{{"typed", "string", "the text; masked for a password field"}},
			Value: "typed", Traits: act | Navigates | Latches, Trips: 2,
			Doc: "Focuses a control and types text key by key.", Example: []string{"type", "#search", "teapot"},
			Differs: "sends key events; takes exactly one text cell",
		},
		{
			Words: words("check"), Operands: []Operand{targetOperand("a checkbox, radio or switch")},
			Data: []DataKey{{"checked", "string", "the target"}}, Value: "checked", Traits: act | Latches | Repeatable, Trips: 2,
			Doc: "Checks a checkbox or radio; one that is checked stays so.", Example: []string{"check", "label=Gift wrap"},
			Differs: "fails on a control that cannot be checked",
		},
		{
			Words: words("uncheck"), Operands: []Operand{targetOperand("a checkbox or switch")},
			Data: []DataKey{{"unchecked", "string", "the target"}}, Value: "unchecked", Traits: act | Latches | Repeatable, Trips: 2,
			Doc: "Unchecks a checkbox; one that is not checked stays so.", Example: []string{"uncheck", "label=Newsletter"},
			Differs: "fails on a control that cannot be unchecked",
		},
		{
			Words: words("select"), Operands: []Operand{targetOperand("a select"),
				{Name: "value", Kind: Text, Variadic: true, Doc: "value or visible label of each option"}},
			Data:  []DataKey{{"selected", "list", "the values that are selected now"}},
			Value: "selected", Traits: act | Latches | Repeatable, Trips: 1,
			Doc: "Selects options by value or label; the selection is replaced.", Example: []string{"select", "#size", "Large"},
			Differs: "answers with the values that are chosen, not with the labels that were asked for",
		},
		{
			Words: words("upload"), Operands: []Operand{targetOperand("a file input"),
				{Name: "file", Kind: InFile, Variadic: true, Doc: "resolves against the suite file"}},
			Data:  []DataKey{{"selector", "string", "the target"}, {"uploaded", "int", "number of files"}},
			Value: "uploaded", Traits: act | Latches | Repeatable, Trips: 1,
			Doc: "Chooses files in a file input.", Example: []string{"upload", "#photo", "cat.png"},
			Differs: "a missing file fails; paths resolve against the suite file",
		},
	}
}

func checkClick(c *Call, l *diag.List) {
	if c.Has("--new-tab") && c.Has("--human") {
		l.Add(c.Pos, "--new-tab and --human exclude each other", "--new-tab does not click")
	}
}

func checkPixels(c *Call, l *diag.List) {
	text, p, ok := c.staticOperand(1)
	if !ok {
		return
	}
	if n, err := strconv.Atoi(text); err == nil && n < 1 {
		l.Add(p, "scroll takes a positive number of pixels, not "+text, `the direction is its own cell: [scroll, up, "300"]`)
	}
}
