package journal_test

import (
	"runtime"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"fmt"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/journal/mask"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// many gives the events of a run of n tests with rows rows each.
func many(n, rows int, emit func(journal.Event)) {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("test %d", i)
	}
	at, seq := time.Unix(1_800_000_000, 0).UTC(), uint64(0)
	send := func(e journal.Event) {
		at, seq = at.Add(time.Millisecond), seq+1
		e.At, e.Seq = at, seq
		emit(e)
	}
	send(planned(names...))
	argv := []string{"click", "role=button Add to cart"}
	for _, name := range names {
		send(start(name, 1))
		for row := range rows {
			path := fmt.Sprint(row + 1)
			send(intent(name, 1, path))
			send(done(name, 1, path, steps.Observation{Success: true, Summary: "clicked", Argv: argv, Took: time.Millisecond,
				Started: at, Data: map[string]any{"html": "<p>hello</p>"}, Pos: diag.Pos{File: file, Line: 11, Col: 9},
				Page: steps.Page{URL: "http://localhost:8080/shop", Title: "Shop"}}))
		}
		send(attemptEnd(name, 1, steps.Passed, nil))
		send(testEnd(name, steps.Passed))
	}
}

var _ = It("holds 10,000 tests of 20 rows in less than 200 MB", func() {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := journal.NewState()
	many(10_000, 20, func(e journal.Event) {
		if err := s.Apply(e); err != nil {
			Fail(err.Error())
		}
	})
	runtime.GC()
	runtime.ReadMemStats(&after)
	used := float64(after.HeapAlloc-before.HeapAlloc) / (1 << 20)
	AddReportEntry("heap", fmt.Sprintf("%.0f MB", used))
	Expect(used).To(BeNumerically("<", 200))
	Expect(s.Tests).To(HaveLen(10_000))
})

// BenchmarkRow is what one row costs: intent to the kernel, completion buffered.
func BenchmarkRow(b *testing.B) {
	m, _ := mask.New(mask.Secret{Name: "A", Value: "hunter22hunter22"}, mask.Secret{Name: "B", Value: "s3cr3t-t0ken-0123456789"},
		mask.Secret{Name: "C", Value: "correct horse battery staple"})
	w, err := journal.Create(b.TempDir(), m, func(journal.Event, *journal.State) {})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	for _, e := range []journal.Event{planned("a"), start("a", 1)} {
		if err := w.Append(e, journal.Kernel); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Append(intent("a", 1, "1"), journal.Kernel); err != nil {
			b.Fatal(err)
		}
		if err := w.Append(done("a", 1, "1", clicked), journal.Buffered); err != nil {
			b.Fatal(err)
		}
	}
}
