package events

import (
	"reflect"
	"strings"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
)

// object is a piece of JSON Schema.
type object = map[string]any

// Schema is the JSON Schema, draft-07, of one line of the stream: what is around each event, and its body by its kind.
func Schema() map[string]any {
	b := builder{defs: object{}}
	text := object{"type": "string"}
	var kinds []string
	var forms []object
	for _, body := range journal.Bodies() {
		kinds = append(kinds, body.Kind())
		forms = append(forms, object{"if": object{"properties": object{"kind": object{"const": body.Kind()}}},
			"then": object{"properties": object{"body": b.of(reflect.TypeOf(body))}}})
	}
	return object{
		"$schema":     "http://json-schema.org/draft-07/schema#",
		"title":       "checkrow event",
		"description": "One line of run --events and of journal.jsonl. Durations are whole nanoseconds; what is empty is left out.",
		"type":        "object",
		"properties": object{
			"v": object{"const": journal.Version}, "seq": object{"type": "integer", "minimum": 1},
			"at": object{"type": "string", "format": "date-time"}, "kind": object{"enum": kinds},
			"suite": text, "test": text, "attempt": object{"type": "integer", "minimum": 1}, "phase": text, "step": text, "session": text,
			"pos": b.of(reflect.TypeOf(diag.Pos{})), "body": object{"type": "object"},
		},
		"required":             []string{"v", "seq", "at", "kind", "body"},
		"additionalProperties": false,
		"allOf":                forms,
		"definitions":          b.defs,
	}
}

// builder makes schemas of Go types by their JSON tags. Structs become definitions, for some hold themselves.
type builder struct{ defs object }

var (
	timeType     = reflect.TypeOf(time.Time{})
	durationType = reflect.TypeOf(time.Duration(0))
)

func (b builder) of(t reflect.Type) object {
	switch t {
	case timeType:
		return object{"type": "string", "format": "date-time"}
	case durationType:
		return object{"type": "integer", "description": "nanoseconds"}
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Pointer:
		return object{"anyOf": []object{b.of(t.Elem()), {"type": "null"}}}
	case reflect.Slice, reflect.Array:
		return object{"type": []string{"array", "null"}, "items": b.of(t.Elem())}
	case reflect.Map:
		return object{"type": []string{"object", "null"}, "additionalProperties": b.of(t.Elem())}
	case reflect.Struct:
		return b.structure(t)
	}
	return object{} // any value
}

func (b builder) structure(t reflect.Type) object {
	ref := object{"$ref": "#/definitions/" + t.Name()}
	if _, known := b.defs[t.Name()]; known {
		return ref
	}
	props, required := object{}, []string{}
	out := object{"type": "object", "properties": props, "additionalProperties": false}
	b.defs[t.Name()] = out
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || f.Anonymous {
			continue
		}
		if name == "" {
			name = f.Name
		}
		props[name] = b.of(f.Type)
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			required = append(required, name)
		}
	}
	if len(required) > 0 {
		out["required"] = required
	}
	return ref
}
