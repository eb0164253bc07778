package schematest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/checkrow/checkrow/cmd/internal/cli"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// beyond are the mistakes that a JSON Schema cannot tell: the loader refuses them, the schema need not. Every other
// mistake both must refuse, and what the loader takes the schema must take.
var beyond = []struct{ why, message string }{
	{"what an expression means", `unknown name|unknown function|has no "|the expression (must be|is empty|ends)|values have no method|is a function|` +
		`does not (compare|compile|go between)|is the item of a list|this is no number|takes \d arguments|is not expected here|may be absent|` +
		`this character cannot stand here|there is no "\w+" here|is never closed|cannot stand in text|an expression stands here`},
	{"which steps have run", `may not have run|comes later|no step has the id`},
	{"what a target means", `is no ARIA role|XPath|CSS|is not closed|the name is empty|nothing stands after|is no engine|nth= takes|is no ref|the ref "`},
	{"the grammar of a row behind its first words", `^[\w ]+ (needs an? |takes no further|has no flag)|unknown command|cannot be "|is no (key|count|URL pattern)|` +
		`"(expect|get)" has no|^--\w+ (needs|expects)|no --\w+`},
	{"what nothing uses, and what a step gives", `nothing uses|no result that could be saved|stands on one row, an exec step, or alone|says no way to tell|` +
		`is read again|says nothing that is to happen|needs a bound|needs "\w+" beside it`},
	{"that two things have one name", `is there twice|two (tests|rows)|hides another name|has (the axis|an) "\w+" already`},
	{"what stands in another place or file", `cannot be read|is a suite|is a fragment|there is no (session|device)|no test is named|the input "|has no input|` +
		`needs the input|uses itself|does not say allow_attach|the data must be|no column|outside the run folder|a suite or fragment is|must be (string|int|float|bool|list|map), got`},
	{"how limits and numbers relate", `is longer than|longer than nothing|more than 0|at most \d+|at least 1|longer than the test|cannot be limited by a test`},
	{"what is safe, and what follows what", `not safe to repeat|would run on the wrong page|runs once|written twice|no step fails with|` +
		`resume: checkpoint and has none|a test with a checkpoint stays|a checkpoint stands directly`},
	{"where ${{ }} may stand, and what is known when", `\$\{\{ \}\}|must be known before the run|is written out|must be written out|differs from run to run|` +
		`is known only when|not plain text|is the same for every suite`},
	{"the form of a text", `is no (name|single word)|has no value "|" is empty|(URL|target) is empty|must be a date|has no name|takes the path|cannot be (an id|a name)|WIDTHxHEIGHT|must be NAME in LIST|must be (a URL|a status|the reason|the bug's name)|` +
		`is neither a|must be a number from 1 to 100|is no day|must be a list of (texts|user)|the path of a file or a list|must be a day|is not a page`},
	{"what a check looks at", `"qa" (names no page|checks nothing)|"launch" names no app|"attached" can only|is no (rule|tag) of axe-core|an action names no|is what (fill writes|select chooses)|` +
		`(fill|select|locator|select by role) needs "|stands beside a (role|locator)|has no suffix of an image|^id expects a whole number|do not agree|a select acts on|names nothing to look for|is no request`},
	{"what a script means", `is no JavaScript|would be read as code|cannot be the name of an input`},
	{"what ${{ }} gives", `"(columns|devcie)" in "browser"|"\w+" must be (a map|a list|true or false|WIDTHxHEIGHT|the address of a browser), got|must be text, got nothing|needs vars\.|totp`},
}

// beyondPatterns are compiled when they are first needed: this binary poses as checkrow, whose start is measured.
var beyondPatterns = sync.OnceValue(func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, b := range beyond {
		out = append(out, regexp.MustCompile(b.message))
	}
	return out
})

// beyondSchema gives the reason why a mistake is left to the loader; -1 if there is none.
func beyondSchema(e *diag.Error) int {
	return slices.IndexFunc(beyondPatterns(), func(p *regexp.Regexp) bool { return p.MatchString(e.Msg) })
}

// elsewhere and given are the places in beyond of what stands in another file, and of what is known only when it runs.
var elsewhere, given = reason("another place"), reason("${{ }} gives")

func reason(words string) int {
	return slices.IndexFunc(beyond, func(b struct{ why, message string }) bool { return strings.Contains(b.why, words) })
}

func compileSchema(t *testing.T, args ...string) *jsonschema.Schema {
	t.Helper()
	var out, errs bytes.Buffer
	if code := cli.Main(append([]string{"schema"}, args...), cli.World{Stdout: &out, Stderr: &errs}); code != cli.ExitPassed {
		t.Fatalf("checkrow schema: exit code %d: %s", code, errs.String())
	}
	doc, err := jsonschema.UnmarshalJSON(&out)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("suite.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("suite.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// instance reads a YAML text as an editor does: plain scalars have the type of the core schema. False if it is no YAML.
func instance(t *testing.T, src []byte) (any, bool) {
	t.Helper()
	var l diag.List
	doc := spec.ReadDocument("a.yaml", src, &l)
	if l.Len() > 0 {
		return nil, false
	}
	text, err := json.Marshal(doc.Root.Value(&l))
	if err != nil {
		return nil, false // .nan and .inf, which no JSON holds
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v, l.Len() == 0
}

// yamlCase is one file for both sides.
type yamlCase struct {
	name  string
	src   string
	file  string            // what src is: "suite.yaml", "fragment.yaml" or "checkrow.yaml"
	files map[string]string // beside it
}

// loadErrors gives what the loader says of the errors of a case.
func loadErrors(t *testing.T, dir string, c yamlCase) []*diag.Error {
	t.Helper()
	var l diag.List
	if c.file == "suite.yaml" && len(c.files) == 0 { // most of them, and the disk is slow
		file := spec.Parse(filepath.Join(dir, c.file), []byte(c.src), &l)
		plan.Compile([]spec.File{file}, plan.Options{Kinds: standard.Kinds(), Dir: dir}, &l)
		return fatal(&l, dir)
	}
	writeFiles(t, dir, c.files)
	if c.file == spec.ProjectFile {
		writeFiles(t, dir, map[string]string{"suite.yaml": smallSuite})
	}
	writeFiles(t, dir, map[string]string{c.file: c.src})
	plan.Load([]string{"suite.yaml"}, plan.Options{Kinds: standard.Kinds(), Dir: dir}, &l)
	if _, project := c.files[spec.ProjectFile]; project || c.file == spec.ProjectFile {
		if err := os.Remove(filepath.Join(dir, spec.ProjectFile)); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.files) > 0 {
		writeFiles(t, dir, besideFiles)
	}
	return fatal(&l, dir)
}

// fatal gives the errors of a list, with the names of files in dir as users give them.
func fatal(l *diag.List, dir string) []*diag.Error {
	out := slices.DeleteFunc(l.All(), func(e *diag.Error) bool { return e.Severity != diag.Fatal })
	for _, e := range out {
		e.Pos.File = strings.TrimPrefix(e.Pos.File, dir+"/")
	}
	return out
}

// besideFiles stand beside every case.
var besideFiles = map[string]string{"login.yaml": loginFragment, "users.csv": "name\nada\n", "suite.yaml": smallSuite}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSchemaIsTheLoader feeds every golden, suite and example, and a file for every key with every sort of value, to the
// loader and to the schema.
func TestSchemaIsTheLoader(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	suites := compileSchema(t)
	schemas["suite.yaml"], schemas["fragment.yaml"] = suites, suites
	schemas[spec.ProjectFile] = compileSchema(t, "--project")
	cases := append(goldenCases(t), systematicCases()...)
	dir := t.TempDir()
	writeFiles(t, dir, besideFiles)
	good, bad, used := 0, 0, make([]bool, len(beyond))
	for _, c := range cases {
		v, isYAML := instance(t, []byte(c.src))
		if !isYAML {
			continue
		}
		errs := loadErrors(t, dir, c)
		refused := schemas[c.file].Validate(v)
		if len(errs) == 0 {
			good++
			if refused != nil {
				t.Errorf("%s: the loader takes it, the schema does not: %s\n%s", c.name, innermost(refused), c.src)
			}
			continue
		}
		bad++
		if strings.HasSuffix(c.name, asItMustBe) {
			t.Errorf("%s: the table of the test is not complete: %v\n%s", c.name, errs, c.src)
		}
		reasons := make([]int, len(errs))
		for i, e := range errs {
			reasons[i] = beyondSchema(e)
			if reasons[i] == given && !strings.Contains(c.src, "${{") {
				reasons[i] = -1
			}
			if e.Pos.File != c.file {
				reasons[i] = elsewhere
			}
		}
		if refused == nil && slices.Contains(reasons, -1) {
			t.Errorf("%s: the schema takes it, the loader says: %v\n%s", c.name, errs, c.src)
		}
		if refused == nil {
			for _, r := range reasons {
				used[max(r, 0)] = true
			}
		}
	}
	t.Logf("%d files: %d good, %d bad", good+bad, good, bad)
	if good < 200 || bad < 200 {
		t.Errorf("%d good and %d bad files are too few", good, bad)
	}
	for i, b := range beyond {
		if !used[i] {
			t.Errorf("no file needs the exception for %s", b.why)
		}
	}
}

// innermost is the deepest cause of a refusal, for people.
func innermost(err error) string {
	text := fmt.Sprintf("%#v", err)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
