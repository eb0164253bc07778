package browser_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("round trips of the other rows", Label("browser", "trips"), Serial, func() {
	type trip struct {
		path   string
		cells  []string
		before [][]string // rows that must come first
	}
	row := func(path string, cells ...string) trip { return trip{path: path, cells: cells} }
	after := func(t trip, rows ...[]string) trip { t.before = rows; return t }
	rows := []trip{
		row("/", "expect", "aria", "given.yaml"), row("/", "expect", "image", "home"),
		row("/", "tab", "new", "/two"), row("/", "window", "new"), after(row("/", "tab", "close"), []string{"tab", "new"}), row("/", "keydown", "a"), row("/", "keyup", "a"), row("/", "mouse", "move", "1", "2"), row("/", "mouse", "down"), row("/", "mouse", "up"),
		row("/", "mouse", "wheel"), row("/input", "tap", "#menu"), row("/input", "swipe", "up"), row("/", "highlight", "#b"),
		after(row("/", "clipboard", "read"), []string{"clipboard", "write", "x"}), after(row("/", "clipboard", "write", "x"), []string{"clipboard", "read"}),
		row("/", "clipboard", "copy"), row("/", "clipboard", "paste"), row("/", "pushstate", "/x"), row("/downloads", "download", "#csv", "d.csv"),
		row("/", "pdf", "p.pdf"), row("/", "cookies", "get"), row("/", "cookies", "set", "a", "1"), row("/", "cookies", "clear"),
		row("/", "storage", "local", "get", "a"), row("/", "storage", "local", "set", "a", "1"), row("/", "storage", "local", "clear"),
		row("/", "storage", "session", "get"), row("/", "storage", "session", "set", "a", "1"), row("/", "storage", "session", "clear"),
		row("/", "set", "viewport", "1280", "720"), row("/", "set", "geo", "1", "2"), row("/", "set", "offline", "off"), row("/", "set", "headers", "{}"),
		row("/", "set", "media", "light"), row("/cookie", "state", "save", "s.json"), row("/", "state", "show", "given.json"),
		row("/", "state", "load", "given.json"), after(row("/", "network", "route", "/zzz", "--abort"), []string{"network", "unroute"}),
		after(row("/", "network", "unroute"), []string{"network", "unroute"}, []string{"network", "route", "/zzz", "--abort"}),
		row("/", "network", "request", "r1"), after(row("/", "network", "har", "start"), []string{"network", "har", "stop", "h.har"}),
		after(row("/", "network", "har", "stop", "h.har"), []string{"network", "har", "start"}),
		after(row("/", "diff", "snapshot"), []string{"snapshot"}), row("/", "diff", "screenshot", "-b", "given.png"), row("/", "diff", "url", "/", "/two"),
		row("/", "trace", "start"), row("/", "trace", "stop", "t.zip"),
		row("/", "a11y"), row("/", "vitals"), row("/named", "frame", "--name", "pay"),
		row("/fibers", "react", "tree"), row("/fibers", "react", "inspect", "1"), row("/fibers", "react", "suspense"),
		row("/fibers", "react", "renders", "start"), after(row("/fibers", "react", "renders", "stop"), []string{"react", "renders", "start"}),
		row("/article", "read"), row("/tools", "webmcp", "list"), after(row("/tools", "webmcp", "invoke", "slow", "--no-wait"), []string{"webmcp", "list"}),
		row("/", "profiler", "start"), row("/", "set", "credentials", "a", "b"), row("/", "set", "device", "iPhone 15"),
	}

	It("are what the command table says", func(ctx SpecContext) {
		needBrowser()
		c := count()
		var wrong []string
		o := options()
		o.Touch, o.React, o.Args = true, true, []string{"--enable-blink-features=WebMCP"}
		t := openOn(ctx, eng, o)
		t.ok(ctx, "open", "/")
		t.put("given.json", `{"cookies":[],"origins":[]}`)
		t.put("given.yaml", "- heading \"Home\"")
		Expect(t.Do(ctx, args("expect", "image", "home", "--within", "4s"), steps.RowOptions{Dir: t.files.dir, Baselines: steps.BaselinesWritten}).Success).To(BeTrue())
		t.ok(ctx, "screenshot", "given.png")
		for _, r := range rows {
			want, least := args(r.cells...).Command.Trips, []string(nil)
			tries := 3
			switch name := args(r.cells...).Command.Name(); name {
			case "frame":
				want = 2 // for a frame in the page itself
			case "set credentials":
				list, _ := t.ok(ctx, "tab", "list").Value.([]any)
				want, tries = len(list), 1
			case "trace start", "trace stop", "profiler start": // what comes first cannot come twice
				tries = 1
			}
			for try := range tries {
				t.ok(ctx, "open", r.path)
				for _, b := range r.before {
					t.ok(ctx, b...)
				}
				c.since()
				t.ok(ctx, r.cells...)
				if got := c.since(); try == 0 || len(got) < len(least) {
					least = got
				}
				if len(least) == want {
					break
				}
			}
			if len(least) != want {
				wrong = append(wrong, fmt.Sprintf("%v: %d trips, the table says %d: %v", r.cells, len(least), want, least))
			}
		}
		t.ok(ctx, "profiler", "stop", "p.json")
		Expect(wrong).To(BeEmpty(), strings.Join(wrong, "\n"))
	})

	It("are known of calls of tools, and of flags that add to a row", func(ctx SpecContext) {
		needBrowser()
		c := count()
		o := options()
		o.Args = []string{"--enable-blink-features=WebMCP"}
		t := openOn(ctx, eng, o)
		least := func(path string, before func(), want int, cells func() []string) {
			GinkgoHelper()
			var got []string
			for try := range 3 {
				t.ok(ctx, "open", path)
				if before != nil {
					before()
				}
				row := cells()
				c.since()
				t.row(ctx, row...)
				if now := c.since(); try == 0 || len(now) < len(got) {
					got = now
				}
				if len(got) == want {
					return
				}
			}
			Expect(got).To(HaveLen(want))
		}
		is := func(cells ...string) func() []string { return func() []string { return cells } }
		corner := func() { t.ok(ctx, "mouse", "move", "0", "0") }
		click := args("click", "#pad").Command.Trips
		// the place is asked for twice and the mouse goes there in four moves, the fewest: the target is near
		least("/links", corner, click+2+4, is("click", "#pad", "--human"))
		least("/links", nil, args("tab", "new", "/two").Command.Trips+1, is("click", "#in", "--new-tab")) // its address is read first
		if t.ok(ctx, "open", "/tools"); t.ok(ctx, "eval", "!!(document.modelContext || navigator.modelContext)").Value != true {
			Skip("this browser has no WebMCP for pages")
		}
		var id string
		call := func(tool string) func() {
			return func() {
				t.ok(ctx, "webmcp", "list")
				id = strings.Trim(jsonText(t.ok(ctx, "webmcp", "invoke", tool, `{"a":1,"b":2}`, "--no-wait").Value), `"`)
			}
		}
		least("/tools", call("slow"), args("webmcp", "cancel", "x").Command.Trips, func() []string { return []string{"webmcp", "cancel", id} })
		least("/tools", call("add"), args("webmcp", "result", "x").Command.Trips, func() []string { return []string{"webmcp", "result", id} })
	})
})
