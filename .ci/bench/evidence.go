package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// evidence is the share of a run's time, in percent, that goes into journal, incremental and final reports, and into checking
// and hashing files. The binary adds the times up itself, as whoever runs tests waits for them. The time of fsync is shown and
// not in the sum: it passes in goroutines beside the workers, and no test waits for it.
func (b *bench) evidence(argv []string) (float64, error) {
	path := filepath.Join(b.out(), "cost.json")
	cmd, out := b.command(b.ctx, argv)
	cmd.Env = append(cmd.Env, "CHECKROW_COST="+path)
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", argv[0], err, out)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	var cost struct {
		Wall      float64 `json:"wall_ms"`
		Journal   float64 `json:"journal_ms"`
		Sync      float64 `json:"sync_ms"`
		Artifacts float64 `json:"artifacts_ms"`
		Reports   float64 `json:"reports_ms"`
	}
	if err := json.Unmarshal(text, &cost); err != nil {
		return 0, fmt.Errorf("reading %q: %w", path, err)
	}
	fmt.Printf("  (journal and incremental reports %.0f ms, fsync beside the workers %.0f, files %.0f, final reports %.0f, of %.0f)\n",
		cost.Journal, cost.Sync, cost.Artifacts, cost.Reports, cost.Wall)
	return 100 * (cost.Journal + cost.Artifacts + cost.Reports) / cost.Wall, nil
}
