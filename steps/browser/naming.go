package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
	"github.com/mxschmitt/playwright-go"
)

var _ steps.Namer = (*session)(nil)

// lastingSource is compiled when somebody first asks for a name.
var lastingSource = sync.OnceValue(world.Lasting)

// Lasting implements steps.Namer.
func (s *session) Lasting(ctx context.Context, src string) (string, error) {
	var l diag.List
	t := target.Parse(src, diag.Pos{}, &l)
	if l.Len() > 0 {
		return "", errors.New(l.All()[0].Msg)
	}
	for _, p := range t.Parts {
		if p.Engine == target.Ref && strings.HasPrefix(p.Value, "f") {
			return "", fmt.Errorf("%s is in a frame: select it with a frame row first", src)
		}
	}
	e, err := s.element(ctx, t)
	if err != nil {
		return "", err
	}
	limit := milliseconds(findTime * 4)
	type reply struct {
		v   any
		err error
	}
	got := make(chan reply, 1)
	s.spawn(func() {
		v, err := e.any().Evaluate(lastingSource(), nil, playwright.LocatorEvaluateOptions{Timeout: limit})
		got <- reply{v, err}
	})
	select {
	case r := <-got:
		name, _ := r.v.(string)
		switch {
		case r.err != nil:
			return "", fmt.Errorf("naming %q: %w", src, r.err)
		case name == "":
			return "", fmt.Errorf("nothing tells %s apart from other elements", src)
		}
		return name, nil
	case <-s.deadCh:
		return "", world.ErrClosed
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}
