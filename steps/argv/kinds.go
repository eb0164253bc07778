package argv

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/target"
)

// checkKind checks the text of an operand or of a flag's value.
func checkKind(k OperandKind, values []string, name string, cell Cell, l *diag.List) {
	s, p := cell.Text, cell.Pos
	switch k {
	case Target:
		target.Parse(s, p, l)
	case URL:
		checkURL(s, p, l)
	case URLPattern:
		checkPattern(s, p, l)
	case Number:
		if _, err := strconv.Atoi(s); err != nil {
			l.Add(p, name+" expects a whole number, not "+strconv.Quote(s), "")
		}
	case Decimal:
		if f, err := strconv.ParseFloat(s, 64); err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			l.Add(p, name+" expects a number, not "+strconv.Quote(s), "")
		}
	case Duration:
		if _, err := ParseDuration(s); err != nil {
			l.Add(p, name+" expects a duration, not "+strconv.Quote(s), "write 5s, 250ms, 1m30s, or milliseconds: 5000")
		}
	case Enum:
		checkEnum(s, p, name, values, l)
	case KeyName:
		checkKey(s, p, l)
	case OutFile, InFile:
		if strings.TrimSpace(s) == "" || strings.ContainsRune(s, 0) {
			l.Add(p, name+" expects a file, not "+strconv.Quote(s), "")
		}
	case Count:
		if _, _, err := ParseCount(s); err != nil {
			l.Add(p, strconv.Quote(s)+" is no count", `write "3", "== 3", ">= 1", "< 10"`)
		}
	case Regexp:
		checkRegexp(s, p, l)
	case JS:
		if strings.TrimSpace(s) == "" {
			l.Add(p, name+" is empty", "write JavaScript: document.title")
		}
	}
}

func checkEnum(s string, p diag.Pos, name string, values []string, l *diag.List) {
	for _, v := range values {
		if s == v {
			return
		}
	}
	hint := diag.Suggest(s, values)
	if !strings.HasPrefix(hint, "did you mean") {
		hint = "one of " + strings.Join(values, ", ")
	}
	l.Add(p, name+" cannot be "+strconv.Quote(s), hint)
}

var (
	timeForm  = regexp.MustCompile(`^([0-9]+|([0-9]+(\.[0-9]+)?(ms|s|m|h))+)$`)
	countForm = regexp.MustCompile(`^(==|!=|>=|<=|>|<)?\s*([0-9]+)$`)
)

// ParseDuration reads 5s, 250ms, 1m30s, or plain milliseconds.
func ParseDuration(s string) (time.Duration, error) {
	if !timeForm.MatchString(s) {
		return 0, fmt.Errorf("%q is no duration", s)
	}
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil {
		if ms > int64(time.Duration(1<<63-1)/time.Millisecond) {
			return 0, fmt.Errorf("%q is too long a duration", s)
		}
		return time.Duration(ms) * time.Millisecond, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("reading the duration %q: %w", s, err)
	}
	return d, nil
}

// ParseCount reads a comparison with a number: "3" and "== 3", ">= 1". op is one of == != >= <= > <.
func ParseCount(s string) (op string, n int, err error) {
	m := countForm.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return "", 0, fmt.Errorf("%q is no count", s)
	}
	if n, err = strconv.Atoi(m[2]); err != nil {
		return "", 0, fmt.Errorf("reading the count %q: %w", s, err)
	}
	if op = m[1]; op == "" {
		op = "=="
	}
	return op, n, nil
}

var schemeForm = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*://|about:|data:|file:|blob:)`)

// checkURL wants a URL with its scheme, or a path that resolves against base_url; a bare word could mean either.
func checkURL(s string, p diag.Pos, l *diag.List) {
	switch {
	case strings.TrimSpace(s) == "":
		l.Add(p, "the URL is empty", `write a path such as "/", or https://…`)
	case strings.TrimSpace(s) != s || strings.ContainsAny(s, "\n\t"):
		l.Add(p, strconv.Quote(s)+" is no URL", "it holds white space")
	case schemeForm.MatchString(s) || strings.ContainsRune("/?#", rune(s[0])) || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../"):
	default:
		l.Add(p, strconv.Quote(s)+" is neither a path nor a URL",
			"write /"+s+" for a path of base_url, or http://"+s+" for a host")
	}
}

// checkPattern wants one of the forms of LANGUAGE §4; a bare word could mean two of them.
func checkPattern(s string, p diag.Pos, l *diag.List) {
	switch {
	case strings.TrimSpace(s) == "":
		l.Add(p, "the URL pattern is empty", "write /path, scheme://host/path or **end")
	case strings.ContainsAny(s, " \n\t"):
		l.Add(p, strconv.Quote(s)+" is no URL pattern", "it holds white space; write %20 for a space")
	case s[0] == '/' || strings.HasPrefix(s, "**") || strings.Contains(s, "://"):
	default:
		bare := strings.TrimLeft(s, "*")
		l.Add(p, strconv.Quote(s)+" is no URL pattern", "write /"+bare+" for the whole path, or **"+bare+" for a path that ends so")
	}
}
