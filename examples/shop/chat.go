package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// message is one line of a chat.
type message struct {
	From string `json:"from"`
	Text string `json:"text"`
}

// room is one chat. Each message closes changed and puts a new channel there, so that any number can wait for it.
type room struct {
	messages []message
	changed  chan struct{}
}

// longest is how many messages a room keeps room for; a chat that is full is over.
const longest = 1000

// room finds or opens a chat room. The lock must be held.
func (s *shop) room(name string) *room {
	if s.rooms[name] == nil {
		s.rooms[name] = &room{changed: make(chan struct{})}
	}
	return s.rooms[name]
}

// say adds a message to a room.
func (s *shop) say(w http.ResponseWriter, r *http.Request, who *account) {
	var in struct{ Room, Text string }
	if !decode(w, r, &in) {
		return
	}
	in.Text = strings.TrimSpace(in.Text)
	if in.Text == "" || len(in.Text) > 500 {
		refuse(w, http.StatusUnprocessableEntity, "say something of at most 500 letters")
		return
	}
	to := s.room(in.Room)
	if len(to.messages) >= longest {
		refuse(w, http.StatusConflict, "this room is full")
		return
	}
	to.messages = append(to.messages, message{who.Name, in.Text})
	close(to.changed)
	to.changed = make(chan struct{})
	answer(w, http.StatusCreated, map[string]any{"count": len(to.messages)})
}

// listen streams a room as server-sent events, from its first message on, until the browser goes.
func (s *shop) listen(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	beat := time.NewTicker(15 * time.Second)
	defer beat.Stop()
	for seen := 0; ; {
		s.mu.Lock()
		in := s.room(r.URL.Query().Get("room"))
		fresh, changed := in.messages[seen:], in.changed
		s.mu.Unlock()
		for _, m := range fresh {
			body, err := json.Marshal(m)
			if err != nil {
				return
			}
			fmt.Fprintf(w, "id: %d\ndata: %s\n\n", seen, body)
			seen++
		}
		// The comment opens the stream at once, and finds out later that nobody listens any more.
		fmt.Fprint(w, ": here\n\n")
		if out.Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-beat.C:
		case <-r.Context().Done():
			return
		}
	}
}
