package cli

import (
	"github.com/spf13/pflag"

	"github.com/checkrow/checkrow/steps"
)

// updateFlags say what becomes of the files that expect image and expect aria compare with.
type updateFlags struct{ update bool }

func (u *updateFlags) flags(fs *pflag.FlagSet) {
	fs.BoolVar(&u.update, "update", false,
		"write the baselines of expect image and expect aria that are missing or different; refused under CI")
}

// validate refuses to change under CI what others have looked at.
func (u *updateFlags) validate(a *app, f *runFlags) error {
	if u.update && a.underCI() {
		return usagef("%s writes baselines and is refused under CI (the environment says CI)", f.named("update"))
	}
	return nil
}

// baselines is what the rows of a run do with their files: under CI a missing one fails, elsewhere it is written.
func (u *updateFlags) baselines(a *app) steps.Baselines {
	switch {
	case u.update:
		return steps.BaselinesUpdated
	case a.underCI():
		return steps.BaselinesKept
	}
	return steps.BaselinesWritten
}

// underCI tells that the environment is one of continuous integration.
func (a *app) underCI() bool {
	ci, _ := a.env("CI")
	return ci != "" && ci != "false" && ci != "0"
}
