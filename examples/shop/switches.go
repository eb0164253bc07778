package main

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// slow delays an answer by ?slow=MS, at most ten seconds.
func slow(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ms, err := strconv.Atoi(r.URL.Query().Get("slow")); err == nil {
			select {
			case <-time.After(time.Duration(min(ms, 10_000)) * time.Millisecond):
			case <-r.Context().Done():
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// flaky answers 503 to the first ?fail=N requests that carry the same ?key=K, whatever they ask for.
func (s *shop) flaky(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if n, err := strconv.Atoi(q.Get("fail")); err == nil {
			s.mu.Lock()
			nth := s.failed[q.Get("key")] + 1
			if nth <= n {
				s.failed[q.Get("key")] = nth
			}
			s.mu.Unlock()
			if nth <= n {
				outOfOrder(w, r, nth, n)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// outOfOrder answers 503 in the type that was asked for: of another site's script a browser hides everything else, the
// status too.
func outOfOrder(w http.ResponseWriter, r *http.Request, nth, n int) {
	kind := "text/plain; charset=utf-8"
	if strings.HasSuffix(r.URL.Path, ".js") {
		kind = "text/javascript; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Retry-After", "0")
	w.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprintf(w, "// out of order, %d of %d\n", nth, n)
}

// faults are the names in ?fault=A,B.
func faults(q url.Values) []string {
	return strings.FieldsFunc(q.Get("fault"), func(c rune) bool { return c == ',' })
}

// faulty tells whether a request of the API, or the page that sent it, was asked for with ?fault=NAME.
func faulty(r *http.Request, name string) bool {
	if slices.Contains(faults(r.URL.Query()), name) {
		return true
	}
	from, err := url.Parse(r.Referer())
	return err == nil && slices.Contains(faults(from.Query()), name)
}
