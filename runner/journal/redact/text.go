package redact

import (
	"bytes"
	"regexp"
	"strings"
)

var (
	userForm   = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)([^/\s@"'<>\\?#]+)@`)
	queryForm  = regexp.MustCompile(`[?#&;][A-Za-z0-9_.%\[\]$-]+=[^\s"'<>\\]*`)
	schemeForm = regexp.MustCompile(`(?i)\b(bearer|basic|digest|negotiate)(\s+|%20)([A-Za-z0-9._~+/=-]{6,})`)
	headerForm = regexp.MustCompile(`(?i)\b((?:proxy-)?authorization)([\\"']*\s*[:=]\s*[\\"']*)([^\r\n"'\\]+)`)
	cookieForm = regexp.MustCompile(`(?i)\b((?:set-)?cookie)([\\"']*\s*:\s*[\\"']*)([!#$%&'*+.^_|~0-9A-Za-z-]+=[^\r\n"'\\]*)`)
	assignForm = regexp.MustCompile(`(?i)\b([A-Za-z0-9_-]*(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|` +
		`session[_-]?id|signature|credentials?))([\\"']*\s*[=:]\s*[\\"']*)([^\s"'\\,;&)}\]<>]{6,})`)
)

// Text hides credentials in prose, console texts, URLs and header lines. What holds none comes back as it is.
func Text(s string) string {
	if !Suspicious([]byte(s)) {
		return s
	}
	return scrub(s)
}

func scrub(s string) string {
	if strings.Contains(s, "@") {
		s = userForm.ReplaceAllStringFunc(s, user)
	}
	if strings.Contains(s, "=") {
		s = queryForm.ReplaceAllStringFunc(s, pairs)
	}
	s = headerForm.ReplaceAllStringFunc(s, func(m string) string {
		p := headerForm.FindStringSubmatch(m)
		if strings.HasPrefix(p[3], Mark) {
			return m
		}
		return p[1] + p[2] + Mark
	})
	s = cookieForm.ReplaceAllString(s, "${1}${2}"+Mark)
	s = schemeForm.ReplaceAllStringFunc(s, func(m string) string {
		p := schemeForm.FindStringSubmatch(m)
		if !tokenish(p[3]) {
			return m
		}
		return p[1] + p[2] + Mark
	})
	s = jwtForm.ReplaceAllString(s, Mark)
	return assignForm.ReplaceAllStringFunc(s, func(m string) string {
		p := assignForm.FindStringSubmatch(m)
		if !tokenish(p[3]) || strings.HasPrefix(p[3], Mark) {
			return m
		}
		return p[1] + p[2] + Mark
	})
}

// user hides the password of a URL, or the whole of what stands there if it is one word: then it is a token.
func user(m string) string {
	p := userForm.FindStringSubmatch(m)
	name, _, two := strings.Cut(p[2], ":")
	if !two {
		return p[1] + Mark + "@"
	}
	return p[1] + name + ":" + Mark + "@"
}

// pairs hides values of a query or fragment, from its ? or # on.
func pairs(run string) string {
	at := false
	for _, name := range namesIn(run) {
		at = at || signOn[folded(name)]
	}
	var b strings.Builder
	for len(run) > 0 {
		sep, rest := run[:1], run[1:]
		end := strings.IndexAny(rest, "?#&;")
		part := rest
		if end >= 0 {
			part = rest[:end]
		}
		run = rest[len(part):]
		b.WriteString(sep)
		name, value, ok := strings.Cut(part, "=")
		if ok && value != "" && query(name, value, at) {
			part = name + "=" + Mark
		}
		b.WriteString(part)
	}
	return b.String()
}

func namesIn(run string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(run, func(r rune) bool { return strings.ContainsRune("?#&;", r) }) {
		name, _, _ := strings.Cut(part, "=")
		out = append(out, name)
	}
	return out
}

var formForm = regexp.MustCompile(`^[A-Za-z0-9_.%\[\]$+-]+=[^&\s]*(&[A-Za-z0-9_.%\[\]$+-]+=[^&\s]*)*$`)

// Form hides fields of a body that is a=b&c=d; changed is false if it is none, or holds nothing to hide.
func Form(s string) (out string, changed bool) {
	if len(s) > 1<<20 || !strings.Contains(s, "=") || !formForm.MatchString(s) {
		return s, false
	}
	out = pairs("&" + s)[1:]
	return out, out != s
}

// words are what makes a text worth looking at, in lower case. Bodies of requests and answers are to be cut short.
var words = strings.Fields("token secret passw pass= pwd auth cookie bearer basic%20 digest negotiate sessionid session_id session-id " +
	"sid= sig= signature apikey api_key api-key accesskey access_key privatekey private_key private-key writekey write_key key= code= " +
	"saml relaystate eyj credential database_url db_url connection_string mongo redis_url storage clipboard otp= jwt csrf xsrf state= nonce= --body --headers --proxy responsebody postdata")

// first holds the words by their first letter.
var first = func() (out [256][]string) {
	for _, w := range words {
		out[w[0]] = append(out[w[0]], w)
		if c := w[0]; c >= 'a' && c <= 'z' {
			out[c-'a'+'A'] = append(out[c-'a'+'A'], w)
		}
	}
	out['b'], out['B'] = append(out['b'], "basic "), append(out['B'], "basic ")
	return out
}()

// Suspicious tells, quickly, that a text may hold something to hide.
func Suspicious(b []byte) bool {
	for i, c := range b {
		if c == ':' {
			if bytes.HasPrefix(b[i:], []byte("://")) && named(b[i+3:]) {
				return true
			}
			continue
		}
		for _, w := range first[c] {
			if len(b)-i >= len(w) && fold(b[i:i+len(w)], w) {
				return true
			}
		}
	}
	return false
}

// named tells a URL with a user: an @ before its path.
func named(b []byte) bool {
	for _, c := range b {
		switch c {
		case '@':
			return true
		case '/', '"', ' ', '\'', '?', '#', '\\', '<', '>':
			return false
		}
	}
	return false
}

func fold(b []byte, w string) bool {
	for i := range len(w) {
		c := b[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != w[i] {
			return false
		}
	}
	return true
}
