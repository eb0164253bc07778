package plan

import "github.com/checkrow/checkrow/spec"

// Value is a YAML value whose scalars may hold ${{ }}.
type Value = spec.Compound
