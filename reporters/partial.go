package reporters

import "github.com/checkrow/checkrow/steps"

// partial shows how far a list got that a limit cut off, and whether what was cut may be sent again.
func (b *block) partial(x *steps.PartialProgress) {
	if x == nil {
		return
	}
	b.field("got to", x.Summary)
	switch {
	case x.Opened:
		b.field("", "the page that it opens is there, it was not ready in time")
	case x.Live && x.Page.URL != "":
		b.field("", "the page is at "+x.Page.URL+" now")
	}
}
