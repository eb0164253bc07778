package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/cmd/internal/lsp"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/steps/argv"
)

func (a *app) lspCmd() *cobra.Command {
	var sel selection
	c := &cobra.Command{Use: "lsp", Short: "a language server for editors, on standard input and output", Args: noArgs,
		Long: `lsp is a language server for suites, fragments and checkrow.yaml. While a file is
written it shows what check would say, completes keys, step kinds, rows and their
flags, says what the word under the cursor means, leads to the fragment that a use
names, and lists the tests. It reads files and runs nothing.`,
		RunE: func(*cobra.Command, []string) error {
			o, err := sel.options(a)
			if err != nil {
				return err
			}
			suite, err := suiteSchema(standard.Kinds())
			if err != nil {
				return err
			}
			project, err := projectSchema(standard.Kinds())
			if err != nil {
				return err
			}
			err = lsp.Serve(context.Background(), lsp.Options{In: a.Stdin, Out: a.Stdout, Log: a.Stderr, Suite: suite, Project: project,
				Plan: o, Version: Version(), Reference: func(c *argv.Command) string { return commandsReference([]*argv.Command{c}) }})
			if err != nil {
				return &codedError{ExitFailed, err}
			}
			return nil
		}}
	c.Flags().StringVar(&sel.policy, "policy", "", "show what the policy in `FILE` denies too")
	c.Flags().StringArrayVar(&sel.vars, "var", nil, "set vars.NAME: `NAME=VALUE`, repeatable")
	c.Flags().Bool("stdio", true, "standard input and output, which is all there is")
	if f := c.Flags().Lookup("stdio"); f != nil { // editors pass it
		f.Hidden = true
	}
	return c
}
