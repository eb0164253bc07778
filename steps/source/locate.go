package source

import (
	"context"
	"net/url"
	"strings"
	"sync"

	"github.com/checkrow/checkrow/steps"
)

// Locator names the file to look at for faults of pages. It reads the list of a project's files once, at the first
// fault; it may be used by several goroutines.
type Locator struct {
	mu    sync.Mutex
	roots map[string]*workspace
	sites map[string]*maps
}

// Locate finds the file of the project below root that a fault comes from: the innermost place that is in it, through
// source maps of the site at base; else, for a request, one that names its URL. It gives "src/cart.ts:12:5 (initiator,
// medium)", or "".
func (l *Locator) Locate(ctx context.Context, root, base string, from []steps.Place, to string) string {
	w, m := l.open(ctx, root, base)
	for _, p := range from {
		if c, ok := w.place(ctx, m, p); ok {
			u, err := url.Parse(p.URL)
			switch {
			case err != nil || u.Scheme == "":
				c.evidence = "attribute of the element"
			case to == "":
				c.evidence = strings.Replace(c.evidence, "initiator", "stack", 1)
			}
			return c.String()
		}
	}
	if to == "" {
		return ""
	}
	u, err := url.Parse(to)
	if err != nil || u.Path == "" || u.Path == "/" {
		return ""
	}
	if hits, _ := w.literals(ctx, []string{u.Path}); len(hits) > 0 {
		return hits[0].String()
	}
	return ""
}

// open gives what is known of a project and a site.
func (l *Locator) open(ctx context.Context, root, base string) (*workspace, *maps) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.roots == nil {
		l.roots, l.sites = map[string]*workspace{}, map[string]*maps{}
	}
	w := l.roots[root]
	if w == nil {
		if w = openWorkspace(ctx, root, defaultFiles); ctx.Err() == nil {
			l.roots[root] = w
		}
	}
	m := l.sites[base]
	if m == nil {
		m = newMaps(base, nil)
		l.sites[base] = m
	}
	return w, m
}
