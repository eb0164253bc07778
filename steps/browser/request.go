package browser

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/steps"
)

// maxBody is how much of an answer a network request row gives.
const maxBody = 1 << 20

// networkRequest reads one request with the body of its answer.
func networkRequest(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	e, data := s.rings.request(r.op(0))
	if e == nil {
		return steps.Observation{}, problem(steps.NotFound, "no-request", fmt.Sprintf("there is no request %q, or it fell out", r.op(0)),
			next("list-network-requests", "see what there is", "network", "requests"))
	}
	for !e.ended(&s.rings) {
		if !r.pause(ctx, pollEach) {
			r.warning("the request is still under way")
			return steps.OK(data, "responseBody"), s.endedEarly(ctx)
		}
	}
	_, data = s.rings.request(r.op(0))
	s.rings.mu.Lock()
	answer := e.answer
	s.rings.mu.Unlock()
	if answer == nil || e.status >= 300 && e.status < 400 {
		return steps.OK(data, "responseBody"), nil
	}
	body, err := answer.Body()
	if err != nil {
		if s.fate(err) != nil {
			return steps.Observation{}, err
		}
		r.warning("the browser has not kept the body: " + cleanError(err))
		return steps.OK(data, "responseBody"), nil
	}
	size := len(body)
	if size > maxBody {
		body = body[:maxBody]
		for !utf8.Valid(body) && len(body) > maxBody-utf8.UTFMax && utf8.Valid(body[:maxBody/2]) {
			body = body[:len(body)-1]
		}
		data["truncated"] = true
	}
	if utf8.Valid(body) {
		data["responseBody"] = string(body)
	} else {
		data["responseBody"] = fmt.Sprintf("[base64, %d chars]", base64.StdEncoding.EncodedLen(size))
		data["responseBase64"] = base64.StdEncoding.EncodeToString(body)
	}
	return steps.OK(data, "responseBody"), nil
}

// endedEarly is the error of a row whose time was cut, or nil.
func (s *session) endedEarly(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// request finds an entry by its id and gives its data.
func (r *rings) request(id string) (*netEntry, map[string]any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	list, _ := r.network.since(0)
	for i := len(list) - 1; i >= 0; i-- {
		if e := list[i]; e.id == id {
			data := e.data()
			for key, zero := range map[string]any{"status": 0, "mimeType": "", "responseHeaders": map[string]any{}, "postData": "", "responseBody": "",
				"truncated": false, "stack": []any{}} {
				if _, ok := data[key]; !ok {
					data[key] = zero
				}
			}
			return e, data
		}
	}
	return nil, nil
}

// ended tells that nothing more comes of a request.
func (e *netEntry) ended(r *rings) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return e.done
}

// here is what the filters about the current page compare with.
type here struct {
	url, origin string
	since       uint64 // the request of the tab's document
}

// here finds what --current-page, --current-origin and --current-url mean. The caller holds the lock of the rings.
func (s *session) here(entries []*netEntry) here {
	at := s.page().URL()
	main := s.page().MainFrame()
	h := here{}
	h.url, _, _ = strings.Cut(at, "#")
	if u, err := url.Parse(at); err == nil && u.Host != "" {
		h.origin = u.Scheme + "://" + u.Host
	}
	for i := len(entries) - 1; i >= 0; i-- {
		if e := entries[i]; e.navigation && e.frame == main && !e.failed {
			h.since = e.seq
			for i--; i >= 0 && entries[i].navigation && entries[i].frame == main && entries[i].status >= 300 && entries[i].status < 400; i-- {
				h.since = entries[i].seq // it was redirected here
			}
			break
		}
	}
	return h
}

// has applies the filter about the current page that a row has.
func (h here) has(r *row, e *netEntry) bool {
	u, _, _ := strings.Cut(e.url, "#")
	switch {
	case r.a.Has("--current-page"):
		return e.seq >= h.since
	case r.a.Has("--current-origin"):
		return h.origin != "" && (u == h.origin || strings.HasPrefix(u, h.origin+"/"))
	case r.a.Has("--current-url"):
		return u == h.url
	}
	return true
}

// hostOf is the host of a web URL, or "".
func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Hostname()
}
