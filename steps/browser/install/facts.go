package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// The states of a [Fact].
const (
	StateOK      = "ok"
	StateWarn    = "warn"
	StateMissing = "missing"
)

// Fact is one line of what doctor tells.
type Fact struct {
	What   string // "node", "driver", "browser", "cache", "registry"
	State  string // StateOK, StateWarn or StateMissing
	Detail string // what is there, or what is wrong
	Fix    string // what to do; "" if nothing
}

// Facts tells what a run would use and what is missing. It asks programs for their versions, and starts no browser.
func Facts(ctx context.Context, env Env) []Fact {
	f, err := Find(ctx, env)
	wrong := map[string]*Missing{}
	collect(err, wrong)
	if f.Cache == "" {
		return []Fact{{"cache", StateMissing, err.Error(), "set HOME"}}
	}
	fact := func(what, detail string) Fact {
		if m := wrong[what]; m != nil {
			return Fact{what, StateMissing, m.Msg, m.Fix}
		}
		return Fact{what, StateOK, detail, ""}
	}
	facts := []Fact{
		fact("node", fmt.Sprintf("%s (%s)", f.Node, f.NodeVersion)),
		driverFact(f, fact("driver", fmt.Sprintf("%s (%s)", f.Driver, f.DriverVersion))),
		browserFact(env, f.Browser, fact("browser", fmt.Sprintf("%s (%s %s; %s)", f.Browser.Path, f.Browser.Kind, f.Browser.Version, f.Browser.Why))),
		cacheFact(f.Cache),
	}
	if len(env.look("npm")) == 0 && registry(env) == "" && wrong["driver"] != nil {
		facts = append(facts, Fact{"registry", StateMissing, "npm is not installed and no registry is configured", "install npm, or set npm_config_registry"})
	}
	return facts
}

// collect takes joined errors apart.
func collect(err error, into map[string]*Missing) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // the tree itself is wanted
		for _, e := range joined.Unwrap() {
			collect(e, into)
		}
		return
	}
	var m *Missing
	if errors.As(err, &m) {
		into[m.What] = m
	}
}

// driverFact warns of a Node link that leads nowhere: runs with the shim do not need it, `go test` does.
func driverFact(f Found, fact Fact) Fact {
	if fact.State != StateOK {
		return fact
	}
	if !runnable(filepath.Join(f.Driver, "node")) {
		fact.State, fact.Fix = StateWarn, installFix
		fact.Detail += "; its link to Node leads nowhere"
	}
	return fact
}

// browserFact warns of a slow choice and of another version than the driver was made for.
func browserFact(env Env, b Browser, fact Fact) Fact {
	if fact.State != StateOK {
		return fact
	}
	if isScript(b.Path) {
		fact.State, fact.Fix = StateWarn, "set "+BrowserEnv+" to the binary it starts"
		fact.Detail += "; it is a script, which starts slower"
	}
	if !env.Headed && b.Kind != KindShell && fact.Fix == "" {
		fact.State, fact.Fix = StateWarn, "install chromium-headless-shell"
		fact.Detail += "; a headless shell starts twice as fast and needs a quarter of the memory"
	}
	if b.Version == "" {
		fact.State = StateWarn
		fact.Detail += "; it does not tell its version"
	}
	return fact
}

// cacheFact tells whether the cache folder is ours alone.
func cacheFact(dir string) Fact {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return Fact{"cache", StateWarn, fmt.Sprintf("%s is not there yet", dir), installFix}
	case info.Mode().Perm()&0o077 != 0:
		return Fact{"cache", StateWarn, fmt.Sprintf("%s is open to other users", dir), fmt.Sprintf("chmod 700 %s", dir)}
	}
	if uid, ok := owner(info); ok && uid != os.Geteuid() {
		return Fact{"cache", StateWarn, fmt.Sprintf("%s belongs to user %d", dir, uid), "set HOME or XDG_CACHE_HOME to a folder of yours"}
	}
	return Fact{"cache", StateOK, dir, ""}
}
