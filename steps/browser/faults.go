package browser

import (
	"cmp"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// keepFaults is how many faults of one sort are kept.
const keepFaults = 500

// faultLog keeps what went wrong beside the logs, so that a page that talks much does not push it out. It is under the
// lock of the rings.
type faultLog struct {
	console, errors, network ring[steps.Fault]
	seq                      uint64
	row                      uint64 // how many rows the session was given
	home                     string // host of the first document
	moves                    map[playwright.Frame]*netEntry
}

func (f *faultLog) init() {
	f.console.limit, f.errors.limit, f.network.limit = keepFaults, keepFaults, keepFaults
	f.moves = map[playwright.Frame]*netEntry{}
}

func (f *faultLog) add(x steps.Fault) {
	f.seq++
	x.Seq = f.seq
	switch x.Kind {
	case steps.FaultConsole:
		f.console.add(x)
	case steps.FaultPageError:
		f.errors.add(x)
	default:
		f.network.add(x)
	}
}

// since gives the faults after a number in their order, and how many of each sort fell out.
func (f *faultLog) since(n uint64) (list []steps.Fault, lost steps.Lost) {
	if n >= f.seq {
		return nil, lost
	}
	pick := func(r *ring[steps.Fault]) int {
		kept, dropped := r.since(0)
		if dropped > 0 && n >= r.list[len(r.list)-len(kept)-1].Seq {
			dropped = 0 // what fell out lies before n
		}
		for _, x := range kept {
			if x.Seq > n {
				list = append(list, x)
			}
		}
		return dropped
	}
	lost = steps.Lost{Console: pick(&f.console), Errors: pick(&f.errors), Network: pick(&f.network)}
	slices.SortFunc(list, func(a, b steps.Fault) int { return cmp.Compare(a.Seq, b.Seq) })
	return list, lost
}

// begin counts a row that is about to run.
func (r *rings) begin() {
	r.mu.Lock()
	r.faults.row++
	r.mu.Unlock()
}

// networkWords are what a page says of a request of its own that failed.
var networkWords = []string{"Failed to fetch", "NetworkError", "Load failed", "AbortError", "net::ERR_ABORTED", "Network Error"}

// leaving tells that a text speaks of a failed request while a navigation is under way, which is what failed it.
func (r *rings) leaving(text string) bool {
	if !slices.ContainsFunc(networkWords, func(w string) bool { return strings.Contains(text, w) }) {
		return false
	}
	for _, e := range r.open {
		if e.navigation {
			return true
		}
	}
	return false
}

func (r *rings) consoleFault(e *consoleEntry) {
	if e.kind == "error" {
		r.faults.add(r.denied(steps.Fault{Kind: steps.FaultConsole, Text: e.text, URL: e.url, Line: e.line, Row: r.faults.row, Cut: r.leaving(e.text),
			Stack: onePlace(e.url, e.line, e.column)}))
	}
}

// scriptPlace finds the first script in a stack.
var scriptPlace = regexp.MustCompile(`(?m)\b(https?://[^\s()]+?):(\d+):\d+`)

func (r *rings) errorFault(e *errorEntry) {
	f := steps.Fault{Kind: steps.FaultPageError, Text: e.message(), URL: e.url, Line: e.line, Row: r.faults.row, Cut: r.leaving(e.text),
		Stack: stackOf(e.stack)}
	if f.URL == "" {
		if m := scriptPlace.FindStringSubmatch(e.stack); m != nil {
			f.URL = m[1]
		}
	}
	if len(f.Stack) == 0 {
		f.Stack = onePlace(f.URL, f.Line, e.column)
	}
	r.faults.add(f)
}

// moved notes the navigation of a frame, to know later what it cut off.
func (r *rings) moved(e *netEntry) {
	if !e.navigation || e.frame == nil {
		return
	}
	if r.faults.home == "" && e.frame.ParentFrame() == nil {
		r.faults.home = host(e.url)
	}
	if len(r.faults.moves) > 200 { // of frames that came and went
		for f := range r.faults.moves {
			if f.IsDetached() {
				delete(r.faults.moves, f)
			}
		}
	}
	r.faults.moves[e.frame] = e
}

// answered reports a response that says an error.
func (r *rings) answered(e *netEntry) {
	if e.status >= 400 && !e.faulty {
		e.faulty = true
		r.faults.add(e.fault(steps.FaultHTTP))
	}
}

// unanswered reports a request that failed. One that the page gave up after it was answered has had its response.
func (r *rings) unanswered(e *netEntry) {
	aborted := strings.Contains(e.failure, "ERR_ABORTED")
	if e.faulty || aborted && e.status != 0 {
		return
	}
	e.faulty = true
	f := e.fault(steps.FaultRequest)
	f.Cut = aborted && (e.navigation || e.left || r.cut(e))
	r.faults.add(r.denied(f))
}

// cut tells that the document of a request, or one around it, was left after the request began.
func (r *rings) cut(e *netEntry) bool {
	for f := e.frame; f != nil; f = f.ParentFrame() {
		if f.IsDetached() || f.Page() == nil || f.Page().IsClosed() {
			return true
		}
		if nav := r.faults.moves[f]; nav != nil && (nav.seq > e.seq || nav.status == 0 && !nav.done || nav.answeredAt > e.at) {
			return true
		}
	}
	return false
}

// committed forgets the requests of the document that a frame has left: the browser does not tell their end. A change of
// the URL within a document leaves nothing.
func (r *rings) committed(f playwright.Frame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	nav := r.faults.moves[f]
	if nav == nil || nav.committed {
		return
	}
	nav.committed = true
	for q, e := range r.open {
		for in := e.frame; in != nil && !e.navigation; in = in.ParentFrame() {
			if in == f {
				e.left = true
				delete(r.open, q)
				break
			}
		}
	}
}

// detached says of a frame that is gone that this is what ended its requests: their end may be told first.
func (r *rings) detached(f playwright.Frame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	gone := map[uint64]bool{}
	requests, _ := r.network.since(0)
	for _, e := range requests[max(0, len(requests)-64):] {
		if e.frame == f && e.failed && strings.Contains(e.failure, "ERR_ABORTED") {
			gone[e.seq] = true
		}
	}
	faults, _ := r.faults.network.since(0)
	for i := range faults {
		if gone[faults[i].Request] {
			faults[i].Cut = true
		}
	}
}

// leave marks the requests that are under way: their document is about to be left.
func (r *rings) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.open {
		e.left = true
	}
}

func (e *netEntry) fault(kind string) steps.Fault {
	return steps.Fault{Kind: kind, Text: e.words(), URL: e.url, Method: e.method, Type: e.kind, Status: e.status,
		Initiator: e.initiator.text, Stack: e.initiator.stack, Row: e.row, Request: e.seq}
}

// host gives the host of a URL, or "" if it has none.
func host(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "ws" && u.Scheme != "wss" {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// siteOf says whose a URL is, seen from a host.
func siteOf(home, raw string) steps.Site {
	h := host(raw)
	switch {
	case h == "":
		return steps.Inline
	case home != "" && registrable(h) == registrable(home):
		return steps.SameSite
	}
	return steps.OtherSite
}

// registrable gives the part of a host name that somebody registered: the last two labels, or three where the last is a
// country and the one before says what sort of owner it is (co.uk, com.au). It needs no list that grows old; for hosts
// below a shared suffix such as github.io it is too generous.
func registrable(h string) string {
	if net.ParseIP(h) != nil {
		return h
	}
	labels := strings.Split(strings.TrimSuffix(h, "."), ".")
	n := 2
	if len(labels) > 2 && len(labels[len(labels)-1]) == 2 && slices.Contains(ownerLabels, labels[len(labels)-2]) {
		n = 3
	}
	return strings.Join(labels[max(0, len(labels)-n):], ".")
}

// ownerLabels are what stands between a name and its country.
var ownerLabels = strings.Fields("ac co com edu go gob gov gub ltd me mil ne net nom or org plc sch")
