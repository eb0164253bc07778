package steps

import (
	"maps"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps/argv"
)

var (
	anyType  = spec.Type{Base: spec.Any}
	boolType = spec.Type{Base: spec.Bool}
	intType  = spec.Type{Base: spec.Int}
	textType = spec.Type{Base: spec.String}
)

// dataTypes are the words for types in the command table.
var dataTypes = map[string]spec.Type{
	"string": textType, "int": intType, "bool": boolType, "float": {Base: spec.Float}, "list": {Base: spec.List},
	"map": {Base: spec.Map}, "any": anyType,
}

// Result is the type of steps.ID, and of the names that the expect of a step may use: what every step has, and what its
// kind adds.
func Result(more map[string]spec.Type) spec.Type {
	fields := map[string]spec.Type{
		"ok":    {Base: spec.Bool, Doc: "the step did not fail"},
		"error": {Base: spec.String, Doc: "why it failed, or empty"},
		"took":  {Base: spec.Int, Doc: "how long it took, in milliseconds"},
		"page":  {Base: spec.Struct, Fields: map[string]spec.Type{"url": textType, "title": textType}, Doc: "where the page was after it"},
	}
	maps.Copy(fields, more)
	return spec.Type{Base: spec.Struct, Fields: fields}
}

// RowResult is the type of steps.ID of a row.
func RowResult(c *argv.Call) spec.Type {
	data, value := map[string]spec.Type{}, anyType
	for _, k := range c.DataKeys() {
		t := dataTypes[k.Type]
		t.Doc = k.Doc
		data[k.Name] = t
		if k.Name == c.ValueKey() {
			value = t
		}
	}
	more := map[string]spec.Type{"value": value, "data": {Base: spec.Struct, Fields: data}}
	if c.WritesFile() {
		more["artifact"] = spec.Type{Base: spec.String, Doc: "the file, relative to the run folder"}
	}
	return Result(more)
}
