// Package cli is the command line of checkrow and the only hub of the project: it parses flags, wires step kinds,
// engine, runner and reporters together, and chooses the exit code. The world (streams, environment, folder, clock,
// signals) comes in by parameter, so that nothing here touches the process it runs in.
package cli

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"
)

// World is all that the command line touches outside of itself.
type World struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Environ        []string // NAME=value
	Dir            string   // current folder, absolute
	Self           string   // path of the checkrow binary for its child modes; "" turns them off
	Now            func() time.Time
	Notify         func(chan<- os.Signal) (stop func()) // delivers SIGINT and SIGTERM
	Exit           func(code int)                       // ends the process at once, for the second signal
	Outlive        func() (stop func())                 // makes a write to a closed pipe an error, not the end; nil: it is one
	Setenv         func(name, value string) error       // of this process, for the libraries that read nothing else
}

// OS is the real world.
func OS() World {
	w := World{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(), Now: time.Now,
		Exit: os.Exit, Setenv: os.Setenv}
	w.Notify = func(c chan<- os.Signal) func() {
		signal.Notify(c, os.Interrupt, syscall.SIGTERM)
		return func() { signal.Stop(c) }
	}
	w.Outlive = func() func() {
		c := make(chan os.Signal, 1) // nobody reads it: children get the signal as it was, which they would not of one ignored
		signal.Notify(c, syscall.SIGPIPE)
		return func() { signal.Stop(c) }
	}
	// Without either the command still works as far as it can: paths are then relative to the process's own folder and
	// nothing is re-executed.
	w.Dir, _ = os.Getwd()
	w.Self, _ = os.Executable()
	return w
}

// env looks a variable up; a later entry wins, as it does for a child process.
func (w World) env(name string) (string, bool) {
	for i := len(w.Environ) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(w.Environ[i], "="); ok && k == name {
			return v, true
		}
	}
	return "", false
}

// terminal tells how wide a stream's terminal is; false if it is none.
func terminal(w io.Writer) (width int, ok bool) {
	width, _, ok = terminalSize(w)
	return width, ok
}

// terminalSize tells how wide and high a stream's terminal is. The height is 0 if it is not known.
func terminalSize(w io.Writer) (width, height int, ok bool) {
	if around, is := w.(interface{ Unwrap() io.Writer }); is {
		w = around.Unwrap()
	}
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, 0, false
	}
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		width, height = 80, 0
	}
	return width, height, true
}

// color tells whether a stream may get colours: a terminal that is not dumb, unless NO_COLOR is set.
func (w World) color(out io.Writer) bool {
	if v, _ := w.env("NO_COLOR"); v != "" {
		return false
	}
	return w.live(out)
}

// live tells whether lines of a stream can be drawn again: a terminal that is not dumb.
func (w World) live(out io.Writer) bool {
	if v, _ := w.env("TERM"); v == "dumb" {
		return false
	}
	_, ok := terminal(out)
	return ok
}

// Main runs one command and gives its exit code. args are without the program's name.
func Main(args []string, w World) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(w.Stderr, "checkrow: internal error: %v\n%s", p, debug.Stack())
			code = ExitInternal
		}
	}()
	a := &app{World: w, args: args}
	root := a.root()
	root.SetArgs(args)
	err := root.Execute()
	a.show(err)
	return exitCode(err)
}

// app is one invocation.
type app struct {
	World
	args   []string // as given, for the record
	attach string   // --junit-attachments
	hide   func()   // takes the live view off the screen; nil: there is none
}

// printf writes to stdout. Errors are left to the process's end: a closed pipe ends it anyway.
func (a *app) printf(format string, args ...any) { fmt.Fprintf(a.Stdout, format, args...) }

// warnf writes a line of its own to stderr.
func (a *app) warnf(format string, args ...any) {
	fmt.Fprintf(a.Stderr, "checkrow: "+format+"\n", args...)
}
