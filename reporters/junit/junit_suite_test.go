package junit_test

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal"
)

func TestJUnit(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "junit")
}

// recorded gives the folder of a recorded run.
func recorded(name string) string { return filepath.Join("..", "testdata", name) }

// load folds a recorded run.
func load(name string) *journal.State {
	GinkgoHelper()
	s, err := journal.Load(recorded(name))
	Expect(err).NotTo(HaveOccurred())
	return s
}

// document is junit.xml as a strict reader sees it.
type document struct {
	XMLName  xml.Name `xml:"testsuites"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Suites   []struct {
		Name      string     `xml:"name,attr"`
		File      string     `xml:"file,attr"`
		Timestamp string     `xml:"timestamp,attr"`
		Hostname  string     `xml:"hostname,attr"`
		Tests     int        `xml:"tests,attr"`
		Failures  int        `xml:"failures,attr"`
		Errors    int        `xml:"errors,attr"`
		Skipped   int        `xml:"skipped,attr"`
		Cases     []testcase `xml:"testcase"`
	} `xml:"testsuite"`
}

type testcase struct {
	Class    string    `xml:"classname,attr"`
	Name     string    `xml:"name,attr"`
	File     string    `xml:"file,attr"`
	Line     int       `xml:"line,attr"`
	Failures []problem `xml:"failure"`
	Errors   []problem `xml:"error"`
	Skipped  []problem `xml:"skipped"`
	Flaky    []problem `xml:"flakyFailure"`
	Rerun    []problem `xml:"rerunFailure"`
	Out      string    `xml:"system-out"`
}

type problem struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// parse reads a report and checks that its counts are those of its cases.
func parse(path string) document {
	GinkgoHelper()
	f, err := os.Open(path)
	Expect(err).NotTo(HaveOccurred())
	defer func() { _ = f.Close() }()
	d := xml.NewDecoder(f)
	var doc document
	Expect(d.Decode(&doc)).To(Succeed())
	_, err = d.Token()
	for err == nil {
		_, err = d.Token()
	}
	Expect(err).To(MatchError(io.EOF))
	seen := map[string]bool{}
	var tests, failures, errs, skipped int
	for _, u := range doc.Suites {
		Expect(u.Tests).To(Equal(len(u.Cases)))
		var f, e, s int
		for _, c := range u.Cases {
			id := c.Class + "\x00" + c.Name
			Expect(seen).NotTo(HaveKey(id))
			seen[id] = true
			f, e, s = f+len(c.Failures), e+len(c.Errors), s+len(c.Skipped)
		}
		Expect([]int{u.Failures, u.Errors, u.Skipped}).To(Equal([]int{f, e, s}))
		tests, failures, errs, skipped = tests+u.Tests, failures+f, errs+e, skipped+s
	}
	Expect([]int{doc.Tests, doc.Failures, doc.Errors, doc.Skipped}).To(Equal([]int{tests, failures, errs, skipped}))
	return doc
}
