package spec

import (
	"strconv"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
)

// ArtifactsKeys are the keys of artifacts in a suite.
var ArtifactsKeys = []Key{
	{Name: "allow_outside", Type: "bool", Default: "false", Doc: "Rows may write to absolute paths outside the run folder.",
		Aka: []string{"outside", "allowoutside"}},
}

// ArtifactKeys are the keys of one entry of artifacts in a test.
var ArtifactKeys = []Key{
	{Name: "path", Type: "text", Required: true, Doc: "The file, in the folder of the attempt.", Aka: []string{"file", "name"}},
	{Name: "media_type", Type: "text", Doc: "Its type by content: image/png, or image for any picture.", Aka: []string{"type", "mime", "contenttype", "mimetype"}},
	{Name: "min_bytes", Type: "int", Doc: "Its least size.", Aka: []string{"minsize", "size", "bytes"}},
	{Name: "min_width", Type: "int", Doc: "The least width of a picture, in pixels.", Aka: []string{"width"}},
	{Name: "min_height", Type: "int", Doc: "The least height of a picture, in pixels.", Aka: []string{"height"}},
	{Name: "min_pages", Type: "int", Doc: "The least number of pages of a PDF.", Aka: []string{"pages"}},
	{Name: "min_entries", Type: "int", Doc: "The least number of requests in a HAR, or of files in an archive.", Aka: []string{"entries", "requests", "files"}},
	{Name: "min_duration", Type: "duration", Doc: "The least length of a video.", Aka: []string{"duration", "length"}},
	{Name: "not_blank", Type: "bool", Default: "false", Doc: "A picture must have more than one colour.", Aka: []string{"notblank", "blank", "nonblank"}},
}

// WantedFile is one entry of `artifacts:` in a test: a file that must be there when its steps have passed.
type WantedFile struct {
	Pos         diag.Pos
	Path        Node
	MediaType   string
	MinBytes    int
	MinWidth    int
	MinHeight   int
	MinPages    int
	MinEntries  int
	MinDuration time.Duration
	NotBlank    bool
}

// decodeOutside reads `artifacts:` of a suite.
func decodeOutside(n Node, l *diag.List) bool {
	if n.IsZero() {
		return false
	}
	if _, list := n.Seq(); list {
		n.report(l, diag.WantKind("artifacts", "a map", n.Sort()), "the files that a test must leave go into artifacts of the test")
		return false
	}
	m, _ := n.Map(`"artifacts"`, ArtifactsKeys, l)
	return WantBool(m["allow_outside"], "allow_outside", l)
}

// decodeWanted reads `artifacts:` of a test.
func decodeWanted(n Node, l *diag.List) []WantedFile {
	if n.IsZero() {
		return nil
	}
	items, list := n.Seq()
	switch {
	case !list:
		hint := `write artifacts: [ { path: report.pdf, min_pages: 1 } ]`
		if n.IsMap() && n.Has("allow_outside") {
			hint = "allow_outside is a key of artifacts in the suite"
		}
		n.report(l, diag.WantKind("artifacts", "a list", n.Sort()), hint)
		return nil
	case len(items) == 0:
		n.report(l, strconv.Quote("artifacts")+" is empty", "name at least one file, or leave the key out")
		return nil
	}
	out := make([]WantedFile, 0, len(items))
	for _, item := range items {
		if !item.IsMap() {
			if path := wantPath(item, l); !path.IsZero() {
				out = append(out, WantedFile{Pos: item.Pos(), Path: path})
			}
			continue
		}
		m, ok := item.Map("an artifact", ArtifactKeys, l)
		if !ok {
			continue
		}
		w := WantedFile{Pos: item.Pos(), Path: wantPath(m["path"], l), MediaType: WantText(m["media_type"], "media_type", l),
			NotBlank: WantBool(m["not_blank"], "not_blank", l), MinDuration: WantDuration(m["min_duration"], "min_duration", l)}
		for _, f := range []struct {
			to  *int
			key string
		}{{&w.MinBytes, "min_bytes"}, {&w.MinWidth, "min_width"}, {&w.MinHeight, "min_height"}, {&w.MinPages, "min_pages"},
			{&w.MinEntries, "min_entries"}} {
			*f.to = WantInt(m[f.key], f.key, 0, l)
		}
		if !w.Path.IsZero() {
			out = append(out, w)
		}
	}
	return out
}

func wantPath(n Node, l *diag.List) Node {
	n = wantScalar(n, "path", l)
	if text, ok := n.Text(); ok && !n.IsZero() && text == "" {
		n.report(l, "the path is empty", "")
		return Node{}
	}
	return n
}
