package conformance_test

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/artifact"
	"github.com/checkrow/checkrow/steps/browser/conformance"
)

var _ = Describe("the row dialect, held against the reference", Label("browser"), Ordered, func() {
	var (
		v      verdict
		unlike []string // what this machine has not, by name: rows are not compared, and the counts are others
	)
	BeforeAll(func(ctx SpecContext) {
		engine, shell := newEngine(ctx)
		if !shell {
			unlike = append(unlike, "a headless shell")
		}
		react, err := reactFiles(GinkgoT().TempDir())
		if err != nil {
			unlike = append(unlike, "react")
		}
		if _, err := exec.LookPath("ffmpeg"); err != nil {
			unlike = append(unlike, "ffmpeg")
		}
		d := &driver{engine: engine, server: httptest.NewServer(conformance.Fixture{React: react}), store: newStore()}
		DeferCleanup(func() { d.server.CloseClientConnections(); d.server.Close() })
		list := readVectors()
		v = judge(d.all(ctx, list, unlike), unlike)
		v.unasked(list)
		AddReportEntry("counts", ReportEntryVisibilityAlways, v.String())
	})

	It("differs only as decided", func() {
		Expect(v.open).To(BeEmpty(), "rows differ from the reference and no decision covers them:\n%s", strings.Join(v.open, "\n"))
	})

	It("needs every decision", func() {
		if len(unlike) > 0 {
			Skip("this machine has not " + strings.Join(unlike, ", "))
		}
		Expect(v.idle()).To(BeEmpty(), "decisions that cover nothing any more")
	})

	It("comes to the counts of the reference page", func() {
		if len(unlike) > 0 {
			Skip("this machine has not " + strings.Join(unlike, ", "))
		}
		file := filepath.Join("testdata", "counts.txt")
		if os.Getenv("CHECKROW_GOLDEN") == "1" {
			Expect(os.WriteFile(file, []byte(v.String()), 0o644)).To(Succeed())
		}
		want, err := os.ReadFile(file)
		Expect(err).NotTo(HaveOccurred())
		// A few rows meet a page that is just being replaced, and may come out either way: the decisions are exact, the
		// counts may be off by as many.
		Expect(words(v.String())).To(Equal(words(string(want))), "run make golden if the change is meant")
		got, all := numbers(v.String()), numbers(string(want))
		Expect(got).To(HaveLen(len(all)))
		for i, n := range all {
			Expect(got[i]).To(BeNumerically("~", n, 3), "run make golden if the change is meant")
		}
	})
})

var digits = regexp.MustCompile(` *\d+`)

// words is a text without its numbers.
func words(text string) string { return digits.ReplaceAllString(text, "#") }

// numbers are those of a text, in order.
func numbers(text string) []int {
	var out []int
	for _, s := range digits.FindAllString(text, -1) {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		Expect(err).NotTo(HaveOccurred())
		out = append(out, n)
	}
	return out
}

// newStore makes a run folder with the files that the reference found where it ran.
func newStore() *artifact.Store {
	GinkgoHelper()
	store, err := artifact.Open(GinkgoT().TempDir())
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { _ = store.Close() })
	Expect(os.Mkdir(filepath.Join(store.Dir(), "fixture"), 0o700)).To(Succeed())
	for name, text := range map[string]string{"server.log": "started\n", "server.mjs": "// a server\n",
		"../cookies.txt": "curl 'http://127.0.0.1/' -H 'Cookie: a=1; b=2'\n"} {
		Expect(os.WriteFile(filepath.Join(store.Dir(), "fixture", filepath.FromSlash(name)), []byte(text), 0o600)).To(Succeed())
	}
	return store
}

// all runs the vectors, several at a time. One that differs is run once more, alone: on a busy machine a page that
// answers late looks like one that answers otherwise.
func (d *driver) all(ctx context.Context, list []vector, unlike []string) []ours {
	GinkgoHelper()
	results := make([][]ours, len(list))
	queue := make(chan int)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			defer GinkgoRecover()
			for i := range queue {
				results[i] = d.run(ctx, &list[i], list[i].Name)
			}
		})
	}
	for _, i := range d.order(list) {
		queue <- i
	}
	close(queue)
	wg.Wait()
	for i, r := range results {
		if len(judge(r, unlike).open) > 0 {
			results[i] = d.run(ctx, &list[i], list[i].Name+"-again")
		}
	}
	return slices.Concat(results...)
}

// order puts the vectors first that wait longest.
func (d *driver) order(list []vector) []int {
	var first, rest []int
	for i, v := range list {
		if slices.Contains([]string{"open-timeouts", "flood", "wait"}, v.Name) {
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	return append(first, rest...)
}
