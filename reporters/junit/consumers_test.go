package junit_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/reporters/junit"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// shown is what a consumer shows of a case.
type shown struct {
	suite, class, name, status, text, file string
	line                                   int
	attachments                            []string
}

// The consumers read a report as their sources do.
type consumer func(document) []shown

// gitlab reads as parsers/test/junit.rb: the class is the suite, failure goes before error before skipped, the text is that
// of the element and never its message, the first attachment of the output counts, and a second case of one class and name
// is dropped. Ruby's reader of XML turns elements by their type attribute; some of its types are refused.
func gitlab(doc document) []shown {
	typed := []string{"symbol", "date", "datetime", "duration", "integer", "float", "decimal", "boolean", "string", "yaml",
		"base64Binary", "hexBinary", "file", "array"}
	attachment := regexp.MustCompile(`\[\[ATTACHMENT\|(.+?)\]\]`)
	seen := map[string]bool{}
	var out []shown
	for _, u := range doc.Suites {
		for _, c := range u.Cases {
			s := shown{suite: c.Class, class: c.Class, name: c.Name, status: "success", file: c.File}
			switch all := slices.Concat(c.Failures, c.Errors); {
			case len(c.Failures) > 0:
				s.status, s.text = "failed", c.Failures[0].Text
				Expect(typed).NotTo(ContainElement(all[0].Type))
			case len(c.Errors) > 0:
				s.status, s.text = "error", c.Errors[0].Text
				Expect(typed).NotTo(ContainElement(all[0].Type))
			case len(c.Skipped) > 0:
				s.status = "skipped"
			}
			if m := attachment.FindStringSubmatch(c.Out); m != nil && (s.status == "failed" || s.status == "error") {
				s.attachments = m[1:]
			}
			if id := c.Class + c.Name; !seen[id] {
				seen[id] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// jenkins reads as CaseResult.java: what is before the last dot of the class is its package, error goes as failure, and
// junit-attachments takes lines of the output whose path exists for the controller, so it must be absolute.
func jenkins(doc document) []shown {
	line := regexp.MustCompile(`^\[\[ATTACHMENT\|(.+)\]\]$`)
	var out []shown
	for _, u := range doc.Suites {
		for _, c := range u.Cases {
			s := shown{suite: "(root)", class: c.Class, name: c.Name, status: "PASSED"}
			if dot := strings.LastIndexByte(c.Class, '.'); dot >= 0 {
				s.suite, s.class = c.Class[:dot], c.Class[dot+1:]
			}
			if bad := slices.Concat(c.Errors, c.Failures); len(bad) > 0 {
				s.status, s.text = "FAILED", bad[0].Message+"\n"+bad[0].Text
			} else if len(c.Skipped) > 0 {
				s.status, s.text = "SKIPPED", c.Skipped[0].Message
			}
			for _, l := range strings.Split(c.Out, "\n") {
				if m := line.FindStringSubmatch(strings.TrimSpace(l)); m != nil {
					s.attachments = append(s.attachments, m[1])
				}
			}
			out = append(out, s)
		}
	}
	return out
}

// action reads as mikepenz/action-junit-report: file and line of the case, else of the suite at line 1; the message as title.
func action(doc document) []shown {
	var out []shown
	for _, u := range doc.Suites {
		for _, c := range u.Cases {
			s := shown{suite: u.Name, class: c.Class, name: c.Name, status: "success", file: c.File, line: max(c.Line, 1)}
			if s.file == "" {
				s.file = u.File
			}
			if bad := slices.Concat(c.Failures, c.Errors); len(bad) > 0 {
				s.status, s.text = "failure", bad[0].Message
			} else if len(c.Skipped) > 0 {
				s.status = "skipped"
			}
			out = append(out, s)
		}
	}
	return out
}

func pick(list []shown, class, name string) shown {
	GinkgoHelper()
	i := slices.IndexFunc(list, func(s shown) bool { return s.class == class && s.name == name })
	Expect(i).To(BeNumerically(">=", 0), "no %s of %s in %v", name, class, list)
	return list[i]
}

var _ = Describe("consumers", func() {
	read := func(s *journal.State, base junit.Base, as consumer) []shown {
		GinkgoHelper()
		path := filepath.Join(GinkgoT().TempDir(), "junit.xml")
		r, err := junit.New(path, junit.Options{Attachments: base, Project: "/build"})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Close(s)).To(Succeed())
		return as(parse(path))
	}
	const buys = "a customer buys two [size=mobile]"

	It("GitLab shows failures and errors with their block and the newest picture, relative to the project", func() {
		s := load("full")
		down := s.Suite("suites/down.yaml")
		down.SetupFailure.Artifacts = []steps.Artifact{{Path: "artifacts/down/log.txt", State: steps.Saved},
			{Path: "artifacts/down/seen.png", State: steps.Saved}, {Path: "artifacts/down/gone.png", State: steps.Missing}}
		list := read(s, junit.FromProject, gitlab)
		got := pick(list, "suites/shop/checkout", buys)
		Expect(got.status).To(Equal("failed"))
		Expect(got.text).To(ContainSubstring(`want the text of #total to be "€84 each"`))
		Expect(got.text).To(ContainSubstring("checkrow run suites/shop/checkout.yaml:20"))
		Expect(got.file).To(Equal("suites/shop/checkout.yaml"), "copy failed tests needs it")
		Expect(got.attachments).To(Equal([]string{"shop/.checkrow/runs/20261130-184924-a1/artifacts/checkout/buys/2/failure.png"}))
		setup := pick(list, "suites/down", "(setup)")
		Expect(setup.status).To(Equal("error"))
		Expect(setup.attachments).To(Equal([]string{"shop/.checkrow/runs/20261130-184924-a1/artifacts/down/seen.png"}))
		Expect(list).To(HaveLen(len(read(s, junit.FromProject, jenkins))), "it drops none as a double")
	})

	It("Jenkins shows no package, and attachments of each attempt by an absolute path", func() {
		list := read(load("full"), junit.Absolute, jenkins)
		for _, c := range list {
			Expect(c.suite).To(Equal("(root)"), "of class %s", c.class)
			for _, path := range c.attachments {
				Expect(path).To(HavePrefix(runDir + "/artifacts/"))
			}
		}
		got := pick(list, "suites/shop/checkout", buys)
		Expect(got.status).To(Equal("FAILED"))
		Expect(got.attachments).To(Equal([]string{runDir + "/artifacts/checkout/buys/2/failure.png"}))
		Expect(pick(list, "suites/shop/checkout", "shows the cart").attachments).To(HaveLen(1), "of a test that passed, too")
	})

	It("an action of GitHub annotates the line of the row that failed", func() {
		list := read(load("full"), junit.FromReport, action)
		got := pick(list, "suites/shop/checkout", buys)
		Expect([]any{got.status, got.file, got.line}).To(Equal([]any{"failure", "suites/shop/checkout.yaml", 26}))
		Expect(got.text).To(HavePrefix("want the text of #total"))
		for _, c := range list {
			if c.status == "failure" && c.class != "checkrow" {
				Expect(c.file).NotTo(BeEmpty(), "of %s", c.name)
			}
		}
	})

	It("names no type of a problem that Ruby would turn into something else, and no class with a dot", func() {
		s := journal.NewState()
		plan := journal.Planned{Suites: []journal.PlannedSuite{{File: "a.b/c.d.yaml"}}}
		for _, c := range []steps.Category{steps.Assertion, steps.NotFound, steps.NotActionable, steps.StaleRef, steps.DialogBlocked,
			steps.Timeout, steps.Crash, steps.ArtifactBad, steps.Navigation, steps.Process, steps.HTTP, steps.Health, steps.Setup,
			steps.PolicyDenied, steps.Validation, steps.Environment, steps.Interrupted, steps.Internal} {
			plan.Tests = append(plan.Tests, journal.PlannedTest{Key: steps.TestKey{Suite: "a.b/c.d.yaml", Name: string(c)}})
		}
		Expect(s.Apply(journal.Event{Body: plan})).To(Succeed())
		for _, t := range s.Tests {
			category := steps.Category(t.Planned.Key.Name)
			t.Status, t.Done = steps.Failed, true
			t.Attempts = []*journal.Attempt{{N: 1, Failure: &journal.Failure{Category: category, Message: "x", Pos: diag.Pos{File: "a.b/c.d.yaml", Line: 3}}}}
		}
		s.Ended = true
		for _, c := range read(s, junit.FromProject, gitlab) {
			Expect(c.class).To(Equal("a_b/c_d"))
			Expect(c.status).NotTo(Equal("success"))
		}
	})
})
