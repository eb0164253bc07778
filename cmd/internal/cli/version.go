package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/runner/journal"
)

// version is set by the linker (see Makefile).
var version string

// Version is the version of this binary: what the linker was told, else what `go install` recorded, else "dev".
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// versionInfo is what `checkrow version --json` prints.
type versionInfo struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	OS      string `json:"os"` // linux/amd64
	Journal int    `json:"journal"`
	Driver  string `json:"driver"`
}

func (a *app) versionCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "version", Short: "print the version", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if !asJSON {
				a.printf("checkrow %s\n", Version())
				return nil
			}
			return a.printJSON(versionInfo{Version: Version(), Go: runtime.Version(),
				OS: runtime.GOOS + "/" + runtime.GOARCH, Journal: journal.Version, Driver: driverVersion})
		}}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}
