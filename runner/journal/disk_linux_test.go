package journal_test

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal"
)

var _ = It("stays whole when the kernel refuses to write on", Serial, func() {
	dir := GinkgoT().TempDir()
	w, err := journal.Create(dir, nil, nil)
	Expect(err).NotTo(HaveOccurred())
	var old syscall.Rlimit
	Expect(syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old)).To(Succeed())
	signal.Ignore(syscall.SIGXFSZ)
	DeferCleanup(func() { signal.Reset(syscall.SIGXFSZ) })
	Expect(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1500, Max: old.Max})).To(Succeed())
	var failed error
	for _, e := range sample() {
		if err := w.Append(e, journal.Disk); err != nil && failed == nil {
			failed = err
		}
	}
	Expect(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old)).To(Succeed())
	var full *journal.WriteError
	Expect(errors.As(failed, &full)).To(BeTrue(), "%v", failed)
	Expect(failed).To(MatchError(syscall.EFBIG))
	info, err := os.Stat(filepath.Join(dir, journal.FileName))
	Expect(err).NotTo(HaveOccurred())
	Expect(info.Size()).To(Equal(full.Offset))
	s, err := journal.Load(dir)
	Expect(err).NotTo(HaveOccurred())
	Expect(s.Ended).To(BeFalse())
	Expect(w.Close()).To(Succeed())
})
