package source

// Original reads a source map and looks a place up in it.
func Original(text []byte, line, column int) (file string, atLine, atColumn int, ok bool) {
	m, err := parseMap(text)
	if err != nil {
		return "", 0, 0, false
	}
	return m.original(line, column)
}

// VLQ is vlq.
var VLQ = vlq

// Ignored tells whether one .gitignore at the root hides a path.
func Ignored(rules, rel string, folder bool) bool {
	return ignored(map[string]*ignore{".": parseIgnore(rules)}, rel, folder)
}
