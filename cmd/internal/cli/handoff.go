package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/checkrow/checkrow/runner"
)

const handoffHelp = "   enter: it is done · q: quit the run"

// handoff asks the person at the terminal to do something, and waits for their key or until the page has the answer. An
// input that has ended is no answer: the page, or the time, then ends the wait.
func (h *holder) handoff(ctx context.Context, s runner.Stop, text string) error {
	select {
	case h.turn <- struct{}{}: // one prompt at a time
		defer func() { <-h.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	restore, err := h.keys.open()
	if err != nil {
		return err
	}
	defer restore()
	h.test = s.Test
	h.say("── %s", s.Test)
	h.say("%s  handoff: %s", s.Pos, text)
	h.say(handoffHelp)
	for {
		key, err := h.keys.read(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, io.EOF):
			h.say("   the input has ended: only the page can answer")
			<-ctx.Done()
			return context.Cause(ctx)
		case err != nil:
			return fmt.Errorf("reading the keyboard: %w", err)
		}
		switch key {
		case '\n', '\r', 'n', ' ':
			return nil
		case 'q', 3: // Ctrl-C comes as a key while every key does
			h.quit(errQuit)
			<-ctx.Done()
			return context.Cause(ctx)
		default:
			h.say(handoffHelp)
		}
	}
}
