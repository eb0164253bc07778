package flow

import (
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// whileEvery is the pause between two rounds of a loop that only time bounds.
const whileEvery = 100 * time.Millisecond

// While runs a list of steps as long as a condition holds.
var While = steps.Kind{
	Name: "while",
	Doc: "Runs do as long as the condition holds, which is read before each round. It must have a bound; when the condition still " +
		"holds there, the step fails. Outside, an id of the loop is that of its last round.",
	Example: "- while: text(\"#state\") == \"pending\"\n  within: 30s\n  every: 1s\n  do:\n    - [reload]\n",
	Keys: []spec.Key{
		{Name: "while", Type: "expr", Doc: "the condition", Required: true},
		{Name: "max", Type: "int", Doc: "how many rounds there may be", Default: "10000", Aka: []string{"times", "limit", "count"}},
		{Name: "within", Type: "duration", Doc: "how long the rounds may take", Aka: []string{"for"}},
		{Name: "every", Type: "duration", Doc: "the pause between two rounds", Default: "100ms, none beside max", Aka: []string{"pause", "interval"}},
		{Name: "do", Type: "steps", Doc: "what to do in each round", Required: true},
	},
	Decode: decodeWhile,
}

func decodeWhile(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
	loop := steps.Loop{Max: maxLoops}
	max, hasMax := m["max"]
	within, hasWithin := m["within"]
	if hasMax {
		loop.Max = spec.WantInt(max, "max", 1, d.Errs)
		if loop.Max > maxLoops {
			d.Errs.Add(max.Pos(), `"max" must be at most 10000`, "")
			loop.Max = maxLoops
		}
	}
	if hasWithin {
		loop.Within = bound(within)
		if text, _ := within.Text(); loop.Within == 0 && text != "" && isZero(text) {
			d.Errs.Add(within.Pos(), `"within" of a while must be longer than nothing`, "")
		}
	}
	if !hasMax && !hasWithin && m["while"] != (spec.Node{}) {
		d.Errs.AddWide(m["while"].KeyPos(), len("while"), `a "while" needs a bound`, "add max: 20, or within: 30s")
	}
	loop.Every = bound(m["every"])
	if loop.Every == 0 && !hasMax {
		loop.Every = whileEvery
	}
	loop.Do = d.Maybe(m["do"], nil)
	n, ok := m["while"]
	if !ok {
		return nil, anything
	}
	// The condition is compiled behind the steps: from the second round on it may read what they gave.
	loop.While = spec.CompileExpr(n, d.Scope, boolean, d.Errs)
	return loop, steps.Result(nil)
}

// isZero tells a duration of nothing from what is no duration, which was reported already.
func isZero(text string) bool {
	d, err := time.ParseDuration(text)
	return err == nil && d == 0
}

// bound reads a duration that the common keys have checked already.
func bound(n spec.Node) time.Duration {
	text, ok := n.Text()
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0
	}
	return d
}
