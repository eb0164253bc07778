package proc

import "errors"

// pollWorks is false: there are no pidfds.
func pollWorks() bool { return false }

func launchPoll(string, Spec, *capture, *capture) (int, pump, error) {
	return 0, nil, errors.ErrUnsupported
}
