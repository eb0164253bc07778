package cli

import (
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// projectSchema is the schema of checkrow.yaml.
func projectSchema([]steps.Kind) (object, error) {
	b := &schemaBuilder{}
	out := b.object(spec.ProjectKeys, map[string]object{
		"browser": b.object(spec.BrowserKeys, nil), "timeouts": b.object(spec.TimeoutKeys, nil), "services": b.mapOf(b.service()),
	})
	out["$schema"] = "http://json-schema.org/draft-07/schema#"
	out["title"] = "checkrow project"
	out["definitions"] = scalarSchemas()
	return out, b.err
}

func (b *schemaBuilder) service() object {
	return b.object(spec.ServiceKeys, map[string]object{"ready": b.object(spec.ReadyKeys, nil)})
}

// scalarSchemas are the definitions that every schema needs.
func scalarSchemas() object {
	return object{
		"text":     object{"type": []string{"string", "number", "boolean"}},
		"expr":     object{"type": []string{"string", "number", "boolean"}, "description": "A bare expression, without ${{ }}."},
		"duration": object{"anyOf": []object{{"type": "string", "pattern": `^(([0-9]+(\.[0-9]+)?(ms|s|m|h))+|0)$`}, {"const": 0}}},
	}
}

// mayBeEmpty are keys that may stand with nothing behind them: what was below them is commented out.
var mayBeEmpty = map[string]bool{"vars": true, "env": true, "secrets": true, "browser": true, "timeouts": true, "services": true,
	"health": true, "sessions": true, "inputs": true, "outputs": true}

// orNothing also takes nothing.
func orNothing(s object) object {
	out := object{"anyOf": []object{s, {"type": "null"}}}
	if doc, ok := s["description"]; ok {
		out["description"] = doc
	}
	return out
}

// setSchema is a map of expressions, each alone or with secret beside it.
func setSchema() object {
	long := object{"type": "object", "properties": object{"value": ref("expr"), "secret": object{"type": "boolean"}},
		"required": []string{"value"}, "additionalProperties": false}
	return object{"type": "object", "minProperties": 1, "additionalProperties": object{"anyOf": []object{ref("expr"), long}}}
}

// matrixSchema is a map of axes, with include and exclude beside them.
func matrixSchema() object {
	value := object{"anyOf": []object{ref("text"), {"type": "object", "required": []string{"name"}}}}
	rows := object{"type": "array", "items": object{"type": "object", "minProperties": 1}}
	words := object{}
	for _, name := range spec.MatrixWords {
		words[name] = rows
	}
	return object{"type": "object", "minProperties": 1, "properties": words,
		"additionalProperties": object{"type": "array", "minItems": 1, "items": value}}
}

// eachSchema is the path of a file, or a list of rows.
func eachSchema() object {
	row := object{"anyOf": []object{ref("text"), {"type": "object", "minProperties": 1}}}
	return object{"anyOf": []object{{"type": "string"}, {"type": "array", "minItems": 1, "items": row}}}
}

// templated also takes one ${{ }} that stands for the value.
func templated(s object) object {
	return object{"anyOf": []object{s, {"type": "string", "pattern": `\$\{\{`}}}
}

// browserSchema is the map of browser keys, or a ${{ }} that gives one: in it every value may be a ${{ }} too, for a test
// takes from its matrix what it likes.
func browserSchema(keys object) object {
	props, _ := keys["properties"].(object)
	for name, value := range props {
		if v, ok := value.(object); ok && v["type"] != nil && v["type"] != "string" {
			s := templated(v)
			if doc, ok := v["description"]; ok {
				s["description"] = doc
			}
			props[name] = s
		}
	}
	return templated(keys)
}
