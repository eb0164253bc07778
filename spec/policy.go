package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
)

// Policy is a ceiling for suites that nobody has read yet: what it does not list, they may not do. It is a file of its own
// outside the checkout (--policy), and the `policy:` of checkrow.yaml, which can only narrow it.
type Policy struct {
	File   string
	SHA256 string

	Rows     []Named // eval, "wait --fn"
	Kinds    []Named // code, page_script, electron …
	JS       bool    // page js() in expressions
	Env      []Named // names that are read, and that children may be given
	Secrets  []Named
	Files    []Named // globs on files that are read, from the project root
	Programs []Named // of exec and services: paths, or names that are looked up
	Services []Named
	Domains  []Named
	Switches []Named // of the browser: browser.args
	Private  bool    // addresses of private networks
	Attach   bool
	Bare     bool          // results may be saved unredacted
	MaxTime  time.Duration // of the run and each test; 0: no cap of its own
	MaxRows  int           // of the run; 0: no cap

	said map[string]bool // keys that are written
}

// PolicyKeys are the keys of a policy.
var PolicyKeys = []Key{
	{Name: "policy", Type: "text", Doc: "The policy's name; optional."},
	{Name: "rows", Type: "texts", Doc: "Rows that are denied unless they stand here: eval, \"wait --fn\".", Aka: []string{"row", "commands"}},
	{Name: "steps", Type: "texts", Doc: "Step kinds that are denied unless they stand here: code, page_script, electron.", Aka: []string{"kinds"}},
	{Name: "js", Type: "bool", Default: "false", Doc: "js() in expressions and conditions.", Aka: []string{"javascript", "scripts"}},
	{Name: "env", Type: "texts", Doc: "Names of environment variables that may be read, and that children may be given: BASE, CI_*.",
		Aka: []string{"environment"}},
	{Name: "secrets", Type: "texts", Doc: "Names of secrets that may be read.", Aka: []string{"secret"}},
	{Name: "files", Type: "texts", Doc: "Files that may be read, as globs on their real path below the project root: suites/**, data/*.csv.",
		Aka: []string{"file", "paths"}},
	{Name: "programs", Type: "texts", Doc: "Programs that exec and services may start: /usr/bin/jq, jq, ./scripts/*.", Aka: []string{"exec", "program", "commands"}},
	{Name: "services", Type: "texts", Doc: "Names of services that may be started.", Aka: []string{"service"}},
	{Name: "domains", Type: "hosts or none", Doc: "Hosts that pages and http steps may reach: shop.test, *.shop.test, 127.0.0.1.",
		Aka: []string{"hosts", "alloweddomains", "domain"}},
	{Name: "private_networks", Type: "bool", Default: "false", Doc: "Listed hosts may have addresses of private networks.", Aka: []string{"private"}},
	{Name: "browser_args", Type: "switches", Doc: "Switches that browser.args may hold: --lang, --lang=de.", Aka: []string{"args", "switches"}},
	{Name: "attach", Type: "bool", Default: "false", Doc: "Suites may use a browser that runs already. Nothing but the rows that open pages then keeps it to domains.", Aka: []string{"allowattach"}},
	{Name: "unredacted", Type: "bool", Default: "false", Doc: "Steps may save results with what looks like a credential in them: unredacted: true beside save.",
		Aka: []string{"raw", "saveunredacted"}},
	{Name: "max_time", Type: "duration", Doc: "How long the run, and each test, may take at most.", Aka: []string{"time", "maxtime", "deadline"}},
	{Name: "max_rows", Type: "int", Doc: "How many rows a run may send at most.", Aka: []string{"maxrows", "rowlimit"}},
	{Name: "x-*", Type: "any", Doc: "Room for anchors; not read."},
}

// ParsePolicy reads a policy file. It gives nil if the file cannot be used, which is in l.
func ParsePolicy(file string, src []byte, l *diag.List) *Policy {
	sum := sha256.Sum256(src)
	before := l.Len()
	if marker(src) {
		l.Add(diag.Pos{File: file, Line: 1, Col: 1}, "the policy is empty", "policy: {} denies all that a policy can deny")
		return nil
	}
	top := readTree(file, src, l)
	if top == nil {
		return nil
	}
	p := DecodePolicy(Node{n: top}, "a policy", l)
	if p == nil || l.Len() > before {
		return nil
	}
	p.File, p.SHA256 = file, hex.EncodeToString(sum[:])
	return p
}

// DecodePolicy decodes a map of policy keys; nil if there is none.
func DecodePolicy(n Node, where string, l *diag.List) *Policy {
	if n.IsZero() {
		return nil
	}
	m, ok := n.Map(where, PolicyKeys, l)
	if !ok {
		return nil
	}
	p := &Policy{said: map[string]bool{}, JS: WantBool(m["js"], "js", l), Private: WantBool(m["private_networks"], "private_networks", l),
		Attach: WantBool(m["attach"], "attach", l), Bare: WantBool(m["unredacted"], "unredacted", l), MaxTime: WantDuration(m["max_time"], "max_time", l)}
	for k := range m {
		p.said[k] = true
	}
	if v, ok := m["max_rows"]; ok {
		p.MaxRows = WantInt(v, "max_rows", 1, l)
	}
	for _, f := range []struct {
		key string
		to  *[]Named
	}{
		{"rows", &p.Rows}, {"steps", &p.Kinds}, {"env", &p.Env}, {"secrets", &p.Secrets}, {"files", &p.Files}, {"programs", &p.Programs},
		{"services", &p.Services}, {"domains", &p.Domains}, {"browser_args", &p.Switches},
	} {
		*f.to = wantEntries(m[f.key], f.key, l)
	}
	for _, d := range p.Domains {
		checkHost(d, l)
	}
	for _, s := range p.Switches {
		if !strings.HasPrefix(s.Name, "--") {
			l.AddWide(s.Pos, len([]rune(s.Name)), strconv.Quote(s.Name)+" is no switch", "write --"+strings.TrimLeft(s.Name, "-"))
		}
	}
	return p
}

// Says tells that a key of the policy is written.
func (p *Policy) Says(key string) bool { return p.said[key] }

// wantEntries decodes a list of texts with their places.
func wantEntries(n Node, key string, l *diag.List) []Named {
	list := WantTexts(n, key, l)
	if list == nil {
		return nil
	}
	items, _ := n.Seq()
	out := make([]Named, 0, len(list))
	for i, text := range list {
		if text == "" {
			continue // reported, or empty
		}
		out = append(out, Named{Name: text, Pos: items[i].Pos()})
	}
	return out
}

// checkHost refuses what is no host: a URL, a port, a star in the middle.
func checkHost(d Named, l *diag.List) {
	host := d.Name
	bad := func(hint string) {
		l.AddWide(d.Pos, len([]rune(host)), strconv.Quote(host)+" is no host", hint)
	}
	bare := strings.TrimPrefix(host, "*.")
	if _, rest, is := strings.Cut(host, "://"); is {
		rest, _, _ = strings.Cut(rest, "/")
		rest, _, _ = strings.Cut(rest, ":")
		bad("write the host alone: " + rest)
		return
	}
	switch {
	case strings.HasPrefix(bare, "[") || strings.Count(bare, ":") > 1: // an IPv6 address
	case strings.Contains(bare, ":"):
		name, _, _ := strings.Cut(bare, ":")
		bad("every port of a listed host counts: write " + name)
	case strings.ContainsAny(bare, "*/ ,?#@\\") || bare == "":
		bad("write shop.test, or *.shop.test for all below it")
	}
}
