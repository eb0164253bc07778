// Package flow holds the step kinds that order other steps: row and rows, set, if, for, group and use. Each is one Kind
// value in a file of its own; nested lists are decoded through the Decoder, so that no kind knows another.
package flow

import "github.com/checkrow/checkrow/spec"

// boolean is the type of conditions.
var boolean = spec.Type{Base: spec.Bool}

// anything takes every type.
var anything = spec.Type{Base: spec.Any}
