package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/browser/install"
	"github.com/checkrow/checkrow/steps/proc"
)

// envPrefix starts the names of all variables that checkrow reads for itself.
const envPrefix = "CHECKROW_"

// environFlags are the flags of run that a variable may set, CHECKROW_ and the flag's name in capitals, sorted. Flags that
// choose tests are not among them: what a run covers is said where it is started.
var environFlags = []string{"deadline", "fail-on-flaky", "headed", "junit-attachments", "keep-going", "max-failures", "output", "repeat", "reporter",
	"retries", "screenshot", "timeout-scale", "trace", "video", "workers"}

// foreignEnviron are further names with our prefix: those of the browser and driver, and those of our own children and
// tests.
var foreignEnviron = []string{install.BrowserEnv, install.NodeEnv, proc.MarkEnv, "CHECKROW_DRIVER_DIR", "CHECKROW_CODE_CACHE",
	"CHECKROW_WARM", "CHECKROW_GOLDEN", costEnv}

func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func timeoutEnv(key string) string { return envPrefix + "TIMEOUTS_" + strings.ToUpper(key) }

// environNames lists what may be set, sorted.
func environNames() []string {
	names := []string{install.BrowserEnv, install.NodeEnv}
	for _, flag := range environFlags {
		names = append(names, envName(flag))
	}
	for _, k := range spec.TimeoutKeys {
		names = append(names, timeoutEnv(k.Name))
	}
	slices.Sort(names)
	return names
}

// checkEnviron refuses a variable with our prefix that nobody reads: it is a typing error that would change nothing.
func (a *app) checkEnviron() error {
	known := environNames()
	for _, e := range a.Environ {
		name, value, _ := strings.Cut(e, "=")
		if value == "" || !strings.HasPrefix(name, envPrefix) || slices.Contains(known, name) || slices.Contains(foreignEnviron, name) {
			continue
		}
		hint := ""
		if near := diag.Nearest(name, known); len(near) > 0 {
			hint = " (" + diag.DidYouMean(near) + ")"
		}
		return usagef("unknown environment variable %q%s", name, hint)
	}
	return nil
}

// environTimeouts reads the limits of the environment, which stand over what suites, tests and steps say.
func (a *app) environTimeouts() (spec.Timeouts, error) {
	var out spec.Timeouts
	for _, k := range spec.TimeoutKeys {
		value, ok := a.env(timeoutEnv(k.Name))
		if !ok || value == "" {
			continue
		}
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return out, usagef("bad value %q in %s: wanted a duration such as 30s or 10m", value, timeoutEnv(k.Name))
		}
		out.Set(k.Name, d, diag.Pos{File: timeoutEnv(k.Name)})
	}
	return out, nil
}

// fromEnviron sets the flags that the command line does not by what the environment says.
func (f *runFlags) fromEnviron(a *app) error {
	f.said = map[string]string{}
	for _, name := range environFlags {
		value, ok := a.env(envName(name))
		if !ok || value == "" || f.set.Changed(name) {
			continue
		}
		values := []string{value}
		if name == "reporter" { // repeatable
			values = strings.Split(value, ",")
		}
		for _, v := range values {
			if err := f.set.Set(name, strings.TrimSpace(v)); err != nil {
				return usagef("bad value %q in %s: wanted %s", v, envName(name), wantedBy(f.set.Lookup(name)))
			}
		}
		f.said[name] = envName(name)
	}
	return nil
}

// named is a flag as the user gave it: by the command line or by the environment.
func (f *runFlags) named(flag string) string {
	if env := f.said[flag]; env != "" {
		return env
	}
	return "--" + flag
}

// fromProject takes what the project file says of the run where neither flag nor environment does.
func (f *runFlags) fromProject(p *spec.Project) {
	if p != nil && p.Workers > 0 && !f.set.Changed("workers") {
		f.workers = p.Workers
	}
	if p != nil {
		f.maxSessions = p.Sessions
	}
}

// reportersOf reads --reporter, and those of the project file if there is none. Paths there start at the file.
func (a *app) reportersOf(f *runFlags, p *spec.Project) ([]chosenReporter, error) {
	a.attach = string(f.junitAttach)
	if len(f.reporters) > 0 {
		return chooseReporters(f.reporters)
	}
	if p == nil || len(p.Reporters) == 0 {
		return chooseReporters(a.usualReporters())
	}
	var list []string
	for _, r := range p.Reporters {
		name, path, has := strings.Cut(r.Name, "=")
		if has && path != "" && !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(a.abs(p.File)), path)
		}
		if _, err := chooseReporters([]string{r.Name}); err != nil {
			return nil, usagef("%s: %w", r.Pos, err)
		}
		if has {
			name += "=" + path
		}
		list = append(list, name)
	}
	return chooseReporters(list)
}

// project finds the project file of a run.
func (a *app) project(paths []string) *spec.Project {
	if len(paths) == 0 {
		paths = []string{defaultPath}
	}
	return plan.FindProject(paths, a.Dir)
}

// environDoc is one line of the table of variables.
type environDoc struct{ name, doc string }

// environDocs is the table of variables, sorted, with the words of the flags that they stand for.
func environDocs(fs *pflag.FlagSet) []environDoc {
	docs := map[string]string{
		install.BrowserEnv: "path or name of the browser", install.NodeEnv: "path of the Node that runs the driver",
	}
	for _, flag := range environFlags {
		docs[envName(flag)] = "`--" + flag + "`"
		if fs.Lookup(flag).Value.Type() == "bool" {
			docs[envName(flag)] += ", true or false"
		}
	}
	docs[envName("reporter")] += ", several with commas between them"
	for _, k := range spec.TimeoutKeys {
		docs[timeoutEnv(k.Name)] = "`timeouts." + k.Name + "`"
	}
	var out []environDoc
	for _, name := range environNames() {
		out = append(out, environDoc{name, docs[name]})
	}
	return out
}

// environMarkdown renders the table for README.
func environMarkdown(fs *pflag.FlagSet) string {
	var b strings.Builder
	b.WriteString("| variable | sets |\n|---|---|\n")
	for _, d := range environDocs(fs) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", d.name, d.doc)
	}
	return b.String()
}

// environHelp renders the table for help.
func environHelp(fs *pflag.FlagSet) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, d := range environDocs(fs) {
		fmt.Fprintf(w, "  %s\t%s\n", d.name, strings.ReplaceAll(d.doc, "`", ""))
	}
	_ = w.Flush() // into memory
	return b.String()
}
