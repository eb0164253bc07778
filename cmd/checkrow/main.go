// Command checkrow runs YAML suites on a real browser; see `checkrow help`.
package main

import (
	"os"

	"github.com/checkrow/checkrow/cmd/internal/cli"
)

func main() {
	if code, ok := cli.Child(os.Args); ok {
		os.Exit(code)
	}
	os.Exit(cli.Main(os.Args[1:], cli.OS()))
}
