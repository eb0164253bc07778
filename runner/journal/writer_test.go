package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/journal/mask"
	"github.com/checkrow/checkrow/steps"
)

// disk is a file that is full after room bytes.
type disk struct {
	data   []byte
	room   int
	synced int
	writes int
	mu     sync.Mutex
}

func (d *disk) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writes++
	n := min(len(p), d.room-len(d.data))
	d.data = append(d.data, p[:n]...)
	if n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func (d *disk) Sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.synced = len(d.data)
	return nil
}

func (d *disk) Truncate(n int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.data = d.data[:n]
	return nil
}

func (*disk) Close() error { return nil }

var _ = Describe("Writer", func() {
	It("refuses a run folder that has a journal", func() {
		_, err := journal.Create(write(nil), nil, nil)
		Expect(err).To(MatchError(fs.ErrExist))
	})

	It("writes one line a time that it must, and buffers the rest", func() {
		d := &disk{room: math.MaxInt}
		w := journal.NewWriter(d, nil, nil)
		events := sample()
		for _, e := range events[:3] {
			Expect(w.Append(e, journal.Buffered)).To(Succeed())
		}
		Expect(d.writes).To(Equal(0))
		Expect(w.Append(events[3], journal.Kernel)).To(Succeed())
		Expect(d.writes).To(Equal(1))
		Expect(strings.Count(string(d.data), "\n")).To(Equal(4))
		Expect(d.synced).To(Equal(0))
		Expect(w.Append(events[4], journal.Disk)).To(Succeed())
		Expect(d.synced).To(Equal(len(d.data)))
		Expect(w.Append(events[5], journal.Buffered)).To(Succeed())
		Expect(w.Close()).To(Succeed())
		Expect(strings.Count(string(d.data), "\n")).To(Equal(6))
		Expect(d.synced).To(Equal(len(d.data)))
		Expect(w.Close()).To(Succeed())
		Expect(w.Append(events[6], journal.Kernel)).To(MatchError(fs.ErrClosed))
	})

	It("has what was begun at once, and tells of it when it is on disk", func() {
		d, told := &disk{room: math.MaxInt}, 0
		w := journal.NewWriter(d, nil, func(journal.Event, *journal.State) { told++ })
		events := sample()
		wait, err := w.Begin(events[0], journal.Disk)
		Expect(err).NotTo(HaveOccurred())
		Expect([]int{d.writes, d.synced, told}).To(Equal([]int{1, 0, 0}))
		Expect(w.Append(events[1], journal.Kernel)).To(Succeed())
		Expect([]int{bytes.Count(d.data, []byte("\n")), d.synced, told}).To(Equal([]int{2, 0, 0}), "in order, for those who are told too")
		Expect(wait()).To(Succeed())
		Expect([]int{d.synced, told}).To(Equal([]int{len(d.data), 2}))
	})

	It("cuts a torn line off a full disk and refuses to go on", func() {
		for room, whole := 0, len(content(write(nil, sample()...)))-100; room < whole; room += 31 {
			d := &disk{room: room}
			var seen []string
			w := journal.NewWriter(d, nil, func(e journal.Event, _ *journal.State) { seen = append(seen, e.Body.Kind()) })
			var failed error
			for _, e := range sample() {
				err := w.Append(e, journal.Kernel)
				if failed != nil {
					Expect(err).To(BeIdenticalTo(failed))
				}
				failed = err
			}
			var full *journal.WriteError
			Expect(errors.As(failed, &full)).To(BeTrue())
			Expect(failed).To(MatchError(syscall.ENOSPC))
			Expect(full.Offset).To(BeNumerically("==", len(d.data)))
			Expect(strings.Count(string(d.data), "\n")).To(Equal(len(seen)), "only what is recorded is reported")
			_, err := journal.Fold(bytes.NewReader(d.data))
			Expect(err).NotTo(HaveOccurred())
			Expect(w.Close()).To(Succeed())
		}
	})

	It("takes events of many goroutines, in one order for file and observers", func() {
		dir := GinkgoT().TempDir()
		var seen []uint64
		w, err := journal.Create(dir, nil, func(e journal.Event, s *journal.State) {
			Expect(s.Tests).To(HaveLen(8))
			seen = append(seen, e.Seq)
		})
		Expect(err).NotTo(HaveOccurred())
		names := []string{"0", "1", "2", "3", "4", "5", "6", "7"}
		Expect(w.Append(planned(names...), journal.Disk)).To(Succeed())
		var wg sync.WaitGroup
		for _, n := range names {
			wg.Go(func() {
				defer GinkgoRecover()
				Expect(w.Append(start(n, 1), journal.Buffered)).To(Succeed())
				for i := range 20 {
					path := fmt.Sprint(i + 1)
					Expect(w.Append(intent(n, 1, path), journal.Kernel)).To(Succeed())
					Expect(w.Append(done(n, 1, path, clicked), journal.Buffered)).To(Succeed())
				}
				Expect(w.Append(attemptEnd(n, 1, steps.Passed, nil), journal.Buffered)).To(Succeed())
				Expect(w.Append(testEnd(n, steps.Passed), journal.Disk)).To(Succeed())
				w.Read(func(s *journal.State) { Expect(s.Test(*key(n)).Done).To(BeTrue()) })
			})
		}
		wg.Wait()
		Expect(w.Close()).To(Succeed())
		Expect(seen).To(HaveLen(1 + 8*43))
		for i, seq := range seen {
			Expect(seq).To(BeNumerically("==", i+1))
		}
		s, err := journal.Load(dir)
		Expect(err).NotTo(HaveOccurred())
		for _, t := range s.Tests {
			Expect(t.Status).To(Equal(steps.Passed))
			Expect(t.Attempts[0].Steps).To(HaveLen(20))
		}
	})

	It("keeps an event whose value JSON cannot say", func() {
		odd := steps.Observation{Success: true, Value: math.NaN(), Data: map[string]any{"c": make(chan int), "l": []any{math.Inf(1)}}}
		dir := write(nil, planned("a"), start("a", 1), done("a", 1, "1", odd))
		Expect(content(dir)).To(ContainSubstring(`"value":"NaN"`))
	})

	It("keeps a failure whose terms JSON cannot say", func() {
		f := &journal.Failure{Category: steps.Assertion, Detail: &steps.Detail{Terms: []steps.Term{{Source: "a", Value: true,
			Sub: []steps.Term{{Source: "b", Value: math.Inf(1)}}}}}}
		list := []*journal.Failure{f}
		dir := write(nil, planned("a"), journal.Event{Suite: file, Body: journal.SetupEnd{Failure: f}}, start("a", 1),
			journal.Event{Suite: file, Test: key("a"), Attempt: 1,
				Body: journal.AttemptEnd{Status: steps.Failed, Failure: f, Cleanup: list, More: list}},
			journal.Event{Suite: file, Body: journal.TeardownEnd{Failures: list}})
		Expect(strings.Count(content(dir), `"value":"+Inf"`)).To(Equal(5))
		Expect(f.Detail.Terms[0].Sub[0].Value).To(Equal(math.Inf(1)), "what was given stays")
	})

	It("refuses what no plan foresees, and writes nothing of it", func() {
		dir := GinkgoT().TempDir()
		w, err := journal.Create(dir, nil, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Append(planned("a"), journal.Kernel)).To(Succeed())
		Expect(w.Append(start("b", 1), journal.Kernel)).To(MatchError(ContainSubstring("is not planned")))
		Expect(w.Close()).To(Succeed())
		Expect(strings.Count(content(dir), "\n")).To(Equal(1))
	})
})

var _ = Describe("masking", func() {
	It("reaches file, fold and observers, whatever the secret is", func() {
		for _, secret := range []string{"hunter22", "passed", "click\"", "\":{\"obs", "424242", "login.yaml", "completed", "{\"v\":1"} {
			m, err := mask.New(mask.Secret{Name: "S", Value: secret})
			Expect(err).NotTo(HaveOccurred())
			dir := GinkgoT().TempDir()
			var seen []journal.Event
			w, err := journal.Create(dir, m, func(e journal.Event, _ *journal.State) { seen = append(seen, e) })
			Expect(err).NotTo(HaveOccurred())
			o := steps.Observation{Success: true, Summary: "typed " + secret, Argv: []string{"fill", "#pw", secret}, Took: 424242,
				Value: 424242, Data: map[string]any{secret: "x", "list": []any{secret}}, Secret: []string{secret}}
			name := "logs in as " + secret
			for _, e := range []journal.Event{planned(name, "b"), start(name, 1), done(name, 1, "1", o),
				attemptEnd(name, 1, steps.Passed, nil), testEnd(name, steps.Passed)} {
				Expect(w.Append(e, journal.Disk)).To(Succeed())
			}
			Expect(w.Close()).To(Succeed())
			body := seen[2].Body.(journal.Done)
			Expect(fmt.Sprintf("%#v", body)).NotTo(ContainSubstring(fmt.Sprintf("%#v", secret)))
			Expect(body.Obs.Argv[2]).To(Equal(mask.Replacement))
			Expect(body.Obs.Took).To(BeNumerically("==", 424242))
			s, err := journal.Load(dir)
			Expect(err).NotTo(HaveOccurred())
			Expect(s.Tests[0].Status).To(Equal(steps.Passed))
			Expect(s.Tests[0].Planned.Key.Name).To(Equal("logs in as " + mask.Replacement))
			w.Read(func(live *journal.State) { Expect(text(s)).To(Equal(text(live))) })
		}
	})

	It("tells tests apart whose names differ in a secret only", func() {
		m, err := mask.New(mask.Secret{Name: "A", Value: "hunter22"}, mask.Secret{Name: "B", Value: "hunter33"})
		Expect(err).NotTo(HaveOccurred())
		dir := write(m, planned("as hunter22", "as hunter33"), start("as hunter33", 1), testEnd("as hunter33", steps.Passed))
		s, err := journal.Load(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Tests[1]).To(HaveField("Planned.Key.Name", "as ••• #2"))
		Expect(s.Tests).To(HaveExactElements(HaveField("Status", steps.NotRun), HaveField("Status", steps.Passed)))
	})

	It("keeps identities when a secret turns up later", func() {
		m := &mask.Masker{}
		dir := GinkgoT().TempDir()
		w, err := journal.Create(dir, m, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Append(planned("a checkout"), journal.Kernel)).To(Succeed())
		Expect(m.Add("dynamic", "checkout")).To(Succeed())
		Expect(w.Append(start("a checkout", 1), journal.Kernel)).To(Succeed())
		Expect(w.Append(testEnd("a checkout", steps.Passed), journal.Kernel)).To(Succeed())
		Expect(w.Close()).To(Succeed())
		s, err := journal.Load(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Tests[0].Status).To(Equal(steps.Passed))
	})
})

var _ = DescribeTable("Exit", func(want int, change func(*journal.State)) {
	s := journal.NewState()
	Expect(s.Apply(planned("a", "b"))).To(Succeed())
	s.Tests[0].Status, s.Tests[1].Status = steps.Passed, steps.Skipped
	change(s)
	Expect(journal.Exit(s, true)).To(Equal(want))
},
	Entry("all passed", 0, func(*journal.State) {}),
	Entry("a failure", 1, func(s *journal.State) { s.Tests[0].Status = steps.Failed }),
	Entry("not run", 1, func(s *journal.State) { s.Tests[0].Status = steps.NotRun }),
	Entry("interrupted", 1, func(s *journal.State) { s.Tests[0].Status = steps.StatusInterrupted }),
	Entry("no verdict", 1, func(s *journal.State) { s.Tests[0].Status = "" }),
	Entry("a known bug and a quarantined test", 0, func(s *journal.State) {
		s.Tests[0].Status, s.Tests[1].Status = steps.KnownBug, steps.Quarantined
	}),
	Entry("no browser", 3, func(s *journal.State) {
		s.Tests[0].Status = steps.Errored
		s.Tests[0].Attempts = []*journal.Attempt{{Failure: &journal.Failure{Category: steps.Environment}}}
	}),
	Entry("a service that does not start", 3, func(s *journal.State) {
		s.Suites[0].SetupFailure = &journal.Failure{Category: steps.Environment}
		s.Tests[0].Status, s.Tests[1].Status = steps.Errored, steps.NotRun
	}),
	Entry("no browser and a failure", 1, func(s *journal.State) {
		s.Tests[0].Status, s.Tests[1].Status = steps.Errored, steps.Failed
		s.Tests[0].Attempts = []*journal.Attempt{{Failure: &journal.Failure{Category: steps.Environment}}}
	}),
	Entry("a failed setup", 1, func(s *journal.State) { s.Suites[0].SetupFailure = &journal.Failure{Category: steps.Assertion} }),
	Entry("a failed teardown", 1, func(s *journal.State) { s.Suites[0].TeardownFail = []*journal.Failure{{}} }),
	Entry("a bad file beside green tests", 2, func(s *journal.State) { s.Broken = []journal.BrokenFile{{File: "x.yaml"}} }),
	Entry("a flaky test", 6, func(s *journal.State) { s.Tests[0].Status = steps.Flaky }),
	Entry("a flaky test and a bad file", 2, func(s *journal.State) {
		s.Tests[0].Status = steps.Flaky
		s.Broken = []journal.BrokenFile{{File: "x.yaml"}}
	}))

var _ = It("has a seed for FuzzLoad that is whole", func() {
	data, err := os.ReadFile(filepath.Join("testdata", "seed.jsonl"))
	Expect(err).NotTo(HaveOccurred())
	s, err := journal.Load(save(string(data)))
	Expect(err).NotTo(HaveOccurred())
	Expect(s.Ended).To(BeTrue())
})
