package source

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// The bounds of reading scripts and their maps.
const (
	maxScript = 10 << 20
	maxMap    = 30 << 20
	fetchTime = 3 * time.Second
)

// maps reads the source maps of the scripts of one site, each once. Scripts of other sites are not asked for.
type maps struct {
	site string // scheme and host
	jar  steps.Jar
	mu   sync.Mutex
	have map[string]*sourceMap // nil: there is none
}

func newMaps(base string, jar steps.Jar) *maps {
	m := &maps{jar: jar, have: map[string]*sourceMap{}}
	if u, err := url.Parse(base); err == nil && u.Host != "" {
		m.site = u.Scheme + "://" + u.Host
	}
	return m
}

// original finds where a place of a script comes from.
func (m *maps) original(ctx context.Context, p steps.Place) (file string, line, column int, ok bool) {
	if m == nil || m.site == "" || p.Line == 0 || !strings.HasPrefix(p.URL, m.site+"/") || !isScript(p.URL) {
		return "", 0, 0, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, known := m.have[p.URL]
	if !known {
		ctx, cancel := context.WithTimeout(ctx, fetchTime)
		defer cancel()
		s, _ = m.load(ctx, p.URL) // without a map the script itself is the place
		m.have[p.URL] = s
	}
	if s == nil {
		return "", 0, 0, false
	}
	return s.original(p.Line, p.Column)
}

func isScript(raw string) bool {
	raw, _, _ = strings.Cut(raw, "?")
	return strings.HasSuffix(raw, "js")
}

var mapLine = regexp.MustCompile(`(?m)^\s*(?://|/\*)[#@]\s*sourceMappingURL=([^\s*]+)`)

// load reads the map that a script names in its header or its last such line.
func (m *maps) load(ctx context.Context, script string) (*sourceMap, error) {
	text, head, err := m.get(ctx, script, maxScript)
	if err != nil {
		return nil, err
	}
	where := head.Get("SourceMap")
	if all := mapLine.FindAllSubmatch(text, -1); where == "" && len(all) > 0 {
		where = string(all[len(all)-1][1])
	}
	if where == "" {
		return nil, nil
	}
	if data, ok := strings.CutPrefix(where, "data:"); ok {
		_, coded, _ := strings.Cut(data, "base64,")
		text, err := base64.StdEncoding.DecodeString(coded)
		if err != nil {
			return nil, fmt.Errorf("reading the source map in %q: %w", script, err)
		}
		return parseMap(text)
	}
	from, err := url.Parse(script)
	if err != nil {
		return nil, fmt.Errorf("reading the URL %q: %w", script, err)
	}
	to, err := from.Parse(where)
	if err != nil {
		return nil, fmt.Errorf("reading the URL %q: %w", where, err)
	}
	if !strings.HasPrefix(to.String(), m.site+"/") {
		return nil, nil
	}
	text, _, err = m.get(ctx, to.String(), maxMap)
	if err != nil {
		return nil, err
	}
	return parseMap(text)
}

// client follows no redirect: it would lead to another site.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func (m *maps) get(ctx context.Context, from string, most int64) ([]byte, http.Header, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("asking for %q: %w", from, err)
	}
	if m.jar != nil {
		if list, err := m.jar.Cookies(ctx, from); err == nil {
			for _, c := range list {
				q.AddCookie(c)
			}
		}
	}
	a, err := client.Do(q)
	if err != nil {
		return nil, nil, fmt.Errorf("asking for %q: %w", from, err)
	}
	defer a.Body.Close()
	if a.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("asking for %q: it answered %d", from, a.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(a.Body, most+1))
	if err != nil {
		return nil, nil, fmt.Errorf("reading %q: %w", from, err)
	}
	if int64(len(text)) > most {
		return nil, nil, fmt.Errorf("reading %q: it is longer than %d bytes", from, most)
	}
	return text, a.Header, nil
}
