package steps

import (
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// AskKind is a sort of thing that a policy may deny.
type AskKind string

// The sorts of asks.
const (
	AskRow     AskKind = "row"
	AskStep    AskKind = "step"
	AskJS      AskKind = "js"
	AskEnv     AskKind = "env"
	AskSecret  AskKind = "secret"
	AskFile    AskKind = "file"
	AskProgram AskKind = "program"
	AskService AskKind = "service"
	AskDomain  AskKind = "domain"
	AskSwitch  AskKind = "browser_args"
	AskChild   AskKind = "child_env" // a variable that a child is given
	AskAttach  AskKind = "attach"
	AskBare    AskKind = "unredacted" // a result that is saved as it was got
)

// Ask is one thing that a step asks for beside its page. What is known before the run is judged by the policy when the
// suite is compiled; the step asks again when it has it.
type Ask struct {
	Kind AskKind
	Text spec.Text
	Pos  diag.Pos
}
