package cli

import (
	"fmt"

	"github.com/checkrow/checkrow/steps/electron"
)

// appList is what doctor --electron prints as JSON.
type appList struct {
	Apps    []electron.App `json:"apps"`
	Omitted int            `json:"omitted"`
}

// printApps lists the Electron apps of this machine that a query fits: what launch can name.
func (a *app) printApps(query string, asJSON bool) error {
	home, _ := a.env("HOME")
	list, omitted, err := electron.Installed(query, home, electron.DefaultApps)
	if err != nil {
		return environment(err)
	}
	if asJSON {
		if list == nil {
			list = []electron.App{}
		}
		return a.printJSON(appList{list, omitted})
	}
	if len(list) == 0 {
		a.printf("no Electron app was found\n")
		return nil
	}
	rows := make([][]string, len(list))
	for i, x := range list {
		rows[i] = []string{x.Name, x.ID, x.Executable}
	}
	if omitted > 0 {
		rows = append(rows, []string{fmt.Sprintf("and %d more", omitted)})
	}
	return a.table(rows)
}
