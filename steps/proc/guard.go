//go:build linux || darwin

package proc

import (
	"bufio"
	"io"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// closeLine ends a watchdog in order.
const closeLine = "close"

// The steps of the watchdog after the runner's death, all counted from it. Node removes its temporary folders when its
// stdin closes, and services may end in order when asked; both have little time for it.
const (
	quietTime = 250 * time.Millisecond // nothing is signalled before
	askTime   = 650 * time.Millisecond // SIGTERM before, SIGKILL after
	sweepTime = 2 * time.Second        // the end of all tries
	sweepTick = 25 * time.Millisecond
)

// WatchdogMain is the child mode: args are what follows [WatchdogArg], that is the mark. It returns the exit code: 0 after
// an orderly end or when nothing is left, 1 if something could not be ended.
func WatchdogMain(in io.Reader, args []string) int {
	if len(args) != 1 || args[0] == "" {
		return 2
	}
	// It outlives the runner by design; only SIGKILL and the end of its pipe end it.
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	groups, inOrder := listen(in)
	if inOrder || sweep(groups, args[0]) {
		return 0
	}
	return 1
}

// listen follows the feed to its end: the groups that live, by leader, with the leader's start identity.
func listen(in io.Reader) (groups map[int]string, inOrder bool) {
	groups = map[int]string{}
	for lines := bufio.NewReader(in); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return groups, false // a line without its end is half a line
		}
		line = strings.TrimSuffix(line, "\n")
		if line == closeLine {
			return groups, true
		}
		if len(line) < 2 {
			continue
		}
		number, id, _ := strings.Cut(line[1:], " ")
		pid, err := strconv.Atoi(number)
		if err != nil || pid <= 1 {
			continue // a group 0 or 1 would be ourselves or everybody
		}
		if line[0] == '+' {
			groups[pid] = id
		} else {
			delete(groups, pid)
		}
	}
}

// sweep ends all that is left of a run. What is told to end may start something else, so it looks again until it has
// found nothing twice.
func sweep(groups map[int]string, mark string) bool {
	since, clean := time.Now(), 0
	for time.Since(since) < sweepTime {
		sig := syscall.Signal(0)
		switch age := time.Since(since); {
		case age > askTime:
			sig = syscall.SIGKILL
		case age > quietTime:
			sig = syscall.SIGTERM
		}
		if signalAll(groups, mark, sig) == 0 {
			if clean++; clean == 2 {
				return true
			}
		} else {
			clean = 0
		}
		time.Sleep(sweepTick)
	}
	return false
}

// signalAll signals every group and process that is ours, and counts them. Signal 0 only counts.
func signalAll(groups map[int]string, mark string, sig syscall.Signal) int {
	found := 0
	marked, theirGroups := carriers(mark)
	for pgid, id := range groups {
		now, err := StartIdentity(pgid)
		// the leader itself, or the rest of its group if that is certainly of this run
		if (err == nil && now == id || theirGroups[pgid]) && groupLives(pgid) {
			found++
			_ = syscall.Kill(-pgid, sig)
		}
	}
	for _, p := range marked {
		found++
		_ = p.signal(sig)
	}
	return found
}
