package browser

import (
	"encoding/json"
	"sync/atomic"

	"github.com/mxschmitt/playwright-go"
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
	track     atomic.Pointer[track] // of the mouse, while a video draws it
	auto      *capture              // what records the whole attempt
	traceName string                // of the newest trace
	clipboard bool                  // pages may use the clipboard
	tools     map[playwright.CDPSession]*webTools
	mouse     point      // where rows have moved the mouse to
	delta     *deltaBase // of the last snapshot --delta
	picture   *picture   // of the last screenshot --if-changed
}

// literal spells a text as JavaScript.
func literal(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // a string always marshals
		return `""`
	}
	return string(b)
}
