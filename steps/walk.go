package steps

// Walk calls f for every step of a list and of the lists inside it, in written order; where f is false it does not look
// inside.
func Walk(list []Step, f func(s *Step) bool) {
	for i := range list {
		walk(&list[i], f)
	}
}

func walk(s *Step, f func(s *Step) bool) {
	if !f(s) {
		return
	}
	for _, inner := range Inside(s.Body) {
		Walk(inner, f)
	}
}

// Inside gives the lists of steps that a body holds.
func Inside(b Body) [][]Step {
	switch b := b.(type) {
	case Branch:
		out := make([][]Step, len(b.Arms))
		for i, a := range b.Arms {
			out[i] = a.Do
		}
		return out
	case Loop:
		return [][]Step{b.Do}
	case Group:
		return [][]Step{b.Do}
	}
	return nil
}

// EachRow calls f for every row of a list and of the lists inside it, with its step.
func EachRow(list []Step, f func(s *Step, r *Row)) {
	Walk(list, func(s *Step) bool {
		if body, ok := s.Body.(Rows); ok {
			for i := range body.Rows {
				f(s, &body.Rows[i])
			}
		}
		return true
	})
}
