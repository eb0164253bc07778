package argv

import (
	"encoding/base64"
	"regexp"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

func artifacts() []*Command {
	return []*Command{
		{
			Words: words("snapshot"),
			Flags: []Flag{{Name: "--interactive", Short: "-i", Bool: true, Doc: "only what can be acted on"},
				{Name: "--compact", Short: "-c", Bool: true, Doc: "without containers that only group"},
				{Name: "--depth", Short: "-d", Kind: Number, Doc: "only so many levels"},
				{Name: "--selector", Short: "-s", Kind: Target, Doc: "only what is in this element"},
				{Name: "--urls", Short: "-u", Bool: true, Doc: "the URL of a link on its line, with -i too"},
				{Name: "--search", Kind: Text, Doc: "only lines with this text"},
				{Name: "--filter", Kind: Text, Doc: "only lines of a role: role=button, or role=button,link"},
				{Name: "--viewport", Bool: true, Doc: "only what is in the viewport"},
				{Name: "--diff", Bool: true, Doc: "tells what changed since the last snapshot row"},
				{Name: "--delta", Bool: true, Doc: "answers only what changed since the last snapshot --delta"},
				{Name: "--full", Bool: true, Doc: "with --delta: begins anew with the whole tree"}},
			Data: []DataKey{{"origin", "string", "URL of the page"}, {"snapshot", "string", "the accessibility tree with refs"},
				{"refs", "map", "role and name of each ref"}, {"removedRefs", "list", "refs of the snapshot before that are gone"},
				{"addedRefs", "list", "with --diff: refs that are new"}, {"changedRefs", "list", "with --diff: refs whose line is another"},
				{"unchangedRefs", "int", "with --diff: how many stayed"}, {"summary", "string", "with --diff: in one line"}},
			Value: "snapshot", Traits: Repeatable | Page, Trips: 1,
			Doc: "Reads the accessibility tree and gives each element a ref for the rows that follow.", Example: []string{"snapshot", "-i"},
			Differs: "Playwright's aria snapshot; refs in frames are @f1e2; a stale ref fails at once; refs tells of the whole page",
			Check:   checkSnapshot,
		},
		{
			Words: words("eval"), Operands: []Operand{{Name: "js", Kind: JS, Doc: "an expression or statements, in one cell"}},
			Flags: []Flag{{Name: "--base64", Short: "-b", Bool: true, Doc: "the cell is base64"}},
			Data: []DataKey{{"origin", "string", "URL of the page"}, {"result", "any", "the value, promises awaited"},
				{"unserializable", "string", "what JSON cannot say: undefined, NaN …"}},
			Value: "result", Traits: Mutates | Navigates | Latches | Page, Trips: 1,
			Doc: "Runs JavaScript in the page.", Example: []string{"eval", "document.title"},
			Differs: "follows the selected frame; takes exactly one cell",
			Check:   checkEval,
		},
		{
			Words: words("screenshot"),
			Operands: []Operand{
				{Name: "target", Kind: Target, Optional: true, Doc: "an element; default the page"},
				{Name: "path", Kind: OutFile, Optional: true, Doc: "ends in .png, .jpg or .jpeg; resolves against the attempt's folder"}},
			Flags: []Flag{{Name: "--full", Short: "-f", Bool: true, Doc: "the whole page, not the viewport"},
				{Name: "--annotate", Bool: true, Doc: "numbers what can be acted on, as a snapshot -i would list it"},
				{Name: "--if-changed", Bool: true, Doc: "only if it differs from the last picture of such a row"},
				{Name: "--threshold", Kind: Decimal, Doc: "how much of the picture may differ and count as the same, 0 to 1 (default 0)"}},
			Data: []DataKey{{"path", "any", "absolute path of the file; nil with --if-changed if nothing changed"},
				{"annotations", "list", "with --annotate: number, ref, role, name and box of each"},
				{"changed", "bool", "with --if-changed: whether the picture differs"}, {"revision", "int", "with --if-changed: how many such rows there were"},
				{"pixelChangeRatio", "float", "with --if-changed: how much of it differs"}, {"threshold", "float", "with --if-changed: as given"}},
			Value:  "path",
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
		if c.Has("--annotate") {
			l.Add(p, "--annotate is for the page, not for a target", "")
		}
	}
	if text, p, ok := c.static("--threshold"); ok {
		if f, err := strconv.ParseFloat(text, 64); err == nil && (f < 0 || f > 1) {
			l.Add(p, "--threshold takes 0 to 1, not "+text, "")
		}
		if !c.Has("--if-changed") {
			l.Add(p, "--threshold needs --if-changed", "")
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

var filterForm = regexp.MustCompile(`^role=[a-zA-Z]+(,[a-zA-Z]+)*$`)

func checkSnapshot(c *Call, l *diag.List) {
	checkDepth(c, l)
	if text, p, ok := c.static("--filter"); ok && !filterForm.MatchString(text) {
		l.Add(p, "--filter does not understand "+strconv.Quote(text), "write role=button, or role=button,link")
	}
	if c.Has("--full") && !c.Has("--delta") {
		l.Add(c.Pos, "--full needs --delta", "a snapshot without --delta is whole")
	}
	if c.Has("--delta") && c.Has("--diff") {
		l.Add(c.Pos, "--delta and --diff exclude each other", "")
	}
	if text, p, ok := c.static("--search"); ok && strings.TrimSpace(text) == "" {
		l.Add(p, "--search is empty", "")
	}
}

func checkEval(c *Call, l *diag.List) {
	if text, p, ok := c.staticOperand(0); ok && c.Has("--base64") {
		if _, err := base64.StdEncoding.DecodeString(text); err != nil {
			l.Add(p, "the script is no base64", "leave --base64 out for plain JavaScript")
		}
	}
}
