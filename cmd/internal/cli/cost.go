package cli

import (
	"encoding/json"
	"os"
	"time"

	"github.com/checkrow/checkrow/runner"
)

// costEnv names a file that gets the time which evidence took, for the benchmark.
const costEnv = "CHECKROW_COST"

// costs writes the costs of a run to the file that the environment names. The returned place is nil if it names none.
func (a *app) costs() (place *runner.Cost, write func(reports time.Duration)) {
	path, ok := a.env(costEnv)
	if !ok || path == "" {
		return nil, func(time.Duration) {}
	}
	place = &runner.Cost{}
	start := a.Now()
	return place, func(reports time.Duration) {
		ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
		text, err := json.Marshal(map[string]float64{"wall_ms": ms(a.Now().Sub(start)), "journal_ms": ms(place.Journal), "sync_ms": ms(place.Sync),
			"artifacts_ms": ms(place.Artifacts), "reports_ms": ms(reports)})
		if err == nil {
			err = os.WriteFile(path, append(text, '\n'), 0o600)
		}
		if err != nil {
			a.warnf("%s: %v", costEnv, err)
		}
	}
}
