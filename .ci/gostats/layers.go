package main

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

func (r *report) breaches() []string {
	var out []string
	for _, s := range over(r.files, *maxFile) {
		out = append(out, fmt.Sprintf("%s: %d lines, over %d", s.where, s.n, *maxFile))
	}
	for _, s := range over(r.funcs, *long) {
		out = append(out, fmt.Sprintf("%s: %d lines, over %d", s.where, s.n, *long))
	}
	if len(r.undoc) > *maxUndoc {
		for _, w := range r.undoc {
			out = append(out, w+": exported without a doc comment")
		}
	}
	for _, w := range r.misnamed {
		out = append(out, w+": doc comment does not start with the name")
	}
	for _, s := range over(r.ifaces, *maxIface) {
		out = append(out, fmt.Sprintf("%s: %d methods, over %d", s.where, s.n, *maxIface))
	}
	for _, kind := range gated {
		for _, w := range r.notes[kind] {
			out = append(out, w+": "+kind)
		}
	}
	return append(out, r.layering()...)
}

// layering lists the imports that the layers file does not allow.
func (r *report) layering() []string {
	if *layers == "" {
		return nil
	}
	f, err := os.Open(*layers)
	if err != nil {
		return []string{err.Error()}
	}
	defer f.Close()
	allowed := map[string]string{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		text, _, _ := strings.Cut(sc.Text(), "#")
		if name, deps, ok := strings.Cut(text, ":"); ok {
			allowed[strings.TrimSpace(name)] = strings.ReplaceAll(deps, " ", "")
		}
	}
	var out []string
	for _, dir := range slices.Sorted(maps.Keys(r.pkgs)) {
		p := r.pkgs[dir]
		if p.files == 0 {
			continue
		}
		deps, ok := allowed[dir]
		if !ok {
			out = append(out, dir+": not in "+*layers)
			continue
		}
		for _, imp := range slices.Sorted(maps.Keys(p.imports)) {
			if deps != "*" && !matches(imp, deps) {
				out = append(out, fmt.Sprintf("%s imports %s (allowed: %s)", dir, imp, cmp.Or(deps, "nothing")))
			}
		}
		out = append(out, outsiders(p, allowed)...)
	}
	return out
}

// outsiders lists the external imports of p that a "!path" line keeps from it.
func outsiders(p *pkg, allowed map[string]string) []string {
	var out []string
	for _, ext := range slices.Sorted(maps.Keys(p.external)) {
		for name, homes := range allowed {
			if mod, ok := strings.CutPrefix(name, "!"); ok && under(ext, mod) && !matches(p.dir, homes) {
				out = append(out, fmt.Sprintf("%s imports %s (kept to: %s)", p.dir, ext, homes))
			}
		}
	}
	return out
}
