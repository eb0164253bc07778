package suites_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// The suite of planted faults finds each of them, and each failure names a line that has to do with it. Without the faults
// the same suite passes.
var _ = Describe("five planted faults", Label("browser"), Ordered, func() {
	const suite = "examples/five-faults-fails.yaml"
	faults := []struct{ test, says, file, line string }{
		{"an uncaught error of the support chat", "(reading 'agents')", "shop/html/static/support.js", "config.team.agents[0]"},
		{"an API that answers 500", "answered 500 (fetch)", "shop/html/static/shop.js", "await fetch('/api/products?q='"},
		{"an error on the console", "checkout widget: no merchant id", "shop/html/static/faults.js", "console.error("},
		{"pictures without alternative text", "image-alt (critical", "shop/html/static/shop.js", "img.dataset.source = here()"},
		{"a total that is wrong", `text("#total") is "€51"`, "shop/store.go", "min(2, len(v.Lines))"},
	}

	It("are found, with the line to look at", func(ctx SpecContext) {
		out, err := checkrow(ctx, "run", "--output", filepath.Join(GinkgoT().TempDir(), "run"), suite)
		Expect(exitCode(err)).To(Equal(1), out)
		Expect(out).To(ContainSubstring("5 tests: 5 failed"))
		for _, f := range faults {
			_, block, found := strings.Cut(out, suite+" › "+f.test)
			Expect(found).To(BeTrue(), f.test)
			block, _, _ = strings.Cut(block, "\nFAIL ")
			Expect(block).To(ContainSubstring(f.says), f.test)
			m := regexp.MustCompile(regexp.QuoteMeta(f.file) + `:(\d+)`).FindStringSubmatch(block)
			Expect(m).NotTo(BeNil(), "%s does not name %s: %s", f.test, f.file, block)
			text, err := os.ReadFile(filepath.Join(root, "examples", filepath.FromSlash(f.file)))
			Expect(err).NotTo(HaveOccurred())
			n, err := strconv.Atoi(m[1])
			Expect(err).NotTo(HaveOccurred())
			Expect(strings.Split(string(text), "\n")[n-1]).To(ContainSubstring(f.line), "%s:%d", f.file, n)
		}
	}, SpecTimeout(6*time.Minute))

	It("are not found where they are not planted", func(ctx SpecContext) {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(suite)))
		Expect(err).NotTo(HaveOccurred())
		sound := regexp.MustCompile(`\?fault=\w+`).ReplaceAllString(string(text), "")
		Expect(strings.Count(string(text), "?fault=") - strings.Count(sound, "?fault=")).To(Equal(len(faults)))
		file, err := os.CreateTemp(filepath.Join(root, "examples"), ".sound-*.yaml") // beside the shop; hidden, so that nobody finds it
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(os.Remove, file.Name())
		_, err = file.WriteString(sound)
		Expect(err).NotTo(HaveOccurred())
		Expect(file.Close()).To(Succeed())
		out, err := checkrow(ctx, "run", "--output", filepath.Join(GinkgoT().TempDir(), "run"), "examples/"+filepath.Base(file.Name()))
		Expect(err).NotTo(HaveOccurred(), out)
	}, SpecTimeout(6*time.Minute))
})
