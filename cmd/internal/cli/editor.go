package cli

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/checkrow/checkrow/cmd/internal/repl"
)

// editor reads lines from a terminal, with history and completion. It is false if standard input or output is none.
func (a *app) editor() (read func(prompt string) (string, error), restore func(), ok bool) {
	in, isFile := a.Stdin.(*os.File)
	if !isFile || !term.IsTerminal(int(in.Fd())) || !a.live(a.Stdout) {
		return nil, nil, false
	}
	fd := int(in.Fd())
	old, err := term.GetState(fd)
	if err != nil {
		return nil, nil, false
	}
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, a.Stdout}, "")
	t.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
		if key != '\t' {
			return "", 0, false
		}
		line, pos, shown := completed(line, pos)
		if shown != "" {
			_, _ = io.WriteString(t, shown+"\n") // the terminal draws the line again below it
		}
		return line, pos, true
	}
	read = func(prompt string) (string, error) {
		if _, err := term.MakeRaw(fd); err != nil {
			return "", err
		}
		defer func() { _ = term.Restore(fd, old) }() // a row that runs can be stopped by Ctrl-C
		if width, height, err := term.GetSize(fd); err == nil && width > 0 {
			_ = t.SetSize(width, height)
		}
		t.SetPrompt(prompt)
		return t.ReadLine()
	}
	return read, func() { _ = term.Restore(fd, old) }, true
}

// completed completes the word before the cursor as far as all ways to go on agree; shown lists them if there are several.
func completed(line string, pos int) (out string, at int, shown string) {
	if pos > len(line) {
		pos = len(line)
	}
	options, from := repl.Complete(line[:pos])
	switch len(options) {
	case 0:
		return line, pos, ""
	case 1:
		options[0] += " "
	}
	common := options[0]
	for _, o := range options[1:] {
		for !strings.HasPrefix(o, common) {
			common = common[:len(common)-1]
		}
	}
	if len(options) > 1 && common == line[from:pos] {
		shown = strings.Join(options, "  ")
	}
	return line[:from] + common + line[pos:], from + len(common), shown
}
