package cli

import "github.com/checkrow/checkrow/spec"

// brandSchema is the name of a browser. A test may take it from its matrix.
func brandSchema() object {
	return object{"anyOf": []object{{"enum": spec.BrowserNames}, {"type": "string", "pattern": `\$\{\{`}}}
}
