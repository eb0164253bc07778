// Command chaos breaks runs on purpose and looks at what is left. It kills checkrow at random moments of a run of 60
// tests, browser and process tests mixed, and takes the run up again until it ends: no finished test may be lost or run
// twice, junit.xml must be valid and not green at every kill, the verdict must be that of an undisturbed run, and nothing
// may be left running. Then it breaks the rest: signals, browser, renderer, driver, service, children, disk, folders,
// the clock, loads.
//
//	go run ./.ci/chaos -checkrow bin/checkrow [-n POINTS] [-seed SEED] [-only NAME]
//
// What a run does depends on the seed, which it prints, and on how fast the machine is.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// lab is one run of the whole.
type lab struct {
	ctx      context.Context
	checkrow string // absolute
	dir      string // scratch: suites, runs, temporary files
	rnd      *rand.Rand
	site     *site
	marks    int // temporary folders given out; each marks the processes of one chain of runs
}

// fault is one thing to break.
type fault struct {
	name string
	run  func(l *lab) (string, error) // says what it saw
}

func main() {
	binary := flag.String("checkrow", "bin/checkrow", "the checkrow binary")
	points := flag.Int("n", 20, "moments at which a run is killed")
	seed := flag.Uint64("seed", 0, "of the random moments (default: a new one)")
	only := flag.String("only", "", "only faults whose name contains this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *seed == 0 {
		*seed = rand.Uint64()%999_999 + 1
	}
	fmt.Printf("seed %d, %d points\n", *seed, *points)
	if err := run(ctx, *binary, *points, *seed, *only); err != nil {
		fmt.Fprintf(os.Stderr, "chaos: %v\nchaos: again: go run ./.ci/chaos -n %d -seed %d\n", err, *points, *seed)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary string, points int, seed uint64, only string) error {
	abs, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "chaos-")
	if err != nil {
		return err
	}
	l := &lab{ctx: ctx, checkrow: abs, dir: dir, rnd: rand.New(rand.NewPCG(seed, seed))}
	l.site, err = serve()
	if err != nil {
		return err
	}
	defer l.site.close()
	if err := l.write(); err != nil {
		return err
	}
	bad := 0
	for _, f := range append([]fault{{"kill", func(l *lab) (string, error) { return l.kills(points) }}}, faults()...) {
		if !strings.Contains(f.name, only) {
			continue
		}
		start := time.Now()
		says, err := f.run(l)
		if err != nil {
			bad++
			fmt.Printf("BROKE  %-23s %5.1fs  %v\n", f.name, time.Since(start).Seconds(), err)
			continue
		}
		fmt.Printf("held   %-23s %5.1fs  %s\n", f.name, time.Since(start).Seconds(), says)
	}
	if bad > 0 {
		return fmt.Errorf("%d broken; what they left is in %s", bad, dir)
	}
	return os.RemoveAll(dir)
}

// kills runs chains of kill and resume until so many points have been killed.
func (l *lab) kills(points int) (string, error) {
	var whole chain
	start := time.Now()
	quiet, err := l.undisturbed()
	if err != nil {
		return "", fmt.Errorf("the undisturbed run: %w", err)
	}
	length := time.Since(start)
	killed, chains, early := 0, 0, 0
	var slowest time.Duration
	for killed < points {
		chains++
		c, err := l.newChain(fmt.Sprintf("kill-%d", chains))
		if err != nil {
			return "", err
		}
		// A few kills a chain, so that a run is also taken up twice and three times.
		if err := c.killAndResume(min(points-killed, 6), length); err != nil {
			return "", fmt.Errorf("chain %d, after %d kills: %w", chains, c.killed, err)
		}
		if got := c.verdicts(); !slices.Equal(got, quiet) {
			return "", fmt.Errorf("chain %d ended otherwise than the undisturbed run:\n%s", chains, difference(quiet, got))
		}
		killed += c.killed
		early += c.early
		slowest = max(slowest, c.slowest)
		whole.kept += c.kept
	}
	return fmt.Sprintf("%d kills in %d runs of %d tests (%d before the plan was written); %d verdicts kept, none run twice; all gone within %dms; undisturbed %.1fs",
		killed, chains, len(quiet), early, whole.kept, slowest.Milliseconds(), length.Seconds()), nil
}

// difference shows lines that one list has and the other has not.
func difference(want, got []string) string {
	var out []string
	for _, w := range want {
		if !slices.Contains(got, w) {
			out = append(out, "- "+w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			out = append(out, "+ "+g)
		}
	}
	return strings.Join(out, "\n")
}
