package argv

import (
	"slices"
	"strings"
)

// table is built once: every command of every family, sorted by name.
var table = func() []*Command {
	all := slices.Concat(navigation(), interaction(), finding(), reads(), expects(), baselines(), waits(), artifacts(), state(),
		input(), files(), networking(), storing(), settings(), diffs(), audits(), looks())
	slices.SortFunc(all, func(a, b *Command) int { return strings.Compare(a.Name(), b.Name()) })
	return marked(all)
}()

// byName finds a command by its name and by its aliases.
var byName = func() map[string]*Command {
	m := map[string]*Command{}
	for _, c := range table {
		m[c.Name()] = c
		for _, a := range c.Aliases {
			m[join(a)] = c
		}
	}
	return m
}()

// longest is how many cells the longest name has.
const longest = 3

// Commands is the table, sorted by name. It is shared: do not change it.
func Commands() []*Command { return table }

// Lookup finds a command by its name or alias: "get text", "goto".
func Lookup(name string) (*Command, bool) {
	c, ok := byName[name]
	return c, ok
}

// Known tells that words begin with the name of a command, or with the first word of some.
func Known(words []string) bool { return len(words) > 0 && known(words[0]) }

func words(name string) []string { return strings.Fields(name) }

func aliases(names ...string) [][]string {
	var out [][]string
	for _, n := range names {
		out = append(out, words(n))
	}
	return out
}

func join(words []string) string { return strings.Join(words, " ") }
