package plan

// Sniffed tells whether a text is taken for a suite by its keys.
func Sniffed(src []byte) (suite bool, keys int) {
	kind, list := sniff(src)
	return kind == suiteFile, len(list)
}

// Tags compiles a tag expression and tells whether it selects tags; bad is what is wrong with it.
func Tags(src string, tags []string) (selected bool, names []string, bad string) {
	match, names, err := parseTags(src)
	if err != nil {
		return false, names, err.msg
	}
	return match(tags), names, ""
}

// CutLine splits FILE:LINE.
func CutLine(arg string) (string, int, bool) { return cutLine(arg) }

// OneEdit tells that two words are one edit apart.
func OneEdit(a, b string) bool { return oneEdit(a, b) }
