package journal_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/journal/mask"
	"github.com/checkrow/checkrow/steps"
)

// cutOff is a journal whose run was killed in the test "fails", with a torn last line.
func cutOff(m journal.Masker) (dir string, plan journal.Planned) {
	events := sample()
	dir = write(m, events[:11]...)
	f, err := os.OpenFile(filepath.Join(dir, journal.FileName), os.O_APPEND|os.O_WRONLY, 0)
	Expect(err).NotTo(HaveOccurred())
	_, err = f.WriteString(`{"v":1,"seq":12,"at":"2026`)
	Expect(err).NotTo(HaveOccurred())
	Expect(f.Close()).To(Succeed())
	return dir, events[0].Body.(journal.Planned)
}

var _ = Describe("Reopen", func() {
	It("removes a torn line, tells what was there, and goes on: the fold of the whole is the live one", func() {
		dir, plan := cutOff(nil)
		var kinds []string
		w, err := journal.Reopen(dir, nil, plan, func(e journal.Event, _ *journal.State) { kinds = append(kinds, e.Body.Kind()) })
		Expect(err).NotTo(HaveOccurred())
		Expect(kinds).To(HaveLen(11))
		Expect(journal.Busy(dir)).To(BeTrue())
		_, err = journal.Reopen(dir, nil, plan, nil)
		Expect(err).To(MatchError(journal.ErrBusy))
		for _, e := range append([]journal.Event{{Body: journal.Resumed{Rerun: []int{1, 2}}},
			start("fails", 2), attemptEnd("fails", 2, steps.Passed, nil), testEnd("fails", steps.Passed)}, sample()[16:]...) {
			Expect(w.Append(e, journal.Buffered)).To(Succeed())
		}
		Expect(w.Close()).To(Succeed())
		Expect(journal.Busy(dir)).To(BeFalse())
		s, err := journal.Load(dir)
		Expect(err).NotTo(HaveOccurred())
		w.Read(func(live *journal.State) { Expect(text(s)).To(Equal(text(live))) })
		Expect(s.Test(*key("passes"))).To(HaveField("Status", steps.Passed))
		fails := s.Test(*key("fails"))
		Expect(fails).To(HaveField("Status", steps.Passed))
		Expect(fails.Attempts).To(HaveExactElements(And(HaveField("CutOff", true), HaveField("Status", steps.StatusInterrupted)),
			HaveField("CutOff", false)))
		Expect(s.Ended).To(BeTrue())
		Expect(s.Resumes).To(HaveLen(1))
		Expect(strings.Count(content(dir), "\n")).To(Equal(11 + 4 + len(sample()[16:])))
	})

	It("refuses a journal that is damaged before its end", func() {
		dir, plan := cutOff(nil)
		whole := content(dir)
		lines := strings.SplitAfter(whole, "\n")
		lines[5] = "{}\n"
		path := filepath.Join(dir, journal.FileName)
		Expect(os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600)).To(Succeed())
		_, err := journal.Reopen(dir, nil, plan, nil)
		Expect(err).To(MatchError(ContainSubstring("damaged")))
		Expect(journal.Busy(dir)).To(BeFalse())
	})

	It("gives tests the names that a secret has in the journal", func() {
		m := &mask.Masker{}
		Expect(m.Add("PW", "passes")).To(Succeed())
		dir, plan := cutOff(m)
		keys, err := journal.Keys(plan, m)
		Expect(err).NotTo(HaveOccurred())
		Expect(keys[0].Name).To(Equal(mask.Replacement))
		w, err := journal.Reopen(dir, m, plan, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Append(journal.Event{Body: journal.Resumed{Rerun: []int{0}}}, journal.Buffered)).To(Succeed())
		Expect(w.Append(testEnd("passes", steps.Failed), journal.Buffered)).To(Succeed())
		Expect(w.Close()).To(Succeed())
		s, err := journal.Load(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Test(keys[0])).To(HaveField("Status", steps.Failed))
	})

	It("takes a changed plan and loses no verdict", func() {
		dir, plan := cutOff(nil)
		now := plan
		now.Tests = append([]journal.PlannedTest{{Key: *key("new")}}, plan.Tests[1:]...)
		w, err := journal.Reopen(dir, nil, now, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Append(journal.Event{Body: journal.Resumed{Rerun: []int{0, 1, 2}, Plan: &now, Changed: []string{"a.yaml has changed"}}},
			journal.Buffered)).To(Succeed())
		Expect(w.Append(testEnd("new", steps.Passed), journal.Buffered)).To(Succeed())
		Expect(w.Close()).To(Succeed())
		s, err := journal.Load(dir)
		Expect(err).NotTo(HaveOccurred())
		var names []string
		for _, t := range s.Tests {
			names = append(names, t.Planned.Key.Name+" "+string(t.Status))
		}
		Expect(names).To(Equal([]string{"new passed", "fails not-run", "flaky not-run", "passes passed"}))
	})

	It("refuses to go on with what was never planned", func() {
		s := journal.NewState()
		Expect(s.Apply(journal.Event{Seq: 1, Body: journal.Resumed{}})).To(MatchError(ContainSubstring("not planned")))
	})
})

// shard is a run of one test of two.
func shard(index int, plan, test, other string, verdict steps.Status, damaged bool) journal.Part {
	GinkgoHelper()
	p := planned(test).Body.(journal.Planned)
	p.Run.Shard = &journal.Shard{Index: index, Of: 2, Plan: plan}
	p.Others = []journal.Other{{Key: *key(other), Shard: 3 - index}}
	p.Inputs = []journal.Input{{What: "suite", Name: file, SHA256: plan}}
	list := []journal.Event{{Body: p}, start(test, 1), attemptEnd(test, 1, verdict, nil), testEnd(test, verdict),
		{Suite: file, Body: journal.TeardownEnd{}}, {Body: journal.RunEnd{}}}
	dir := write(nil, list...)
	if damaged {
		lines := strings.SplitAfter(content(dir), "\n")
		lines[3] = "torn\n"
		Expect(os.WriteFile(filepath.Join(dir, journal.FileName), []byte(strings.Join(lines, "")), 0o600)).To(Succeed())
	}
	part, err := journal.LoadPart("shard", dir)
	Expect(err).NotTo(HaveOccurred())
	return part
}

var _ = Describe("Merge", func() {
	merge := func(parts ...journal.Part) *journal.State {
		GinkgoHelper()
		whole, err := journal.Whole(parts)
		Expect(err).NotTo(HaveOccurred())
		dir := GinkgoT().TempDir()
		live, err := journal.Merge(dir, journal.RunInfo{ID: "m"}, whole, func(s *journal.State) int { return journal.Exit(s, false) })
		Expect(err).NotTo(HaveOccurred())
		s, err := journal.Load(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(text(s)).To(Equal(text(live)))
		return s
	}

	It("makes one run of all shards", func() {
		s := merge(shard(2, "p", "b", "a", steps.Passed, false), shard(1, "p", "a", "b", steps.Passed, false))
		Expect(s.Tests).To(HaveExactElements(HaveField("Planned.Key.Name", "a"), HaveField("Planned.Key.Name", "b")))
		Expect(s.End.Exit).To(Equal(0))
	})

	It("keeps what can be read of a damaged shard, and says which tests are unknown", func() {
		s := merge(shard(1, "p", "a", "b", steps.Passed, false), shard(2, "p", "b", "a", steps.Passed, true))
		Expect(s.Test(*key("a"))).To(HaveField("Status", steps.Passed))
		Expect(s.Test(*key("b"))).To(HaveField("Status", steps.Unknown))
		Expect(s.End.Exit).To(Equal(1))
		Expect(s.Warnings).To(ContainElement(ContainSubstring("shard 2/2")))
	})

	It("counts the later run of a shard", func() {
		old := shard(1, "p", "a", "b", steps.Failed, false)
		again := shard(1, "p", "a", "b", steps.Passed, false)
		again.State.Run.Started = again.State.Run.Started.AddDate(1, 0, 0)
		s := merge(again, old, shard(2, "p", "b", "a", steps.Passed, false))
		Expect(s.End.Exit).To(Equal(0))
	})

	DescribeTable("refuses what is no whole", func(parts func() []journal.Part, says string) {
		_, err := journal.Whole(parts())
		Expect(err).To(MatchError(ContainSubstring(says)))
	},
		Entry("a missing shard", func() []journal.Part {
			return []journal.Part{shard(1, "p", "a", "b", steps.Passed, false)}
		}, "missing: shard 2/2"),
		Entry("another plan", func() []journal.Part {
			return []journal.Part{shard(1, "p", "a", "b", steps.Passed, false), shard(2, "q", "b", "a", steps.Passed, false)}
		}, file+" differs"),
		Entry("a run that is no shard", func() []journal.Part {
			p := shard(1, "p", "a", "b", steps.Passed, false)
			p.State.Run.Shard = nil
			return []journal.Part{p}
		}, "is no shard"))
})
