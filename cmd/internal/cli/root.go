package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// about is what help says first.
const about = `checkrow runs YAML suites of argv rows on a real browser and leaves a journal,
JUnit, JSON and verified artifacts that are right at every instant.`

// root builds the command tree. It is cheap on purpose: tables, browsers and files are touched by the command that needs
// them, so that "checkrow version" stays a few milliseconds.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "checkrow",
		Short:         "run YAML browser suites that leave evidence",
		Long:          about,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			c.SetOut(a.Stderr)
			_ = c.Help() // the exit code says that nothing was asked for
			return outcome(ExitUsage)
		},
	}
	root.Version = Version()
	root.SetVersionTemplate("checkrow {{.Version}}\n") // as "checkrow version" says it
	root.Flags().Bool("version", false, "print the version")
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetIn(a.Stdin)
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(&cobra.Group{ID: "work", Title: "Suites:"}, &cobra.Group{ID: "machine", Title: "This machine:"},
		&cobra.Group{ID: "words", Title: "The language:"})
	add := func(group string, cmds ...*cobra.Command) {
		for _, c := range cmds {
			c.GroupID = group
		}
		root.AddCommand(cmds...)
	}
	add("work", a.initCmd(), a.recordCmd(), a.replCmd(), a.runCmd(), a.checkCmd(), a.planCmd(), a.listCmd(), a.resumeCmd(), a.reportCmd(), a.mergeCmd(), a.verifyCmd(), a.fmtCmd())
	add("machine", a.installCmd(), a.doctorCmd(), a.versionCmd())
	add("words", a.commandsCmd(), a.stepsCmd(), a.explainCmd(), a.schemaCmd(), a.docsCmd(), a.lspCmd())
	if isCompletion(a.args) { // costs start-up time that no other command pays
		for _, c := range root.Commands() {
			a.completeFlags(c)
		}
	}
	root.SetCompletionCommandGroupID("machine")
	a.ownWords(root)
	root.SetHelpCommandGroupID("machine")
	root.SetHelpTemplate(`{{with (or .Long .Short)}}{{. | trimTrailingWhitespaces}}

{{end}}{{.UsageString}}` + `{{if not .HasParent}}
Exit codes:
` + exitHelp() + `{{end}}`)
	return root
}

// ownWords says what the two commands of the flag library do as the others say it, and has completion refuse a shell that it
// does not know.
func (a *app) ownWords(root *cobra.Command) {
	root.InitDefaultCompletionCmd(a.args...)
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Short = "help about a command"
		case "completion":
			c.Short = "a script that has a shell complete commands, flags and suites"
			c.Args = cobra.ArbitraryArgs
			c.RunE = func(c *cobra.Command, args []string) error {
				shells := []string{"bash", "fish", "powershell", "zsh"}
				if len(args) == 0 {
					return usagef("checkrow completion needs a shell: %s", strings.Join(shells, ", "))
				}
				return usagef("checkrow completion knows no shell %q (one of %s)", args[0], strings.Join(shells, ", "))
			}
		}
	}
}

// unknownCommand answers a word that is no command with the nearest one.
func unknownCommand(root *cobra.Command, word string) error {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return usagef("unknown command %q%s", word, suggest(word, append(names, "help", "completion")))
}

// flagError turns a complaint of the flag library into ours: lower case, did-you-mean, no type names.
func flagError(c *cobra.Command, err error) error {
	var missing *laterError
	if errors.As(err, &missing) {
		return &codedError{ExitUsage, missing}
	}
	var fixed *fixedError
	if errors.As(err, &fixed) {
		return &codedError{ExitUsage, fixed}
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, "--"+f.Name)
			}
		})
		word := "--" + unknown.GetSpecifiedName()
		return usagef("%s: unknown flag %q%s", c.CommandPath(), word, suggest(word, names))
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		reason := invalid.Unwrap().Error()
		// strconv and time errors name Go functions; the value and what the flag takes say it better.
		if strings.HasPrefix(reason, "strconv.") || strings.HasPrefix(reason, "time:") {
			reason = "wanted " + wantedBy(invalid.GetFlag())
		}
		return usagef("%s: bad value %q for --%s: %s", c.CommandPath(), invalid.GetValue(), invalid.GetFlag().Name, reason)
	}
	return usagef("%s: %w", c.CommandPath(), err)
}

// wantedBy says what a flag takes.
func wantedBy(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "a whole number"
	case "float64":
		return "a number"
	case "duration":
		return "a duration such as 30s or 10m"
	case "bool":
		return "true or false"
	}
	return "another value"
}

// noArgs refuses operands in our own words.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no operand, got %q", c.CommandPath(), args[0])
	}
	return nil
}

// atMostOne refuses a second operand.
func atMostOne(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("%s takes one operand, got %q too", c.CommandPath(), args[1])
	}
	return nil
}

// exclusive makes flags of a command exclude each other.
func exclusive(c *cobra.Command, names ...string) {
	c.MarkFlagsMutuallyExclusive(names...) // completion offers no second one
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		var set []string
		for _, n := range names {
			if c.Flags().Changed(n) {
				set = append(set, "--"+n)
			}
		}
		if len(set) > 1 {
			return usagef("%s: %s exclude each other", c.CommandPath(), strings.Join(set, " and "))
		}
		return nil
	}
}
