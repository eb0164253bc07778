package argv

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// baselines are the expect rows that compare the page with what was saved of it.
func baselines() []*Command {
	part := Operand{Name: "target", Kind: Target, Optional: true, Doc: "the element to compare; default the page"}
	const differs = "not in the reference dialect: read again until it holds or timeouts.expect is over"
	return []*Command{
		{
			Words:    words("expect aria"),
			Operands: []Operand{{Name: "file", Kind: InFile, Doc: "a part of the tree, beside the suite: lines are left out freely, /…/ is a regular expression"}, part},
			Flags:    howLong(), Data: []DataKey{{"value", "any", "the tree that was seen last"}}, Value: "value",
			Traits: judge, Trips: 2,
			Doc:     "Expects the accessibility tree to be as a file says; run --update writes it.",
			Example: []string{"expect", "aria", "cart.aria.yaml", "role=main"}, Differs: differs,
			Check: checkAria,
		},
		{
			Words:    words("expect image"),
			Operands: []Operand{{Name: "name", Kind: Text, Doc: "of the picture, kept as SUITE.baselines/NAME@BROWSER-PLATFORM-WxH.png"}, part},
			Flags: howLong(
				Flag{Name: "--mask", Kind: Target, Doc: "covers all its matches, in baseline and picture; several as a CSS list: .clock, .ad"},
				Flag{Name: "--threshold", Kind: Decimal, Doc: "how far a colour may be off, 0 to 1 (default 0.1)"}),
			Data: []DataKey{{"value", "any", "how many pixels differ"}, {"differentPixels", "int", "that differ, antialiasing aside"},
				{"totalPixels", "int", "of the larger picture"}, {"baseline", "string", "path of the picture it was compared with"}},
			Value: "value", Traits: judge, Trips: 2,
			Doc:     "Expects the page to look as it did, animations at their end and without a caret; run --update writes the picture.",
			Example: []string{"expect", "image", "cart", "#cart", "--mask", ".clock"}, Differs: differs,
			Check: checkImage,
		},
	}
}

func checkAria(c *Call, l *diag.List) {
	if name, p, ok := c.staticOperand(0); ok {
		if e := strings.ToLower(filepath.Ext(name)); e != ".yaml" && e != ".yml" {
			l.Add(p, strconv.Quote(name)+" does not end in .yaml", "the tree is kept as YAML: cart.aria.yaml")
		}
	}
}

// imageName is a name that can be part of a file's on every system.
var imageName = regexp.MustCompile(`^[\pL\pN_][\pL\pN_. -]*(/[\pL\pN_][\pL\pN_. -]*)*$`)

func checkImage(c *Call, l *diag.List) {
	if name, p, ok := c.staticOperand(0); ok {
		switch {
		case strings.EqualFold(filepath.Ext(name), ".png"):
			l.Add(p, strconv.Quote(name)+" is the name of a picture, not of a file", "write "+name[:len(name)-len(".png")]+": browser, platform and size are added")
		case !imageName.MatchString(name):
			l.Add(p, strconv.Quote(name)+" cannot name a picture", "letters, digits, -, _, . and / for folders: cart, checkout/summary")
		}
	}
	if text, p, ok := c.static("--threshold"); ok {
		if f, err := strconv.ParseFloat(text, 64); err == nil && (f < 0 || f > 1) {
			l.Add(p, "--threshold takes 0 to 1, not "+text, "")
		}
	}
}
