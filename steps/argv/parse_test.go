package argv_test

import (
	"testing"
	"time"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
)

var _ = DescribeTable("what is wrong with a row",
	func(row []string, col int, msg, hint string) {
		_, l := parse(row...)
		Expect(l.All()).To(HaveLen(1))
		e := l.All()[0]
		Expect(e.Pos).To(Equal(diag.Pos{File: "a.yaml", Line: 1, Col: col}))
		Expect(e.Severity).To(Equal(diag.Fatal))
		Expect(e.Msg).To(ContainSubstring(msg))
		Expect(e.Hint).To(ContainSubstring(hint))
	},
	Entry("empty", []string{}, 5, "a row is empty", "[click"),
	Entry("misspelt", []string{"clik", "#a"}, 10, `unknown command "clik"`, `did you mean "click"?`),
	Entry("joined by a dash", []string{"get-url"}, 10, `unknown command "get-url"`, `"get url"? Its words are cells: [get, url]`),
	Entry("joined", []string{"geturl"}, 10, `unknown command "geturl"`, `"get url"`),
	Entry("camel case", []string{"getUrl"}, 10, `unknown command "getUrl"`, `"get url"`),
	Entry("in one cell", []string{"get url"}, 10, `unknown command "get url"`, `[get, url]`),
	Entry("with its operand in one cell", []string{"click #a"}, 10, `unknown command "click #a"`, `[click, "#a"]`),
	Entry("half of it", []string{"title"}, 10, `unknown command "title"`, `"get title"`),
	Entry("misspelt half", []string{"get", "txt", "#a"}, 20, `"get" has no "txt"`, `"text"`),
	Entry("no second word", []string{"expect"}, 10, `"expect" needs a second word`, "visible"),
	Entry("a target for a second word", []string{"get", "#a"}, 20, `"get" has no "#a"`, "name what to get"),
	Entry("another tool's name", []string{"visit", "/"}, 10, `unknown command "visit"`, `"open"`),
	Entry("a target alone", []string{"#buy"}, 10, `unknown command "#buy"`, `[click, "#buy"]`),
	Entry("no row of a family", []string{"get", "cdp-url"}, 20, `"get cdp-url" is no row here`, "over a pipe"),
	Entry("a host's command", []string{"providers"}, 10, `"providers" is no row here`, "choose the browser"),
	Entry("chat", []string{"chat", "hi"}, 10, `"chat" is no row here`, "an agent"),
	Entry("a flag of the host", []string{"screenshot", "--screenshot-format", "png"}, 20, `has no flag "--screenshot-format"`, "the suffix"),
	Entry("an empty second word", []string{"expect", ""}, 20, `"expect" has no ""`, "one of"),
	Entry("a blank third word", []string{"network", "har", " "}, 30, `"network har" has no " "`, "one of"),
	Entry("react without its id", []string{"react", "inspect"}, 5, "react inspect needs an ID", "usage"),
	Entry("react with half a command", []string{"react", "renders"}, 20, `"react renders" needs a third word`, "start, stop"),
	Entry("input of a tool", []string{"webmcp", "invoke", "add", "[1]"}, 40, "a JSON object", `{"id": 7}`),
	Entry("read two ways", []string{"read", "/", "--raw", "--outline"}, 5, "exclude each other", ""),
	Entry("read Markdown of the page", []string{"read", "--require-md"}, 5, "needs a URL", ""),
	Entry("snapshot --full alone", []string{"snapshot", "--full"}, 5, "--full needs --delta", ""),
	Entry("delta and diff", []string{"snapshot", "--delta", "--diff"}, 5, "exclude each other", ""),
	Entry("threshold of a picture", []string{"screenshot", "a.png", "--threshold", "0.1"}, 40, "needs --if-changed", ""),
	Entry("a person and a new tab", []string{"click", "#a", "--human", "--new-tab"}, 5, "exclude each other", ""),
	Entry("seed", []string{"mouse", "move", "1", "2", "--seed", "3"}, 5, "--seed needs --human", ""),
	Entry("part of a contact sheet", []string{"record", "start", "a.webm", "--contact-sheet", "--contact-sheet-threshold", "2"}, 60, "takes 0 to 1, not 2", ""),
	Entry("part of no contact sheet", []string{"record", "start", "a.webm", "--contact-sheet-threshold", "0.2"}, 50, "needs --contact-sheet", ""),
	Entry("sheet misspelt", []string{"record", "start", "a.webm", "--contactsheet"}, 40, `has no flag "--contactsheet"`, "--contact-sheet"),
	Entry("no row here", []string{"connect", "9222"}, 10, `"connect" is no row here`, "starts its browser itself"),
	Entry("three words, two there", []string{"network", "har"}, 20, `"network har" needs a third word`, "start, stop"),
	Entry("a third word misspelt", []string{"network", "har", "strat"}, 30, `"network har" has no "strat"`, `"start"`),
	Entry("a second word of an alias misspelt", []string{"cookies", "cleer"}, 20, `takes no further cell "cleer"`, "clear, get, set"),
	Entry("a dynamic command", []string{"$${{ vars.x }}", "#a"}, 10, "must be written out", ""),
	Entry("bare XPath", []string{"click", "//a"}, 20, "XPath needs its prefix", "xpath=//a"),
	Entry("missing operand", []string{"fill", "#a"}, 5, "fill needs a TEXT", "usage: fill TARGET TEXT"),
	Entry("extra operand", []string{"click", "#a", "#b"}, 30, `takes no further cell "#b"`, `"#a #b"`),
	Entry("extra text", []string{"fill", "#a", "x", "y"}, 40, `takes no further cell "y"`, `"x y"`),
	Entry("extra of count", []string{"expect", "count", "#a", ">=", "2"}, 50, `takes no further cell "2"`, `">= 2"`),
	Entry("unknown flag", []string{"snapshot", "--interactiv"}, 20, `snapshot has no flag "--interactiv"`, `did you mean "--interactive"?`),
	Entry("flag of a command without", []string{"back", "-x"}, 20, `back has no flag "-x"`, "it has no flags"),
	Entry("flag twice", []string{"console", "--clear", "--clear"}, 30, "--clear is there twice", ""),
	Entry("flag=value", []string{"wait", "#a", "--timeout=5s"}, 30, "two cells", `--timeout, "5s"`),
	Entry("bool flag=value", []string{"console", "--clear=true"}, 20, "two cells", "write --clear alone"),
	Entry("bool flag with a value", []string{"console", "--clear", "true"}, 30, "--clear takes no value", ""),
	Entry("flag without its value", []string{"wait", "--text"}, 20, "--text needs a value", "TEXT"),
	Entry("enum", []string{"wait", "#a", "--state", "visibel"}, 40, `--state cannot be "visibel"`, `"visible"`),
	Entry("number", []string{"find", "nth", "x", "li", "click"}, 30, "index expects a whole number", ""),
	Entry("duration", []string{"wait", "#a", "--timeout", "5 s"}, 40, "expects a duration", "5s"),
	Entry("count", []string{"expect", "count", "#a", "=> 2"}, 40, `"=> 2" is no count`, ">= 1"),
	Entry("regexp", []string{"expect", "text", "#a", "a(", "--matches"}, 40, "no regular expression", ""),
	Entry("URL pattern", []string{"wait", "--url", "thanks"}, 30, `"thanks" is no URL pattern`, "/thanks for the whole path, or **thanks"),
	Entry("URL pattern with one star", []string{"expect", "url", "*thanks"}, 30, "no URL pattern", "**thanks"),
	Entry("URL", []string{"open", "shop"}, 20, "neither a path nor a URL", "/shop"),
	Entry("empty URL", []string{"open", ""}, 20, "the URL is empty", ""),
	Entry("status", []string{"open", "/", "--status", "20"}, 40, "HTTP status", "100 to 599"),
	Entry("key", []string{"press", "Return"}, 20, `"Return" is no key`, "Enter"),
	Entry("key in lower case", []string{"press", "escape"}, 20, `"escape" is no key`, "Escape"),
	Entry("misspelt key", []string{"press", "ArowDown"}, 20, `"ArowDown" is no key`, "ArrowDown"),
	Entry("modifier", []string{"press", "Ctrl+a"}, 20, `"Ctrl" is no modifier`, "Control"),
	Entry("key of no US keyboard", []string{"press", "é"}, 20, `"é" is no key`, "inserttext"),
	Entry("find without action", []string{"find", "role", "button"}, 5, "find role needs a click|fill|check|hover|text", "usage:"),
	Entry("find with another action", []string{"find", "text", "x", "select"}, 40, `action cannot be "select"`, "click, fill"),
	Entry("find fill without text", []string{"find", "label", "x", "fill"}, 5, "fill needs the text", ""),
	Entry("find click with text", []string{"find", "label", "x", "click", "y"}, 50, "click takes no text", ""),
	Entry("find with an unknown role", []string{"find", "role", "buton", "click"}, 30, "no ARIA role", "role=button"),
	Entry("find --exact alone", []string{"find", "role", "button", "click", "--exact"}, 5, "--exact needs --name", ""),
	Entry("wait for nothing", []string{"wait"}, 5, "something to wait for", ""),
	Entry("wait for two", []string{"wait", "#a", "--text", "x"}, 5, "one thing, not for #a and --text", ""),
	Entry("wait --state without target", []string{"wait", "--text", "x", "--state", "hidden"}, 5, "only be used with a target", ""),
	Entry("contains and matches", []string{"expect", "title", "x", "--contains", "--matches"}, 5, "exclude each other", ""),
	Entry("screenshot suffix", []string{"screenshot", "#a", "a.gif"}, 30, "no suffix of an image format", ".png"),
	Entry("screenshot the wrong way round", []string{"screenshot", "a.png", "#a"}, 20, "the target comes before the path", ""),
	Entry("screenshot --full of an element", []string{"screenshot", "#a", "a.png", "--full"}, 20, "--full is for the page", ""),
	Entry("tab by number", []string{"tab", "2"}, 20, `"2" is no tab`, "write t2"),
	Entry("tab misspelt", []string{"tab", "nwe"}, 20, `"nwe" is no tab`, "tab new"),
	Entry("requests --status", []string{"network", "requests", "--status", "nope"}, 40, "does not understand", "4xx"),
	Entry("attribute name", []string{"get", "attr", "#a", "a b"}, 40, "no attribute name", ""),
	Entry("scroll back", []string{"scroll", "down", "-5"}, 30, "positive number", ""),
	Entry("chord held", []string{"keydown", "Control+a"}, 20, "one key, not the chord", "[press, Control+a]"),
	Entry("button", []string{"mouse", "down", "lft"}, 30, `button cannot be "lft"`, `"left"`),
	Entry("steps", []string{"mouse", "move", "1", "2", "--steps", "0"}, 60, "1 to 1000", ""),
	Entry("picture with a suffix", []string{"expect", "image", "cart.png"}, 30, "the name of a picture, not of a file", "write cart:"),
	Entry("picture outside", []string{"expect", "image", "../cart"}, 30, "cannot name a picture", "checkout/summary"),
	Entry("picture threshold", []string{"expect", "image", "cart", "--threshold", "2"}, 50, "0 to 1, not 2", ""),
	Entry("aria suffix", []string{"expect", "aria", "cart.txt"}, 30, "does not end in .yaml", "cart.aria.yaml"),
	Entry("aria without a file", []string{"expect", "aria"}, 5, "needs a FILE", "usage"),
	Entry("pdf suffix", []string{"pdf", "a.png"}, 20, "does not end in .pdf", ""),
	Entry("video suffix", []string{"record", "start", "a.gif"}, 30, "does not end in .webm or .mp4", ""),
	Entry("fps", []string{"record", "start", "a.webm", "--fps", "90"}, 50, "1 to 60", ""),
	Entry("route without anything to do", []string{"network", "route", "/a"}, 5, "something to do", "--abort"),
	Entry("route that aborts and answers", []string{"network", "route", "/a", "--abort", "--body", "x"}, 5, "exclude each other", ""),
	Entry("route pattern", []string{"network", "route", "a", "--abort"}, 30, "no URL pattern", "/a"),
	Entry("route headers", []string{"network", "route", "/a", "--headers", "x"}, 50, "a JSON object of texts", `{"X-Name"`),
	Entry("route header", []string{"network", "route", "/a", "--headers", `{"a b":"c"}`}, 50, "is no header", ""),
	Entry("route type", []string{"network", "route", "/a", "--abort", "--resource-type", "xhr,imag"}, 60, `cannot be "imag"`, `"image"`),
	Entry("request id", []string{"network", "request", "12"}, 30, `"12" is no request`, "requestId"),
	Entry("requests of two pages", []string{"network", "requests", "--current-page", "--current-url"}, 5, "exclude each other", ""),
	Entry("cookie without value", []string{"cookies", "set", "a"}, 5, "a NAME and a VALUE", "usage"),
	Entry("cookie and file", []string{"cookies", "set", "a", "b", "--curl", "f"}, 30, "exclude each other", ""),
	Entry("cookie name", []string{"cookies", "set", "a=b", "c"}, 30, "no name of a cookie", ""),
	Entry("cookie path", []string{"cookies", "set", "a", "b", "--path", "x"}, 60, "expects a path", ""),
	Entry("viewport", []string{"set", "viewport", "0", "600"}, 30, "1 to 20000", ""),
	Entry("scale", []string{"set", "viewport", "800", "600", "x"}, 50, "expects a number", ""),
	Entry("latitude", []string{"set", "geo", "91", "0"}, 30, "91 is no latitude", "-90 and 90"),
	Entry("headers", []string{"set", "headers", "nope"}, 30, "a JSON object of texts", ""),
	Entry("media twice", []string{"set", "media", "dark", "light"}, 40, "dark and light exclude each other", ""),
	Entry("diff screenshot alone", []string{"diff", "screenshot"}, 5, "needs --baseline", ""),
	Entry("threshold", []string{"diff", "screenshot", "-b", "a.png", "-t", "2"}, 60, "0 to 1", ""),
	Entry("diff output", []string{"diff", "screenshot", "-b", "a.png", "-o", "a.jpg"}, 60, "does not end in .png", ""),
	Entry("depth", []string{"snapshot", "-d", "0"}, 30, "positive number", ""),
	Entry("filter", []string{"snapshot", "--filter", "button"}, 30, "does not understand", "role=button"),
	Entry("tags", []string{"a11y", "--tags", "wcag 2"}, 30, "tags of axe-core", ""),
	Entry("label like an id", []string{"tab", "new", "--label", "t5"}, 40, "looks like the id of a tab", ""),
	Entry("label like a command", []string{"tab", "new", "--label", "liste"}, 40, "too close to [tab, list]", ""),
	Entry("frame of nothing", []string{"frame"}, 5, "--name, --url or main", ""),
	Entry("frame of two", []string{"frame", "#a", "--name", "b"}, 5, "one of a target", ""),
	Entry("eval from input", []string{"eval", "--stdin"}, 20, `eval has no flag "--stdin"`, "a row has no input"),
	Entry("eval of no base64", []string{"eval", "-b", "%%"}, 30, "no base64", ""),
	Entry("wait for a download and a text", []string{"wait", "--download", "--text", "x"}, 5, "one thing", ""),
	Entry("empty JS", []string{"eval", " "}, 20, "js is empty", ""),
)

var _ = DescribeTable("rows that are right",
	func(row []string, operands []string, flags map[string]string) {
		call, l := parse(row...)
		Expect(l.All()).To(BeEmpty())
		args, err := call.Bind(row)
		Expect(err).NotTo(HaveOccurred())
		Expect(args.Operands).To(Equal(operands))
		Expect(args.Flags).To(Equal(flags))
	},
	Entry("an alias", []string{"goto", "/"}, []string{"/"}, map[string]string{}),
	Entry("empty text", []string{"fill", "#a", ""}, []string{"#a", ""}, map[string]string{}),
	Entry("a short flag", []string{"snapshot", "-i"}, []string{}, map[string]string{"--interactive": ""}),
	Entry("flags before operands", []string{"expect", "text", "--not", "--within", "2s", "#a", "x"}, []string{"#a", "x"},
		map[string]string{"--not": "", "--within": "2s"}),
	Entry("-- ends flags", []string{"fill", "#a", "--", "--within"}, []string{"#a", "--within"}, map[string]string{}),
	Entry("negative number", []string{"find", "nth", "-1", "li", "click"}, []string{"-1", "li", "click"}, map[string]string{}),
	Entry("negative text", []string{"fill", "#a", "-5"}, []string{"#a", "-5"}, map[string]string{}),
	Entry("a variadic operand", []string{"select", "#a", "x", "y"}, []string{"#a", "x", "y"}, map[string]string{}),
	Entry("a short pause", []string{"wait", "200"}, []string{"200"}, map[string]string{}),
	Entry("chords", []string{"press", "Control+Shift++"}, []string{"Control+Shift++"}, map[string]string{}),
	Entry("true as text behind a flag", []string{"expect", "text", "#a", "--contains", "true"}, []string{"#a", "true"},
		map[string]string{"--contains": ""}),
	Entry("a download saved", []string{"wait", "--download", "a.csv", "--timeout", "3s"}, []string{"a.csv"},
		map[string]string{"--download": "", "--timeout": "3s"}),
	Entry("three words", []string{"network", "har", "stop", "a.har"}, []string{"a.har"}, map[string]string{}),
	Entry("an alias of two words of three", []string{"storage", "local", "k"}, []string{"k"}, map[string]string{}),
	Entry("an alias of one word of two", []string{"cookies"}, []string{}, map[string]string{}),
	Entry("a label", []string{"tab", "docs"}, []string{"docs"}, map[string]string{}),
	Entry("a negative decimal", []string{"set", "geo", "-33.4", "-70.6"}, []string{"-33.4", "-70.6"}, map[string]string{}),
	Entry("full URL pattern", []string{"expect", "url", "http://*/a?b=1"}, []string{"http://*/a?b=1"}, map[string]string{}),
)

var _ = Describe("a row with dynamic cells", func() {
	It("takes a dynamic cell as one operand and checks it when it is rendered", func() {
		call, l := parse("press", "$${{ vars.key }}")
		Expect(l.All()).To(BeEmpty())
		args, err := call.Bind([]string{"press", "Enter"})
		Expect(err).NotTo(HaveOccurred())
		Expect(args.Operands).To(Equal([]string{"Enter"}))
		_, err = call.Bind([]string{"press", "--nope"})
		Expect(err).To(MatchError(ContainSubstring("a.yaml:1:20")))
	})
	It("never takes a rendered cell for a flag", func() {
		call, _ := parse("fill", "#a", "$x")
		args, err := call.Bind([]string{"fill", "#a", "--not"})
		Expect(err).NotTo(HaveOccurred())
		Expect(args.Operand(1)).To(Equal("--not"))
		Expect(args.Flags).To(BeEmpty())
	})
	It("checks the command's own rule again", func() {
		call, l := parse("expect", "text", "#a", "$x", "--matches")
		Expect(l.All()).To(BeEmpty())
		_, err := call.Bind([]string{"expect", "text", "#a", "a(", "--matches"})
		Expect(err).To(MatchError(ContainSubstring("no regular expression")))
	})
	It("wants a text for each cell", func() {
		call, _ := parse("press", "$x")
		_, err := call.Bind([]string{"press"})
		Expect(err).To(HaveOccurred())
	})
})

var _ = Describe("times", func() {
	DescribeTable("durations", func(s string, want time.Duration, ok bool) {
		d, err := argv.ParseDuration(s)
		Expect(err == nil).To(Equal(ok))
		Expect(d).To(Equal(want))
	},
		Entry(nil, "5s", 5*time.Second, true), Entry(nil, "250", 250*time.Millisecond, true),
		Entry(nil, "1m30s", 90*time.Second, true), Entry(nil, "0s", time.Duration(0), true), Entry(nil, "1.5s", 1500*time.Millisecond, true),
		Entry(nil, "-1s", time.Duration(0), false), Entry(nil, "5", 5*time.Millisecond, true), Entry(nil, "5 s", time.Duration(0), false),
		Entry(nil, "", time.Duration(0), false), Entry(nil, "99999999999999999999", time.Duration(0), false),
		Entry(nil, "9999999999999h", time.Duration(0), false))

	It("warns of a fixed wait", func() {
		_, l := parse("wait", "2000")
		Expect(l.Err()).NotTo(HaveOccurred())
		Expect(l.All()).To(ConsistOf(HaveField("Msg", ContainSubstring("fixed wait of 2s"))))
	})
})

func FuzzParse(f *testing.F) {
	for _, c := range argv.Commands() {
		row := append(append([]string{}, c.Example...), "", "", "")
		f.Add(row[0], row[1], row[2], row[3], uint8(len(c.Example)), uint8(0))
	}
	f.Add("expect", "text", "--", "--not", uint8(4), uint8(4))
	f.Fuzz(func(t *testing.T, a, b, c, d string, n, dynamic uint8) {
		row := []string{a, b, c, d}[:n%5]
		cells := make([]argv.Cell, len(row))
		for i, text := range row {
			cells[i] = argv.Cell{Text: text, Dynamic: dynamic&(1<<i) != 0, Pos: diag.Pos{File: "f", Line: 1, Col: i + 1}}
		}
		var l diag.List
		call := argv.Parse(cells, diag.Pos{File: "f", Line: 1, Col: 1}, &l)
		for _, e := range l.All() {
			if e.Pos.Line != 1 || e.Pos.Col < 1 || e.Msg == "" || (valid(row) && !utf8.ValidString(e.Hint)) {
				t.Fatalf("%q: %v", row, e)
			}
		}
		if call == nil {
			if l.Len() == 0 {
				t.Fatalf("%q: no command and no error", row)
			}
			return
		}
		args, err := call.Bind(row)
		if l.Len() == 0 && dynamic == 0 && err != nil {
			t.Fatalf("%q: parses but does not bind: %v", row, err)
		}
		if err == nil && l.Len() == 0 && call.Is("find") {
			args.Find()
		}
		argv.Latch([]*argv.Call{call, call}, &l)
	})
}

func valid(row []string) bool {
	for _, s := range row {
		if !utf8.ValidString(s) {
			return false
		}
	}
	return true
}
