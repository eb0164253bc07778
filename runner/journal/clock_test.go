package journal_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

var _ = It("A clock that jumps back in the middle of a run changes no order, verdict or duration", func() {
	steady, jumped := journal.NewState(), journal.NewState()
	at := time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC)
	for i, e := range sample() {
		e.Seq, e.At = uint64(i+1), at.Add(time.Duration(i)*time.Second)
		Expect(steady.Apply(e)).To(Succeed())
		if i > 8 {
			e.At = e.At.Add(-3 * time.Hour)
		}
		Expect(jumped.Apply(e)).To(Succeed())
	}
	for i, t := range jumped.Tests {
		Expect(t).To(And(HaveField("Status", steady.Tests[i].Status), HaveField("Took", steady.Tests[i].Took)))
		for k, a := range t.Attempts {
			Expect(a.Took).To(Equal(steady.Tests[i].Attempts[k].Took))
			Expect(a.Took).To(BeNumerically(">", 0))
			Expect(a.Status).NotTo(Equal(steps.Status("")))
		}
	}
	Expect(jumped.End).To(Equal(steady.End))
})
