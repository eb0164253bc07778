package cli

import (
	"context"

	"github.com/checkrow/checkrow/steps/browser"
)

// printTabs lists the tabs of a browser that runs already: what browser.attach.adopt can name (R188).
func (a *app) printTabs(ctx context.Context, at string, asJSON bool) error {
	list, err := browser.Tabs(ctx, at)
	if err != nil {
		return environment(err)
	}
	if asJSON {
		return a.printJSON(list)
	}
	rows := make([][]string, len(list))
	for i, t := range list {
		rows[i] = []string{t.URL, t.Title}
	}
	return a.table(rows)
}
