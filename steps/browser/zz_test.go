package browser_test
import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)
var _ = It("zz", func(ctx SpecContext) {
	t := at(ctx, "/two")
	t.ok(ctx, "set", "media", "print")
	t.ok(ctx, "wait", "--fn", "matchMedia('print').matches")
	t.ok(ctx, "open", "/before")
	Expect(t.ok(ctx, "eval", "matchMedia('print').matches").Value).To(BeTrue())
})
var _ = It("zy", func(ctx SpecContext) {
	t := at(ctx, "/before")
	o := t.ok(ctx, "snapshot")
	text, _ := o.Value.(string)
	t.put("base.txt", text)
	t.ok(ctx, "click", "text=Two")
	t.ok(ctx, "back")
	Expect(t.ok(ctx, "diff", "snapshot", "-b", "base.txt").Data["diff"]).To(Equal(""))
})
