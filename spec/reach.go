package spec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// Schemes are those that allowed_schemes may list.
var Schemes = strings.Fields("about blob data file http https")

// DefaultSchemes are those that rows may open if nothing is said: not files of the machine (R199).
var DefaultSchemes = strings.Fields("http https about data blob")

// wantHosts decodes allowed_domains.
func wantHosts(n Node, l *diag.List) []Named {
	list := wantEntries(n, "allowed_domains", l)
	for _, d := range list {
		checkHost(d, l)
	}
	if items, isList := n.Seq(); isList && len(items) == 0 {
		n.report(l, `"allowed_domains" is an empty list: no page could be opened`, "leave it out, or list hosts: [localhost]")
	}
	return list
}

// wantSchemes decodes allowed_schemes.
func wantSchemes(n Node, l *diag.List) []Named {
	list := wantEntries(n, "allowed_schemes", l)
	if items, isList := n.Seq(); isList && len(items) == 0 {
		n.report(l, `"allowed_schemes" is an empty list: no page could be opened`, "leave it out, or list schemes: [https]")
	}
	for _, s := range list {
		if slices.Contains(Schemes, s.Name) {
			continue
		}
		hint := diag.Suggest(s.Name, Schemes)
		if bare := strings.TrimSuffix(strings.TrimSuffix(s.Name, "//"), ":"); slices.Contains(Schemes, bare) {
			hint = "write " + bare
		}
		l.AddWide(s.Pos, len([]rune(s.Name)), strconv.Quote(s.Name)+" is no scheme that can be allowed", hint)
	}
	return list
}
