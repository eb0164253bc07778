package argv

import (
	"regexp"
	"strconv"

	"github.com/checkrow/checkrow/spec/diag"
)

func diffs() []*Command {
	shape := []Flag{
		{Name: "--selector", Short: "-s", Kind: Target, Doc: "only what is in this element"},
		{Name: "--compact", Short: "-c", Bool: true, Doc: "without containers that only group"},
		{Name: "--depth", Short: "-d", Kind: Number, Doc: "only so many levels"}}
	counts := []DataKey{{"additions", "int", "lines that are new"}, {"removals", "int", "lines that are gone"}, {"unchanged", "int", "lines that stayed"}}
	return []*Command{
		{
			Words: words("diff snapshot"),
			Flags: append([]Flag{{Name: "--baseline", Short: "-b", Kind: InFile, Doc: "a saved snapshot; default what the last snapshot row read"}}, shape...),
			Data:  append([]DataKey{{"changed", "bool", "whether a line differs"}, {"diff", "string", "a unified diff, without refs"}}, counts...),
			Value: "changed", Traits: ReadsOnly | Repeatable | Page, Trips: 1,
			Doc: "Compares the accessibility tree with an earlier one.", Example: []string{"diff", "snapshot"},
			Differs: "compares with the last snapshot row, which stays what later diffs compare with; without one it fails; a missing baseline file fails",
			Check:   checkDepth,
		},
		{
			Words: words("diff screenshot"),
			Flags: []Flag{
				{Name: "--baseline", Short: "-b", Kind: InFile, Doc: "the picture to compare with: .png or .jpg"},
				{Name: "--output", Short: "-o", Kind: OutFile, Doc: "where to write a picture of the differences: .png"},
				{Name: "--threshold", Short: "-t", Kind: Decimal, Doc: "how far a colour may be off, 0 to 1 (default 0.1)"},
				{Name: "--selector", Short: "-s", Kind: Target, Doc: "the element to compare; default the page"},
				{Name: "--full", Short: "-f", Bool: true, Doc: "the whole page, not the viewport"}},
			Data: []DataKey{{"match", "bool", "no pixel differs"}, {"mismatchPercentage", "float", "of the pixels"},
				{"differentPixels", "int", "that differ, antialiasing aside"}, {"totalPixels", "int", "of the larger picture"},
				{"dimensionMismatch", "any", "nil, or expected and actual with width and height"},
				{"diffPath", "any", "absolute path of the picture of the differences, or nil"}},
			Value: "match", Traits: UsesRefs | ReadsOnly | Repeatable | Page, Trips: 1,
			Doc:     "Compares a picture of the page with one that was saved; a difference is no failure.",
			Example: []string{"diff", "screenshot", "--baseline", "cart.png", "--output", "cart-diff.png"},
			Check:   checkDiffShot,
		},
		{
			Words: words("diff url"), Operands: []Operand{{Name: "url1", Kind: URL, Doc: "the page before"}, {Name: "url2", Kind: URL, Doc: "the page after; the tab stays there"}},
			Flags: append([]Flag{
				{Name: "--screenshot", Bool: true, Doc: "compares pictures too"},
				{Name: "--full", Short: "-f", Bool: true, Doc: "pictures of the whole page"},
				{Name: "--wait-until", Kind: Enum, Values: []string{"load", "domcontentloaded", "networkidle", "commit"}, Doc: "default load"}}, shape...),
			Data: []DataKey{{"diff", "map", "changed, identical, additions, removals, deletions, unchanged, text"}, {"snapshot1", "string", "of the page before"},
				{"snapshot2", "string", "of the page after"}, {"url1", "string", "of the page before"}, {"url2", "string", "of the page after"},
				{"screenshot", "map", "with --screenshot: as diff screenshot"}},
			Value: "diff", Traits: reload | Repeatable, Trips: 4,
			Doc: "Loads two pages and compares their accessibility trees.", Example: []string{"diff", "url", "/v1", "/v2"},
			Check: func(c *Call, l *diag.List) {
				checkDepth(c, l)
				if c.Has("--full") && !c.Has("--screenshot") {
					l.Add(c.Pos, "--full needs --screenshot", "")
				}
			},
		},
	}
}

func checkDepth(c *Call, l *diag.List) {
	if text, p, ok := c.static("--depth"); ok {
		if n, err := strconv.Atoi(text); err == nil && n < 1 {
			l.Add(p, "--depth takes a positive number, not "+text, "")
		}
	}
}

func checkDiffShot(c *Call, l *diag.List) {
	if !c.Has("--baseline") {
		l.Add(c.Pos, "diff screenshot needs --baseline FILE", "usage: "+Usage(c.Command))
	}
	if c.Has("--full") && c.Has("--selector") {
		l.Add(c.Pos, "--full is for the page, not for a target", "")
	}
	if text, p, ok := c.static("--threshold"); ok {
		if f, err := strconv.ParseFloat(text, 64); err == nil && (f < 0 || f > 1) {
			l.Add(p, "--threshold takes 0 to 1, not "+text, "")
		}
	}
	if text, p, ok := c.static("--output"); ok && imageSuffix(text) != ".png" {
		l.Add(p, strconv.Quote(text)+" does not end in .png", "the suffix names the format")
	}
}

// audits are the rows that measure a page.
func audits() []*Command {
	page := []Operand{{Name: "url", Kind: URL, Optional: true, Doc: "a page to open first; default the current one"}}
	found := "id, impact, help, helpUrl, tags, nodeCount, nodes of each"
	return []*Command{
		{
			Words: words("a11y"), Operands: page,
			Flags: []Flag{{Name: "--tags", Kind: Text, Doc: "only rules with these tags, by comma: wcag2a,wcag2aa"},
				{Name: "--selector", Short: "-s", Kind: Target, Doc: "only what is in this element"}},
			Data: []DataKey{{"violations", "list", found}, {"incomplete", "list", "what needs a human: " + found},
				{"counts", "map", "violations, incomplete, passes, inapplicable"}, {"url", "string", "of the page"}, {"axeVersion", "string", "of axe-core"},
				{"framesAudited", "list", "URLs of the frames that were looked into as well"}, {"framesSkipped", "list", "{url, why}: the frames that were not"}},
			Value: "violations", Traits: ReadsOnly | Repeatable | Page, Trips: 3,
			Doc: "Checks the page's accessibility with axe-core; violations are no failure by themselves.", Example: []string{"a11y", "--tags", "wcag2a,wcag2aa"},
			Differs: "visible frames are looked into as well, those of other origins too; framesSkipped names the others",
			Check:   checkTags,
		},
		{
			Words: words("vitals"), Operands: page,
			Data: []DataKey{{"ttfb", "float", "time to the first byte, in ms"}, {"fcp", "any", "first contentful paint, in ms, or nil"},
				{"lcp", "map", "largest contentful paint: startTime, size, element, url"}, {"cls", "map", "layout shift: score, entries"},
				{"inp", "any", "the slowest interaction, in ms, or nil"}, {"hydration", "any", "always nil"}, {"phases", "list", "always empty"},
				{"hydratedComponents", "list", "always empty"}, {"url", "string", "of the page"}},
			Traits: ReadsOnly | Repeatable | Page, Trips: 1,
			Doc: "Reads the web vitals of the page.", Example: []string{"vitals"},
			Differs: "hydration is not measured",
		},
	}
}

func checkTags(c *Call, l *diag.List) {
	if text, p, ok := c.static("--tags"); ok && !tagsForm.MatchString(text) {
		l.Add(p, "--tags expects tags of axe-core by comma, not "+strconv.Quote(text), "wcag2a,wcag2aa,best-practice")
	}
}

var tagsForm = regexp.MustCompile(`^[a-z0-9.-]+(,[a-z0-9.-]+)*$`)
