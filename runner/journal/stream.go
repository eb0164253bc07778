package journal

import "fmt"

// Bodies are the empty bodies of all kinds of event, in the order in which a run knows them.
func Bodies() []Body {
	return []Body{Planned{}, Resumed{}, ProcStart{}, ProcEnd{}, SetupEnd{}, LoginEnd{}, AttemptStart{}, Intent{}, Done{}, AttemptEnd{},
		TestEnd{}, TeardownEnd{}, Warning{}, RunEnd{}}
}

// Encode encodes an event as the line of the journal that it is, line break included. What an observer is given is masked;
// nothing is masked here.
func Encode(e Event) ([]byte, error) {
	l := newLine()
	defer l.release()
	if _, _, err := l.body(e.Body, nil); err != nil {
		return nil, fmt.Errorf("encoding a %q event: %w", e.Body.Kind(), err)
	}
	l.encode(e)
	return append([]byte(nil), l.bytes()...), nil
}
