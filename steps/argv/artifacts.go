package argv

import (
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

func artifacts() []*Command {
	return []*Command{
		{
			Words: words("snapshot"),
			Flags: []Flag{{Name: "--interactive", Short: "-i", Bool: true, Doc: "only what can be acted on"}},
			Data: []DataKey{{"origin", "string", "URL of the page"}, {"snapshot", "string", "the accessibility tree with refs"},
				{"refs", "map", "role and name of each ref"}, {"removedRefs", "list", "refs of the snapshot before that are gone"}},
			Value: "snapshot", Traits: Repeatable | Page, Trips: 1,
			Doc: "Reads the accessibility tree and gives each element a ref for the rows that follow.", Example: []string{"snapshot", "-i"},
			Differs: "Playwright's aria snapshot; refs in frames are @f1e2; a stale ref fails at once",
		},
		{
			Words: words("eval"), Operands: []Operand{{Name: "js", Kind: JS, Doc: "an expression or statements, in one cell"}},
			Data: []DataKey{{"origin", "string", "URL of the page"}, {"result", "any", "the value, promises awaited"},
				{"unserializable", "string", "what JSON cannot say: undefined, NaN …"}},
			Value: "result", Traits: Mutates | Navigates | Latches | Page, Trips: 1,
			Doc: "Runs JavaScript in the page.", Example: []string{"eval", "document.title"},
			Differs: "follows the selected frame; takes exactly one cell",
		},
		{
			Words: words("screenshot"),
			Operands: []Operand{
				{Name: "target", Kind: Target, Optional: true, Doc: "an element; default the page"},
				{Name: "path", Kind: OutFile, Optional: true, Doc: "ends in .png, .jpg or .jpeg; resolves against the attempt's folder"}},
			Flags: []Flag{{Name: "--full", Short: "-f", Bool: true, Doc: "the whole page, not the viewport"}},
			Data:  []DataKey{{"path", "string", "absolute path of the file"}}, Value: "path",
			Traits: UsesRefs | WritesFile | Repeatable | Page, Trips: 1,
			Doc: "Takes a picture of the page or of one element.", Example: []string{"screenshot", "cart.png"},
			Differs: "format by the suffix; parents are created; the path is absolute; the file is checked",
			Check:   checkScreenshot,
		},
	}
}

// IsFile tells the path of a screenshot from a target: it starts with ./ ../ or /, or has an image's suffix.
func IsFile(s string) bool {
	for _, p := range []string{"./", "../", "/"} {
		if strings.HasPrefix(s, p) && !strings.HasPrefix(s, "//") {
			return true
		}
	}
	return imageSuffix(s) != ""
}

func imageSuffix(s string) string {
	low := strings.ToLower(s)
	for _, x := range []string{".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp"} {
		if strings.HasSuffix(low, x) && !strings.ContainsAny(s, "[]>=\"") {
			return x
		}
	}
	return ""
}

// Screenshot gives the target, or "", and the path, or "", of a screenshot row.
func (a Args) Screenshot() (element, path string) {
	return a.Operand(0), a.Operand(1)
}

// place puts the only operand of a screenshot row where it belongs: a file is the path, not the target.
func (c *Call) place() {
	if !c.Is("screenshot") || len(c.Operands) != 1 {
		return
	}
	if at := c.Operands[0]; at >= 0 && !c.Cells[at].Dynamic && IsFile(c.Cells[at].Text) {
		c.Operands = []int{-1, at}
	}
}

func checkScreenshot(c *Call, l *diag.List) {
	if first, p, ok := c.staticOperand(0); ok {
		if IsFile(first) && len(c.Operands) > 1 {
			l.Add(p, "the target comes before the path", "usage: "+Usage(c.Command))
			return
		}
		if c.Has("--full") {
			l.Add(p, "--full is for the page, not for a target", "")
		}
	}
	path, at, ok := c.staticOperand(1)
	if !ok {
		return
	}
	switch imageSuffix(path) {
	case ".png", ".jpg", ".jpeg":
	default:
		l.Add(at, strconv.Quote(path)+" has no suffix of an image format that can be written", "end it in .png, .jpg or .jpeg")
	}
}
