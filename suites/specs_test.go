package suites_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"

	"github.com/checkrow/checkrow/runner/specs"
)

// The tests of rows.yaml are specs: the browser of each Ginkgo process runs its share of them.
var rows *specs.Checks

var _ = Describe("as specs", Label("browser"), func() {
	rows = specs.Register(specs.Options{Paths: []string{"suites/rows.yaml"}, Dir: root, Environ: os.Environ()})
})

var _ = AfterSuite(func(ctx SpecContext) { rows.Close(ctx) })
