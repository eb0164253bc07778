package browser_test

import (
	"fmt"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("the arguments of a browser", Label("browser"), func() {
	It("ask for the features of a suite beside those that it is driven with", func(ctx SpecContext) {
		o := options()
		o.Args = []string{"--enable-features=WebMCP", "--lang=en", "--enable-features=Fledge"}
		e := fresh()
		openOn(ctx, e, o).ok(ctx, "open", "/form")
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", running("browser")))
		if os.IsNotExist(err) {
			Skip("this system has no /proc to read a command line from")
		}
		Expect(err).NotTo(HaveOccurred())
		last := ""
		for arg := range strings.SplitSeq(string(text), "\x00") {
			if list, ok := strings.CutPrefix(arg, "--enable-features="); ok {
				last = list // the only one that counts
			}
		}
		Expect(strings.Split(last, ",")).To(ConsistOf("CDPScreenshotNewSurface", "NetworkServiceInProcess2", "WebMCP", "Fledge"))
	})
})
