package cli

import "github.com/checkrow/checkrow/spec"

// captureSchema is when a recording is kept. A test may take it from its matrix.
func captureSchema() object {
	return object{"anyOf": []object{{"enum": spec.CaptureModes}, {"type": "string", "pattern": `\$\{\{`}}}
}

// wantedFiles is the list of files that a test must leave: paths, or maps that say more.
func (b *schemaBuilder) wantedFiles() object {
	path := object{"type": []string{"string", "number", "boolean"}, "minLength": 1}
	return object{"type": "array", "minItems": 1, "items": object{"anyOf": []object{path, b.object(spec.ArtifactKeys, map[string]object{"path": path})}}}
}
