package runner_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec/diag"
)

// A program compiles suites, runs them and reads what became of them. Browser rows need an engine too: Options.Engine is a
// browser.New of package steps/browser, on the driver and browser that install.Find finds.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "checkrow-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	suite := filepath.Join(dir, "sums.yaml")
	const text = `suite: sums
vars: { n: 1 }
tests:
  - name: adds
    steps: [{ set: { m: vars.n + 1 } }, { expect: vars.m == 2 }]
  - name: is wrong
    steps: [{ expect: vars.n == 2, within: 0s }]
`
	if err := os.WriteFile(suite, []byte(text), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	var problems diag.List // everything that is wrong with the suites, each with file, line and column
	p := plan.Load([]string{"sums.yaml"}, plan.Options{Kinds: standard.Kinds(), Dir: dir, NeedEnv: true}, &problems)
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	w, err := journal.Create(dir, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	exit, err := runner.Run(context.Background(), p, runner.Options{Workers: 1, Journal: w, Dir: dir})
	if err != nil {
		fmt.Println(err)
	}
	w.Read(func(s *journal.State) {
		for _, t := range s.Tests {
			fmt.Println(t.Planned.Key.Name+":", t.Status)
		}
	})
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	fmt.Println("exit code", exit)
	// Output:
	// adds: passed
	// is wrong: failed
	// exit code 1
}
