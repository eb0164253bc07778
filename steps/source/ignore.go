package source

import (
	"os"
	"path"
	"regexp"
	"strings"
)

// ignore are the rules of one .gitignore.
type ignore struct{ rules []rule }

type rule struct {
	form    *regexp.Regexp
	folders bool // matches folders only
	not     bool
}

// maxIgnore bounds the file of rules that is read.
const maxIgnore = 1 << 20

// readIgnore reads a .gitignore; nil if there is none.
func readIgnore(file string) *ignore {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIgnore {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return parseIgnore(string(text))
}

// parseIgnore reads the rules of a .gitignore. A line that is no pattern is left out.
func parseIgnore(text string) *ignore {
	out := &ignore{}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line = trimmed(line); line == "" || line[0] == '#' {
			continue
		}
		var r rule
		if line[0] == '!' {
			r.not, line = true, line[1:]
		}
		line = strings.TrimPrefix(line, `\`)
		if strings.HasSuffix(line, "/") {
			r.folders, line = true, strings.TrimRight(line, "/")
		}
		if line == "" {
			continue
		}
		anchored := strings.Contains(line, "/")
		form, err := regexp.Compile(glob(strings.TrimPrefix(line, "/"), anchored))
		if err != nil {
			continue
		}
		r.form = form
		out.rules = append(out.rules, r)
	}
	return out
}

// trimmed takes the spaces off the end, but for one that is escaped.
func trimmed(line string) string {
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	return line
}

// glob makes a regular expression of a pattern. One without a slash inside matches at any depth.
func glob(p string, anchored bool) string {
	var b strings.Builder
	b.WriteString(`^`)
	if !anchored {
		b.WriteString(`(?:.*/)?`)
	}
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case strings.HasPrefix(p[i:], "**/"):
			b.WriteString(`(?:.*/)?`)
			i += 2
		case strings.HasPrefix(p[i:], "**"):
			b.WriteString(`.*`)
			i++
		case c == '*':
			b.WriteString(`[^/]*`)
		case c == '?':
			b.WriteString(`[^/]`)
		case c == '[':
			end := strings.IndexByte(p[i+1:], ']')
			if end < 1 {
				b.WriteString(`\[`)
				continue
			}
			set := p[i+1 : i+1+end]
			if set[0] == '!' {
				set = "^" + set[1:]
			}
			b.WriteString("[" + strings.ReplaceAll(set, `\`, `\\`) + "]")
			i += end + 1
		case c == '\\' && i+1 < len(p):
			i++
			b.WriteString(regexp.QuoteMeta(p[i : i+1]))
		default:
			b.WriteString(regexp.QuoteMeta(p[i : i+1]))
		}
	}
	return b.String() + `$`
}

// ignored tells that a path is hidden by the rules of the folders above it; the nearest rule that matches counts.
func ignored(rules map[string]*ignore, rel string, folder bool) bool {
	for dir := path.Dir(rel); ; dir = path.Dir(dir) {
		if list := rules[dir]; list != nil {
			below := rel
			if dir != "." {
				below = strings.TrimPrefix(rel, dir+"/")
			}
			for i := len(list.rules) - 1; i >= 0; i-- {
				if r := list.rules[i]; (folder || !r.folders) && r.form.MatchString(below) {
					return !r.not
				}
			}
		}
		if dir == "." {
			return false
		}
	}
}
