package browser

import "errors"

// MatchAria tells whether a tree is as a template has it, and gives the two sides of a line diff, for tests.
func MatchAria(template, page string) (ok bool, want, got string, err error) {
	t, err := parseAria(template, true)
	if err != nil {
		return false, "", "", err
	}
	p, err := parseAria(page, false)
	if err != nil {
		return false, "", "", errors.Join(errors.New("the page"), err)
	}
	want, got, _ = compareAria(t, p)
	return t.within(p), want, got, nil
}
