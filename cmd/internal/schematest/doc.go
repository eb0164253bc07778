// Package schematest holds the published JSON Schema against the loader: what one takes the other must take. It is a
// folder of its own because the validator that it uses takes milliseconds to start, and the tests of the command line
// measure how soon that one does.
package schematest
