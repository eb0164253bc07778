package jsonreport_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/reporters/jsonreport"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

func decode(data []byte) any {
	GinkgoHelper()
	var v any
	Expect(json.Unmarshal(data, &v)).To(Succeed())
	return v
}

var _ = Describe("report.json", func() {
	recorded := func(name string) string { return filepath.Join("..", "testdata", name) }

	It("is as its schema says after every event of a run, and when a killed run is rebuilt", func() {
		for _, name := range []string{"full", "green", "lives", "people", "verdicts"} {
			whole, err := os.ReadFile(filepath.Join(recorded(name), journal.FileName))
			Expect(err).NotTo(HaveOccurred())
			lines := bytes.SplitAfter(whole, []byte("\n"))
			for n := range len(lines) {
				dir := GinkgoT().TempDir()
				Expect(os.WriteFile(filepath.Join(dir, journal.FileName), bytes.Join(lines[:n], nil), 0o600)).To(Succeed())
				s, err := journal.Load(dir)
				Expect(err).NotTo(HaveOccurred())
				data, err := jsonreport.Render(s)
				Expect(err).NotTo(HaveOccurred())
				Expect(validate(decode(data))).To(BeEmpty())
				if !s.Ended {
					Expect(decode(data)).To(HaveKeyWithValue("run", HaveKeyWithValue("exit", BeNumerically(">", 0))))
				}
			}
			_, err = journal.Replay(recorded(name), func(_ journal.Event, s *journal.State) {
				data, err := jsonreport.Render(s)
				Expect(err).NotTo(HaveOccurred())
				Expect(validate(decode(data))).To(BeEmpty())
			})
			Expect(err).NotTo(HaveOccurred())
		}
	})

	It("tells the lives of a run that was taken up again, and how long it was worked on", func() {
		s, err := journal.Load(recorded("lives"))
		Expect(err).NotTo(HaveOccurred())
		data, err := jsonreport.Render(s)
		Expect(err).NotTo(HaveOccurred())
		doc := decode(data).(map[string]any)
		Expect(doc["run"]).To(HaveKeyWithValue("duration_ms", 15500.0))
		Expect(doc["run"]).To(HaveKeyWithValue("lives", HaveExactElements(
			And(HaveKeyWithValue("started", "2026-11-30T18:49:24.000Z"), HaveKeyWithValue("last", "2026-11-30T18:49:34.000Z"),
				HaveKeyWithValue("duration_ms", 10000.0), HaveKeyWithValue("ended", false), Not(HaveKey("exit"))),
			And(HaveKeyWithValue("started", "2026-11-30T16:00:00.000Z"), HaveKeyWithValue("duration_ms", 2500.0)),
			And(HaveKeyWithValue("duration_ms", 3000.0), HaveKeyWithValue("ended", true), HaveKeyWithValue("exit", 0.0),
				HaveKeyWithValue("version", "0.1.1"), HaveKeyWithValue("workers", 2.0)))))
		tests := doc["tests"].([]any)
		Expect(tests).To(HaveExactElements(HaveKeyWithValue("life", 1.0), HaveKeyWithValue("life", 3.0)))
		Expect(tests[1]).To(HaveKeyWithValue("attempts", HaveExactElements(
			And(HaveKeyWithValue("life", 1.0), HaveKeyWithValue("duration_ms", 5000.0)),
			And(HaveKeyWithValue("life", 2.0), HaveKeyWithValue("duration_ms", 2000.0)),
			And(HaveKeyWithValue("life", 3.0), HaveKeyWithValue("duration_ms", 1750.0)))))
	})

	It("is refused by its schema when it is not so", func() {
		s, err := journal.Load(recorded("full"))
		Expect(err).NotTo(HaveOccurred())
		data, err := jsonreport.Render(s)
		Expect(err).NotTo(HaveOccurred())
		doc := decode(data).(map[string]any)
		doc["extra"] = 1
		doc["run"].(map[string]any)["exit"] = "1"
		test := doc["tests"].([]any)[0].(map[string]any)
		test["status"] = "ok"
		delete(test, "name")
		Expect(validate(doc)).To(ConsistOf(ContainSubstring("extra is not allowed"), ContainSubstring("/run/exit: want integer"),
			ContainSubstring("/tests/0/status: ok is none of"), ContainSubstring("/tests/0: name is missing")))
	})

	It("holds all attempts, steps and failures", func() {
		s, err := journal.Load(recorded("full"))
		Expect(err).NotTo(HaveOccurred())
		data, err := jsonreport.Render(s)
		Expect(err).NotTo(HaveOccurred())
		var doc struct {
			Summary struct {
				Total  int
				Status map[string]int
			}
			Tests []struct {
				Name     string
				Attempts []struct {
					Failure *journal.Failure
					Steps   []struct {
						Argv     []string
						Duration float64 `json:"duration_ms"`
					}
				}
			}
			Broken []journal.BrokenFile
		}
		Expect(json.Unmarshal(data, &doc)).To(Succeed())
		Expect(doc.Summary.Total).To(Equal(11))
		Expect(doc.Summary.Status).To(Equal(map[string]int{"passed": 1, "failed": 1, "error": 4, "flaky": 1, "skipped": 1,
			"quarantined": 1, "known-bug": 1, "not-run": 1}))
		Expect(doc.Tests[1].Attempts).To(HaveLen(2))
		Expect(doc.Tests[1].Attempts[1].Steps).To(HaveLen(5))
		Expect(doc.Tests[1].Attempts[1].Steps[4].Argv).To(Equal([]string{"expect", "text", "#total", "€84 each"}))
		Expect(doc.Tests[1].Attempts[1].Steps[4].Duration).To(BeNumerically("==", 5000))
		Expect(doc.Tests[1].Attempts[1].Failure).To(Equal(s.Tests[1].Attempts[1].Failure))
		Expect(doc.Broken).To(Equal(s.Broken))
	})

	It("says what a step of few words came to", func() {
		s, err := journal.Load(recorded("green"))
		Expect(err).NotTo(HaveOccurred())
		s.Tests[0].Attempts[0].Steps[0].Obs.Compiled = &steps.Compiled{Reset: true, Plan: []steps.PlanRow{
			{Row: []string{"open", "/"}, From: "qa.open", State: steps.RowCompleted}, {Row: []string{"errors"}, From: "qa.errors", State: steps.RowNotRun}}}
		data, err := jsonreport.Render(s)
		Expect(err).NotTo(HaveOccurred())
		Expect(validate(decode(data))).To(BeEmpty())
		Expect(string(data)).To(ContainSubstring(`"compiled": {`))
		step := decode(data).(map[string]any)["tests"].([]any)[0].(map[string]any)["attempts"].([]any)[0].(map[string]any)["steps"].([]any)[0]
		Expect(step).To(HaveKeyWithValue("compiled", And(HaveKeyWithValue("diagnostics_reset_at_start", true), HaveKeyWithValue("checks", BeEmpty()),
			HaveKeyWithValue("plan", HaveExactElements(HaveKeyWithValue("generated_from", "qa.open"), HaveKeyWithValue("state", "not-run"))))))
	})

	It("overwrites an old report at once, then says what is planned, then all", func() {
		path := filepath.Join(GinkgoT().TempDir(), "report.json")
		Expect(os.WriteFile(path, []byte(`{"run":{"ended":true}}`), 0o644)).To(Succeed())
		ended := func() any {
			GinkgoHelper()
			data, err := os.ReadFile(path)
			Expect(err).NotTo(HaveOccurred())
			doc := decode(data)
			Expect(validate(doc)).To(BeEmpty())
			return doc.(map[string]any)["run"].(map[string]any)["ended"]
		}
		r, err := jsonreport.New(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(ended()).To(BeFalse())
		s, err := journal.Replay(recorded("green"), func(e journal.Event, s *journal.State) { Expect(r.Event(e, s)).To(Succeed()) })
		Expect(err).NotTo(HaveOccurred())
		Expect(ended()).To(BeFalse())
		Expect(s.Tests[0].Status).To(Equal(steps.Passed))
		Expect(r.Close(s)).To(Succeed())
		Expect(ended()).To(BeTrue())
	})
})
