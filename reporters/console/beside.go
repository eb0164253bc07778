package console

import "io"

// Beside gives a writer for what others write to the same terminal. It takes the live view off the screen first and leaves
// it to the next tick to draw it again, so that it stands below.
func (r *Reporter) Beside(w io.Writer) io.Writer { return beside{r, w} }

// Hide takes the live view off the screen for good, for a process that is about to end without Close.
func (r *Reporter) Hide() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opts.Terminal = false
	if len(r.drawn) > 0 {
		r.paint(nil)
	}
}

type beside struct {
	r *Reporter
	w io.Writer
}

// Unwrap gives the writer below, for who asks whether it is a terminal.
func (b beside) Unwrap() io.Writer { return b.w }

// Write implements io.Writer.
func (b beside) Write(p []byte) (int, error) {
	b.r.mu.Lock()
	defer b.r.mu.Unlock()
	if len(b.r.drawn) > 0 {
		b.r.paint(nil)
	}
	return b.w.Write(p)
}
