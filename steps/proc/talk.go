package proc

import "os"

// handedOver closes the ends of a conversation that are the child's now.
func (s Spec) handedOver() {
	for _, f := range []*os.File{s.In, s.Out} {
		if f != nil {
			_ = f.Close() // the child has its own, or there is none
		}
	}
}

// ends puts the ends of a conversation into the place of a child's standard streams.
func (s Spec) ends(fds []uintptr) []uintptr {
	for i, f := range []*os.File{s.In, s.Out} {
		if f != nil {
			fds[i] = f.Fd() // this makes it blocking, as a child wants it
		}
	}
	return fds
}
