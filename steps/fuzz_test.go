package steps_test

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// FuzzDecode decodes whatever steps a suite may hold: no panic, every error has a position.
func FuzzDecode(f *testing.F) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a.Files[0].Data)
	}
	for _, k := range kinds {
		f.Add(inSuite(k.Example))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var l diag.List
		s := spec.Parse("suite.yaml", src, &l).Suite
		if s == nil {
			return
		}
		for _, test := range s.Tests {
			sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Used: map[string]bool{}, Steps: map[string]spec.Type{},
				Names: map[string]spec.Type{"vars": {Base: spec.Struct}}}
			d := &steps.Decoder{Errs: &l, Scope: sc, Kinds: kinds, Load: func(n spec.Node) *spec.Fragment {
				return spec.Parse("login.yaml", login["login.yaml"], &l).Fragment
			}}
			list := d.Steps(test.Steps, sc)
			steps.Unused(list, sc.Used, &l)
			steps.Asserts(list)
			for i := range list {
				steps.Repeats(list[i].Body)
			}
		}
		for _, e := range l.All() {
			if e.Pos.File == "" || e.Pos.Line < 1 || e.Msg == "" {
				t.Fatalf("an error without a position: %+v\n%s", e, src)
			}
		}
	})
}
