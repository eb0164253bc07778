package cli

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/steps/browser/install"
)

// driverVersion is the driver this binary speaks to.
const driverVersion = install.DriverVersion

func (a *app) installCmd() *cobra.Command {
	var driverOnly, headed, quiet bool
	var brand string
	var timeout time.Duration
	c := &cobra.Command{Use: "install", Short: "install the browser driver, and a browser if none is there", Args: noArgs,
		Long: `install assembles the Playwright driver from the configured npm registry with the
installed Node, then looks for a browser: the one named by ` + install.BrowserEnv + `,
Playwright's own, one of the system; if there is none it installs one. What is
there already is left alone, without any use of the network.`,
		RunE: func(*cobra.Command, []string) error {
			ctx, stop := a.stoppable()
			defer stop()
			env, err := a.brandEnv(brand, headed)
			if err != nil {
				return err
			}
			o := install.Options{Env: env, SkipBrowser: driverOnly, Timeout: timeout, Progress: a.Stdout}
			if quiet {
				o.Progress = io.Discard
			}
			if _, err := install.Install(ctx, o); err != nil {
				return stopped(ctx, environment(err))
			}
			return nil
		}}
	c.Flags().BoolVar(&driverOnly, "driver-only", false, "do not look for a browser")
	c.Flags().BoolVar(&headed, "headed", false, "a browser that can show a window is wanted")
	c.Flags().StringVar(&brand, "browser", "", brandHelp)
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print errors only")
	c.Flags().DurationVar(&timeout, "timeout", 15*time.Minute, "end the install after `TIME`")
	return c
}

// installEnv is the world as the finder of driver and browser may see it.
func (a *app) installEnv(headed bool) install.Env {
	return install.Env{Environ: a.Environ, Headed: headed}
}

// doctorReport is what doctor found, also as JSON (R201).
type doctorReport struct {
	OK            bool         `json:"ok"`
	Version       string       `json:"version"`
	Cache         string       `json:"cache,omitempty"`
	Driver        string       `json:"driver,omitempty"`
	DriverVersion string       `json:"driver_version,omitempty"`
	Node          string       `json:"node,omitempty"`
	NodeVersion   string       `json:"node_version,omitempty"`
	Browser       *browserInfo `json:"browser,omitempty"`
	Problems      []problem    `json:"problems"`

	MaxWorkers int            `json:"max_workers"`         // tests at a time, if nothing says otherwise
	Recording  bool           `json:"recording_available"` // of videos
	Parts      []install.Part `json:"optional"`
	Launch     *launchInfo    `json:"launch,omitempty"` // nil: none was tried
}

// browserInfo is the browser that a run would take, and why.
type browserInfo struct {
	Path    string `json:"path"`
	Kind    string `json:"kind"`
	Source  string `json:"source"`
	Version string `json:"version,omitempty"`
	Why     string `json:"why"`
}

// problem is one thing that is missing, and what to do about it.
type problem struct {
	What    string `json:"what"`
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"`
}

func (a *app) doctorCmd() *cobra.Command {
	var asJSON, headed, sweep, launch, apps bool
	var brand, tabs string
	c := &cobra.Command{Use: "doctor", Short: "say what a run would use, and what is missing",
		Args: func(c *cobra.Command, args []string) error {
			if apps && len(args) == 1 {
				return nil
			}
			return noArgs(c, args)
		},
		Long: `doctor says which Node, driver and browser a run would use and why, and what to do
about what is missing, and what else this machine offers: videos, fonts, the
browser's sandbox. It changes nothing, and starts a browser only with --launch.
Exit code 3 when something is missing that a run needs.`,
		RunE: func(_ *cobra.Command, args []string) error {
			if sweep && asJSON {
				return usagef("--sweep prints one line, it takes no --json")
			}
			switch {
			case sweep:
				return a.sweepAll()
			case apps:
				return a.printApps(strings.Join(args, ""), asJSON)
			}
			ctx, stop := a.stoppable()
			defer stop()
			if tabs != "" {
				return a.printTabs(ctx, tabs, asJSON)
			}
			env, err := a.brandEnv(brand, headed)
			if err != nil {
				return err
			}
			r := diagnose(ctx, env)
			if launch {
				r.Launch = a.tryBrowser(ctx, env)
				r.OK = r.OK && r.Launch.OK
				if r.Launch.Error != "" {
					r.Problems = append(r.Problems, problem{What: "launch", Message: r.Launch.Error})
				}
			}
			if asJSON {
				if err := a.printJSON(r); err != nil {
					return err
				}
			} else if err := a.printDoctor(r); err != nil {
				return err
			}
			if !r.OK {
				return stopped(ctx, outcome(ExitEnvironment))
			}
			return nil
		}}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	c.Flags().BoolVar(&headed, "headed", false, "look for a browser that can show a window")
	c.Flags().StringVar(&brand, "browser", "", brandHelp)
	c.Flags().BoolVar(&sweep, "sweep", false, "instead: end processes and remove private files that killed runs have left")
	c.Flags().BoolVar(&launch, "launch", false, "also start the browser and see whether it answers")
	c.Flags().StringVar(&tabs, "tabs", "", "instead: list the tabs of the browser whose debugging port is at `URL`, which browser.attach can adopt")
	c.Flags().BoolVar(&apps, "electron", false, "instead: list the Electron apps of this machine, with QUERY those that it fits")
	exclusive(c, "launch", "sweep", "tabs", "electron")
	return c
}

// diagnose looks without starting a browser.
func diagnose(ctx context.Context, env install.Env) doctorReport {
	f, err := install.Find(ctx, env)
	r := doctorReport{OK: err == nil, Version: Version(), Cache: f.Cache, Node: f.Node, NodeVersion: f.NodeVersion,
		DriverVersion: f.DriverVersion, Problems: problems(err)}
	r.MaxWorkers, r.Parts = min(4, runtime.NumCPU()), install.Parts(env)
	for _, p := range r.Parts {
		r.Recording = r.Recording || p.What == "video" && p.OK
	}
	if f.DriverVersion != "" {
		r.Driver = f.Driver
	}
	if f.Browser.Path != "" {
		r.Browser = &browserInfo{Path: f.Browser.Path, Kind: string(f.Browser.Kind), Source: string(f.Browser.Source),
			Version: f.Browser.Version, Why: f.Browser.Why}
	}
	return r
}

// problems takes a joined error apart.
func problems(err error) []problem {
	out := []problem{}
	if err == nil {
		return out
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			out = append(out, problems(e)...)
		}
		return out
	}
	var m *install.Missing
	if errors.As(err, &m) {
		return append(out, problem{What: m.What, Message: m.Msg, Fix: m.Fix})
	}
	return append(out, problem{What: "machine", Message: err.Error()})
}

func (a *app) printDoctor(r doctorReport) error {
	row := func(name, value, more string) []string {
		if value == "" {
			return []string{name, "missing"}
		}
		return []string{name, value + more}
	}
	rows := [][]string{
		{"checkrow", r.Version},
		row("node", r.Node, " ("+r.NodeVersion+")"),
		row("driver", r.Driver, " ("+r.DriverVersion+")"),
	}
	if b := r.Browser; b != nil {
		rows = append(rows, row("browser", b.Path, " ("+b.Kind+" "+b.Version+")"), []string{"", b.Why})
	} else {
		rows = append(rows, row("browser", "", ""))
	}
	if err := a.table(append(rows, []string{"cache", r.Cache})); err != nil {
		return err
	}
	a.printf("\n")
	if err := a.shownParts(r); err != nil {
		return err
	}
	for _, p := range r.Problems {
		a.printf("\n%s: %s\n", p.What, p.Message)
		if p.Fix != "" {
			a.printf("  %s\n", p.Fix)
		}
	}
	if r.OK {
		a.printf("\nall is there\n")
	}
	return nil
}
