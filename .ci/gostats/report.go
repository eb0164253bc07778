package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

func (r *report) print() {
	fmt.Printf("# %s %s\n", r.module, *dirs)
	code, test := lengths(r.files), lengths(r.testFiles)
	fns := lengths(r.funcs)
	fmt.Printf("- files: %d code, %d test; lines: %d code, %d test; test:code %.2f\n", len(code), len(test), sum(code), sum(test), ratio(sum(test), sum(code)))
	fmt.Printf("- code file length: median %d, p95 %d, max %d; over %d: %d\n", pct(code, 50), pct(code, 95), pct(code, 100), *maxFile, len(over(r.files, *maxFile)))
	fmt.Printf("- test file length: median %d, p95 %d, max %d\n", pct(test, 50), pct(test, 95), pct(test, 100))
	fmt.Printf("- functions: %d; median %d, p95 %d, max %d; over %d: %d (%.1f%%)\n", len(fns), pct(fns, 50), pct(fns, 95), pct(fns, 100), *long, len(over(r.funcs, *long)), 100*ratio(len(over(r.funcs, *long)), len(fns)))
	fmt.Printf("- comment lines: %.1f%% of code lines\n", 100*ratio(r.comments, r.codeLines))
	fmt.Printf("- exported: %d; without doc comment: %d (%.1f%%); doc not starting with the name: %d\n", r.exported, len(r.undoc), 100*ratio(len(r.undoc), r.exported), len(r.misnamed))
	nodoc := []string{}
	for _, d := range slices.Sorted(maps.Keys(r.pkgs)) {
		if p := r.pkgs[d]; p.files > 0 && !p.doc {
			nodoc = append(nodoc, d)
		}
	}
	fmt.Printf("- packages: %d; without package comment: %d %v\n", len(r.pkgs), len(nodoc), head(nodoc))
	for _, k := range slices.Sorted(maps.Keys(r.count)) {
		fmt.Printf("- %s: %d\n", k, r.count[k])
	}
	for _, k := range slices.Sorted(maps.Keys(r.notes)) {
		fmt.Printf("- %s: %d; e.g. %s\n", k, len(r.notes[k]), strings.Join(head(r.notes[k]), "; "))
	}
	list("Longest files", top(r.files))
	list(fmt.Sprintf("Functions over %d lines", *long), top(over(r.funcs, *long)))
	list(fmt.Sprintf("Interfaces with more than %d methods", *maxIface), top(over(r.ifaces, *maxIface)))
	r.graph()
}

// graph prints one row per package: size, fan-in, fan-out, external imports.
func (r *report) graph() {
	in := map[string]int{}
	for _, p := range r.all {
		for imp := range p.imports {
			in[imp]++
		}
	}
	dirs := slices.Collect(maps.Keys(r.pkgs))
	slices.SortFunc(dirs, func(a, b string) int {
		if in[a] != in[b] {
			return in[b] - in[a]
		}
		return strings.Compare(a, b)
	})
	fmt.Println("\n## Packages, by fan-in\n| package | files | lines | test lines | fan-in | fan-out | external |\n|---|---|---|---|---|---|---|")
	for i, d := range dirs {
		if i == 4**topN {
			fmt.Printf("| … %d more | | | | | | |\n", len(dirs)-i)
			break
		}
		p := r.pkgs[d]
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %d |\n", d, p.files, p.lines, p.testLine, in[d], len(p.imports), len(p.external))
	}
}

func over(ss []span, limit int) []span {
	var out []span
	for _, s := range ss {
		if s.n > limit {
			out = append(out, s)
		}
	}
	return out
}

func top(ss []span) []span {
	ss = slices.Clone(ss)
	slices.SortStableFunc(ss, func(a, b span) int { return b.n - a.n })
	return ss[:min(*topN, len(ss))]
}

func list(title string, ss []span) {
	if len(ss) == 0 {
		return
	}
	fmt.Printf("\n## %s\n", title)
	for _, s := range ss {
		fmt.Printf("- %4d %s\n", s.n, s.where)
	}
}

func lengths(ss []span) []int {
	out := make([]int, len(ss))
	for i, s := range ss {
		out[i] = s.n
	}
	slices.Sort(out)
	return out
}

// pct is the nearest-rank percentile of sorted values.
func pct(v []int, p int) int {
	if len(v) == 0 {
		return 0
	}
	return v[max(0, (p*len(v)+99)/100-1)]
}

func sum(v []int) (n int) {
	for _, x := range v {
		n += x
	}
	return n
}

func ratio(a, b int) float64 { return float64(a) / float64(max(1, b)) }

func head(ss []string) []string { return ss[:min(4, len(ss))] }
