package browser_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = DescribeTable("a row that only waits and is cut off leaves a page to take evidence from", Label("browser"),
	func(ctx SpecContext, row ...string) {
		t := openOn(ctx, fresh(), options())
		t.ok(ctx, "open", "/")
		stop, cancel := context.WithCancel(ctx)
		time.AfterFunc(200*time.Millisecond, cancel)
		start := time.Now()
		o := t.row(stop, row...)
		Expect(time.Since(start)).To(BeNumerically("<", 3*time.Second))
		Expect(o.Category).To(Equal(steps.Interrupted))
		ev := t.Evidence(ctx)
		Expect(ev.Problems).To(BeEmpty())
		Expect(ev.Screenshot).NotTo(BeEmpty())
		Expect(ev.Snapshot).NotTo(BeEmpty())
		t.ok(ctx, "get", "text", "h1")
	},
	Entry("wait CSS", "wait", "#never"), Entry("wait role", "wait", "role=button Never ever"),
	Entry("wait --text", "wait", "--text", "never ever"), Entry("wait --fn", "wait", "--fn", "window.never"),
	Entry("wait --url", "wait", "--url", "/never"), Entry("wait TIME", "wait", "9s"))
