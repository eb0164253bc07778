package runner

import (
	"context"
	"errors"
	"sync"
	"time"
)

// The ways in which a handoff ends.
const (
	viaPage    = "in_page"
	viaConsole = "console"
	viaTimeout = "timeout"
)

// handoffEvery is how often the page is asked whether the person is done.
const handoffEvery = 300 * time.Millisecond

// errAnswered ends the prompt of a handoff that the page has answered.
var errAnswered = errors.New("the page has answered")

// handingOff gives a handoff step the way to a person; nil if there is none. The clock of the test stands still while the
// person is at work. The page is asked here, by the one goroutine that may; the console waits beside it.
func (p *player) handingOff(c call) func(context.Context, string, func(context.Context) (bool, error)) (string, error) {
	hold := p.run.o.Hold.Handoff
	if hold == nil {
		return nil
	}
	return func(ctx context.Context, text string, done func(context.Context) (bool, error)) (via string, err error) {
		err = p.still(func() error {
			via, err = p.handOff(ctx, func(ctx context.Context) error { return hold(ctx, p.stopAt(c, nil), text) }, done)
			return err
		})
		return via, err
	}
}

func (p *player) handOff(ctx context.Context, ask func(context.Context) error, done func(context.Context) (bool, error)) (string, error) {
	asking, answered := context.WithCancelCause(ctx)
	var beside sync.WaitGroup
	said := make(chan error, 1)
	beside.Go(func() { said <- ask(asking) })
	defer beside.Wait()
	defer answered(errAnswered)
	for {
		yes, err := done(ctx)
		switch {
		case ctx.Err() != nil:
			return viaTimeout, context.Cause(ctx)
		case err != nil:
			return "", err
		case yes:
			return viaPage, nil
		}
		select {
		case err := <-said:
			if ctx.Err() != nil {
				return viaTimeout, context.Cause(ctx)
			}
			return viaConsole, err
		case <-ctx.Done():
			return viaTimeout, context.Cause(ctx)
		case <-time.After(handoffEvery):
		}
	}
}
