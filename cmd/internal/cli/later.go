package cli

import (
	"fmt"

	"github.com/spf13/pflag"
)

// laterError says that a part of the design has no code yet. It is an error, never a silent pass.
type laterError struct{ what string }

func (e *laterError) Error() string { return fmt.Sprintf("%s is not built yet", e.what) }

// laterFlag is a flag that the design has and the code has not: setting it is an error.
type laterFlag struct{ name string }

// String implements pflag.Value.
func (f *laterFlag) String() string { return "" }

// Set implements pflag.Value.
func (f *laterFlag) Set(string) error { return &laterError{"--" + f.name} }

// Type implements pflag.Value.
func (f *laterFlag) Type() string { return "" }

// laterRunFlags are the flags of run that are not built yet, sorted.
var laterRunFlags = []string{"every"}

// addLater defines flags that answer "not built yet", hidden from help.
func addLater(fs *pflag.FlagSet, names []string) {
	for _, name := range names {
		f := fs.VarPF(&laterFlag{name}, name, "", "not built yet")
		f.Hidden, f.NoOptDefVal = true, "true"
	}
}
