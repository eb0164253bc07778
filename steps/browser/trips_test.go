package browser_test

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// counter counts the messages that really go to the driver: its library prints each to stdout when DEBUGP is set.
type counter struct {
	out   *os.File
	lines chan string
	marks int
}

func count() *counter {
	GinkgoHelper()
	r, w, err := os.Pipe()
	Expect(err).NotTo(HaveOccurred())
	c := &counter{out: w, lines: make(chan string, 4096)}
	go func() {
		defer close(c.lines)
		in := bufio.NewScanner(r)
		in.Buffer(nil, 64<<20)
		for in.Scan() {
			c.lines <- in.Text()
		}
	}()
	old := os.Stdout
	os.Stdout = w
	Expect(os.Setenv("DEBUGP", "1")).To(Succeed())
	DeferCleanup(func() {
		os.Stdout = old
		Expect(os.Unsetenv("DEBUGP")).To(Succeed())
		Expect(w.Close()).To(Succeed())
	})
	return c
}

// since gives the methods sent since the last call.
func (c *counter) since() []string {
	GinkgoHelper()
	c.marks++
	mark := fmt.Sprintf("MARK %d", c.marks)
	_, err := fmt.Fprintln(c.out, "\n"+mark)
	Expect(err).NotTo(HaveOccurred())
	var out []string
	sent := false
	for l := range c.lines {
		switch {
		case l == mark:
			return out
		case strings.Contains(l, "SEND>"):
			sent = true
		case sent:
			sent = false
			if m := method(l); m != "updateSubscription" {
				out = append(out, m)
			}
		}
	}
	return out
}

// method reads the method of a message, and of the protocol command in it.
func method(line string) string {
	var out string
	for _, part := range strings.Split(line, `"method":"`)[1:] {
		m, _, _ := strings.Cut(part, `"`)
		if out == "" || m == "send" || !strings.Contains(out, ".") && strings.Contains(m, ".") {
			out = m
		}
	}
	return out
}

var _ = Describe("round trips", Label("browser", "trips"), Serial, func() {
	rows := []struct {
		path  string
		cells []string
	}{
		{"/", []string{"open", "/two"}},
		{"/", []string{"click", "#b"}}, {"/", []string{"dblclick", "#b"}}, {"/", []string{"hover", "#b"}},
		{"/", []string{"focus", "#name"}}, {"/", []string{"fill", "#name", "x"}}, {"/", []string{"type", "#name", "x"}},
		{"/form", []string{"check", "#box"}}, {"/form", []string{"uncheck", "#on"}}, {"/form", []string{"select", "#one", "c"}},
		{"/", []string{"press", "Tab"}}, {"/", []string{"keyboard", "type", "x"}}, {"/", []string{"keyboard", "inserttext", "x"}},
		{"/scroll", []string{"scroll", "down"}}, {"/scroll", []string{"scrollintoview", "#foot"}},
		{"/", []string{"get", "text", "#b"}}, {"/", []string{"get", "html", "#b"}}, {"/", []string{"get", "value", "#name"}},
		{"/", []string{"get", "attr", "#two", "href"}}, {"/", []string{"get", "title"}}, {"/", []string{"get", "url"}},
		{"/", []string{"get", "count", ".item"}}, {"/", []string{"get", "box", "#b"}}, {"/", []string{"get", "styles", "#b"}},
		{"/", []string{"is", "visible", "#b"}}, {"/", []string{"wait", "#b"}}, {"/", []string{"wait", "--text", "Home"}},
		{"/", []string{"wait", "--url", "/"}}, {"/", []string{"snapshot"}}, {"/", []string{"eval", "1"}},
		{"/", []string{"screenshot", "a.png"}}, {"/frames", []string{"frame", "#f"}}, {"/", []string{"tab", "list"}},
		{"/", []string{"console"}}, {"/", []string{"errors"}}, {"/", []string{"network", "requests"}},
		{"/", []string{"expect", "text", "h1", "Home"}}, {"/", []string{"expect", "visible", "#b"}},
		{"/", []string{"expect", "count", ".item", "3"}}, {"/", []string{"expect", "url", "/"}}, {"/", []string{"expect", "title", "Test"}},
		{"/", []string{"click", "role=button Press"}}, {"/", []string{"click", "text=Press me"}}, {"/", []string{"fill", "label=Full", "x"}},
		{"/", []string{"get", "text", "role=button Press"}}, {"/", []string{"expect", "text", "role=button Press", "Press me"}},
	}

	It("are what the command table says, also on a fresh document", func(ctx SpecContext) {
		needBrowser()
		c := count()
		var wrong []string
		t := at(ctx, "/")
		for _, r := range rows {
			want, least := args(r.cells...).Command.Trips, []string(nil)
			for try := range 3 { // on a busy machine a click's report may lag and be asked for
				t.ok(ctx, "open", r.path)
				c.since()
				t.ok(ctx, r.cells...)
				if got := c.since(); try == 0 || len(got) < len(least) {
					least = got
				}
				if len(least) == want {
					break
				}
			}
			if slices.Contains(r.cells, "url") && r.cells[0] == "expect" {
				want = 0 // the driver tells the URL without being asked
			}
			if len(least) != want {
				wrong = append(wrong, fmt.Sprintf("%v: %d trips, the table says %d: %v", r.cells, len(least), want, least))
			}
		}
		Expect(wrong).To(BeEmpty(), strings.Join(wrong, "\n"))
	})
})
