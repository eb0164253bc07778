// Command gostats measures the shape of a Go module and guards it: file and function lengths, doc comments, the import
// graph, test habits and a few smells. It parses without types, uses the standard library only and needs no build of
// the module it looks at.
//
//	go run ./.ci/gostats -root .                                  # report, whole module
//	go run ./.ci/gostats -root . -dirs spec,runner                # report, some trees
//	go run ./.ci/gostats -root . -layers .ci/layers.txt -gate     # exit 1 on a breach
//
// A layers file has one "pkg: dep, dep" line per package, relative to the module, "." being the root; "*" allows any
// import and "x/..." a whole tree. A listed package may import only what its line names; a package that is not listed
// is a breach. A "!path: pkg, pkg" line keeps an external module to the packages named.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"regexp"
	"strings"
)

var (
	root      = flag.String("root", ".", "module root (the folder with go.mod)")
	dirs      = flag.String("dirs", "", "comma-separated trees to report on, module-relative (default: all)")
	skip      = flag.String("skip", "", "comma-separated trees to leave out")
	layers    = flag.String("layers", "", "file of allowed imports, one 'pkg: dep, dep' a line")
	gate      = flag.Bool("gate", false, "exit 1 on a breached limit, layer or gated smell")
	long      = flag.Int("max-func", 80, "functions longer than this many lines are listed")
	maxFile   = flag.Int("max-file", 400, "files longer than this many lines are listed")
	maxUndoc  = flag.Int("max-undoc", 0, "exported identifiers that may lack a doc comment")
	maxIface  = flag.Int("max-iface", 4, "interfaces with more methods than this are listed")
	topN      = flag.Int("top", 8, "rows printed per list")
	quiet     = flag.Bool("quiet", false, "print breaches only")
	generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
)

// pkg is what was measured in one folder.
type pkg struct {
	dir, name       string
	files, lines    int
	tests, testLine int
	doc             bool
	imports         map[string]bool // module-relative, non-test files
	external        map[string]bool
}

// span is a named stretch of lines: a file, a function or a finding.
type span struct {
	where string
	n     int
}

type report struct {
	module string
	pkgs   map[string]*pkg
	all    map[string]*pkg // every package of the module, for fan-in

	files, testFiles, funcs []span
	comments, codeLines     int
	exported                int
	undoc, misnamed         []string
	ifaces                  []span
	count                   map[string]int
	notes                   map[string][]string
}

func main() {
	log.SetFlags(0)
	flag.Parse()
	r := &report{pkgs: map[string]*pkg{}, all: map[string]*pkg{}, count: map[string]int{}, notes: map[string][]string{}}
	if err := r.scan(); err != nil {
		log.Fatal("gostats: ", err)
	}
	if !*quiet {
		r.print()
	}
	if breaches := r.breaches(); *gate && len(breaches) > 0 {
		fmt.Println("\n## Breaches")
		for _, b := range breaches {
			fmt.Println("-", b)
		}
		os.Exit(1)
	}
}

func selected(dir string) bool { return *dirs == "" || under(dir, *dirs) }

func under(dir, trees string) bool {
	for t := range strings.SplitSeq(trees, ",") {
		if dir == t || strings.HasPrefix(dir, strings.TrimSuffix(t, "/")+"/") {
			return true
		}
	}
	return false
}

func matches(imp, deps string) bool {
	for d := range strings.SplitSeq(deps, ",") {
		if tree, ok := strings.CutSuffix(d, "/..."); imp == d || ok && under(imp, tree) {
			return true
		}
	}
	return false
}
