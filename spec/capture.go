package spec

import (
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// CaptureModes are the values of trace, video and screenshot: when a recording of an attempt is kept.
var CaptureModes = []string{"off", "on", "on-failure", "on-first-retry"}

// wantCapture gives one of CaptureModes, "" if none stands there.
func wantCapture(n Node, key string, l *diag.List) string {
	text := WantText(n, key, l)
	for _, mode := range CaptureModes {
		if mode == text {
			return text
		}
	}
	if text == "" && !n.Quoted() { // what is no text was reported
		return ""
	}
	msg, hint := diag.BadValue(key, text, CaptureModes)
	switch strings.ToLower(text) {
	case "true", "yes", "always":
		hint = "write on"
	case "false", "no", "none", "never":
		hint = "write off"
	case "retain-on-failure", "only-on-failure", "failure", "failed", "on_failure":
		hint = "write on-failure"
	case "on-all-retries", "retry", "on-retry", "first-retry":
		hint = "write on-first-retry"
	}
	n.report(l, msg, hint)
	return ""
}
