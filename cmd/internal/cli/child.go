package cli

import (
	"fmt"
	"os"

	"github.com/checkrow/checkrow/steps/browser/install"
	"github.com/checkrow/checkrow/steps/code"
	"github.com/checkrow/checkrow/steps/proc"
)

// Child runs the child mode that argv asks for, if it asks for one: the binary is also its own watchdog, the process of
// its code cells, and the shim that starts the browser driver. A main function calls it before anything else.
func Child(argv []string) (exit int, ok bool) {
	if len(argv) > 1 && argv[1] == proc.WatchdogArg {
		return proc.WatchdogMain(os.Stdin, argv[2:]), true
	}
	if len(argv) == 2 && argv[1] == code.ChildArg {
		return code.ChildMain(os.Stdin, os.Stdout), true
	}
	if install.IsShim(argv) {
		if err := install.ShimMain(argv, os.Environ()); err != nil {
			fmt.Fprintln(os.Stderr, "checkrow:", err)
			return ExitEnvironment, true
		}
		return ExitPassed, true
	}
	return 0, false
}
