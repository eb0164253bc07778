package cli

import "github.com/checkrow/checkrow/spec"

// sessions is the schema of sessions: one without keys is a second browser.
func (b *schemaBuilder) sessions() object {
	return b.mapOf(object{"anyOf": []object{b.object(spec.SessionKeys, nil), {"type": "null"}}})
}

// dismiss is the schema of dismiss.
func (b *schemaBuilder) dismiss() object {
	return object{"type": []string{"array", "null"}, "items": b.object(spec.DismissKeys, nil)}
}

// scopeSchema is a target, or a map that says which frame or session.
func scopeSchema() object {
	one := func(key string) object {
		return object{"type": "object", "properties": object{key: ref("text")}, "required": []string{key}, "additionalProperties": false}
	}
	return object{"anyOf": []object{ref("text"), one("frame"), one("session")}}
}
