package cli

import "github.com/checkrow/checkrow/spec"

// hostPattern is what a host looks like to an editor; check knows more.
const hostPattern = `^(\*\.)?(\[.+\]|[^*/ ,?#@\\:\[]+|[^*/ ,?#@\\]*:[^*/ ,?#@\\]*:[^*/ ,?#@\\]*)$`

// hostsSchema is a list of hosts that is not empty.
func hostsSchema() object {
	return object{"type": "array", "minItems": 1, "items": object{"type": []string{"string", "number", "boolean"}, "pattern": hostPattern}}
}

// anyHostsSchema is a list of hosts that may be empty: then none is meant.
func anyHostsSchema() object {
	return object{"type": "array", "items": object{"type": []string{"string", "number", "boolean"}, "pattern": hostPattern}}
}

func schemesSchema() object {
	return object{"type": "array", "minItems": 1, "items": object{"enum": spec.Schemes}}
}

func switchesSchema() object {
	return object{"type": "array", "items": object{"type": "string", "pattern": "^--"}}
}

// addressSchema is the address of a browser that runs already.
func addressSchema() object {
	return object{"anyOf": []object{{"type": "string", "pattern": spec.AddressPattern}, {"type": "string", "pattern": `\$\{\{`}}}
}
