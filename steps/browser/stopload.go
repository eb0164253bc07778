package browser

import (
	"context"
	"time"
)

// stopTime is how long the browser may take to give up a navigation.
const stopTime = time.Second

// stopLoading gives up a navigation that did not arrive in time: while it is under way the page that is there answers
// nothing, neither the next row nor the evidence of this one.
func (s *session) stopLoading(ctx context.Context) {
	if cdp := s.active().session(); cdp != nil {
		s.within(context.WithoutCancel(ctx), stopTime, func() { _, _ = cdp.Send("Page.stopLoading", nil) })
	}
}
