package steps

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
)

// Policy decides what suites may do. It is asked when suites are compiled, for what is written out, and again while they
// run. A nil Policy allows everything.
type Policy struct {
	levels []level // the file of --policy first; each must allow
	path   string  // where programs are looked up
	root   string  // project root
}

// level is one policy. That of a project narrows only what it speaks of; the one of --policy denies what it does not list.
type level struct {
	*spec.Policy
	narrows bool
}

func (l level) speaks(key string) bool { return !l.narrows || l.Says(key) }

// NewPolicy joins the policy of --policy and that of the project; either may be nil, and the result is if both are. path is
// the PATH of the run, root the folder that relative files and programs start from.
func NewPolicy(path, root string, file, project *spec.Policy) *Policy {
	p := &Policy{path: path, root: root}
	if file != nil {
		p.levels = append(p.levels, level{file, false})
	}
	if project != nil {
		p.levels = append(p.levels, level{project, true})
	}
	if len(p.levels) == 0 {
		return nil
	}
	return p
}

// Denied is the error of something that a policy does not allow.
type Denied struct {
	Msg, Hint string
}

// Error says what is denied, and what would allow it.
func (d *Denied) Error() string {
	if d.Hint == "" {
		return d.Msg
	}
	return d.Msg + " (" + d.Hint + ")"
}

// Observation makes it the failure of a row or step.
func (d *Denied) Observation() Observation { return Fail(PolicyDenied, "denied", d.Error()) }

// each asks every level; the first that denies is told.
func (p *Policy) each(key, words, name string, allowed func(l *spec.Policy) bool) error {
	for _, l := range p.levels {
		if !l.speaks(key) {
			continue
		}
		if !allowed(l.Policy) {
			where := "the policy " + strconv.Quote(l.File)
			if l.File == "" {
				where = "the policy of " + spec.ProjectFile
			}
			hint := key + ": [" + name + "] in it would allow it"
			if name == "" {
				hint = key + ": true in it would allow it"
			}
			return &Denied{words + " is denied by " + where, hint}
		}
	}
	return nil
}

// names tells that a name is in a list; a star at the end of an entry stands for anything.
func names(list []spec.Named, name string) bool {
	return slices.ContainsFunc(list, func(n spec.Named) bool {
		if prefix, star := strings.CutSuffix(n.Name, "*"); star {
			return strings.HasPrefix(name, prefix)
		}
		return n.Name == name
	})
}

// RiskyRow names what of a row a policy denies unless it is listed, or "": it runs script in the page.
func RiskyRow(c *argv.Command, has func(flag string) bool) string {
	switch {
	case c.Name() == "eval":
		return "eval"
	case c.Name() == "wait" && has("--fn"):
		return "wait --fn"
	}
	return ""
}

// RiskyKinds are the step kinds that a policy denies unless it lists them: they run code.
var RiskyKinds = []string{"code", "page_script", "electron", "source", "network_source", "handoff"}

// Row judges a row by its command.
func (p *Policy) Row(c *argv.Command, has func(flag string) bool) error {
	if p == nil {
		return nil
	}
	risky := RiskyRow(c, has)
	if risky == "" {
		return nil
	}
	return p.each("rows", "the row "+strconv.Quote(risky), strconv.Quote(risky), func(l *spec.Policy) bool { return names(l.Rows, risky) })
}

// Step judges a step by its kind.
func (p *Policy) Step(kind string) error {
	if p == nil || !slices.Contains(RiskyKinds, kind) {
		return nil
	}
	err := p.each("steps", "the step "+strconv.Quote(kind), kind, func(l *spec.Policy) bool { return names(l.Kinds, kind) })
	if err != nil || kind != "page_script" {
		return err
	}
	// It is script in the page, as js() is: a project that speaks of js and not of steps means it as well.
	return p.each("js", "the step "+strconv.Quote(kind), "", func(l *spec.Policy) bool { return l.JS || names(l.Kinds, kind) })
}

// JS judges js() in an expression.
func (p *Policy) JS() error {
	if p == nil {
		return nil
	}
	return p.each("js", "js()", "", func(l *spec.Policy) bool { return l.JS })
}

// Env judges that a variable of the environment is read.
func (p *Policy) Env(name string) error {
	if p == nil {
		return nil
	}
	return p.each("env", "env."+name, name, func(l *spec.Policy) bool { return names(l.Env, name) })
}

// Secret judges that a secret is read.
func (p *Policy) Secret(name string) error {
	if p == nil {
		return nil
	}
	return p.each("secrets", "secrets."+name, name, func(l *spec.Policy) bool { return names(l.Secrets, name) })
}

// loaders are variables that make a program load or run something else; prefixes end in a star.
var loaders = strings.Fields("PATH LD_* DYLD_* NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS PYTHON* PERL5* PERLLIB RUBY* GEM_* BUNDLE_* JAVA_TOOL_OPTIONS " +
	"JDK_JAVA_OPTIONS _JAVA_OPTIONS CLASSPATH BASH_ENV ENV IFS SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND SHELL EDITOR VISUAL PAGER " +
	"GIT_* SSH_* GOFLAGS GOROOT GOTOOLCHAIN GOPROXY GONOSUMDB GOENV CC CXX MAKEFLAGS CARGO_* RUSTC* DOTNET_* PHPRC PHP_INI_SCAN_DIR " +
	"LUA_* R_PROFILE* GCONV_PATH LOCPATH NLSPATH HOSTALIASES RES_OPTIONS TMPDIR HOME XDG_* GLIBC_* MALLOC_* OPENSSL_* SSL_CERT_* CURL_HOME npm_config_* NPM_CONFIG_*")

// ChildEnv judges that a child is given a variable: what makes a program run another one is never allowed.
func (p *Policy) ChildEnv(name string) error {
	if p == nil {
		return nil
	}
	for _, l := range loaders {
		if prefix, star := strings.CutSuffix(l, "*"); star && strings.HasPrefix(name, prefix) || l == name {
			return &Denied{"a program may not be given " + name + " under a policy", "it decides what else runs"}
		}
	}
	return p.each("env", "the variable "+name+" of a program", name, func(l *spec.Policy) bool { return names(l.Env, name) })
}

// Service judges that a service is started.
func (p *Policy) Service(name string) error {
	if p == nil {
		return nil
	}
	return p.each("services", "the service "+strconv.Quote(name), name, func(l *spec.Policy) bool { return names(l.Services, name) })
}

// Switch judges a switch of the browser.
func (p *Policy) Switch(arg string) error {
	if p == nil {
		return nil
	}
	name, _, _ := strings.Cut(arg, "=")
	return p.each("browser_args", "the browser switch "+name, name, func(l *spec.Policy) bool {
		return slices.ContainsFunc(l.Switches, func(n spec.Named) bool { return n.Name == arg || n.Name == name })
	})
}

// Attach judges that a suite attaches to a browser that runs already.
func (p *Policy) Attach() error {
	if p == nil {
		return nil
	}
	return p.each("attach", "attaching to a browser", "", func(l *spec.Policy) bool { return l.Attach })
}

// Unredacted judges that a result is saved with what looks like a credential in it.
func (p *Policy) Unredacted() error {
	if p == nil {
		return nil
	}
	return p.each("unredacted", "saving a result unredacted", "", func(l *spec.Policy) bool { return l.Bare })
}

// Host judges that a host is reached: its name is in the list, whatever address it has.
func (p *Policy) Host(host string) error {
	if p == nil {
		return nil
	}
	return p.each("domains", "the host "+strconv.Quote(host), host, func(l *spec.Policy) bool { return Hosted(hosts(l.Domains), host) })
}

// URL judges the host of a URL; one that has none reaches nobody.
func (p *Policy) URL(raw string) error {
	if p == nil {
		return nil
	}
	if _, host := WebHost(raw); host != "" {
		return p.Host(host)
	}
	return nil
}

// Address judges the address that a listed host has turned out to have.
func (p *Policy) Address(host string, ip net.IP) error {
	if p == nil || !PrivateAddress(ip) || net.ParseIP(host) != nil || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return nil // an address in the list means itself
	}
	return p.each("private_networks", fmt.Sprintf("the host %q, which is %s in a private network,", host, ip), "",
		func(l *spec.Policy) bool { return l.Private })
}

// PrivateNetworks tells that listed hosts may have addresses of private networks.
func (p *Policy) PrivateNetworks() bool {
	return p.each("private_networks", "", "", func(l *spec.Policy) bool { return l.Private }) == nil
}

// inner are networks that the library does not call private and that a provider, a machine or a translation uses inside.
var inner = networks("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4", "fec0::/10")

// carriers are IPv6 networks whose addresses carry one of IPv4, and the byte at which it stands.
var carriers = map[*net.IPNet]int{network("::/96"): 12, network("64:ff9b::/96"): 12, network("64:ff9b:1::/48"): 12, network("2002::/16"): 2}

func network(cidr string) *net.IPNet {
	_, n, err := net.ParseCIDR(cidr)
	if err != nil {
		panic(err)
	}
	return n
}

func networks(list ...string) []*net.IPNet {
	out := make([]*net.IPNet, len(list))
	for i, cidr := range list {
		out[i] = network(cidr)
	}
	return out
}

// PrivateAddress tells an address that only a private network or the machine itself has, also inside one of IPv6.
func PrivateAddress(ip net.IP) bool {
	if slices.ContainsFunc(inner, func(n *net.IPNet) bool { return n.Contains(ip) }) {
		return true
	}
	if six := ip.To16(); ip.To4() == nil && six != nil {
		for n, at := range carriers {
			if n.Contains(six) && PrivateAddress(net.IP(six[at:at+4])) {
				return true
			}
		}
	}
	return ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() || ip.IsMulticast() || ip.IsInterfaceLocalMulticast()
}

// Domains gives the hosts that the browser may reach: those of every level. restricted is false if all may be.
func (p *Policy) Domains() (list []string, restricted bool) {
	if p == nil {
		return nil, false
	}
	for _, l := range p.levels {
		switch {
		case !l.speaks("domains"):
		case restricted:
			list = Narrow(list, hosts(l.Domains))
		default:
			list, restricted = hosts(l.Domains), true
		}
	}
	return list, restricted
}

// Caps give the limits on time and rows; 0 is none.
func (p *Policy) Caps() (limit time.Duration, rows int) {
	if p == nil {
		return 0, 0
	}
	for _, l := range p.levels {
		if l.MaxTime > 0 && (limit == 0 || l.MaxTime < limit) {
			limit = l.MaxTime
		}
		if l.MaxRows > 0 && (rows == 0 || l.MaxRows < rows) {
			rows = l.MaxRows
		}
	}
	return limit, rows
}

// Digests name the files that it was made of.
func (p *Policy) Digests() []string {
	if p == nil {
		return nil
	}
	var out []string
	for _, l := range p.levels {
		if l.SHA256 != "" {
			out = append(out, "policy "+l.SHA256)
		}
	}
	return out
}

// At makes a denial a diagnostic; nil for one that was allowed.
func At(err error, pos diag.Pos, width int, l *diag.List) {
	if d, is := err.(*Denied); is {
		l.AddWide(pos, width, d.Msg, d.Hint)
	}
}
