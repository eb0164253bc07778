package lsp

import "io"

// Frames gives the bodies of a stream of messages, and how it ended.
func Frames(in io.Reader) (out [][]byte, err error) {
	r := newReader(in)
	for {
		body, err := r.next()
		if err != nil {
			return out, err
		}
		out = append(out, body)
	}
}

// WriteFrame writes one message.
func WriteFrame(out io.Writer, body []byte) error { return writeFrame(out, body) }

// Around asks what stands around each place of a text; it must answer.
func Around(text string) {
	d := newDocument("file:///s.yaml", 1, text)
	for n, line := range d.lines {
		for i := range len(line) + 1 {
			p := d.around(position{n, i})
			if p.from < 0 || p.from > len([]rune(line)) {
				panic("a word that begins outside of its line")
			}
		}
	}
	d.symbols()
}
