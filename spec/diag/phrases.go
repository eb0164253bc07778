package diag

import (
	"strconv"
	"strings"
)

// Unknown says that a map of the given sort ("a test") has a key that does not exist, with the nearest that does.
func Unknown(what, key string, valid []string) (msg, hint string) {
	return "unknown key " + strconv.Quote(key) + inside(what), Suggest(key, valid)
}

// Missing says that a map lacks a key that it must have.
func Missing(what, key string) string { return what + " needs " + strconv.Quote(key) }

// WantKind says that the value of key is of the wrong kind: what was wanted, then what is there.
func WantKind(key, want, got string) string {
	return name(key) + " must be " + want + ", got " + got
}

// Conflict says that two keys may not stand side by side.
func Conflict(key, other string) string {
	return strconv.Quote(key) + " and " + strconv.Quote(other) + " exclude each other"
}

// Duplicate says that something with a name comes twice and where it came first.
func Duplicate(sort, name string, first Pos) (msg, hint string) {
	return sort + " " + strconv.Quote(name) + " is there twice", "first at line " + strconv.Itoa(first.Line)
}

// BadValue says that the value of key is none of the valid ones.
func BadValue(key, got string, valid []string) (msg, hint string) {
	return name(key) + " has no value " + strconv.Quote(got), Suggest(got, valid)
}

// NotBuilt says that a part of the language is known but not there yet.
func NotBuilt(key string) string {
	return strconv.Quote(key) + " is part of the language but not built yet"
}

// name quotes a key; a phrase such as "cell 3" stays as it is.
func name(key string) string {
	if strings.ContainsRune(key, ' ') || strings.HasPrefix(key, `"`) {
		return key
	}
	return strconv.Quote(key)
}

func inside(what string) string {
	if what == "" {
		return ""
	}
	return " in " + what
}
