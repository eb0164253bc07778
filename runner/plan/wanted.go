package plan

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// WantedFile is a file that must be there when the steps of a test have passed.
type WantedFile struct {
	spec.WantedFile
	Text spec.Text // of the path
}

// wanted compiles the files that a test must leave, over what its steps know.
func (u *unit) wanted(t *spec.Test, out *Test, sc *spec.Scope) {
	seen := map[string]diag.Pos{}
	for _, w := range t.Wanted {
		text := spec.CompileText(w.Path, sc, u.l)
		if name, static := text.Static(); static && u.goodPath(w.Path.Pos(), name) {
			key := strings.ToLower(path.Clean(filepath.ToSlash(name)))
			if first, twice := seen[key]; twice {
				msg, hint := diag.Duplicate("the file", name, first)
				u.l.AddWide(w.Path.Pos(), w.Path.Width(), msg, hint)
			}
			seen[key] = w.Path.Pos()
			u.promises(w, name)
		}
		out.Wanted = append(out.Wanted, WantedFile{w, text})
	}
}

// promises reports what a file cannot be by its name.
func (u *unit) promises(w spec.WantedFile, name string) {
	const pictures, doc, film, other = ".png .jpg .jpeg .webp .gif", ".pdf", ".webm .mp4", ".har .json .txt .csv .html .zip"
	ext := strings.ToLower(path.Ext(name))
	for _, c := range []struct {
		key  string
		set  bool
		not  string // suffixes of files that have none of it
		what string
	}{
		{"min_width", w.MinWidth > 0, doc + " " + film + " " + other, "a picture"},
		{"min_height", w.MinHeight > 0, doc + " " + film + " " + other, "a picture"},
		{"not_blank", w.NotBlank, doc + " " + film + " " + other, "a picture"},
		{"min_pages", w.MinPages > 0, pictures + " " + film + " " + other, "a PDF"},
		{"min_duration", w.MinDuration > 0, pictures + " " + doc + " " + other, "a video"},
	} {
		if c.set && slices.Contains(strings.Fields(c.not), ext) {
			u.l.Add(w.Pos, strconv.Quote(c.key)+" is asked of "+strconv.Quote(name)+", which is not "+c.what, "")
		}
	}
}

// beyond reports a file outside the run folder that two tests write.
func (u *unit) beyond(claims map[string]diag.Pos, t *Test) {
	for name, at := range claims {
		if !path.IsAbs(name) {
			continue
		}
		if first, twice := u.outer[name]; twice && first.test != t.Of {
			u.l.Add(at, "another test writes "+strconv.Quote(name)+" too", "the first row that writes it is at "+first.at.String())
			continue
		}
		if u.outer == nil {
			u.outer = map[string]outerClaim{}
		}
		u.outer[name] = outerClaim{t.Of, at}
	}
}

// outerClaim is who writes a file outside the run folder.
type outerClaim struct {
	test *spec.Test
	at   diag.Pos
}

// goodPath reports a static path that no row may write to.
func (u *unit) goodPath(at diag.Pos, file string) bool {
	name := path.Clean(strings.ReplaceAll(file, `\`, "/"))
	outside := name == ".." || strings.HasPrefix(name, "../")
	drive := len(name) > 1 && name[1] == ':'
	switch {
	case file == "":
		return false
	case (path.IsAbs(name) || drive) && u.s.Outside:
		return true
	case path.IsAbs(name), drive:
		u.l.AddWide(at, len([]rune(file)), strconv.Quote(file)+" is outside the run folder",
			"a relative path lands in the folder of the attempt; or give the suite artifacts: { allow_outside: true }")
		return false
	case outside:
		hint := "a relative path lands in the folder of the attempt"
		if u.s.Outside {
			hint = "outside of it a path is absolute"
		}
		u.l.AddWide(at, len([]rune(file)), strconv.Quote(file)+" is outside the run folder", hint)
		return false
	case name == ".":
		u.l.AddWide(at, len([]rune(file)), strconv.Quote(file)+" is a folder", "name a file")
		return false
	}
	return true
}
