package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// stateTime bounds the reading of cookies and localStorage when the caller set no deadline.
const stateTime = 15 * time.Second

var _ steps.Stored = (*session)(nil)

// StorageState gives the cookies of the context and the localStorage of every origin that it has visited.
func (s *session) StorageState(ctx context.Context) ([]byte, error) {
	if d := s.fate(nil); d != nil {
		return nil, &failed{crashed(*d)}
	}
	if d := s.talk.current(); d != nil {
		return nil, blocked(d)
	}
	limit := stateTime
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end))
	}
	var state *playwright.StorageState
	var err error
	got := make(chan struct{})
	if !s.within(ctx, limit, func() { state, err = s.ctx.StorageState(); close(got) }) || !closed(got) {
		return nil, fmt.Errorf("reading cookies and localStorage: the browser did not answer within %s", span(limit))
	}
	if err != nil {
		return nil, fmt.Errorf("reading cookies and localStorage: %w", err)
	}
	return json.Marshal(state)
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
