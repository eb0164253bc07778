package spec

import (
	"slices"
	"sort"

	"github.com/checkrow/checkrow/spec/diag"
)

// ReservedNames are the names that a loop variable may not have: they mean something everywhere, or a step gives them.
var ReservedNames = []string{
	"vars", "env", "secrets", "matrix", "each", "inputs", "services", "self", "needs", "steps", "setup", "suite", "test", "run",
	"attempt", "value", "data", "ok", "error", "took", "page", "artifact", "exit", "stdout", "stderr", "status", "headers",
	"body", "json", "true", "false", "nil", "not", "and", "or", "in", "let", "if", "else", "contains", "startsWith",
	"endsWith", "matches",
}

// Reserved tells that a name cannot be given to a loop variable: it is one of ReservedNames, a page function or another
// function.
func Reserved(name string) bool {
	return slices.Contains(ReservedNames, name) || functions[name] != nil || builtins[name] != nil
}

// name finds a top-level name.
func (s *Scope) name(name string) (Type, bool) {
	for ; s != nil; s = s.Up {
		if t, ok := s.Names[name]; ok {
			return t, true
		}
	}
	return Type{}, false
}

// step finds the id of a step that was decoded already.
func (s *Scope) step(id string) (Type, bool) {
	for ; s != nil; s = s.Up {
		if t, ok := s.Steps[id]; ok {
			return t, true
		}
	}
	return Type{}, false
}

// later finds the id of a step that stands further down.
func (s *Scope) later(id string) (diag.Pos, bool) {
	for ; s != nil; s = s.Up {
		if p, ok := s.Later[id]; ok {
			return p, true
		}
	}
	return diag.Pos{}, false
}

// names lists all top-level names, sorted.
func (s *Scope) names() []string {
	out := []string{"steps"}
	for ; s != nil; s = s.Up {
		for n := range s.Names {
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return slices.Compact(out)
}

// ids lists the ids of the steps that can be used.
func (s *Scope) ids() []string {
	var out []string
	for ; s != nil; s = s.Up {
		for id := range s.Steps {
			out = append(out, id)
		}
	}
	sort.Strings(out)
	return slices.Compact(out)
}
