package steps

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/spec"
)

// WebHost gives scheme and host of a URL as a browser reads it, which knows no wrong URL of the web: http:a.test, http:///a.test,
// http:\\a.test and http://a.test/%zz all lead to a.test, white space and control characters at the ends do not count, tabs and
// line ends nowhere. The host is "" where a URL names none, the scheme where it is relative.
func WebHost(raw string) (scheme, host string) {
	raw = strings.TrimFunc(raw, func(r rune) bool { return r <= ' ' })
	raw = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(raw)
	rest := raw
	if before, after, ok := strings.Cut(raw, ":"); ok && schemeForm.MatchString(before) {
		scheme, rest = strings.ToLower(before), after
	}
	slashes := len(rest) - len(strings.TrimLeft(rest, `/\`))
	switch {
	case slices.Contains(special, scheme):
		rest = rest[slashes:]
	case scheme == "" && slashes >= 2:
		rest = rest[slashes:]
	case scheme != "" && strings.HasPrefix(rest, "//"):
		rest = rest[2:]
	default:
		return scheme, ""
	}
	if end := strings.IndexAny(rest, `/\?#`); end >= 0 {
		rest = rest[:end]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if inside, _, ok := strings.Cut(strings.TrimPrefix(rest, "["), "]"); ok && strings.HasPrefix(rest, "[") {
		return scheme, strings.ToLower(inside)
	}
	host, _, _ = strings.Cut(rest, ":")
	if clean, err := url.PathUnescape(host); err == nil {
		host = clean
	}
	return scheme, strings.ToLower(host)
}

// special are the schemes of which a browser reads any number of slashes, or none, as the two before a host.
var special = []string{"http", "https", "ws", "wss", "ftp"}

var schemeForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`)

func hosts(list []spec.Named) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = strings.ToLower(n.Name)
	}
	return out
}

// Hosted tells that a host is in a list: by its name, or below one of *.name.
func Hosted(list []string, host string) bool {
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	for _, entry := range list {
		if below, star := strings.CutPrefix(entry, "*."); star {
			if strings.HasSuffix(host, "."+below) {
				return true
			}
			continue
		}
		if strings.Trim(entry, "[]") == host {
			return true
		}
	}
	return false
}

// Narrow gives the hosts that two lists allow both.
func Narrow(a, b []string) []string {
	out := []string{}
	for _, entry := range b {
		if covers(a, entry) {
			out = append(out, entry)
		}
	}
	for _, entry := range a {
		if covers(b, entry) && !covers(out, entry) {
			out = append(out, entry)
		}
	}
	return out
}

// covers tells that a list allows all that an entry of another does.
func covers(list []string, entry string) bool {
	below, star := strings.CutPrefix(entry, "*.")
	if !star {
		return Hosted(list, entry)
	}
	for _, have := range list {
		if wide, is := strings.CutPrefix(have, "*."); is && (wide == below || strings.HasSuffix(below, "."+wide)) {
			return true
		}
	}
	return false
}
