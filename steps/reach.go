package steps

import (
	"strings"

	"github.com/checkrow/checkrow/spec"
)

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
