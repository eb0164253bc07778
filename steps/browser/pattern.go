package browser

import "github.com/checkrow/checkrow/steps/argv"

// pattern is a URL pattern of LANGUAGE §4.
type pattern struct {
	argv.Pattern
	src string
}

func parsePattern(src string) (pattern, error) {
	p, err := argv.ParsePattern(src)
	return pattern{p, src}, err
}

// match tells that a URL is as the pattern says.
func (p pattern) match(raw string) bool { return p.Match(raw) }
