package steps

import (
	"context"
	"time"
)

// Apps is what a step that launches a desktop app is given: the rows of its session run in the app from then on. It is that
// of one session of one attempt, which ends the app whatever happens.
type Apps struct {
	// Start starts a program that runs until it is stopped; out gets each line that it writes.
	Start func(ctx context.Context, c Command, out func(stderr bool, line string)) (Running, error)
	// Keep makes an app the one of the session: the attempt ends it through [App.Cleanup].
	Keep func(a App)
	// Enter has the session work in the app. A session that has a page already cannot.
	Enter func(ctx context.Context, d Door) error
	// Leave ends the work of the session in the app and tells whether there was any; why is what its rows fail with then.
	Leave func(why string) bool
	// Current is the app that was launched last in the session; nil: none was.
	Current App
	// All are the apps that the attempt has launched in any of its sessions, in their order there.
	All []App
	// Session is the name of the session.
	Session string
	// Used says that rows of the session have run in a browser, so that no app can be launched in it.
	Used bool
}

// Door is the way into an app: the debugging port that it serves, and the window to begin in.
type Door struct {
	Address string // http://127.0.0.1:PORT
	Window  string // the id of the target
}

// App is an app that a step has launched.
type App interface {
	// Cleanup ends what is left of it and tells how far it came. It may be called again, and then does what is left to do.
	Cleanup(ctx context.Context) Observation
	// Fate tells how the app ended, if it did so by itself and not in order: in a sentence, with what it wrote last.
	Fate(wait time.Duration) (text, output string)
	// Record says which app it is, where it runs and what has become of it.
	Record() AppRecord
}

// AppRecord is what is known of a launched app, for steps and reports (R168).
type AppRecord struct {
	LaunchID   string    `json:"launch_id"` // electron- and a UUID
	Name       string    `json:"name"`
	ID         string    `json:"id,omitempty"` // of its bundle or desktop entry
	Path       string    `json:"path"`
	Executable string    `json:"executable"`
	Profile    string    `json:"profile"` // its temporary user data folder
	Session    string    `json:"session"`
	PID        int       `json:"pid"`
	Group      int       `json:"group"`              // of its processes
	Port       int       `json:"port"`               // its debugging port; 0: it has told none
	Debugger   string    `json:"debugger,omitempty"` // the WebSocket address of its browser
	Created    time.Time `json:"created"`
	State      string    `json:"cleanup_state"` // active, cleaned, partial or failed
	Cleanup    []AppPart `json:"cleanup,omitempty"`
}

// AppPart is a part of the end of an app (R170): managed-session, process, debug-port or user-data-dir, and whether it is
// removed, already-gone, skipped or failed.
type AppPart struct {
	Part  string `json:"part"`
	State string `json:"state"`
	Error string `json:"error,omitempty"`
}

// Running is a program that was started and runs until it is stopped.
type Running interface {
	// PID is its process id, and that of its group.
	PID() int
	// Done is closed when it has ended.
	Done() <-chan struct{}
	// Exit is how it ended; it waits for that.
	Exit() Exit
	// Stop ends its whole group and waits for that; an error says that it does not end.
	Stop(ctx context.Context) error
}
