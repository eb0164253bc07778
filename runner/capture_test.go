package runner_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// taping opens sessions that record themselves, and notes what was asked of them.
type taping struct {
	*fakeEngine
	asked []steps.Record
	kept  []steps.Record
}

func (e *taping) Open(ctx context.Context, o steps.SessionOptions) (steps.Session, error) {
	s, err := e.fakeEngine.Open(ctx, o)
	e.asked = append(e.asked, o.Record)
	return &tape{s, e}, err
}

type tape struct {
	steps.Session
	e *taping
}

// Recorded saves what is to be kept.
func (t *tape) Recorded(_ context.Context, keep steps.Record, files steps.Files, name func(string) string) []steps.Observation {
	t.e.kept = append(t.e.kept, keep)
	o := steps.Observation{Success: true}
	if keep.Trace {
		tmp, commit, err := files.Reserve(name("test-trace.txt"))
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(tmp, []byte("trace"), 0o600)).To(Succeed())
		a, err := commit()
		Expect(err).NotTo(HaveOccurred())
		a.Kind = "trace"
		o.Artifacts = []steps.Artifact{a}
	}
	if keep.Video {
		return []steps.Observation{o, steps.Fail(steps.ArtifactBad, "recording", "there is no ffmpeg")}
	}
	return []steps.Observation{o}
}

// Picture takes a screenshot.
func (t *tape) Picture(context.Context) ([]byte, error) { return []byte("\x89PNG no picture"), nil }

var _ = Describe("recordings of whole attempts", func() {
	const suite = `suite: a
retries: 1
browser: { trace: TRACE, video: VIDEO, screenshot: SHOT }
tests:
	- name: passes
	  steps: [[expect, title, X]]
	- name: fails
	  steps: [[click, "#bad"]]
`
	answer := func(row []string) steps.Observation {
		if row[0] == "click" {
			return steps.Fail(steps.NotFound, "not-found", "nothing matches")
		}
		return steps.Observation{Success: true, Argv: row}
	}
	run := func(ctx SpecContext, trace, video, screenshot string) (*taping, outcome) {
		GinkgoHelper()
		e := &taping{fakeEngine: &fakeEngine{answer: answer}}
		text := strings.NewReplacer("TRACE", trace, "VIDEO", video, "SHOT", screenshot).Replace(suite)
		return e, play(ctx, map[string]string{"a.yaml": text}, func(o *runner.Options, _ *plan.Options) { o.Engine, o.Workers = e, 1 })
	}

	DescribeTable("are made and kept as the mode says", func(ctx SpecContext, mode string, asked, kept int) {
		e, o := run(ctx, mode, "off", "off")
		Expect(o.exit).To(Equal(1))
		n := 0
		for _, r := range e.asked {
			Expect(r.NoScreenshot).To(BeTrue())
			if r.Trace {
				n++
			}
		}
		Expect(n).To(Equal(asked))
		Expect(e.kept).To(HaveLen(kept))
		end := o.last("fails")
		if kept == 0 {
			Expect(end.Failure.Artifacts).NotTo(ContainElement(HaveField("Kind", "trace")))
			return
		}
		Expect(end.Failure.Artifacts).To(ContainElement(HaveField("Kind", "trace")))
		Expect(end.Artifacts).To(ContainElement(And(HaveField("Kind", "trace"), HaveField("State", steps.Saved))))
	},
		Entry("off", "off", 0, 0),
		Entry("on", "on", 3, 3),
		Entry("on-failure", "on-failure", 3, 2),
		Entry("on-first-retry", "on-first-retry", 1, 1))

	It("are warnings where they cannot be had, and pictures are taken of attempts that pass", func(ctx SpecContext) {
		e, o := run(ctx, "off", "on", "on")
		Expect(e.kept).To(HaveLen(3))
		end := o.last("passes")
		Expect(end.Status).To(Equal(steps.Passed))
		Expect(end.Warnings).To(ContainElement(ContainSubstring("no recording: there is no ffmpeg")))
		Expect(end.Warnings).To(ContainElement(ContainSubstring("no screenshot: saving")), "what was taken is no picture")
	})

	It("come with the rows before a failure, each part for itself", func(ctx SpecContext) {
		_, o := run(ctx, "off", "off", "on-failure")
		end := o.last("fails")
		Expect(end.Failure.Artifacts).To(ContainElement(And(HaveField("Kind", "rows"), HaveField("State", steps.Saved))))
		for _, a := range end.Failure.Artifacts {
			if a.Kind == "rows" {
				text, err := os.ReadFile(filepath.Join(o.run, a.Path))
				Expect(err).NotTo(HaveOccurred())
				Expect(string(text)).To(MatchRegexp(`^a.yaml:8 \[click, #bad\] FAILED \(.*\): nothing matches\n$`))
			}
		}
	})
})

var _ = Describe("files that a test must leave", func() {
	files := map[string]string{"a.yaml": `suite: a
tests:
	- name: leaves
	  vars: { n: 1 }
	  artifacts:
		- "out-${{ vars.n }}.json"
		- { path: out-1.json, min_bytes: 2, media_type: application/json }
	  steps:
		- exec: [sh, -c, "echo '{}' > \"$0\"/out-1.json", "${{ test.dir }}"]
	- name: leaves none
	  artifacts:
		- gone.pdf
		- { path: text.txt, min_bytes: 100 }
	  steps:
		- exec: [sh, -c, "echo text > \"$0\"/text.txt", "${{ test.dir }}"]
`}

	It("are looked at when its steps have passed", func(ctx SpecContext) {
		o := play(ctx, files)
		Expect(o.exit).To(Equal(1))
		Expect(o.test("leaves").Status).To(Equal(steps.Passed))
		Expect(o.last("leaves").Artifacts).To(ContainElement(And(HaveField("Path", HaveSuffix("/out-1.json")), HaveField("SHA256", HaveLen(64)))))
		end := o.last("leaves none")
		Expect(end.Status).To(Equal(steps.Errored))
		Expect(end.Failure.Category).To(Equal(steps.ArtifactBad))
		Expect(end.Failure.Sub).To(Equal("artifact-missing"))
		Expect(end.Failure.Message).To(HavePrefix(`the file "gone.pdf" is missing`))
		Expect(end.Failure.Pos.Line).To(Equal(12))
		Expect(end.More).To(ConsistOf(And(HaveField("Category", steps.Assertion), HaveField("Message", `the file "text.txt" has 5 bytes, wanted at least 100`))))
	})
})
