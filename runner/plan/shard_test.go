package plan_test

import (
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("Shards", func() {
	many := func() *plan.Plan {
		var free strings.Builder
		free.WriteString("suite: free\ntests:\n")
		for i := range 20 {
			fmt.Fprintf(&free, "  - name: t%d\n%s", i, row)
		}
		needs := "suite: needs\ntests:\n  - name: one\n" + row + "  - name: two\n    needs: [one]\n" + row + "  - name: three\n    needs: [two]\n" + row
		serial := "suite: serial\nserial: true\ntests:\n  - name: first\n" + row + "  - name: second\n" + row
		return loaded(files(map[string]string{"free.yaml": free.String(), "needs.yaml": needs, "serial.yaml": serial}), plan.Options{})
	}
	took := func(p *plan.Plan) map[steps.TestKey]time.Duration {
		out := map[steps.TestKey]time.Duration{}
		for i, t := range p.Tests {
			out[t.Key] = time.Duration(i+1) * time.Second
		}
		return out
	}

	DescribeTable("cover the plan once, keep together what belongs together, and are the same everywhere", func(timed bool) {
		p := many()
		var timings map[steps.TestKey]time.Duration
		if timed {
			timings = took(p)
		}
		for n := 1; n <= 7; n++ {
			a, b := p.Split(n, timings), many().Split(n, timings)
			Expect(a.Digest).To(Equal(b.Digest))
			at := map[string]int{}
			total := 0
			for i := 1; i <= n; i++ {
				part := many()
				part.Only(func(t *plan.Test) bool { return a.At(t.Key) == i })
				total += len(part.Tests)
			}
			for _, t := range p.Tests {
				Expect(a.At(t.Key)).To(And(BeNumerically(">=", 1), BeNumerically("<=", n)))
				at[t.Key.Name] = a.At(t.Key)
			}
			Expect(total).To(Equal(len(p.Tests)), "%d shards", n)
			Expect(at["two"]).To(Equal(at["one"]))
			Expect(at["three"]).To(Equal(at["one"]))
			Expect(at["second"]).To(Equal(at["first"]))
		}
		Expect(p.Split(2, timings).Digest).NotTo(Equal(p.Split(3, timings).Digest))
	}, Entry("by name", false), Entry("by time", true))

	It("gives each about the same time", func() {
		p := many()
		timings := took(p)
		split := p.Split(3, timings)
		load := map[int]time.Duration{}
		for _, t := range p.Tests {
			load[split.At(t.Key)] += timings[t.Key]
		}
		for i := 1; i <= 3; i++ {
			Expect(load[i]).To(BeNumerically("~", load[1], 15*time.Second), "%v", load)
		}
	})
})
