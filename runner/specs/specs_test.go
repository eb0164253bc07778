package specs_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/specs"
)

func TestSpecs(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Specs")
}

var environ = append(os.Environ(), "TOKEN=hunter2-hunter2")

// These are specs of their own: the suite of testdata, each test with its tags as labels.
var checks = specs.Register(specs.Options{Paths: []string{"testdata/checks.yaml"}, Environ: environ, Output: filepath.Join(os.TempDir(), "checkrow-specs")})

var _ = AfterSuite(checks.Close)

var _ = ReportAfterSuite("every test of the suite is a spec", func(r Report) {
	_ = os.RemoveAll(filepath.Join(os.TempDir(), "checkrow-specs"))
	labels := map[string][]string{}
	for _, s := range r.SpecReports {
		if len(s.ContainerHierarchyTexts) > 0 && s.ContainerHierarchyTexts[0] == "checks" {
			labels[s.LeafNodeText] = s.Labels()
		}
	}
	Expect(labels).To(HaveLen(4))
	Expect(labels["adds"]).To(ConsistOf("bridge", "fast", "area-sums"))
})

var _ = Describe("a spec of a test", func() {
	dir := filepath.Join(os.TempDir(), "checkrow-specs-judged")
	judged := specs.NewChecks(specs.Options{Paths: []string{"testdata/checks.yaml"}, Environ: environ, Output: dir, Timeout: time.Minute})

	It("passes with what it needs, and leaves nothing", func(ctx SpecContext) {
		DeferCleanup(os.RemoveAll, dir)
		failed, skipped, text, _ := judged.Judge(ctx, "testdata/checks.yaml", "needs the other")
		Expect(failed || skipped).To(BeFalse(), text)
		Expect(filepath.Glob(filepath.Join(dir, "*"))).To(BeEmpty())
	})

	It("is skipped with its reason, and fails with the whole block", func(ctx SpecContext) {
		DeferCleanup(os.RemoveAll, dir)
		_, skipped, text, _ := judged.Judge(ctx, "testdata/checks.yaml", "waits for better times")
		Expect(skipped).To(BeTrue())
		Expect(text).To(ContainSubstring("see the tracker"))
		failed, _, text, note := judged.Judge(ctx, "testdata/broken.yaml", "fails")
		Expect(failed).To(BeTrue())
		Expect(text).To(And(ContainSubstring("broken.yaml:5"), ContainSubstring(`stdout == "x"`), ContainSubstring("rerun")))
		Expect(text).NotTo(ContainSubstring("hunter2"))
		Expect(note).To(ContainSubstring("run folder " + dir))
		failed, _, text, _ = judged.Judge(ctx, "testdata/none.yaml", "x")
		Expect(failed).To(BeTrue())
		Expect(text).To(ContainSubstring("none.yaml"))
	})
})
