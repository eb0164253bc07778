package spec

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

// MaskName is the name in [Values] under which whoever evaluates may put a func(string): it is told of each value that
// an expression made of a secret and that must be masked like one. No source can spell it.
const MaskName = "$mask"

const (
	totpStep   = 30 * time.Second
	totpDigits = 6
)

var errNoKey = errors.New("totp(): the secret is no base32 key, as authenticator apps take it")

// totp gives the one-time password of RFC 6238 for a shared secret, as authenticator apps do: SHA-1, 30 seconds, 6 digits.
func (r *run) totp(shared any, now time.Time) (string, error) {
	secret, ok := shared.(string)
	if !ok {
		return "", errNoKey
	}
	clean := strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "=", "").Replace(strings.TrimSpace(secret)))
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(clean)
	if err != nil || len(key) == 0 {
		return "", errNoKey // the cause would show a piece of the secret
	}
	code := hotp(key, uint64(now.Unix())/uint64(totpStep/time.Second))
	if r.mask != nil {
		r.mask(code)
	}
	return code, nil
}

// hotp is RFC 4226: the dynamic truncation of an HMAC over the counter.
func hotp(key []byte, counter uint64) string {
	mac := hmac.New(sha1.New, key)
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], counter)
	mac.Write(b[:])
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0x0f
	n := binary.BigEndian.Uint32(sum[at:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", totpDigits, n%1_000_000)
}
