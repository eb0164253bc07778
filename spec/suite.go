package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec/diag"
)

// parseFile reads the tree and decodes what the top-level keys say it is.
func parseFile(file string, src []byte, p *Project, l *diag.List) File {
	top := readTree(file, src, l)
	if top == nil {
		return File{}
	}
	n := Node{n: top}
	if !n.IsMap() {
		n.report(l, "a suite or fragment is a map, got "+n.Sort(), `it starts with "suite: NAME" or "fragment: NAME"`)
		return File{}
	}
	sum := sha256.Sum256(src)
	hash := hex.EncodeToString(sum[:])
	switch sortOf(n, l) {
	case "suite":
		s := decodeSuite(n, p.limits(), l)
		s.File, s.Root, s.Source, s.SHA256 = file, filepath.Dir(file), src, hash
		s.inherit(p)
		return File{Suite: s}
	case "fragment":
		f := decodeFragment(n, l)
		f.File, f.Source, f.SHA256 = file, src, hash
		return File{Fragment: f}
	}
	return File{}
}

// sortOf decides what a file is. A file with a misspelt or missing `suite` whose other keys are those of a suite is
// decoded as one, so that everything else wrong with it is reported too.
func sortOf(n Node, l *diag.List) string {
	switch {
	case n.Has("suite"):
		return "suite"
	case n.Has("fragment"):
		return "fragment"
	}
	for _, p := range n.n.pairs {
		if near := diag.Nearest(p.key.text, []string{"suite", "fragment"}); len(near) > 0 {
			return near[0]
		}
	}
	if n.Has("tests") {
		return "suite" // "a suite needs suite" comes from its table
	}
	l.Append(&diag.Error{
		Pos: n.Pos(), Msg: `the file has neither "suite" nor "fragment"`,
		Hint: `a suite starts with "suite: NAME", a fragment with "fragment: NAME"`,
	})
	return ""
}

func decodeSuite(n Node, project *Timeouts, l *diag.List) *Suite {
	m, _ := n.Map("a suite", SuiteKeys, l)
	s := &Suite{
		Name:       wantName(m["suite"], "suite", l),
		Pos:        m["suite"].KeyPos(),
		BaseURL:    wantScalar(m["base_url"], "base_url", l),
		Vars:       wantNames(m["vars"], "vars", l),
		Env:        wantEnv(m["env"], l),
		Secrets:    decodeSecrets(m["secrets"], l),
		Matrix:     decodeMatrix(m["matrix"], l),
		Each:       wantEach(m["each"], l),
		Timeouts:   decodeTimeouts(m["timeouts"], project, false, l),
		Retries:    wantRetries(m["retries"], l),
		Services:   decodeServices(m["services"], l),
		Sessions:   decodeSessions(m["sessions"], l),
		Dismiss:    m["dismiss"],
		Setup:      wantSteps(m["setup"], "setup", l),
		Teardown:   wantSteps(m["teardown"], "teardown", l),
		BeforeEach: wantSteps(m["before_each"], "before_each", l),
		AfterEach:  wantSteps(m["after_each"], "after_each", l),
		Health:     decodeHealth(m["health"], l),
		Outside:    decodeOutside(m["artifacts"], l),
		ReadOnly:   WantBool(m["read_only"], "read_only", l),
		Serial:     WantBool(m["serial"], "serial", l),
		Resume:     wantResume(m["resume"], l),
		Lock:       wantNamed(m["lock"], "lock", "the lock", l),
	}
	s.Tags, s.TagsOf = wantTags(m["tags"], l)
	s.Browser, s.BrowserOf = wantBrowser(m["browser"], l)
	if s.Pos.IsZero() {
		s.Pos = n.Pos()
	}
	if tests, ok := m["tests"]; ok {
		s.Tests = decodeTests(tests, s.Timeouts.over(project), l)
	}
	return s
}

func decodeTests(n Node, outer Timeouts, l *diag.List) []Test {
	items, ok := n.Seq()
	if !ok && !n.Empty() {
		hint := ""
		if n.IsMap() {
			hint = `each test is a list item: "- name: …"`
		}
		n.report(l, diag.WantKind("tests", "a list", n.Sort()), hint)
		return nil
	}
	if len(items) == 0 {
		l.AddWide(n.KeyPos(), len("tests"), "the suite has no test", `write "- name: …" with steps below it`)
		return nil
	}
	first := map[string]diag.Pos{}
	out := make([]Test, 0, len(items))
	for _, item := range items {
		t, ok := decodeTest(item, outer, l)
		if !ok {
			continue
		}
		if name, static := t.Name.Text(); static && name != "" && !strings.Contains(name, "${{") {
			if p, twice := first[name]; twice {
				msg, hint := diag.Duplicate("the test", name, p)
				t.Name.report(l, msg, hint)
			} else {
				first[name] = t.Name.Pos()
			}
		}
		out = append(out, t)
	}
	return out
}

func decodeTest(n Node, outer Timeouts, l *diag.List) (Test, bool) {
	if n.Empty() {
		return Test{}, false // reported as an empty item
	}
	m, ok := n.Map("a test", TestKeys, l)
	if !ok {
		return Test{}, false
	}
	t := Test{
		Name:     wantScalar(m["name"], "name", l),
		Pos:      n.Pos(),
		Vars:     wantNames(m["vars"], "vars", l),
		Matrix:   decodeMatrix(m["matrix"], l),
		Each:     wantEach(m["each"], l),
		If:       wantScalar(m["if"], "if", l),
		Skip:     decodeSkip(m["skip"], l),
		Timeouts: decodeTimeouts(m["timeouts"], &outer, true, l),
		Retries:  wantRetries(m["retries"], l),
		Session:  wantScalar(m["session"], "session", l),
		Dismiss:  m["dismiss"],
		Steps:    wantSteps(m["steps"], "steps", l),
		Finally:  wantSteps(m["finally"], "finally", l),
		Health:   decodeHealth(m["health"], l),

		KnownBug:   decodeKnownBug(m["known_bug"], l),
		Quarantine: decodeQuarantine(m["quarantine"], l),
		Lock:       wantNamed(m["lock"], "lock", "the lock", l),
		Needs:      wantNamed(m["needs"], "needs", "the test", l),
		Outputs:    wantOutputs(m["outputs"], l),
		Wanted:     decodeWanted(m["artifacts"], l),
		Resume:     wantResume(m["resume"], l),
		ReadOnly:   WantBool(m["read_only"], "read_only", l),
	}
	t.Tags, t.TagsOf = wantTags(m["tags"], l)
	t.Browser, t.BrowserOf = wantBrowser(m["browser"], l)
	if name, ok := t.Name.Text(); ok && !t.Name.Empty() && strings.TrimSpace(name) == "" {
		t.Name.report(l, "the name is empty", "")
	}
	if v, ok := m["timeout"]; ok {
		decodeTimeout(v, &t, outer, l)
	}
	return t, true
}

// decodeSkip refuses true and false: a skip without a reason is forgotten.
func decodeSkip(n Node, l *diag.List) Node {
	n = wantScalar(n, "skip", l)
	if text, ok := n.Text(); ok && !n.Quoted() {
		if _, isBool := plainValue(text).(bool); isBool {
			n.report(l, diag.WantKind("skip", "the reason", text), `write skip: "why"`)
			return Node{}
		}
	}
	return n
}

func wantRetries(n Node, l *diag.List) *int {
	if n.IsZero() {
		return nil
	}
	v := WantInt(n, "retries", 0, l)
	if v > 20 {
		n.report(l, diag.WantKind("retries", "at most 20", strconv.Itoa(v)), "")
		v = 20
	}
	return &v
}

// wantScalar checks that a node is text, and keeps it as a node because ${{ }} may stand in it.
func wantScalar(n Node, key string, l *diag.List) Node {
	if n.IsZero() {
		return n
	}
	before := l.Len()
	WantText(n, key, l)
	if l.Len() > before {
		return Node{}
	}
	return n
}

// wantName gives the text of a name that may not be empty.
func wantName(n Node, key string, l *diag.List) string {
	name := WantText(n, key, l)
	if strings.TrimSpace(name) == "" && !n.IsZero() && !n.Empty() && n.n.scalar() {
		n.report(l, "the name is empty", "")
	}
	return name
}

// wantSteps checks that a node is a list with something in it; the steps themselves are decoded elsewhere.
func wantSteps(n Node, key string, l *diag.List) Node {
	if n.IsZero() {
		return n
	}
	items, ok := n.Seq()
	switch {
	case !ok && !n.Empty():
		n.report(l, diag.WantKind(key, "a list of steps", n.Sort()), `each step starts with "- "`)
		return Node{}
	case len(items) == 0:
		hint := "write at least one step, or leave the key out"
		if key == "steps" {
			hint = "write at least one step"
		}
		l.AddWide(n.KeyPos(), len(key), strconv.Quote(key)+" is empty", hint)
		return Node{}
	}
	return n
}

// wantTags gives the tags that are written out, and as nodes those with ${{ }} in them.
func wantTags(n Node, l *diag.List) (tags []string, of []Node) {
	items, _ := n.Seq()
	for i, tag := range WantTexts(n, "tags", l) {
		switch {
		case strings.Contains(tag, "${{"):
			of = append(of, items[i])
			continue
		case tag != "" && !IsTag(tag):
			items[i].report(l, "the tag "+strconv.Quote(tag)+" is no single word", "letters, digits and _ - . : /")
		}
		tags = append(tags, tag)
	}
	return tags, of
}

// IsTag tells that --tag can spell a tag.
func IsTag(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !word(r) && r != '-' && r != '.' && r != ':' && r != '/'
	})
}

// wantEach checks that `+"`each:`"+` is the path of a file or a list.
func wantEach(n Node, l *diag.List) Node {
	if n.IsZero() {
		return n
	}
	items, isList := n.Seq()
	if len(items) > 0 {
		return n
	}
	text, ok := n.Text()
	switch {
	case isList:
		n.report(l, `"each" has no row`, "the test would never run")
	case !ok:
		n.report(l, diag.WantKind("each", "the path of a file or a list", n.Sort()), "")
	case strings.TrimSpace(text) == "":
		n.report(l, diag.WantKind("each", "the path of a file or a list", "nothing"), "")
	case strings.Contains(text, "${{"):
		n.report(l, `the path in "each" is written out`, "the rows make the names of tests, which are known before the run")
	default:
		return n
	}
	return Node{}
}

// wantNames gives the entries of a map whose keys are reached by expressions as MAP.NAME.
func wantNames(n Node, key string, l *diag.List) []Entry {
	if n.IsZero() || n.Empty() {
		return nil
	}
	entries := n.Entries(strconv.Quote(key), l)
	for _, e := range entries {
		checkName(e.Name, e.KeyPos, key, l)
	}
	return entries
}

// checkName refuses names that an expression could not spell.
func checkName(name string, p diag.Pos, key string, l *diag.List) bool {
	if IsName(name) {
		return true
	}
	hint := "letters, digits and _, no digit first"
	if fixed := strings.NewReplacer("-", "_", ".", "_", " ", "_").Replace(name); IsName(fixed) {
		hint = "write " + fixed
	}
	l.AddWide(p, utf8.RuneCountInString(name), strconv.Quote(name)+" is no name for "+strconv.Quote(key), hint)
	return false
}

// IsName tells that expressions can spell a name: letters, digits and "_", no digit first.
func IsName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func wantEnv(n Node, l *diag.List) []Entry {
	if n.IsZero() || n.Empty() {
		return nil
	}
	entries := n.Entries(`"env"`, l)
	for _, e := range entries {
		checkName(e.Name, e.KeyPos, "env", l)
		WantText(e.Value, "env."+e.Name, l)
	}
	return entries
}

func decodeSecrets(n Node, l *diag.List) []Secret {
	if n.IsZero() || n.Empty() {
		return nil
	}
	items, ok := n.Seq()
	if !ok {
		hint := "the values come from the environment: secrets: [SHOP_PASSWORD]"
		n.report(l, diag.WantKind("secrets", "a list of names", n.Sort()), hint)
		return nil
	}
	seen := map[string]diag.Pos{}
	out := make([]Secret, 0, len(items))
	for i, item := range items {
		name := WantText(item, "item "+strconv.Itoa(i+1)+` of "secrets"`, l)
		if name == "" || !checkName(name, item.Pos(), "secrets", l) {
			continue
		}
		if first, twice := seen[name]; twice {
			msg, hint := diag.Duplicate("the secret", name, first)
			item.report(l, msg, hint)
			continue
		}
		seen[name] = item.Pos()
		out = append(out, Secret{Name: name, Pos: item.Pos()})
	}
	return out
}
