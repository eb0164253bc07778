package spec

import "github.com/checkrow/checkrow/spec/diag"

// ResumeModes are the values of resume: what happens to a test that was cut off with its run when the run is taken up
// again.
var ResumeModes = []string{"restart", "checkpoint", "manual"}

const resumeDoc = "What checkrow resume does with a test that was cut off: restart runs it again from its start, checkpoint from its last " +
	"checkpoint step, manual leaves it to a person if it may have changed something."

// wantResume gives one of ResumeModes, "" if none stands there.
func wantResume(n Node, l *diag.List) string {
	if n.IsZero() {
		return ""
	}
	text := WantText(n, "resume", l)
	for _, mode := range ResumeModes {
		if mode == text {
			return text
		}
	}
	if text != "" || n.Quoted() { // what is no text was reported
		msg, hint := diag.BadValue("resume", text, ResumeModes)
		n.report(l, msg, hint)
	}
	return ""
}
