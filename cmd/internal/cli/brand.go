package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
	"github.com/checkrow/checkrow/steps/browser/install"
)

const brandHelp = "`NAME` of the browser that is wanted: chromium, firefox or webkit (default chromium)"

// brandEnv is the world in which a browser of a brand is looked for.
func (a *app) brandEnv(brand string, headed bool) (install.Env, error) {
	env := a.installEnv(headed)
	switch {
	case brand == "" || brand == spec.Chromium:
	case slices.Contains(spec.BrowserNames, brand):
		env.Brand = brand
	default:
		return env, usagef("--browser cannot be %q: %s", brand, diag.Suggest(brand, spec.BrowserNames))
	}
	return env, nil
}

// otherBrowser finds a browser that is no Chromium for the engine.
func (a *app) otherBrowser(ctx context.Context, headed bool, brand, executable string) (browser.Program, error) {
	b, err := install.FindOther(ctx, a.installEnv(headed), brand, executable)
	if err != nil {
		return browser.Program{}, fmt.Errorf("looking for the browser: %w", err)
	}
	return browser.Program{Path: b.Path, Stock: b.Source != install.SourcePlaywright}, nil
}

// soleBrand is the brand of browser that a run needs first where it needs no Chromium; "" if it does.
func soleBrand(p *plan.Plan) string {
	brand := ""
	for _, t := range p.Tests {
		switch {
		case !t.NeedsBrowser, inOther(t):
		case t.Browser.Browser == "":
			return ""
		case t.Browser.Executable == "":
			brand = t.Browser.Browser
		}
	}
	for _, s := range p.Suites {
		if s.Browser.Browser == "" && !elsewhere(s.Browser) && (len(s.Setup) > 0 || len(s.Teardown) > 0) {
			return ""
		}
	}
	return brand
}

// findOthers looks for every browser that is no Chromium before anything starts.
func (a *app) findOthers(ctx context.Context, p *plan.Plan, headed bool) error {
	seen := map[[2]string]bool{}
	for _, t := range p.Tests {
		key := [2]string{t.Browser.Browser, t.Browser.Executable}
		if !t.NeedsBrowser || inOther(t) || key[0] == "" || seen[key] {
			continue
		}
		seen[key] = true
		if _, err := a.otherBrowser(ctx, headed, key[0], key[1]); err != nil {
			return err
		}
	}
	return nil
}

// inOther tells a test that needs no browser of this machine, but one that runs already or an app that it launches.
func inOther(t *plan.Test) bool { return t.App || elsewhere(t.Browser) }

// elsewhere tells a session in a browser that runs already: none is needed here.
func elsewhere(o steps.SessionOptions) bool { return o.Connect != "" || o.Attach != "" }

// allElsewhere tells that a run needs no browser of this machine.
func allElsewhere(p *plan.Plan) bool {
	for _, t := range p.Tests {
		if t.NeedsBrowser && !inOther(t) {
			return false
		}
	}
	return !slices.ContainsFunc(p.Suites, func(s *plan.Suite) bool { return !elsewhere(s.Browser) && len(s.Setup)+len(s.Teardown) > 0 })
}
