package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec/diag"
)

// defaultPath is where suites are looked for when no path is given.
const defaultPath = "suites"

// selection are the flags that choose tests, shared by run, check, plan and list.
type selection struct {
	grep string
	tag  string
	vars []string

	policy string // path of a policy file
}

// flags defines the selection's flags.
func (s *selection) flags(fs *pflag.FlagSet) {
	fs.StringVarP(&s.grep, "grep", "g", "", "only tests whose \"file › suite › name\" matches `REGEXP`")
	fs.StringVar(&s.tag, "tag", "", "only tests whose tags match `EXPR`: \"smoke and not slow\"")
	fs.StringArrayVar(&s.vars, "var", nil, "set vars.NAME: `NAME=VALUE`, repeatable")
}

// options turns the flags into what the plan takes.
func (s *selection) options(a *app) (plan.Options, error) {
	o := plan.Options{Kinds: standard.Kinds(), Tag: s.tag, LookupEnv: a.env, Version: Version(), Dir: a.Dir}
	if err := a.checkEnviron(); err != nil {
		return o, err
	}
	limits, err := a.environTimeouts()
	if err != nil {
		return o, err
	}
	o.Timeouts = limits
	if o.Policy, err = a.readPolicy(s.policy); err != nil {
		return o, err
	}
	o.PolicySum = a.digestOf(s.policy)
	if s.grep != "" {
		re, err := regexp.Compile(s.grep)
		if err != nil {
			return o, usagef("--grep %q is not a regular expression: %w", s.grep, err)
		}
		o.Grep = re
	}
	if len(s.vars) > 0 {
		o.Vars = make(map[string]string, len(s.vars))
	}
	for _, v := range s.vars {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return o, usagef("--var %q is not NAME=VALUE", v)
		}
		o.Vars[name] = value
	}
	return o, nil
}

// compiled is what became of the suites under some paths.
type compiled struct {
	plan *plan.Plan
	errs []*diag.Error // of every file, lints too
}

// load compiles the suites under paths and prints what is wrong with them. The error carries exit code 2. Under
// --keep-going the errors of single files are printed and are no error of the whole, unless no test is left.
func (a *app) load(paths []string, o plan.Options) (compiled, error) {
	var list diag.List
	if len(paths) == 0 {
		paths = []string{defaultPath}
		if _, err := os.Stat(a.abs(defaultPath)); errors.Is(err, fs.ErrNotExist) {
			return compiled{plan: &plan.Plan{}}, usagef("there is no folder %q here: name suites or folders of them, or write a first one with checkrow init", defaultPath)
		}
	}
	c := compiled{plan: plan.Load(paths, o, &list)}
	fatal := list.Len()
	for _, b := range c.plan.Broken {
		for _, e := range b.Errors {
			list.Append(e)
		}
	}
	c.errs = list.All()
	if err := a.complain(c.errs); err != nil {
		return c, err
	}
	for _, file := range c.plan.Ignored {
		a.warnf("%s is neither a suite nor a fragment, left out", file)
	}
	if fatal > 0 || len(c.plan.Broken) > 0 && len(c.plan.Tests) == 0 {
		return c, outcome(ExitUsage)
	}
	return c, nil
}

// brokenFiles groups errors by file, for the journal.
func (c compiled) brokenFiles() []journal.BrokenFile {
	var out []journal.BrokenFile
	for _, e := range c.errs {
		if e.Severity != diag.Fatal {
			continue
		}
		if n := len(out); n == 0 || out[n-1].File != e.Pos.File {
			out = append(out, journal.BrokenFile{File: e.Pos.File})
		}
		last := &out[len(out)-1]
		last.Errors = append(last.Errors, e.Error())
	}
	return out
}

// complain prints every diagnostic in file order, with excerpts, and a last line that counts the errors.
func (a *app) complain(all []*diag.Error) error {
	if len(all) == 0 {
		return nil
	}
	sources := sourceCache{dir: a.Dir}
	return a.complainOf(all, sources.read)
}

// complainOf is complain with another source of the files' text.
func (a *app) complainOf(all []*diag.Error, source func(file string) []byte) error {
	var out bytes.Buffer
	if err := diag.Render(&out, all, source, diag.Style{Color: a.color(a.Stderr)}); err != nil {
		return err
	}
	errs, files := 0, map[string]bool{}
	for _, e := range all {
		if e.Severity == diag.Fatal {
			errs++
			if e.Pos.File != "" {
				files[e.Pos.File] = true
			}
		}
	}
	switch {
	case errs > 0 && len(files) > 0:
		fmt.Fprintf(&out, "%s in %s\n", plural(errs, "error"), plural(len(files), "file"))
	case errs > 1:
		fmt.Fprintf(&out, "%s\n", plural(errs, "error"))
	}
	if _, err := a.Stderr.Write(out.Bytes()); err != nil {
		return environment(fmt.Errorf("writing diagnostics: %w", err))
	}
	return nil
}

// suggest is a did-you-mean in brackets, or nothing.
func suggest(word string, candidates []string) string {
	if hint := diag.Suggest(word, candidates); hint != "" {
		return " (" + hint + ")"
	}
	return ""
}

// sourceCache reads the files that diagnostics point into, each once.
type sourceCache struct {
	dir   string
	texts map[string][]byte
}

// read gives a file's text, or nil if it cannot be read: the diagnostic then stands without an excerpt.
func (c *sourceCache) read(file string) []byte {
	if file == "" {
		return nil
	}
	if text, ok := c.texts[file]; ok {
		return text
	}
	path := filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.dir, path)
	}
	text := readBounded(path, 8<<20)
	if c.texts == nil {
		c.texts = map[string][]byte{}
	}
	c.texts[file] = text
	return text
}

// readBounded reads at most limit bytes of a regular file.
func readBounded(path string, limit int64) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil
	}
	return text
}
