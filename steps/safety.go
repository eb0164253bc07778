package steps

import "github.com/checkrow/checkrow/steps/argv"

// Repeats tells that a body may run again when it failed: the worst of its parts counts.
func Repeats(b Body) bool {
	switch b := b.(type) {
	case Rows:
		if b.Again {
			return true
		}
		for _, r := range b.Rows {
			if r.Call != nil && !r.Call.Repeatable() {
				return false
			}
		}
		return true
	case Opaque:
		return b.Safe
	case Branch:
		for _, a := range b.Arms {
			if !allRepeat(a.Do) {
				return false
			}
		}
		return true
	case Loop:
		return allRepeat(b.Do)
	case Group:
		return allRepeat(b.Do)
	}
	return false
}

func allRepeat(list []Step) bool {
	for i := range list {
		if !Repeats(list[i].Body) {
			return false
		}
	}
	return true
}

// Rereads tells that a body may run again just to see a new answer, so that its expect is read until it holds.
func Rereads(b Body) bool {
	switch b := b.(type) {
	case Rows:
		for _, r := range b.Rows {
			if r.Call != nil && !r.Call.Rereads() {
				return false
			}
		}
		return true
	case Opaque:
		return b.Safe
	}
	return false
}

// culprit names the first part of a body that is not as it must be: safe is what a row must be.
func culprit(b Body, safe func(*argv.Call) bool) string {
	name := ""
	walk(&Step{Body: b}, func(s *Step) bool {
		switch body := s.Body.(type) {
		case Rows:
			for _, r := range body.Rows {
				if name == "" && r.Call != nil && !safe(r.Call) {
					name = r.Call.Command.Name()
				}
			}
		case Opaque:
			if name == "" && !body.Safe {
				name = s.Kind
			}
		}
		return true
	})
	return name
}
