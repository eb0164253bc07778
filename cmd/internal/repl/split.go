package repl

import (
	"errors"
	"strings"
	"unicode"
)

// Split cuts a line into cells as a shell does: at spaces, but not inside quotes. In double quotes \" and \\ stand for
// themselves and \n for a line end; what begins with # at the start of a word is a comment.
func Split(line string) ([]string, error) {
	var out []string
	var cell strings.Builder
	quote, some := rune(0), false
	runes := []rune(line)
	for i := 0; i < len(runes); i++ {
		c := runes[i]
		switch {
		case quote == '"' && c == '\\' && i+1 < len(runes):
			i++
			cell.WriteString(escaped(runes[i]))
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			cell.WriteRune(c)
		case (c == '"' || c == '\'') && !some:
			quote, some = c, true
		case unicode.IsSpace(c):
			if some {
				out = append(out, cell.String())
				cell.Reset()
				some = false
			}
		case c == '#' && !some && (i+1 >= len(runes) || unicode.IsSpace(runes[i+1])):
			return out, nil // "# why", but not the selector "#buy"
		default:
			cell.WriteRune(c)
			some = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if some {
		out = append(out, cell.String())
	}
	return out, nil
}

func escaped(c rune) string {
	switch c {
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case '"', '\\':
		return string(c)
	}
	return `\` + string(c)
}
