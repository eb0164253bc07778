package browser

import (
	"encoding/json"
)

// extras is what a session keeps for rows that only some suites use. The goroutine of the row uses it; what handlers of
// events share with it locks itself.
type extras struct {
	downloads downloads
	routes    routes
	look      looks
	auth      auth
	har       *harFile
	trace     *traceFile
	profile   *profileFile
	video     *video
	clipboard bool // pages may use the clipboard
}

// literal spells a text as JavaScript.
func literal(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // a string always marshals
		return `""`
	}
	return string(b)
}
