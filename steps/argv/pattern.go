package argv

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Pattern is a URL pattern of LANGUAGE §4: /glob on the whole path, with the query only if it has a "?"; scheme://glob on
// the URL without fragment; **glob as the path form. * stays within one segment, ** does not.
type Pattern struct {
	Source string
	whole  bool // of the URL, not of the path
	query  bool
	re     *regexp.Regexp
}

// ParsePattern reads a URL pattern.
func ParsePattern(src string) (Pattern, error) {
	p := Pattern{Source: src, whole: strings.Contains(src, "://"), query: strings.Contains(src, "?")}
	if !p.whole && !strings.HasPrefix(src, "/") && !strings.HasPrefix(src, "**") {
		return p, fmt.Errorf("%q is no URL pattern: write /%s for the path, or **/%s for its end", src, src, src)
	}
	var b strings.Builder
	b.WriteString("^")
	inQuery := false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '*' && strings.HasPrefix(src[i:], "**/") && !inQuery:
			b.WriteString("(?:.*/)?") // **/thanks also means /thanks at the root
			i += 2
		case c == '*' && strings.HasPrefix(src[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*' && inQuery:
			b.WriteString("[^&]*")
		case c == '*':
			b.WriteString("[^/?]*")
		default:
			inQuery = inQuery || c == '?'
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	b.WriteString("$")
	re, err := regexp.Compile(b.String())
	if err != nil {
		return p, fmt.Errorf("reading the URL pattern %q: %w", src, err)
	}
	p.re = re
	return p, nil
}

// Match tells that a URL is as the pattern says.
func (p Pattern) Match(raw string) bool {
	raw, _, _ = strings.Cut(raw, "#")
	if p.whole {
		root := strings.Count(raw, "/") == 3 && strings.HasSuffix(raw, "/")
		return p.re.MatchString(raw) || root && p.re.MatchString(strings.TrimSuffix(raw, "/"))
	}
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	path := u.EscapedPath()
	if path == "" && u.Opaque == "" {
		path = "/"
	}
	tail := ""
	if p.query && u.RawQuery != "" {
		tail = "?" + u.RawQuery
	}
	return p.re.MatchString(path+tail) || p.re.MatchString(u.Path+tail)
}
