package cli

import (
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// ruleSchema is the schema of one sort of fault under health: a level, or what is allowed beside it.
func ruleSchema() object {
	level := object{"enum": spec.HealthLevels}
	texts := object{"type": "array", "items": object{"type": []string{"string", "number", "boolean"}, "minLength": 1}}
	return object{"anyOf": []object{level, closed(spec.HealthRuleKeys, map[string]object{"level": level, "allow": texts})}}
}

// retrySchema is the schema of retry: how many further tries, or more about them.
func retrySchema() object {
	times := object{"type": "integer", "minimum": 1}
	return object{"anyOf": []object{times, closed(steps.RetryKeys, map[string]object{"times": times, "every": ref("duration"),
		"when": ref("expr"), "unsafe": {"type": "boolean"}})}}
}

// closed is a map that has the keys of a table and no others.
func closed(keys []spec.Key, values map[string]object) object {
	props, required := object{}, []string{}
	for _, k := range keys {
		v := object{"description": k.Doc}
		for word, x := range values[k.Name] {
			v[word] = x
		}
		if r, isRef := v["$ref"]; isRef {
			v = object{"allOf": []object{{"$ref": r}}, "description": k.Doc}
		}
		props[k.Name] = v
		if k.Required {
			required = append(required, k.Name)
		}
	}
	out := object{"type": "object", "properties": props, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}
