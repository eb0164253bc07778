package cli

import (
	"context"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
	"github.com/checkrow/checkrow/steps/browser/install"
)

// launchInfo is what became of a browser that doctor has started.
type launchInfo struct {
	OK    bool   `json:"ok"`
	Took  int64  `json:"took_ms"` // from nothing to an answer of the page
	Error string `json:"error,omitempty"`
}

// launchLimit is how long the trial may take.
const launchLimit = 60 * time.Second

// tryBrowser starts driver and browser, asks a page for something, and ends them. Nothing but this starts a browser in
// doctor.
func (a *app) tryBrowser(ctx context.Context, env install.Env) *launchInfo {
	ctx, cancel := context.WithTimeout(ctx, launchLimit)
	defer cancel()
	found, err := install.Find(ctx, env)
	if err != nil {
		return &launchInfo{Error: "driver or browser is missing, see above"}
	}
	began := time.Now()
	o := browser.Options{Driver: found.Driver, Executable: found.Browser.Path,
		Other: func(ctx context.Context, brand, executable string) (browser.Program, error) {
			return a.otherBrowser(ctx, env.Headed, brand, executable)
		}}
	if env.Headed {
		o.Headed = found.Browser.Path
	}
	engine := browser.New(o)
	err = answers(ctx, engine, env)
	out := &launchInfo{OK: err == nil, Took: time.Since(began).Milliseconds()}
	if cerr := engine.Close(context.WithoutCancel(ctx)); err == nil && cerr != nil {
		out.OK, err = false, cerr
	}
	if err != nil {
		out.Error = err.Error()
	}
	return out
}

// answers opens a session and asks its page.
func answers(ctx context.Context, e *browser.Engine, env install.Env) error {
	s, err := e.Open(ctx, steps.SessionOptions{Browser: env.Brand, Headless: !env.Headed, Viewport: [2]int{800, 600}, Strict: true,
		Limits: steps.Limits{Action: 5 * time.Second, Row: 30 * time.Second, Open: 10 * time.Second}})
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = s.Read(ctx, "title", nil)
	return err
}

// shownParts prints what is optional, and how the trial went.
func (a *app) shownParts(r doctorReport) error {
	var rows [][]string
	for _, p := range r.Parts {
		word := "no: "
		if p.OK {
			word = ""
		}
		rows = append(rows, []string{p.What, word + p.Detail})
		if p.Fix != "" {
			rows = append(rows, []string{"", p.Fix})
		}
	}
	if l := r.Launch; l != nil && l.OK {
		rows = append(rows, []string{"launch", "the browser answered after " + (time.Duration(l.Took) * time.Millisecond).String()})
	}
	return a.table(rows)
}
