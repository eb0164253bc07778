package junit

import (
	"bytes"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/checkrow/checkrow/reporters"
)

// xml writes elements with what JUnit readers choke on left out: characters that XML 1.0 has not, escape sequences of
// terminals, text that is no UTF-8.
type xml struct{ bytes.Buffer }

// attr writes one attribute.
func (x *xml) attr(name, value string) {
	x.WriteByte(' ')
	x.WriteString(name)
	x.WriteString(`="`)
	x.escape(value, true)
	x.WriteByte('"')
}

// count writes an attribute with a whole number.
func (x *xml) count(name string, n int) {
	x.WriteByte(' ')
	x.WriteString(name)
	x.WriteString(`="`)
	x.Write(strconv.AppendInt(x.AvailableBuffer(), int64(n), 10))
	x.WriteByte('"')
}

// seconds writes a duration in seconds.
func (x *xml) seconds(name string, d time.Duration) {
	x.WriteByte(' ')
	x.WriteString(name)
	x.WriteString(`="`)
	x.Write(strconv.AppendFloat(x.AvailableBuffer(), max(d, 0).Seconds(), 'f', 3, 64))
	x.WriteByte('"')
}

// text writes character data. Every > is escaped, so "]]>" cannot stand in it.
func (x *xml) text(s string) { x.escape(s, false) }

func (x *xml) escape(s string, attribute bool) {
	for _, r := range reporters.Clean(s) {
		switch {
		case r == '<':
			x.WriteString("&lt;")
		case r == '>':
			x.WriteString("&gt;")
		case r == '&':
			x.WriteString("&amp;")
		case r == '"' && attribute:
			x.WriteString("&quot;")
		case r == '\n' && attribute:
			x.WriteString("&#10;")
		case r == '\n' || legal(r):
			x.WriteRune(r)
		default:
			x.WriteRune(utf8.RuneError)
		}
	}
}

// legal tells a character of XML 1.0.
func legal(r rune) bool {
	return r >= ' ' && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000 && r <= 0x10ffff
}

// property writes one property.
func (x *xml) property(name, value string) {
	x.WriteString("        <property")
	x.attr("name", name)
	x.attr("value", value)
	x.WriteString("/>\n")
}
