package htmlreport_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/reporters/htmlreport"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// recorded is a run whose report suites/html.yaml opens in a browser.
var recorded = filepath.Join("testdata", "run")

// element gives what the page holds in the script element of an id.
func element(page []byte, id string) []byte {
	GinkgoHelper()
	m := regexp.MustCompile(`(?s)<script type="[a-z/]+" id="` + id + `">(.*?)</script>`).FindSubmatch(page)
	Expect(m).NotTo(BeNil(), id)
	return m[1]
}

func render(s *journal.State, dir, path string) []byte {
	GinkgoHelper()
	page, err := htmlreport.Render(s, dir, path)
	Expect(err).NotTo(HaveOccurred())
	return page
}

func load(dir string) *journal.State {
	GinkgoHelper()
	s, err := journal.Load(dir)
	Expect(err).NotTo(HaveOccurred())
	return s
}

var _ = Describe("report.html", func() {
	It("tells the lives of a run, and draws them one behind the other", func() {
		s := load(filepath.Join("..", "testdata", "lives"))
		var got struct {
			Run struct {
				MS    float64
				Lives []struct {
					MS  float64
					End string
				}
			}
			Tests []struct {
				Runs []struct{ At, MS float64 }
			}
		}
		Expect(json.Unmarshal(element(render(s, "nowhere", "nowhere/report.html"), "index"), &got)).To(Succeed())
		Expect(got.Run.MS).To(Equal(15500.0))
		Expect(got.Run.Lives).To(HaveExactElements(HaveField("End", "was killed"), HaveField("End", "was killed"), HaveField("End", "exit code 0")))
		Expect(got.Run.Lives[1].MS).To(Equal(2500.0))
		Expect(got.Tests[1].Runs).To(HaveExactElements(And(HaveField("At", 5000.0), HaveField("MS", 5000.0)),
			And(HaveField("At", 10500.0), HaveField("MS", 2000.0)), And(HaveField("At", 12750.0), HaveField("MS", 1750.0))))
	})

	It("holds the data of the golden file", func() {
		page := render(load(recorded), recorded, filepath.Join(recorded, "report.html"))
		archive := &txtar.Archive{Comment: []byte("The data of the report of testdata/run.\n\n")}
		for _, id := range []string{"index", "chunk-0"} {
			var out bytes.Buffer
			Expect(json.Indent(&out, element(page, id), "", " ")).To(Succeed())
			archive.Files = append(archive.Files, txtar.File{Name: id + ".json", Data: append(out.Bytes(), '\n')})
		}
		got, path := string(txtar.Format(archive)), filepath.Join("testdata", "data.txtar")
		if os.Getenv("CHECKROW_GOLDEN") != "" {
			Expect(os.WriteFile(path, []byte(got), 0o644)).To(Succeed())
		}
		want, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal(string(want)))
	})

	It("has no element that a test or a page named, fetches nothing and runs only its own script", func() {
		page := string(render(load(recorded), recorded, filepath.Join(recorded, "report.html")))
		Expect(page).To(ContainSubstring(`\u003c/script\u003e\u003cimg src=x onerror=`))
		Expect(page).NotTo(MatchRegexp(`<img|<b>bold|<!--`))
		open, shut := strings.Count(page, "<script"), strings.Count(page, "</script>")
		Expect(open).To(Equal(shut))
		Expect(page).NotTo(MatchRegexp(`(src|href)="?https?:|@import|url\(|innerHTML|insertAdjacentHTML|document\.write|eval\(`))
		Expect(page).To(MatchRegexp(`default-src 'none'.*script-src 'sha256-[A-Za-z0-9+/=]+'"`))
	})

	It("holds the pictures and logs of failures once, and reads nothing outside of the run folder", func() {
		dir := GinkgoT().TempDir()
		Expect(os.CopyFS(dir, os.DirFS(recorded))).To(Succeed())
		secret := filepath.Join(GinkgoT().TempDir(), "secret.txt")
		Expect(os.WriteFile(secret, []byte("outside"), 0o600)).To(Succeed())
		Expect(os.Symlink(secret, filepath.Join(dir, "link.txt"))).To(Succeed())
		s := load(dir)
		f := s.Tests[1].Attempts[1].Failure
		shot, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Artifacts[0].Path)))
		Expect(err).NotTo(HaveOccurred())
		for _, path := range []string{"link.txt", "../secret.txt", secret, "gone.txt", "artifacts"} {
			f.Artifacts = append(f.Artifacts, steps.Artifact{Path: path, Kind: "text", Type: "text/plain", State: steps.Saved, Bytes: 7})
		}
		f.Artifacts = append(f.Artifacts, f.Artifacts[0])
		page := render(s, dir, filepath.Join(dir, "report.html"))
		Expect(string(page)).NotTo(ContainSubstring("outside\""))
		Expect(bytes.Count(page, []byte("data:image/png;base64,"+base64.StdEncoding.EncodeToString(shot)))).To(Equal(1))
		Expect(string(element(page, "chunk-0"))).To(ContainSubstring("GET http://localhost:8080/api/price 500 (fetch)"))
	})

	DescribeTable("finds the run folder from where it lies", func(path, want string) {
		page := render(load(recorded), recorded, path)
		var index struct{ Base string }
		Expect(json.Unmarshal(element(page, "index"), &index)).To(Succeed())
		Expect(index.Base).To(Equal(want))
	},
		Entry("in it", filepath.Join(recorded, "report.html"), ""),
		Entry("beside it", filepath.Join("testdata", "report.html"), "run/"),
		Entry("elsewhere", filepath.Join("testdata", "out", "report.html"), "../run/"))

	It("overwrites an old report at once by one that says that the run has not ended", func() {
		path := filepath.Join(GinkgoT().TempDir(), "report.html")
		Expect(os.WriteFile(path, []byte("all is well"), 0o644)).To(Succeed())
		r, err := htmlreport.New(path, recorded)
		Expect(err).NotTo(HaveOccurred())
		page, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(page)).To(ContainSubstring("<title>✗ not ended · checkrow</title>"))
		Expect(r.Close(load(recorded))).To(Succeed())
		page, err = os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(page)).To(ContainSubstring("<title>✗ 6 of 11 · checkrow</title>"))
	})

	It("is under 1 MB for 100 tests, also if half of them fail", func() {
		Expect(len(render(many(100), GinkgoT().TempDir(), "report.html"))).To(BeNumerically("<", 1_000_000))
	})

	It("says of a run at any of its moments what is known", func() {
		whole, err := os.ReadFile(filepath.Join(recorded, journal.FileName))
		Expect(err).NotTo(HaveOccurred())
		lines := bytes.SplitAfter(whole, []byte("\n"))
		for n := range len(lines) - 1 { // the last is empty: behind the end of the run
			dir := GinkgoT().TempDir()
			Expect(os.WriteFile(filepath.Join(dir, journal.FileName), bytes.Join(lines[:n], nil), 0o600)).To(Succeed())
			s := load(dir)
			Expect(s.Ended).To(BeFalse())
			Expect(string(render(s, dir, filepath.Join(dir, "report.html")))).To(ContainSubstring("<title>✗ not ended · checkrow</title>"))
		}
	})
})

// many is a run of n tests of twelve rows; each second one failed.
func many(n int) *journal.State {
	s := journal.NewState()
	at := time.Date(2031, 5, 4, 9, 0, 0, 0, time.UTC)
	s.Run = journal.RunInfo{ID: "r", Version: "1", Started: at, Workers: 4, Hostname: "ci", Command: []string{"checkrow", "run"}}
	s.Suites = []*journal.Suite{{Planned: journal.PlannedSuite{File: "suites/shop/checkout.yaml", Name: "checkout"}}}
	s.Ended, s.End = true, journal.RunEnd{Exit: 1, Took: time.Duration(n) * 300 * time.Millisecond}
	for i := range n {
		start := at.Add(time.Duration(i/4) * 1200 * time.Millisecond)
		a := &journal.Attempt{N: 1, Worker: i%4 + 1, Started: start, Took: 1100 * time.Millisecond, Status: steps.Passed}
		pos := diag.Pos{File: "suites/shop/checkout.yaml", Line: 10 + i*15, Col: 5}
		for k := range 12 {
			argv := []string{"click", fmt.Sprintf("li:has-text(\"Product %d of the catalogue\") >> role=button Add to cart", k)}
			a.Steps = append(a.Steps, &journal.Step{Phase: journal.PhaseSteps, Path: fmt.Sprint(k + 1), Name: "click",
				Pos:   diag.Pos{File: pos.File, Line: pos.Line + k + 1, Col: 9},
				State: steps.RowCompleted, Sent: start.Add(time.Duration(k) * 90 * time.Millisecond),
				Obs: &steps.Observation{Success: true, Argv: argv, Took: 80 * time.Millisecond, Value: argv[1],
					Page: steps.Page{URL: fmt.Sprintf("http://localhost:8080/shop/%d", k)}}})
		}
		key := steps.TestKey{Suite: pos.File, Name: fmt.Sprintf("a customer of kind %d buys a product and sees the total", i)}
		t := &journal.Test{Planned: journal.PlannedTest{Key: key, Pos: pos, Tags: []string{"smoke", fmt.Sprintf("team-%d", i%7)}},
			Status: steps.Passed, Done: true, Started: start, Took: a.Took, Attempts: []*journal.Attempt{a}}
		if i%2 == 1 {
			t.Status, a.Status = steps.Failed, steps.Failed
			f := load(recorded).Tests[1].Attempts[1].Failure
			f.Message = fmt.Sprintf("expected the text of #total to be \"€%d\", got \"€42\"", i)
			a.Failure = f
			a.Steps[11].State = steps.RowFailed
		}
		s.Tests = append(s.Tests, t)
	}
	return s
}
