package manifest_test

import (
	"encoding/json"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/reporters/manifest"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("the list of artifacts", func() {
	key := steps.TestKey{Suite: "a.yaml", Name: "one"}
	file := func(path string, state steps.ArtifactState, digest string) steps.Artifact {
		return steps.Artifact{Path: path, State: state, SHA256: digest, Type: "text/plain", Bytes: 3}
	}
	fold := func(bodies ...journal.Event) *journal.State {
		GinkgoHelper()
		s := journal.NewState()
		start := journal.Event{Body: journal.Planned{Run: journal.RunInfo{ID: "r1"}, Suites: []journal.PlannedSuite{{File: "a.yaml"}},
			Tests: []journal.PlannedTest{{Key: key}}}}
		for _, e := range append([]journal.Event{start}, bodies...) {
			Expect(s.Apply(e)).To(Succeed())
		}
		return s
	}
	in := func(attempt int, b journal.Body) journal.Event {
		return journal.Event{Suite: "a.yaml", Test: &key, Attempt: attempt, Phase: journal.PhaseSteps, Step: "1", Body: b}
	}
	row := func(list ...steps.Artifact) journal.Done {
		return journal.Done{Obs: steps.Observation{Success: true, Artifacts: list}}
	}

	It("holds every file once, as it was known last, and who left it", func() {
		s := fold(
			journal.Event{Suite: "a.yaml", Phase: journal.PhaseSetup, Step: "1", Body: row(file("setup/a.txt", steps.Saved, "s"))},
			in(1, journal.AttemptStart{}),
			in(1, row(file("1/video.webm", steps.Pending, ""), file("1/a.txt", steps.Saved, "old"))),
			in(1, journal.AttemptEnd{Status: steps.Failed, Artifacts: []steps.Artifact{file("1/a.txt", steps.Saved, "new"), file("1/video.webm", steps.Saved, "v")},
				Failure: &journal.Failure{Artifacts: []steps.Artifact{file("1/failure.png", steps.Saved, "f")}}}),
			in(2, journal.AttemptStart{}),
			in(2, row(file("2/never.webm", steps.Pending, ""))))
		list := manifest.List(s)
		paths := map[string]string{}
		for _, e := range list {
			paths[e.Path] = e.SHA256
		}
		Expect(list).To(HaveLen(5))
		Expect(paths).To(Equal(map[string]string{"setup/a.txt": "s", "1/video.webm": "v", "1/a.txt": "new", "1/failure.png": "f", "2/never.webm": ""}))
		Expect(list[0]).To(And(HaveField("Phase", journal.PhaseSetup), HaveField("Test", "")))
		Expect(list[1]).To(And(HaveField("Test", "one"), HaveField("Attempt", 1)))
	})

	It("is on disk from the beginning and says whether the run ended", func() {
		path := filepath.Join(GinkgoT().TempDir(), manifest.FileName)
		r, err := manifest.New(path)
		Expect(err).NotTo(HaveOccurred())
		read := func() map[string]any {
			GinkgoHelper()
			text, err := os.ReadFile(path)
			Expect(err).NotTo(HaveOccurred())
			var doc map[string]any
			Expect(json.Unmarshal(text, &doc)).To(Succeed())
			return doc
		}
		Expect(read()).To(And(HaveKeyWithValue("ended", false), HaveKeyWithValue("artifacts", BeEmpty())))
		s := fold(in(1, journal.AttemptStart{}), in(1, row(file("a", steps.Saved, "x"))), journal.Event{Body: journal.RunEnd{}})
		Expect(r.Close(s)).To(Succeed())
		Expect(read()).To(And(HaveKeyWithValue("schema", 1.0), HaveKeyWithValue("run", "r1"), HaveKeyWithValue("ended", true),
			HaveKeyWithValue("summary", HaveKeyWithValue("saved", 1.0)),
			HaveKeyWithValue("artifacts", HaveExactElements(And(HaveKeyWithValue("path", "a"), HaveKeyWithValue("sha256", "x"), HaveKeyWithValue("suite", "a.yaml"))))))
	})
})
