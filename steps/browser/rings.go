package browser

import (
	"strings"
	"sync"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// How much is kept of what a page says. Older entries fall out and are counted.
const (
	keepConsole = 1000
	keepErrors  = 1000
	keepNetwork = 2000
	keepText    = 8 << 10 // bytes of one text
)

// ring keeps the newest entries, numbered from 1.
type ring[T any] struct {
	limit   int
	list    []T
	last    uint64 // number of the newest entry
	cleared uint64 // entries up to here were cleared by a row
}

// add appends an entry and gives its number. The list grows to twice the limit and is then moved down, so that adding
// stays cheap.
func (r *ring[T]) add(v T) uint64 {
	r.last++
	if len(r.list) >= 2*r.limit {
		n := copy(r.list, r.list[r.limit:])
		clear(r.list[n:])
		r.list = r.list[:n]
	}
	r.list = append(r.list, v)
	return r.last
}

// first is the number of the oldest entry that counts as kept.
func (r *ring[T]) first() uint64 { return r.last - uint64(min(len(r.list), r.limit)) + 1 }

// since gives the entries after a number, and how many of those fell out.
func (r *ring[T]) since(n uint64) (list []T, dropped int) {
	if n < r.cleared {
		n = r.cleared
	}
	if n >= r.last {
		return nil, 0
	}
	if first := r.first(); n+1 < first {
		dropped = int(first - n - 1)
		n = first - 1
	}
	return r.list[len(r.list)-int(r.last-n):], dropped
}

// clear forgets what is there; numbers go on.
func (r *ring[T]) clear() { r.cleared = r.last }

// consoleEntry is one console message.
type consoleEntry struct {
	seq          uint64
	kind, text   string
	url          string
	line, column int
	at           float64
}

// errorEntry is one uncaught exception or rejection.
type errorEntry struct {
	seq          uint64
	name, text   string
	stack        string
	url          string
	line, column int
}

// netEntry is one request.
type netEntry struct {
	seq             uint64
	id              string
	method, url     string
	kind            string // resource type
	headers         map[string]string
	at              int64 // ms
	post            string
	initiator       initiator
	navigation      bool // of a main document
	page            *tab
	status          int
	mime            string
	responseHeaders map[string]string
	failed          bool
	failure         string
	done            bool

	row        uint64 // of the window it began in
	frame      playwright.Frame
	answeredAt int64 // ms
	left       bool  // its document was left, or about to be
	committed  bool  // of a navigation: its document is there
	faulty     bool  // it is in the faults
	answer     playwright.Response
}

// rings are the logs of a session. Handlers append on the dispatch goroutine, rows read.
type rings struct {
	mu       sync.Mutex
	console  ring[*consoleEntry]
	errors   ring[*errorEntry]
	network  ring[*netEntry]
	open     map[any]*netEntry    // requests under way, by the library's request
	inits    map[string]initiator // initiator by method and URL, until its request comes
	lastMove int64                // when a request last began or ended, in ms
	faults   faultLog
	reach    steps.SessionOptions // what may be reached: its Hosts and Schemes
}

func (r *rings) init() {
	r.console.limit, r.errors.limit, r.network.limit = keepConsole, keepErrors, keepNetwork
	r.open, r.inits = map[any]*netEntry{}, map[string]initiator{}
	r.faults.init()
}

// keepFailure is how many characters of what a browser says of a request that failed are kept.
const keepFailure = 220

// reason cuts what a browser says of a request that failed.
func reason(s string) string {
	if runes := []rune(s); len(runes) > keepFailure {
		return string(runes[:keepFailure]) + "…"
	}
	return s
}

// bounded cuts a text and lets go of the memory of the rest.
func bounded(s string) string {
	if len(s) <= keepText {
		return s
	}
	return strings.Clone(strings.ToValidUTF8(s[:keepText], "")) + "…"
}
