package proc

import "errors"

// Sweep ends a process that an earlier run left, with its group, if it is still the one of that start identity; a pid that
// was given to somebody else since is left alone. It tells whether something was ended.
func Sweep(pid int, identity string) (ended bool, err error) {
	if pid <= 1 || identity == "" {
		return false, nil
	}
	now, err := StartIdentity(pid)
	switch {
	case errors.Is(err, ErrUnsupported):
		return false, err
	case err != nil || now != identity: // it has ended, or it is another one
		return false, nil
	}
	return endGroup(pid)
}
