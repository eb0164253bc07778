package spec

import "time"

// TOTP gives the one-time password of a shared secret at a time, and what it had masked.
func TOTP(secret string, now time.Time) (code string, masked []string, err error) {
	r := &run{mask: func(s string) { masked = append(masked, s) }}
	code, err = r.totp(secret, now)
	return code, masked, err
}
