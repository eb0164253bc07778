package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
)

var errNotText = errors.New("cannot stand in text")

// FormatValue gives a value as it stands in text: numbers as their shortest decimal, without an exponent below 1e21.
// nil, lists and maps have no such form.
func FormatValue(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return strconv.Itoa(v), nil
	case float64:
		return formatFloat(v), nil
	case time.Time:
		return v.Format(time.RFC3339Nano), nil
	case time.Duration:
		return v.String(), nil
	case []byte:
		return string(v), nil
	case nil:
		return "", fmt.Errorf("nil %w", errNotText)
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(r.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(r.Uint(), 10), nil
	case reflect.Float32:
		return formatFloat(r.Float()), nil
	case reflect.String:
		return r.String(), nil
	case reflect.Slice, reflect.Array:
		return "", fmt.Errorf("a list %w", errNotText)
	case reflect.Map:
		return "", fmt.Errorf("a map %w", errNotText)
	}
	return "", fmt.Errorf("this value %w", errNotText)
}

func formatFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0" // also for minus zero
	case math.Abs(f) < 1e21:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'e', -1, 64)
}

// plain gives numbers of every width as int and float64.
func plain(v any) any {
	switch v := v.(type) {
	case nil, bool, string, int, float64, []any, map[string]any:
		return v
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if _, ok := v.(time.Duration); !ok {
			return int(r.Int())
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int(r.Uint())
	case reflect.Float32:
		return r.Float()
	}
	return v
}

// DecodeJSON reads one JSON value. Whole numbers become int, others float64: 3 == 3 holds for what a program printed.
func DecodeJSON(src []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("reading JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("reading JSON: something follows the value")
	}
	return numbers(v), nil
}

func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := strconv.Atoi(v.String()); err == nil {
			return i
		}
		f, err := v.Float64()
		if err != nil {
			return v.String() // too large for any number
		}
		return f
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

// Normalise trims a text and makes every run of white space one space, no-break spaces too; what has no width goes.
func Normalise(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		switch {
		case r == '\u200b' || r == '\ufeff' || r == '\u2060' || r == '\u00ad':
		case unicode.IsSpace(r) || r == '\u00a0' || r == '\u202f':
			space = b.Len() > 0
		default:
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}
