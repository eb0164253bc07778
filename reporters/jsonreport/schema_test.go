package jsonreport_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/reporters/jsonreport"
)

// validate checks a document against the published schema and lists what is wrong. It knows the words that the schema
// uses, and complains of any other.
func validate(doc any) []string {
	var root map[string]any
	if err := json.Unmarshal(jsonreport.Schema, &root); err != nil {
		return []string{err.Error()}
	}
	v := &validator{defs: root["$defs"].(map[string]any)}
	v.check("", root, doc)
	return v.errs
}

type validator struct {
	defs map[string]any
	errs []string
}

func (v *validator) fail(at, format string, args ...any) {
	v.errs = append(v.errs, at+": "+fmt.Sprintf(format, args...))
}

func (v *validator) check(at string, schema map[string]any, doc any) {
	for word, want := range schema {
		switch word {
		case "$schema", "$defs", "title", "description", "properties", "required", "additionalProperties", "propertyNames":
		case "$ref":
			name := strings.TrimPrefix(want.(string), "#/$defs/")
			if def, ok := v.defs[name].(map[string]any); ok {
				v.check(at, def, doc)
			} else {
				v.fail(at, "the schema has no %s", name)
			}
		case "type":
			if !is(want.(string), doc) {
				v.fail(at, "want %s, got %T", want, doc)
			}
		case "enum":
			if !slices.Contains(want.([]any), doc) {
				v.fail(at, "%v is none of %v", doc, want)
			}
		case "const":
			if want != doc {
				v.fail(at, "want %v, got %v", want, doc)
			}
		case "minimum":
			if n, ok := doc.(float64); ok && n < want.(float64) {
				v.fail(at, "%v is less than %v", n, want)
			}
		case "format":
			if _, err := time.Parse(time.RFC3339Nano, doc.(string)); err != nil {
				v.fail(at, "%v is no time", doc)
			}
		case "items":
			list, _ := doc.([]any)
			for i, x := range list {
				v.check(fmt.Sprintf("%s/%d", at, i), want.(map[string]any), x)
			}
		case "anyOf":
			if !v.any(at, want.([]any), doc) {
				v.fail(at, "%v fits nothing in anyOf", doc)
			}
		default:
			v.fail(at, "the validator does not know %q", word)
		}
	}
	if m, ok := doc.(map[string]any); ok {
		v.object(at, schema, m)
	}
}

func (v *validator) any(at string, list []any, doc any) bool {
	for _, s := range list {
		try := &validator{defs: v.defs}
		try.check(at, s.(map[string]any), doc)
		if len(try.errs) == 0 {
			return true
		}
	}
	return false
}

func (v *validator) object(at string, schema, m map[string]any) {
	required, _ := schema["required"].([]any)
	for _, k := range required {
		if _, ok := m[k.(string)]; !ok {
			v.fail(at, "%v is missing", k)
		}
	}
	props, _ := schema["properties"].(map[string]any)
	for k, x := range m {
		if names, ok := schema["propertyNames"].(map[string]any); ok {
			v.check(at+"/"+k, names, k)
		}
		if p, ok := props[k].(map[string]any); ok {
			v.check(at+"/"+k, p, x)
			continue
		}
		switch rest := schema["additionalProperties"].(type) {
		case bool:
			if !rest {
				v.fail(at, "%s is not allowed", k)
			}
		case map[string]any:
			v.check(at+"/"+k, rest, x)
		}
	}
}

func is(kind string, doc any) bool {
	switch x := doc.(type) {
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && x == math.Trunc(x)
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	}
	return false
}
