package steps

import (
	"context"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
)

// maxTitle is how many characters of a step's name are kept.
const maxTitle = 200

// title decodes the name of a step.
func (d *Decoder) title(s *Step, n spec.Node) {
	if n.IsZero() {
		return
	}
	text := d.madeText(n, "name")
	name, static := text.Static()
	if static {
		s.Name = name
		return
	}
	s.Name, s.Title = text.Source(), &text
}

// madeText compiles a text that may have ${{ }}. A value that has no form in text is told here, not by the run.
func (d *Decoder) madeText(n spec.Node, key string) spec.Text {
	before := d.Errs.Len()
	if spec.WantText(n, key, d.Errs); d.Errs.Len() > before {
		return spec.Text{}
	}
	text := spec.CompileText(n, d.Scope, d.Errs)
	if t := text.Type(); t.Base == spec.List || t.Base == spec.Map || t.Base == spec.Struct {
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind(key, "text", t.Words()), "choose one of its values, or join(…) them")
	}
	return text
}

// Titled gives the name of the step as reports show it: on one line. A name that comes out empty is shown as the suite has
// it.
func (s *Step) Titled(ctx context.Context, v spec.Values, r spec.Reader) (string, error) {
	if s.Title == nil {
		return s.Name, nil
	}
	name, err := s.Title.String(ctx, v, r)
	if err != nil {
		return s.Name, err
	}
	name = squash(name)
	if name == "" {
		return s.Name, nil
	}
	if runes := []rune(name); len(runes) > maxTitle {
		name = strings.TrimSpace(string(runes[:maxTitle-1])) + "…"
	}
	return name, nil
}

// Made gives p with its ${{ }} evaluated, and p itself if it has none. What comes out is held against what may be provoked,
// as that of a plain text is before the run.
func (p *Provokes) Made(ctx context.Context, v spec.Values, r spec.Reader) (*Provokes, error) {
	if p == nil || len(p.made) == 0 {
		return p, nil
	}
	out := *p
	for _, m := range p.made {
		text, err := m.text.String(ctx, v, r)
		if err != nil {
			return nil, err
		}
		msg, hint := "", ""
		switch {
		case squash(text) == "":
			msg, hint = strconv.Quote(m.key)+" in provokes is empty", "say what is to be provoked"
		case m.key == "http":
			msg, hint = badStatus(text)
		case m.key == "category":
			msg, hint = badCategory(text)
		case m.key == "url":
			if out.pattern, err = argv.ParsePattern(text); err != nil {
				msg = err.Error()
			}
		}
		if msg != "" {
			return nil, &diag.Error{Pos: m.text.Pos(), Msg: msg, Hint: hint}
		}
		*out.field(m.key) = text
	}
	return &out, nil
}
