package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// slug makes a name of a folder: letters, digits and dashes of s that can be read, and enough of the digest of the whole name,
// from which s may lack secrets, to be unique on file systems that fold case or cut names.
func slug(s, whole string) string {
	var b strings.Builder
	dash := false
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			b.WriteRune(r)
			dash = false
		case !dash && b.Len() > 0:
			b.WriteByte('-')
			dash = true
		}
		if b.Len() >= 40 {
			break
		}
	}
	sum := sha256.Sum256([]byte(whole))
	return strings.Trim(b.String(), "-") + "-" + hex.EncodeToString(sum[:4])
}
