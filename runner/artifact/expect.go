package artifact

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/checkrow/checkrow/steps"
)

// Wanted is what a test expects of a file; the zero value of each field asks nothing.
type Wanted struct {
	Path       string
	Type       string // media type, or its first part: "image"
	MinBytes   int64
	MinWidth   int
	MinHeight  int
	MinPages   int
	MinEntries int
	MinMS      int64 // of a video
	NotBlank   bool
}

// Expect looks at a file that must be there when the rows of an attempt have run, whoever wrote it, and decodes it whole.
// It is listed from now on. fault says in words what is not as it should be, "" if nothing is.
func (f *Folder) Expect(w Wanted) (a steps.Artifact, fault string) {
	v := &view{folder: f}
	p, err := v.place(w.Path)
	if err != nil {
		return steps.Artifact{Path: w.Path, State: steps.Missing, Error: err.Error()}, fmt.Sprintf("%q cannot be looked at: %s", w.Path, err)
	}
	defer p.done()
	a = f.look(p)
	f.keep(a)
	switch a.State {
	case steps.Missing:
		return a, fmt.Sprintf("%q is missing: %s%s", w.Path, a.Error, f.others(p))
	case steps.Invalid, steps.Stale:
		return a, fmt.Sprintf("%q %s", w.Path, a.Error)
	}
	if why := w.unmet(a); why != "" {
		return a, fmt.Sprintf("%q %s", w.Path, why)
	}
	return a, ""
}

// look reads a file as it is now. What was known of it, its kind, stays.
func (f *Folder) look(p place) steps.Artifact {
	a := steps.Artifact{Path: p.show, Kind: kindOf(p.show), State: steps.Saved}
	for _, known := range f.Saved() {
		if known.Path == p.show {
			a.Kind = known.Kind
		}
	}
	info, err := p.root.Lstat(filepath.FromSlash(p.rel))
	switch {
	case err != nil:
		a.State, a.Error = steps.Missing, cause(err).Error()
		return a
	case !info.Mode().IsRegular():
		bad(&a, "is no regular file")
		return a
	case info.Size() == 0:
		bad(&a, "is empty")
		return a
	case links(info) > 1:
		bad(&a, "has a second name: it is a hard link")
		return a
	}
	if err := p.read(&a, p.rel, true); err != nil {
		bad(&a, "cannot be read: "+cause(errors.Unwrap(err)).Error())
	}
	return a
}

// others names the files that were saved, for a name that is not among them.
func (f *Folder) others(p place) string {
	var names []string
	for _, a := range f.Saved() {
		if a.Path != p.show {
			names = append(names, strings.TrimPrefix(a.Path, f.rel+"/"))
		}
	}
	if len(names) == 0 {
		return "; the attempt saved no file"
	}
	if len(names) > 5 {
		names = append(names[:5], "…")
	}
	return "; the attempt saved " + strings.Join(names, ", ")
}

// unmet says what is not as wanted.
func (w Wanted) unmet(a steps.Artifact) string {
	least := func(what string, got, want int64) string {
		if got < want {
			return fmt.Sprintf("has %d %s, wanted at least %d", got, what, want)
		}
		return ""
	}
	for _, why := range []string{
		w.wrongType(a),
		least("bytes", a.Bytes, w.MinBytes),
		least("pixels of width", int64(a.Width), int64(w.MinWidth)),
		least("pixels of height", int64(a.Height), int64(w.MinHeight)),
		least("pages", int64(a.Pages), int64(w.MinPages)),
		least("entries", int64(a.Entries), int64(w.MinEntries)),
	} {
		if why != "" {
			return why
		}
	}
	switch {
	case a.DurationMS < w.MinMS:
		return fmt.Sprintf("lasts %d ms, wanted at least %d", a.DurationMS, w.MinMS)
	case w.NotBlank && !isPicture(a.Type):
		return "is " + a.Type + ": not_blank looks at pictures"
	case w.NotBlank && a.State == steps.Unverified:
		return a.Error + ", so nobody knows whether it is blank"
	case w.NotBlank && a.Blank:
		return "is blank: all its pixels have one colour"
	}
	return ""
}

func (w Wanted) wrongType(a steps.Artifact) string {
	if w.Type == "" || w.Type == a.Type || !strings.Contains(w.Type, "/") && strings.HasPrefix(a.Type, w.Type+"/") {
		return ""
	}
	return fmt.Sprintf("is %s, wanted %s", a.Type, w.Type)
}
