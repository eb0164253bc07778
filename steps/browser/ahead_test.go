package browser_test

import (
	"context"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("a context that is opened ahead", Label("browser"), func() {
	It("is taken over by the next session with equal options, and is as fresh as any other", func(ctx SpecContext) {
		e := fresh()
		first := openOn(ctx, e, options())
		first.ok(ctx, "open", "/form")
		first.ok(ctx, "cookies", "set", "seen", "1")
		e.Ahead(ctx, options())
		e.Ahead(ctx, options()) // one is enough
		Eventually(e.Parked).Should(Equal(1))

		small := options()
		small.Viewport = [2]int{400, 300}
		other := openOn(ctx, e, small)
		Expect(other.ok(ctx, "eval", "innerWidth").Data["result"]).To(BeEquivalentTo(400))
		Expect(e.Parked()).To(Equal(1), "a session with other options leaves it")

		moved := options()
		moved.BaseURL = srv.URL + "/deep/"
		next := openOn(ctx, e, moved)
		Expect(e.Parked()).To(BeZero())
		Expect(next.ok(ctx, "open", "/form").Data["url"]).To(Equal(srv.URL + "/form"))
		Expect(next.ok(ctx, "eval", "document.cookie").Data["result"]).To(Equal(""))
		Expect(next.ok(ctx, "network", "requests").Data["requests"]).NotTo(BeEmpty())
	})

	It("makes room for one that the next test can take", func(ctx SpecContext) {
		e := fresh()
		e.Ahead(ctx, options())
		Eventually(e.Parked).Should(Equal(1))
		small := options()
		small.Viewport = [2]int{400, 300}
		e.Ahead(ctx, small)
		next := openOn(ctx, e, small)
		Eventually(e.Parked).Should(BeZero())
		Expect(next.ok(ctx, "eval", "innerWidth").Data["result"]).To(BeEquivalentTo(400))
	})

	It("is no witness: who is alone on a browser that dies is to blame, and what was ahead is thrown away", func(ctx SpecContext) {
		e := fresh()
		s := openOn(ctx, e, options())
		s.ok(ctx, "open", "/form")
		e.Ahead(ctx, options())
		Eventually(e.Parked).Should(Equal(1))
		Expect(syscall.Kill(running("browser"), syscall.SIGKILL)).To(Succeed())
		Eventually(func() steps.Category { return s.row(ctx, "get", "url").Category }).Should(Equal(steps.Crash))
		Expect(s.row(ctx, "get", "url").Collateral).To(BeFalse())
		again := openOn(ctx, e, options())
		again.ok(ctx, "open", "/form")
	})

	It("holds nobody up when the browser dies while it opens", func(ctx SpecContext) {
		for i := range 12 {
			e := fresh()
			openOn(ctx, e, options()).ok(ctx, "open", "/form")
			e.Ahead(ctx, options())
			time.Sleep(time.Duration(i) * 5 * time.Millisecond)
			Expect(syscall.Kill(running("browser"), syscall.SIGKILL)).To(Succeed())
			within, cancel := context.WithTimeout(ctx, 10*time.Second) // the limit of a context opened ahead is twice that
			for {                                                      // one that is asked for before the end is known may die with it
				s, err := e.Open(within, options())
				if err == nil {
					s.Close()
					break
				}
				Expect(within.Err()).NotTo(HaveOccurred(), "killed %d ms after it began: %v", 5*i, err)
			}
			cancel()
		}
	})

	It("leaves nothing when the engine closes before it is there", func(ctx SpecContext) {
		needBrowser()
		e := newEngine()
		e.Ahead(ctx, options())
		cctx, cancel := context.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		Expect(e.Close(cctx)).To(Succeed())
		Expect(e.Parked()).To(BeZero())
	})
})
