package spec

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
)

// ProjectFile is the name of the project file: its folder is the root of the suites below it.
const ProjectFile = "checkrow.yaml"

// Project is checkrow.yaml: what suites below it take where they say nothing themselves, and what belongs to the run.
type Project struct {
	File      string
	Source    []byte
	SHA256    string
	BaseURL   Node
	Vars      []Entry
	Env       []Entry
	Secrets   []Secret
	Browser   Browser
	Timeouts  Timeouts
	Retries   *int
	Services  []Service     // one instance of each in a run
	Workers   int           // 0: not set
	Sessions  int           // max_sessions; 0: no cap (R200)
	MaxRow    time.Duration // max_timeout; 0: no cap (R200)
	Reporters []Named       // NAME or NAME=PATH, as --reporter takes them
	Health    Health
	Attach    bool    // allow_attach
	Policy    *Policy // narrows --policy, or is one by itself; nil: there is none
}

// ProjectKeys are the keys of checkrow.yaml.
var ProjectKeys = []Key{
	{Name: "base_url", Type: "text", Doc: "What relative URLs resolve against in suites without their own.", Aka: []string{"url", "baseuri", "host"}},
	{Name: "vars", Type: "map", Doc: "Values for expressions of every suite: vars.NAME.", Aka: []string{"variables", "data"}},
	{Name: "env", Type: "map of text", Doc: "Environment of exec steps and services.", Aka: []string{"environment"}},
	{Name: "secrets", Type: "texts", Doc: "Names of environment variables whose values are masked everywhere: secrets.NAME."},
	{Name: "browser", Type: "map", Doc: "How the browser and its pages are set up."},
	{Name: "timeouts", Type: "map", Doc: "Time limits; a suite and a test may set their own.", Aka: []string{"timeout"}},
	{Name: "retries", Type: "int", Doc: "Further attempts of a failed test.", Default: "0", Aka: []string{"retry"}},
	{Name: "services", Type: "map", Doc: "Processes that run once while the run does, for all suites.", Aka: []string{"service", "servers", "webserver"}},
	{Name: "health", Type: "map", Keys: HealthKeys, Doc: "What errors of the page mean; a suite and a test may say it otherwise.", Aka: []string{"pageerrors", "consoleerrors", "errors"}},
	{Name: "workers", Type: "int", Doc: "How many tests run at a time.", Default: "cores, at most 4", Aka: []string{"parallel", "jobs"}},
	{Name: "max_sessions", Type: "int", Doc: "How many sessions, pages of browsers or apps with their own cookies, may be open at a time: a test waits until there is room for all of its own.",
		Default: "no cap", Aka: []string{"sessions", "maxcontexts", "maxpages"}},
	{Name: "max_timeout", Type: "duration", Doc: "How long a row may take at most: whatever a suite, a test or the row says is cut to it.", Default: "no cap",
		Aka: []string{"timeoutcap", "maxrow", "rowcap"}},
	{Name: "reporters", Type: "texts", Doc: "What --reporter takes: NAME or NAME=PATH.", Aka: []string{"reporter", "reports"}},
	{Name: "policy", Type: "map", Keys: PolicyKeys, Doc: "What suites may do, as in a file of --policy, which it can only narrow."},
	{Name: "allow_attach", Type: "bool", Default: "false", Doc: "Suites may attach to a browser that somebody uses, in a run that is told so too: --allow-attach.",
		Aka: []string{"attach"}},
	{Name: "x-*", Type: "any", Doc: "Room for anchors; not read."},
}

// ParseProject reads checkrow.yaml. One that holds nothing just marks the root.
func ParseProject(file string, src []byte, l *diag.List) *Project {
	sum := sha256.Sum256(src)
	p := &Project{File: file, Source: src, SHA256: hex.EncodeToString(sum[:])}
	if marker(src) {
		return p
	}
	top := readTree(file, src, l)
	if top == nil {
		return p
	}
	n := Node{n: top}
	m, ok := n.Map("checkrow.yaml", ProjectKeys, l)
	if !ok {
		return p
	}
	p.BaseURL = wantScalar(m["base_url"], "base_url", l)
	p.Vars = wantNames(m["vars"], "vars", l)
	p.Env = wantEnv(m["env"], l)
	p.Secrets = decodeSecrets(m["secrets"], l)
	if b := m["browser"]; b.HasText() {
		b.report(l, "the browser of a project is the same for every suite: no ${{ }} stands in it", "write it into the suite")
	} else {
		p.Browser = DecodeBrowser(b, l)
	}
	p.Timeouts = decodeTimeouts(m["timeouts"], nil, false, l)
	p.Retries = wantRetries(m["retries"], l)
	p.Services = decodeServices(m["services"], l)
	p.Health = decodeHealth(m["health"], l)
	p.Policy = DecodePolicy(m["policy"], `"policy"`, l)
	if v, ok := m["allow_attach"]; ok {
		p.Attach = WantBool(v, "allow_attach", l)
	}
	if v, ok := m["workers"]; ok {
		p.Workers = WantInt(v, "workers", 1, l)
	}
	p.decodeCaps(m, l)
	items, _ := m["reporters"].Seq()
	for i, name := range WantTexts(m["reporters"], "reporters", l) {
		p.Reporters = append(p.Reporters, Named{Name: name, Pos: items[i].Pos()})
	}
	return p
}

// decodeCaps decodes what no suite may go beyond.
func (p *Project) decodeCaps(m map[string]Node, l *diag.List) {
	if v, ok := m["max_sessions"]; ok {
		p.Sessions = WantInt(v, "max_sessions", 1, l)
	}
	v, ok := m["max_timeout"]
	if !ok {
		return
	}
	before := l.Len()
	if p.MaxRow = WantDuration(v, "max_timeout", l); p.MaxRow <= 0 && l.Len() == before {
		v.report(l, `"max_timeout" must be longer than nothing`, "leave it out for no cap")
	}
}

// inherit gives a suite what its project says and it does not: the keys of a suite stand over those of its project, names
// in vars and env one by one. From here on nobody asks where they came from but their positions.
func (s *Suite) inherit(p *Project) {
	if s.Project = p; p == nil {
		return
	}
	if s.BaseURL.IsZero() {
		s.BaseURL = p.BaseURL
	}
	s.Vars, s.Env = under(s.Vars, p.Vars), under(s.Env, p.Env)
	for _, x := range p.Secrets {
		if !slices.ContainsFunc(s.Secrets, func(own Secret) bool { return own.Name == x.Name }) {
			s.Secrets = append(s.Secrets, x)
		}
	}
	s.Browser = s.Browser.Over(p.Browser)
	s.Timeouts = s.Timeouts.over(p.limits())
	s.Health = s.Health.Over(p.Health)
	if s.Retries == nil {
		s.Retries = p.Retries
	}
}

// under puts the entries of base before own. A plain value of own takes the place of the one it stands over, so that what
// base makes of it follows; a value with ${{ }} stays where it may read what is before it, and counts from there on.
func under(own, base []Entry) []Entry {
	if len(base) == 0 {
		return own
	}
	out, rest := slices.Clone(base), make([]Entry, 0, len(own))
	for _, e := range own {
		i := slices.IndexFunc(out, func(b Entry) bool { return b.Name == e.Name })
		if i >= 0 && !e.Value.HasText() {
			out[i] = e
		} else {
			rest = append(rest, e)
		}
	}
	return append(out, rest...)
}

// limits are the project's timeouts, as what is further out than a suite's.
func (p *Project) limits() *Timeouts {
	if p == nil || p.Timeouts.Pos == nil {
		return nil
	}
	return &p.Timeouts
}

// marker tells that a file has nothing but comments and empty lines.
func marker(src []byte) bool {
	for line := range strings.SplitSeq(string(bytes.TrimPrefix(src, []byte(bom))), "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}
