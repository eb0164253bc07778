package plan_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec/diag"
)

// options reads the first line of an archive that starts with "options:": paths, and NAME=VALUE for the fields of
// plan.Options, vars and environment.
func options(comment string) (paths []string, o plan.Options) {
	o.Kinds = standard.Kinds()
	env := map[string]string{}
	o.LookupEnv = func(n string) (string, bool) { v, ok := env[n]; return v, ok }
	for line := range strings.SplitSeq(comment, "\n") {
		rest, ok := strings.CutPrefix(line, "options:")
		if !ok {
			continue
		}
		for _, word := range strings.Split(strings.TrimSpace(rest), "; ") {
			name, value, set := strings.Cut(word, "=")
			switch {
			case !set:
				paths = append(paths, word)
			case name == "grep":
				o.Grep = regexp.MustCompile(value)
			case name == "tag":
				o.Tag = value
			case name == "keep-going":
				o.KeepGoing = value == "true"
			case name == "today":
				o.Today, _ = time.Parse(time.DateOnly, value)
			case name == "need-env":
				o.NeedEnv = value == "true"
			case strings.HasPrefix(name, "var."):
				if o.Vars == nil {
					o.Vars = map[string]string{}
				}
				o.Vars[name[4:]] = value
			case strings.HasPrefix(name, "env."):
				env[name[4:]] = value
			}
		}
	}
	if paths == nil {
		paths = []string{"."}
	}
	return paths, o
}

var trips = regexp.MustCompile(`\d+ round trips?`)

// want gives the parts of an archive that are results, from its inputs.
func want(a *txtar.Archive, dir string) map[string]string {
	paths, o := options(string(a.Comment))
	o.Dir = dir
	var l diag.List
	p := plan.Load(paths, o, &l)
	out := map[string]string{}
	for _, e := range l.All() {
		mark := ""
		if e.Severity == diag.Lint {
			mark = "lint: "
		}
		out["want.err"] += mark + strings.ReplaceAll(e.Error(), dir, "DIR") + "\n"
	}
	for _, f := range p.Ignored {
		out["want.ignored"] += f + "\n"
	}
	for _, b := range p.Broken {
		for _, e := range b.Errors {
			out["want.broken"] += b.File + " | " + strings.ReplaceAll(e.Error(), dir, "DIR") + "\n"
		}
	}
	if l.Len() == 0 {
		// How many trips a command takes is the command table's business.
		out["want.plan"] = trips.ReplaceAllString(p.Describe().Text(), "N round trips")
	}
	return out
}

var _ = Describe("Goldens", func() {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		panic("no goldens")
	}
	for _, file := range files {
		It(filepath.Base(file), func() {
			a, err := txtar.ParseFile(file)
			Expect(err).NotTo(HaveOccurred())
			dir := GinkgoT().TempDir()
			have := map[string]string{}
			var inputs []txtar.File
			for _, f := range a.Files {
				if strings.HasPrefix(f.Name, "want.") {
					have[f.Name] = string(f.Data)
					continue
				}
				inputs = append(inputs, f)
				path := filepath.Join(dir, f.Name)
				Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
				Expect(os.WriteFile(path, f.Data, 0o600)).To(Succeed())
			}
			got := want(a, dir)
			if os.Getenv("CHECKROW_GOLDEN") == "1" {
				a.Files = inputs
				for _, name := range []string{"want.err", "want.ignored", "want.broken", "want.plan"} {
					if got[name] != "" {
						a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(got[name])})
					}
				}
				text := txtar.Format(a)
				if old, err := os.ReadFile(file); err != nil || !bytes.Equal(old, text) {
					Expect(os.WriteFile(file, text, 0o600)).To(Succeed())
				}
				return
			}
			Expect(got).To(Equal(have))
		})
	}
})
