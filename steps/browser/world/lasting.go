package world

import (
	"strings"
	"sync"
)

// lastingSource are the parts that name an element, as the body of a function.
var lastingSource = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("const TYPED = /^(email|number|password|search|tel|text|url)$/;\n")
	for _, name := range []string{"dom", "query", "role", "lasting"} {
		b.WriteString(source(name))
	}
	return b.String()
})

// Lasting is the source of a function that gives the target by which an element is best found again, "" if there is none: by
// role and name, by label, by test id, then CSS. It runs in the document of the element.
func Lasting() string { return "el => {\n" + lastingSource() + "return lasting(el);\n}" }

// Recording is the source of a script that tells what a person does in a document, as JSON, by the function that tell names.
func Recording(tell string) string {
	return "(() => {\nif (globalThis.__crrecording) return;\nglobalThis.__crrecording = true;\nconst RECORD = globalThis." + tell + ";\n" +
		lastingSource() + source("record") + "})()"
}
