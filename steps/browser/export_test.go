package browser

// MatchURL tells whether a URL pattern matches, for tests.
func MatchURL(pattern, url string) (bool, error) {
	p, err := parsePattern(pattern)
	if err != nil {
		return false, err
	}
	return p.match(url), nil
}

// Refs lists the refs of a snapshot as "ref role name", for tests.
func Refs(snapshot string) map[string]string {
	out := map[string]string{}
	for ref, e := range readRefs(snapshot).refs {
		out[ref] = e.role + " " + e.name
	}
	return out
}

// OnlyInteractive is what snapshot -i keeps, for tests.
var OnlyInteractive = onlyInteractive

// Resolve makes the URL that an open row means, for tests.
func Resolve(base, raw string) (string, error) {
	s := &session{}
	s.o.BaseURL = base
	return s.resolve(raw)
}

// RingOf adds n numbers to a ring of a limit and gives what is kept after a number, for tests.
func RingOf(limit, n int, since uint64) (list []int, dropped int) {
	r := ring[int]{limit: limit}
	for i := 1; i <= n; i++ {
		r.add(i)
	}
	return r.since(since)
}

// SiteOf says whose a URL is, for tests.
var SiteOf = siteOf

// CurlCookies reads cookies as cookies set --curl does, for tests.
func CurlCookies(text string) map[string]string {
	out := map[string]string{}
	for _, c := range curlCookies(text) {
		out[c.Name] = c.Value
	}
	return out
}

// DifferentPixels compares two PNG pictures, for tests.
func DifferentPixels(before, after []byte, threshold float64) (int, error) {
	p, err := comparePictures(before, after, threshold, true)
	return p.different, err
}

// WithoutRefs drops the refs of a snapshot, for tests.
var WithoutRefs = withoutRefs

// ShapeTree keeps the lines of a tree with a text, up to a depth, compact and with URLs, for tests.
func ShapeTree(text, search string, depth int) string {
	return shape{compact: true, urls: true, viewport: true, search: search, depth: max(depth, 0)}.apply(text, 100, 100)
}

// Scratch is the private folder of an engine, for tests.
func (e *Engine) Scratch() string { return e.dir }

// Parked counts the contexts that are open ahead of their use, for tests.
func (e *Engine) Parked() int {
	e.mu.Lock()
	p := e.spare
	e.mu.Unlock()
	if p == nil {
		return 0
	}
	select {
	case <-p.done:
		if p.s != nil && p.s.fate(nil) == nil {
			return 1
		}
	default:
	}
	return 0
}

// Reason is reason.
var Reason = reason

// Film is a recording without a browser, for tests: add gives it a picture, sweep drops it.
func Film(dir string) (add func(jpeg []byte), sweep func()) {
	v := &video{dir: dir, fps: 1000}
	return v.add, v.sweep
}
