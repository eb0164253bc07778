package world_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/world"
)

// mobile is a phone whose page is laid out wider than the screen.
var mobile = playwright.BrowserNewContextOptions{
	Viewport: &playwright.Size{Width: 390, Height: 664}, IsMobile: playwright.Bool(true),
	HasTouch: playwright.Bool(true), DeviceScaleFactor: playwright.Float(2),
}

// held is one click on one of the pages: its outcome, and what the page logged (or "@" and where it went).
func held(ctx SpecContext, i int, probe bool) (world.Click, string) {
	GinkgoHelper()
	k := cases[i]
	path := fmt.Sprintf("/case/%d", i)
	var t *tab
	if k.mobile {
		t = fresh(path, mobile)
	} else {
		t = open(path)
	}
	sel := k.sel
	if sel == "" {
		sel = "#b"
	}
	l := t.page.Locator(sel)
	var frames []string
	if k.frame != "" {
		l = t.page.FrameLocator(k.frame).Locator(sel)
		frames = append(frames, k.frame)
	}
	if k.frame != "" {
		Expect(l.WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached})).To(Succeed())
	}
	query := q(sel, frames...)
	if probe {
		query = t.via(l)
	}
	c, err := t.Click(ctx, query, world.ClickOptions{})
	Expect(err).NotTo(HaveOccurred())
	if strings.HasPrefix(k.want, "@") {
		base := start().server.URL
		Eventually(func() string { return "@" + strings.TrimPrefix(t.page.URL(), base) }).Should(Equal(k.want))
		return c, k.want
	}
	// A second click or a late handler would show in these frames.
	_, err = t.page.Evaluate("() => new Promise(f => setTimeout(f, 60))")
	Expect(err).NotTo(HaveOccurred())
	return c, t.log()
}

var _ = Describe("a click on one of the 51 pages", Label("browser"), func() {
	check := func(ctx SpecContext, i int, probe bool) {
		k := cases[i]
		c, got := held(ctx, i, probe)
		why := fmt.Sprintf("verdict %d, answer %+v", c.Verdict, c.Answer)
		if c.Verdict == world.NotSent {
			Expect(got).To(BeElementOf("", "?"), why)
			Expect(k.safe || c.Fallback()).To(BeTrue(), "refused for no good reason: "+why)
			return
		}
		Expect(got).To(Equal(k.want), why)
		if k.worse != "" {
			Expect(c.Verdict).To(Equal(world.Pressed), k.worse)
		} else if k.safe {
			Expect(c.Verdict).To(BeElementOf(world.Missed, world.Unknown), why)
		} else {
			Expect(c.Verdict).To(BeElementOf(world.Hit, world.Pressed), why)
		}
	}
	var own, probe []any
	for i, k := range cases {
		own = append(own, Entry(k.name, SpecTimeout(time.Minute), i, false))
		probe = append(probe, Entry(k.name, SpecTimeout(time.Minute), i, true))
	}
	DescribeTable("resolved by the world", append([]any{check}, own...)...)
	DescribeTable("resolved by the driver", append([]any{check}, probe...)...)
})
