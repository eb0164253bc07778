package proc_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/proc"
)

var _ = Describe("Sweep", func() {
	It("ends a process only if it is the one that was meant", func() {
		p, err := proc.Start(proc.Spec{Argv: []string{"/bin/sh", "-c", "sleep 60 & wait"}, Dir: GinkgoT().TempDir(),
			Env: []string{"PATH=/usr/bin:/bin"}}, nil)
		Expect(err).NotTo(HaveOccurred())
		id, err := proc.StartIdentity(p.PID())
		Expect(err).NotTo(HaveOccurred())
		Expect(proc.Sweep(p.PID(), id+"0")).To(BeFalse(), "a pid that was given away is not touched")
		Consistently(p.Done(), 50*time.Millisecond).ShouldNot(BeClosed())
		Expect(proc.Sweep(p.PID(), id)).To(BeTrue())
		Eventually(p.Done()).Should(BeClosed())
		Expect(p.Exit().Signal).To(Equal("killed"))
		Expect(proc.Sweep(p.PID(), id)).To(BeFalse())
		Expect(proc.Sweep(1, id)).To(BeFalse())
	})
})
