package cli

import (
	"github.com/spf13/cobra"
)

// completePaths leaves suite files and folders to the shell: it completes paths as its user is used to.
func completePaths(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}
