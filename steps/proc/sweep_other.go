//go:build !linux && !darwin

package proc

func endGroup(int) (bool, error) { return false, ErrUnsupported }
