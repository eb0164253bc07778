package plan

import (
	"bytes"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// shape is what the top-level keys of a YAML file say it is.
type shape uint8

const (
	otherFile    shape = iota // a YAML file of something else
	suiteFile                 // has suite
	fragmentFile              // has fragment
	likelySuite               // looks like a suite whose first key is missing or misspelt
	opaqueFile                // no key at the left edge: only the parser can tell
)

// topKey is a key at the left edge of a file.
type topKey struct {
	name string
	line int
}

// sniff reads the keys at the left edge without parsing: a folder may hold thousands of YAML files that are none of ours.
func sniff(src []byte) (shape, []topKey) {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	var keys []topKey
	kind := otherFile
	for n := 1; len(src) > 0; n++ {
		line := src
		if i := bytes.IndexByte(src, '\n'); i >= 0 {
			line, src = src[:i], src[i+1:]
		} else {
			src = nil
		}
		name, ok := keyOf(line)
		if !ok {
			continue
		}
		switch name {
		case "suite":
			return suiteFile, nil
		case "fragment":
			return fragmentFile, nil
		case "tests", "steps":
			kind = likelySuite
		default:
			if misspelt(name) != "" {
				kind = likelySuite
			}
		}
		keys = append(keys, topKey{name, n})
	}
	if len(keys) == 0 {
		kind = opaqueFile
	}
	return kind, keys
}

// keyOf gives the plain or quoted key that starts a line.
func keyOf(line []byte) (string, bool) {
	if len(line) == 0 || strings.IndexByte(" \t#-%.{[&*!|>]}\r", line[0]) >= 0 {
		return "", false
	}
	i := bytes.IndexByte(line, ':')
	if i < 1 {
		return "", false
	}
	if rest := line[i+1:]; len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '\r' {
		return "", false
	}
	return strings.Trim(string(bytes.TrimSpace(line[:i])), `"'`), true
}

// misspelt gives the key that name is a near miss of. "site" is one letter from "suite" and the first key of many other
// files, so it is let through.
func misspelt(name string) string {
	for _, want := range []string{"suite", "fragment"} {
		if name == want || name == "site" {
			continue
		}
		if strings.EqualFold(name, want) || oneEdit(name, want) {
			return want
		}
	}
	return ""
}

// noSuite says why a file is not taken for a suite.
func noSuite(name string, keys []topKey, l *diag.List) {
	for _, k := range keys {
		if want := misspelt(k.name); want != "" {
			l.AddWide(diag.Pos{File: name, Line: k.line, Col: 1}, len(k.name),
				`unknown key "`+k.name+`"`, `did you mean "`+want+`"?`)
			return
		}
	}
	for _, k := range keys {
		if k.name == "tests" || k.name == "steps" {
			l.AddWide(diag.Pos{File: name, Line: k.line, Col: 1}, len(k.name), `"`+k.name+`" without "suite" or "fragment"`,
				`start the file with "suite: NAME"`)
			return
		}
	}
	l.Add(diag.Pos{File: name, Line: 1, Col: 1}, "is not a suite: it has no \"suite\" key",
		`start the file with "suite: NAME"`)
}

// oneEdit tells that one letter was added, left out, replaced or swapped. The wider limit of did-you-mean would take
// "state" for "suite", and then every folder of other tools' files would be an error.
func oneEdit(a, b string) bool {
	for i := 0; ; i++ {
		if i == len(a) || i == len(b) {
			return len(a)+len(b)-2*i == 1
		}
		if a[i] == b[i] {
			continue
		}
		swap := i+1 < len(a) && i+1 < len(b) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return swap || a[i+1:] == b[i+1:] || a[i+1:] == b[i:] || a[i:] == b[i+1:]
	}
}
