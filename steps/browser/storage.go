package browser

import (
	"context"
	"strings"

	"github.com/checkrow/checkrow/steps"
)

// storageOf names the storage that a row is about: localStorage or sessionStorage.
func storageOf(r *row) string { return r.a.Command.Words[1] + "Storage" }

func storageGet(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	if len(r.a.Operands) > 0 {
		v, err := s.evaluate(ctx, storageOf(r)+".getItem("+literal(r.op(0))+")")
		if err != nil {
			return steps.Observation{}, noStorage(r, err)
		}
		return steps.OK(map[string]any{"key": r.op(0), "value": v}, "value"), nil
	}
	v, err := s.evaluate(ctx, "(s => Object.fromEntries(Array.from({length: s.length}, (_, i) => [s.key(i), s.getItem(s.key(i))])))("+storageOf(r)+")")
	if err != nil {
		return steps.Observation{}, noStorage(r, err)
	}
	return steps.OK(map[string]any{"data": v}, "data"), nil
}

func storageSet(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	r.sent()
	_, err := s.evaluate(ctx, "void "+storageOf(r)+".setItem("+literal(r.op(0))+", "+literal(r.op(1))+")")
	o := steps.OK(map[string]any{"set": true}, "set")
	o.Argv = conceal(r, r.op(1))
	return o, noStorage(r, err)
}

func storageClear(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	r.sent()
	_, err := s.evaluate(ctx, "void "+storageOf(r)+".clear()")
	return steps.OK(map[string]any{"cleared": true}, "cleared"), noStorage(r, err)
}

// noStorage says that a page has no storage: about:blank, data: and sandboxed documents.
func noStorage(r *row, err error) error {
	var f *failed
	if asFailed(err, &f) && strings.Contains(f.obs.Error, "SecurityError") {
		return problem(steps.NotActionable, "no-storage", "the page has no "+storageOf(r)+": open a page of a site first")
	}
	return err
}
