// Package redact hides what looks like a credential, though nobody declared it as a secret: values of cookies, headers,
// query parameters and fields whose name says so, tokens whose form says so. What it cannot know, package mask must be told.
// Both work on what is printed, journaled and reported; expressions see the values themselves.
package redact

import (
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Mark is what stands in place of a value that looks like a credential. A declared secret has the masker's own mark.
const Mark = "[REDACTED]"

// whole are names of fields and headers that hold a credential, without dashes and underscores, in lower case; ends are
// what such names end with.
var (
	whole = set("auth authorization proxyauthorization bearer cookie setcookie jwt pass passwd pwd passphrase password " +
		"sessionid sid sig signature token secret credential credentials databaseurl dburl connectionstring mongouri mongodburi " +
		"mongodbconnectionstring redisurl apikey xapikey writekey accesskey privatekey clientsecret otp totp csrf xsrf xcsrf")
	ends = strings.Fields("apikey accesskey privatekey writekey secret secretkey password passwd passphrase token credential " +
		"credentials cookie signature sessionid authorization databaseurl connectionstring")
	// benign end like one of them and are none.
	benign = set("tokentype nexttoken pagetoken nextpagetoken hastoken hascookie resettoken-sent stoken")
	// inQuery are further names that count in a URL only, sso those that do so beside a sign-on.
	inQuery = set("code samlrequest samlresponse relaystate authorizationsessionid sentrykey xamzsignature xamzcredential xamzsecuritytoken")
	sso     = set("state nonce")
	signOn  = set("code idtoken samlrequest samlresponse clientid redirecturi responsetype")
)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// folded gives a name without what only spells it.
func folded(name string) string {
	plain := true
	for i := range len(name) {
		if c := name[i]; c < 'a' || c > 'z' {
			plain = false
			break
		}
	}
	if plain {
		return name
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '-' || r == '_' || r == '.' || r == ' ' || r == '[' || r == ']' || r == '$':
			return -1
		}
		return r
	}, name)
}

// Sensitive tells a name of a field, header or cookie whose value is a credential.
func Sensitive(name string) bool {
	if len(name) > 80 {
		return false
	}
	f := folded(name)
	if whole[f] || strings.HasPrefix(f, "secret") && len(f) <= 20 {
		return true
	}
	for _, e := range ends {
		if strings.HasSuffix(f, e) {
			return !benign[f]
		}
	}
	return false
}

// query tells a value in a URL that is a credential, mostly by its name; at is true if the URL is one of a sign-on. A key
// is one if it looks like one: ?key=name sorts a list.
func query(name, value string, at bool) bool {
	f := folded(name)
	return Sensitive(name) || inQuery[f] || at && sso[f] || f == "key" && keyish(value)
}

// keyish tells the value of a key that is a credential: long enough, and with letters and digits in one of its words, which
// created_at_2024-10-01 has not.
func keyish(value string) bool {
	if v, err := url.QueryUnescape(value); err == nil {
		value = v
	}
	if len(value) < 16 || !tokenForm.MatchString(value) || !mixed(value) || entropy(value) < 3 {
		return Reason(value) != ""
	}
	return slices.ContainsFunc(strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("-_.~/|:", r) }), mixed)
}

var jwtForm = regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`)

// Reason says why a value itself looks like a credential, "" if it does not.
func Reason(value string) string {
	switch {
	case len(value) < 16 || len(value) > 8<<10:
		return ""
	case jwtForm.MatchString(value):
		return "jwt"
	case schemeForm.MatchString(value):
		return "authorization"
	case strings.HasPrefix(value, "-----BEGIN ") && strings.Contains(value, "PRIVATE KEY"):
		return "private-key"
	case len(value) >= 32 && tokenForm.MatchString(value) && mixed(value) && entropy(value) >= 3.5:
		return "high-entropy"
	}
	return ""
}

var tokenForm = regexp.MustCompile(`^[A-Za-z0-9._~+/=|%:-]+$`)

// mixed tells letters and digits together, and no URL or path.
func mixed(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ContainsAny(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz") &&
		!strings.Contains(s, "://") && strings.Count(s, "/") < 4
}

// entropy gives the bits a character of a text holds.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	e, n := 0.0, float64(len(s))
	for _, c := range count {
		if c > 0 {
			p := float64(c) / n
			e -= p * math.Log2(p)
		}
	}
	return e
}

// tokenish tells a word that prose has not: a digit or punctuation in it.
func tokenish(s string) bool {
	s = strings.TrimRight(s, ".,:;!?")
	return utf8.RuneCountInString(s) >= 6 && strings.ContainsAny(s, "0123456789._~+/=-") && strings.ContainsAny(s, "0123456789")
}

// Stored says why the value of a key in localStorage or sessionStorage, or of a cookie, is taken for a credential; "" if it
// is not.
func Stored(key, value string) string {
	switch r := Reason(value); {
	case value == "" || value == "true" || value == "false" || value == "null":
		return ""
	case Sensitive(key):
		return "sensitive-key"
	case r != "":
		return r
	}
	f := folded(key)
	for _, w := range []string{"token", "secret", "auth", "jwt", "session", "credential", "password", "cookie"} {
		if strings.Contains(f, w) {
			return "sensitive-key"
		}
	}
	if out, changed := JSON([]byte(value)); changed && len(out) > 0 {
		return "nested"
	}
	return ""
}
