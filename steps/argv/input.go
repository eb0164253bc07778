package argv

import (
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// input are the rows below clicks and fills: single keys, the mouse, fingers, the clipboard.
func input() []*Command {
	return append(halves(), append(mice(), append(fingers(), clipboard()...)...)...)
}

func halves() []*Command {
	key := []Operand{{Name: "key", Kind: KeyName, Doc: "Shift, a, Enter …; one key, no chord"}}
	return []*Command{
		{
			Words: words("keydown"), Operands: key, Data: []DataKey{{"keydown", "string", "the key"}}, Value: "keydown",
			Traits: Mutates | Navigates | Latches | Page, Trips: 1,
			Doc: "Presses a key and holds it.", Example: []string{"keydown", "Shift"}, Differs: "an unknown key is an error",
			Check: checkOneKey,
		},
		{
			Words: words("keyup"), Operands: key, Data: []DataKey{{"keyup", "string", "the key"}}, Value: "keyup",
			Traits: Mutates | Navigates | Latches | Page, Trips: 1,
			Doc: "Lets a key go.", Example: []string{"keyup", "Shift"}, Differs: "an unknown key is an error",
			Check: checkOneKey,
		},
	}
}

func checkOneKey(c *Call, l *diag.List) {
	text, p, ok := c.staticOperand(0)
	if !ok {
		return
	}
	if mods, _ := chord(text); len(mods) > 0 {
		l.Add(p, c.Command.Name()+" takes one key, not the chord "+strconv.Quote(text), "write a row for each key, or [press, "+text+"]")
	}
}

func mice() []*Command {
	button := []Operand{{Name: "button", Kind: Enum, Values: []string{"left", "right", "middle"}, Optional: true, Doc: "default left"}}
	const moves = Mutates | Latches | Page
	return []*Command{
		{
			Words: words("mouse move"),
			Operands: []Operand{{Name: "x", Kind: Number, Doc: "CSS pixels from the left of the viewport"},
				{Name: "y", Kind: Number, Doc: "CSS pixels from its top"}},
			Flags: []Flag{{Name: "--steps", Kind: Number, Doc: "how many moves lead there (default 1)"}, human,
				{Name: "--duration", Kind: Duration, Doc: "how long it takes"},
				{Name: "--seed", Kind: Number, Doc: "with --human: the same number gives the same curve"}},
			Data:  []DataKey{{"moved", "bool", "always true"}, {"x", "int", "as given"}, {"y", "int", "as given"}},
			Value: "moved", Traits: moves | Repeatable, Trips: 1,
			Doc: "Moves the mouse to a point.", Example: []string{"mouse", "move", "100", "200"}, Check: checkSteps,
		},
		{
			Words: words("mouse down"), Operands: button, Data: []DataKey{{"pressed", "bool", "always true"}}, Value: "pressed",
			Traits: moves | Navigates, Trips: 1,
			Doc: "Presses a mouse button where the mouse is.", Example: []string{"mouse", "down"},
		},
		{
			Words: words("mouse up"), Operands: button, Data: []DataKey{{"released", "bool", "always true"}}, Value: "released",
			Traits: moves | Navigates, Trips: 1,
			Doc: "Lets a mouse button go.", Example: []string{"mouse", "up"},
		},
		{
			Words: words("mouse wheel"),
			Operands: []Operand{{Name: "dy", Kind: Number, Optional: true, Doc: "pixels down (default 100)"},
				{Name: "dx", Kind: Number, Optional: true, Doc: "pixels to the right (default 0)"}},
			Data:  []DataKey{{"scrolled", "bool", "always true"}, {"deltaX", "int", "as given"}, {"deltaY", "int", "as given"}},
			Value: "scrolled", Traits: moves, Trips: 1,
			Doc: "Turns the mouse wheel where the mouse is.", Example: []string{"mouse", "wheel", "300"},
		},
	}
}

func checkSteps(c *Call, l *diag.List) {
	if c.Has("--seed") && !c.Has("--human") {
		l.Add(c.Pos, "--seed needs --human", "a straight line needs no number")
	}
	if text, p, ok := c.static("--steps"); ok {
		if n, err := strconv.Atoi(text); err == nil && (n < 1 || n > 1000) {
			l.Add(p, "--steps takes 1 to 1000, not "+text, "")
		}
	}
}

func fingers() []*Command {
	return []*Command{
		{
			Words: words("tap"), Operands: []Operand{targetOperand("what to tap")},
			Data: []DataKey{{"tapped", "string", "the target"}}, Value: "tapped",
			Traits: act | Navigates | Latches, Trips: 3,
			Doc: "Taps the middle of the one visible match with a finger.", Example: []string{"tap", "role=button Menu"},
			Differs: "needs a touch screen: browser touch or device, or set device",
		},
		{
			Words: words("swipe"), Operands: []Operand{
				{Name: "direction", Kind: Enum, Values: []string{"up", "down", "left", "right"}, Doc: "where the finger goes"},
				{Name: "pixels", Kind: Number, Optional: true, Doc: "how far (default 300)"}},
			Data: []DataKey{{"swiped", "string", "the direction"}}, Value: "swiped",
			Traits: Mutates | Latches | Page, Trips: 8,
			Doc: "Draws a finger over the middle of the page; up shows what is further down.", Example: []string{"swipe", "up", "400"},
			Differs: "needs a touch screen: browser touch or device, or set device",
			Check:   checkPixels,
		},
		{
			Words: words("highlight"), Operands: []Operand{targetOperand("what to show")},
			Data: []DataKey{{"highlighted", "string", "the target"}}, Value: "highlighted",
			Traits: act | Repeatable, Trips: 2,
			Doc: "Draws a frame over the target until the next navigation, for pictures and videos.", Example: []string{"highlight", "#total"},
			Differs: "draws over the element and leaves its style alone",
		},
	}
}

func clipboard() []*Command {
	const shared = " The clipboard is the browser's: tests that use it at the same time need a lock."
	return []*Command{
		{
			Words: words("clipboard read"), Aliases: aliases("clipboard"), Data: []DataKey{{"text", "string", "what it holds"}},
			Value: "text", Traits: ReadsOnly | Repeatable | Page, Trips: 1,
			Doc: "Reads the text in the clipboard." + shared, Example: []string{"clipboard", "read"},
			Differs: "the page is given the permission",
		},
		{
			Words: words("clipboard write"), Operands: []Operand{{Name: "text", Kind: Text, Doc: "one cell"}},
			Data: []DataKey{{"written", "bool", "always true"}}, Value: "written", Traits: Mutates | Repeatable | Page, Trips: 1,
			Doc: "Writes text into the clipboard.", Example: []string{"clipboard", "write", "hello"},
			Differs: "the page is given the permission; takes exactly one text cell",
		},
		{
			Words: words("clipboard copy"), Data: []DataKey{{"copied", "bool", "always true"}}, Value: "copied",
			Traits: Mutates | Latches | Page, Trips: 1,
			Doc: "Copies the selection as the keyboard does.", Example: []string{"clipboard", "copy"},
		},
		{
			Words: words("clipboard paste"), Data: []DataKey{{"pasted", "bool", "always true"}}, Value: "pasted",
			Traits: Mutates | Latches | Page, Trips: 1,
			Doc: "Pastes the clipboard where the focus is, as the keyboard does.", Example: []string{"clipboard", "paste"},
		},
	}
}

// suffixed checks that a file that a row writes ends as its format does.
func suffixed(c *Call, operand int, l *diag.List, suffixes ...string) {
	text, p, ok := c.staticOperand(operand)
	if !ok {
		return
	}
	for _, s := range suffixes {
		if strings.HasSuffix(strings.ToLower(text), s) {
			return
		}
	}
	l.Add(p, strconv.Quote(text)+" does not end in "+strings.Join(suffixes, " or "), "the suffix names the format")
}
