package journal_test

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("The lives of a run", func() {
	at := time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC)
	// feed folds events one second apart, from a time on.
	feed := func(s *journal.State, from time.Time, seq *uint64, events ...journal.Event) {
		GinkgoHelper()
		for i, e := range events {
			*seq++
			e.Seq, e.At = *seq, from.Add(time.Duration(i)*time.Second)
			Expect(s.Apply(e)).To(Succeed())
		}
	}
	resumed := journal.Event{Body: journal.Resumed{Version: "2", Workers: 3, Rerun: []int{1}}}

	It("add up, whatever lies between them and whoever set the clock", func() {
		s, seq := journal.NewState(), uint64(0)
		feed(s, at, &seq, planned("a", "b"), start("a", 1), testEnd("a", steps.Passed), start("b", 1)) // killed after 3 s
		feed(s, at.Add(-2*time.Hour), &seq, resumed, start("b", 2))                                    // killed after 1 s
		feed(s, at.Add(72*time.Hour), &seq, resumed, start("b", 3), testEnd("b", steps.Passed), journal.Event{Body: journal.RunEnd{Exit: 143, Took: 10 * time.Second}})
		Expect(s.Took()).To(Equal(14 * time.Second))
		feed(s, at.Add(80*time.Hour), &seq, resumed, start("b", 4), testEnd("b", steps.Passed), journal.Event{Body: journal.RunEnd{Took: 4 * time.Second}})
		Expect(s.Took()).To(Equal(18 * time.Second))
		Expect(s.Lives).To(HaveExactElements(
			HaveValue(And(HaveField("Started", at), HaveField("Last", at.Add(3*time.Second)), HaveField("Took", 3*time.Second), HaveField("Ended", false))),
			HaveValue(And(HaveField("Started", at.Add(-2*time.Hour)), HaveField("Took", time.Second), HaveField("Workers", 3), HaveField("Version", "2"))),
			HaveValue(And(HaveField("Took", 10*time.Second), HaveField("Ended", true), HaveField("End.Exit", 143))),
			HaveValue(And(HaveField("Took", 4*time.Second), HaveField("End.Exit", 0)))))
		Expect(s.Test(*key("a")).Life).To(Equal(1))
		b := s.Test(*key("b"))
		Expect(b.Life).To(Equal(4))
		Expect(b.Attempts[:2]).To(HaveExactElements(And(HaveField("Life", 1), HaveField("Offset", 3*time.Second), HaveField("Took", time.Duration(0))),
			And(HaveField("Life", 2), HaveField("Offset", 4*time.Second))))
		Expect(b.Attempts[3].Offset).To(Equal(15 * time.Second))
	})

	It("go on from the wall clock by the monotonic one: no time of a life goes back", func() {
		dir := write(nil, sample()...)
		var last time.Time
		s, err := journal.Replay(dir, func(e journal.Event, _ *journal.State) {
			Expect(e.At).NotTo(BeTemporally("<", last))
			last = e.At
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(last).To(BeTemporally("~", time.Now(), time.Minute))
		Expect(s.Lives).To(HaveLen(1))
	})

	It("are those of the shards in a merged run: the longest counts", func() {
		one, two := shard(1, "p", "a", "b", steps.Passed, false), shard(2, "p", "b", "a", steps.Passed, false)
		path := filepath.Join(one.Dir, journal.FileName)
		lines := strings.SplitAfter(content(one.Dir), "\n")
		lines[5] = strings.Replace(lines[5], `"took":0`, `"took":5000000000`, 1)
		Expect(os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600)).To(Succeed())
		w, err := journal.Reopen(one.Dir, nil, planned("a").Body.(journal.Planned), nil)
		Expect(err).NotTo(HaveOccurred())
		for _, e := range []journal.Event{{Body: journal.Resumed{}}, {Body: journal.RunEnd{Took: 2 * time.Second}}} {
			Expect(w.Append(e, journal.Disk)).To(Succeed())
		}
		Expect(w.Close()).To(Succeed())
		one, err = journal.LoadPart("one", one.Dir)
		Expect(err).NotTo(HaveOccurred())
		s, err := journal.Merge(GinkgoT().TempDir(), journal.RunInfo{ID: "m"}, []journal.Part{one, two}, func(*journal.State) int { return 0 })
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Took()).To(Equal(7 * time.Second))
	})
})
