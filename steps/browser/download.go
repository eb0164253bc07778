package browser

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// downloads are what pages of the session downloaded, in order.
type downloads struct {
	mu   sync.Mutex
	list []*fetched
	seen int // how many there were
}

// fetched is one download; a row takes it once.
type fetched struct {
	d     playwright.Download
	seq   int
	taken bool
}

// keepDownloads bounds the downloads that no row asked for.
const keepDownloads = 100

// onDownload notes a download when it begins.
func (s *session) onDownload(d playwright.Download) {
	l := &s.extra.downloads
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen++
	if len(l.list) >= keepDownloads {
		l.list = append(l.list[:0:0], l.list[1:]...)
	}
	l.list = append(l.list, &fetched{d: d, seq: l.seen})
}

func (l *downloads) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen
}

// take gives the oldest download after a number that no row has taken, or nil.
func (l *downloads) take(after int) playwright.Download {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.list {
		if f.seq > after && !f.taken {
			f.taken = true
			return f.d
		}
	}
	return nil
}

// download clicks and saves what that downloads.
func download(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	f, err := r.reserve(r.op(1), "download")
	if err != nil {
		return steps.Observation{}, err
	}
	before := s.extra.downloads.count()
	o, err := s.click(ctx, r, r.a.Target(0), 1, "clicked")
	if err != nil {
		f.drop()
		return o, err
	}
	if held := s.talk.current(); held != nil {
		f.drop()
		return steps.Observation{}, blocked(held)
	}
	r.sent() // what a dialog would leave of the row is no download
	r.extend(s.patience(r))
	o, err = s.fetch(ctx, r, before, func(string) (*file, error) { return f, nil })
	if err != nil {
		f.drop()
	}
	return o, err
}

// patience is how long a row waits for what its action causes.
func (s *session) patience(r *row) time.Duration {
	if r.o.Timeout > 0 {
		return r.left()
	}
	return s.o.Limits.Wait
}

// after is how long a row may take beside its own limit: for what its action causes, for pages that it opens first, for
// rules that take long on a large page.
func (s *session) after(r *row) time.Duration {
	l := s.o.Limits
	switch r.a.Command.Name() {
	case "download", "vitals":
		return l.Wait
	case "a11y":
		return l.Wait + l.Open
	case "diff url":
		return l.Open
	}
	return 0
}

// extend gives the row a new time to wait, which begins now.
func (r *row) extend(d time.Duration) { r.limit, r.until = d, time.Now().Add(d) }

// waitDownload waits for a download that no row has taken; one that came just before counts.
func (s *session) waitDownload(ctx context.Context, r *row) (steps.Observation, error) {
	o, err := s.fetch(ctx, r, 0, func(suggested string) (*file, error) {
		name := r.op(0)
		if name == "" {
			name = suggested
		}
		return r.reserve(name, "download")
	})
	if err == nil {
		o.Data["waited"] = "download"
	}
	return o, err
}

// fetch waits until a download has begun and ended, and saves it.
func (s *session) fetch(ctx context.Context, r *row, after int, to func(suggested string) (*file, error)) (steps.Observation, error) {
	var d playwright.Download
	for d = s.extra.downloads.take(after); d == nil; d = s.extra.downloads.take(after) {
		if !r.pause(ctx, pollEach) {
			return steps.Observation{}, s.ended(ctx, problem(steps.Timeout, "download", "nothing was downloaded: waited "+r.waited(),
				next("inspect-after-timeout", "see what the page shows", "snapshot", "-i")))
		}
	}
	name := safeName(d.SuggestedFilename())
	from, err := s.arrived(ctx, r, d, name)
	if err != nil {
		return steps.Observation{}, err
	}
	f, err := to(name)
	if err != nil {
		return steps.Observation{}, err
	}
	a, err := f.take(from)
	if err != nil {
		return steps.Observation{}, err
	}
	return saved(map[string]any{"path": f.path(), "filename": name, "url": bounded(d.URL())}, "path", a), nil
}

// arrived waits for the end of a download and gives the file. The driver's call knows no time limit.
func (s *session) arrived(ctx context.Context, r *row, d playwright.Download, name string) (string, error) {
	type end struct {
		path string
		err  error
	}
	got := make(chan end, 1)
	s.spawn(func() {
		path, err := s.fetched(d)
		got <- end{path, err}
	})
	t := time.NewTimer(r.left())
	defer t.Stop()
	select {
	case e := <-got:
		if e.err != nil && s.fate(e.err) == nil {
			return "", problem(steps.ArtifactBad, "download-failed", fmt.Sprintf("the download of %q failed: %s", name, cleanError(e.err)))
		}
		return e.path, e.err
	case <-s.deadCh:
		return "", &failed{crashed(*s.fate(nil))}
	case <-ctx.Done():
	case <-t.C:
	}
	s.spawn(func() { _ = d.Cancel() })
	return "", s.ended(ctx, problem(steps.Timeout, "download", fmt.Sprintf("the download of %q did not end: waited %s", name, r.waited())))
}

// safeName makes the name that a page suggests one that lands in the attempt's folder.
func safeName(s string) string {
	s = filepath.Base(filepath.Clean("/" + strings.ReplaceAll(s, `\`, "/")))
	s = strings.TrimLeft(strings.Map(func(c rune) rune {
		if c < ' ' || strings.ContainsRune(`<>:"|?*`, c) {
			return '_'
		}
		return c
	}, s), ".")
	if s == "" || s == "/" {
		return "download"
	}
	return s
}

func pdf(_ context.Context, s *session, r *row) (steps.Observation, error) {
	f, err := r.reserve(r.op(0), "pdf")
	if err != nil {
		return steps.Observation{}, err
	}
	content, err := s.page().PDF()
	if err != nil {
		f.drop()
		return steps.Observation{}, err
	}
	a, err := f.write(content)
	if err != nil {
		return steps.Observation{}, err
	}
	return saved(map[string]any{"path": f.path()}, "path", a), nil
}
