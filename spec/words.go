package spec

import "strings"

// plainWords says what the library's words for a syntax error mean to somebody who writes a suite. What is not in the
// table gets a general sentence: the library's words are about its own insides.
func plainWords(words string) (msg, hint string) {
	for _, w := range phrases {
		if strings.Contains(words, w.library) {
			return w.msg, w.hint
		}
	}
	return "this is not valid YAML", "look at the indentation and the quotes here and in the line above"
}

// phrases are searched in order.
var phrases = []struct{ library, msg, hint string }{
	{"sequence end token ']' not found", `"[" is never closed`, `add "]", and quote text that holds "#", "[" or "{"`},
	{"could not find flow mapping end token", `"{" is never closed`, `add "}", and quote text that holds "#", "[" or "{"`},
	{"',' or ']' must be specified", `a list in [ ] needs "," or "]" here`, "quote text that holds quotes or brackets"},
	{"',' or '}' must be specified", `a map in { } needs "," or "}" here`, "quote text that holds quotes or brackets"},
	{"expected sequence element", "a list item is empty", `write "" for empty text`},
	{"could not find '[' character", `"]" closes nothing`, ""},
	{"could not find '{' character", `"}" closes nothing`, ""},
	{"could not find flow map content", "a map in { } needs KEY: VALUE here", ""},
	{"could not find end character of", "the quote is never closed", "write the same quote at the end of the text"},
	{"found unknown escape character", "this escape does not exist in double quotes", `write "\\" for a backslash, or use single quotes`},
	{"UTF-16", "the escape is not a character", ""},
	{"UTF-32", "the escape is not a character", ""},
	{"is a reserved character", "text cannot start with this character without quotes", ""},
	{"cannot start any token", "a tab cannot stand here", "indent with spaces"},
	{"tab", "a tab cannot stand here", "indent with spaces"},
	{"mapping value is not allowed in this context", `a second key on this line`, `text that holds ": " must stand in quotes`},
	{"map key-value is pre-defined", "this line belongs to nothing: the key above already has its value", "look at the indentation"},
	{"value is not allowed in this context", "this does not belong here", "look at the indentation"},
	{"non-map value is specified", `a key is missing here: KEY: VALUE was expected`, `look at the indentation, and for a missing ":"`},
	{"block sequence entries are not allowed", `"-" cannot start a list behind a key on the same line`, "put it on the next line"},
	{"sequence entries are not allowed after anchor", `"-" cannot start a list behind an anchor on the same line`, "put it on the next line"},
	{"unexpected key name", "a key must stand on one line", `look for a missing ":" in the line above`},
	{"implicit line break", "a key must stand on one line", `look for a missing ":" or ","`},
	{"found an invalid key for this map", `":" without a key`, ""},
	{"undefined map key", `":" without a key`, ""},
	{"invalid tag character", `"!" starts a YAML tag here`, "quote text that starts with it"},
	{"tag", "a YAML tag cannot stand here", `quote text that starts with "!"`},
	{"alias", `"*" without the name of an anchor`, `quote text that starts with "*"`},
	{"anchor", `"&" without a name or a value`, `quote text that starts with "&"`},
	{"invalid header option", `text behind "|" or ">" must start on the next line`, `quote text that starts with "|" or ">"`},
	{"number of indent", "a line of the block is indented less than its first line", ""},
	{"could not find multi-line content", `nothing follows "|" or ">"`, "indent the text below it"},
	{"document separator", "a file holds exactly one YAML document", ""},
	{"irective", "a % directive may not stand here", "leave the line out"},
	{"could not find value for mapping key", `"?" without a key`, ""},
	{"unexpected end content", "the end of the document was expected here", ""},
}
