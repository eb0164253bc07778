package browser_test

import (
	. "github.com/onsi/ginkgo/v2"
)

var _ = Describe("a box whose page leaves when it is changed", Label("browser"), func() {
	It("was checked, though nobody can ask it any more", func(ctx SpecContext) {
		t := at(ctx, "/two")
		for range 10 {
			t.ok(ctx, "open", "data:text/html,<input type=checkbox id=c onchange=\"location.href='about:blank'\">")
			t.ok(ctx, "check", "#c")
		}
	})
})
