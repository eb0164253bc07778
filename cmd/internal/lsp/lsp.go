// Package lsp is a language server for suites, fragments and checkrow.yaml: diagnostics are those of checkrow check, keys
// come from the JSON Schema, rows from the table of commands. It speaks JSON-RPC over two streams and reads files; it runs
// nothing.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps/argv"
)

// Options are what the server works with.
type Options struct {
	In  io.Reader
	Out io.Writer
	Log io.Writer // what an editor shows as the server's own output; nil: nowhere
	// Suite and Project are the JSON Schemas of suites and fragments, and of checkrow.yaml.
	Suite, Project map[string]any
	Plan           plan.Options // how files are checked; its Overlay is the server's
	Version        string
	Reference      func(c *argv.Command) string // of a row command, as Markdown
	Settle         time.Duration                // how long nothing may be typed before a file is checked; 0: 200ms
}

// ErrAborted is the end of a server that nobody has asked to shut down first.
var ErrAborted = errors.New("the editor went away without a shutdown")

// message is a request, a notification or an answer.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *problem        `json:"error,omitempty"`
}

// nothing is a result that is there and null.
var nothing = json.RawMessage("null")

// problem is an answer that is an error.
type problem struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// The codes of JSON-RPC and of the protocol that the server answers with.
const (
	codeParse      = -32700
	codeRequest    = -32600
	codeNoMethod   = -32601
	codeParams     = -32602
	codeNotStarted = -32002
)

// server is one connection. Its loop alone touches it.
type server struct {
	o        Options
	docs     map[string]*document // by URI
	told     map[string]bool      // the URIs that have diagnostics now
	started  bool
	shutdown bool
	busy     bool // a check runs
	suite    schema
	project  schema
	checked  chan checked
}

// received is what the reader got.
type received struct {
	m   message
	err error
}

// Serve answers until the editor says exit, ends its stream, or ctx ends. It returns ErrAborted if no shutdown came first.
func Serve(ctx context.Context, o Options) error {
	if o.Settle == 0 {
		o.Settle = 200 * time.Millisecond
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	s := &server{o: o, docs: map[string]*document{}, told: map[string]bool{}, checked: make(chan checked, 1)}
	var err error
	if s.suite.root, err = plain(o.Suite); err != nil {
		return err
	}
	if s.project.root, err = plain(o.Project); err != nil {
		return err
	}
	in, quit := make(chan received), make(chan struct{})
	// Nothing ends a read of a stream: this goroutine may outlive the server, and ends with the stream or the process.
	go s.receive(in, quit)
	defer close(quit)
	defer func() {
		if s.busy {
			<-s.checked
		}
	}()
	return s.loop(ctx, in)
}

// receive reads messages until the stream ends.
func (s *server) receive(in chan<- received, quit <-chan struct{}) {
	frames := newReader(s.o.In)
	for {
		var r received
		body, err := frames.next()
		if r.err = err; err == nil {
			if jerr := json.Unmarshal(body, &r.m); jerr != nil {
				r.m = message{Error: &problem{codeParse, "this is no JSON-RPC message"}}
			}
		}
		select {
		case in <- r:
		case <-quit:
			return
		}
		if err != nil {
			return
		}
	}
}

// loop handles one thing at a time: a message, the end of a check, or the time to begin one.
func (s *server) loop(ctx context.Context, in <-chan received) error {
	for {
		due, wait := s.due(time.Now())
		if due && !s.busy {
			s.check(ctx)
			continue
		}
		var timer <-chan time.Time
		if wait > 0 && !s.busy {
			timer = time.After(wait)
		}
		select {
		case r := <-in:
			switch {
			case errors.Is(r.err, io.EOF):
				return s.end()
			case r.err != nil:
				return fmt.Errorf("reading a message: %w", r.err)
			}
			stop, err := s.handle(r.m)
			if err != nil {
				return err
			}
			if stop {
				return s.end()
			}
		case c := <-s.checked:
			s.busy = false
			if err := s.publish(c); err != nil {
				return err
			}
		case <-timer:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *server) end() error {
	if !s.shutdown {
		return ErrAborted
	}
	return nil
}

// handle answers one message; stop says that it was the last.
func (s *server) handle(m message) (stop bool, err error) {
	request := len(m.ID) > 0
	switch {
	case m.Error != nil && m.Method == "" && !request:
		return false, s.send(message{ID: nothing, Error: m.Error})
	case m.Method == "exit":
		return true, nil
	case m.Method == "": // an answer to a request that the server never made
		return false, nil
	case !s.started && m.Method != "initialize":
		if request {
			return false, s.send(message{ID: m.ID, Error: &problem{codeNotStarted, "initialize comes first"}})
		}
		return false, nil
	case s.shutdown && request:
		return false, s.send(message{ID: m.ID, Error: &problem{codeRequest, "the server is shut down"}})
	case request:
		result, bad := s.answer(m)
		if bad != nil {
			return false, s.send(message{ID: m.ID, Error: bad})
		}
		if result == nil {
			result = nothing
		}
		return false, s.send(message{ID: m.ID, Result: result})
	}
	return false, s.notice(m)
}

// send writes a message to the editor.
func (s *server) send(m message) error {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	return writeFrame(s.o.Out, body)
}

// notify sends what wants no answer.
func (s *server) notify(method string, params any) error {
	body, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("writing %q: %w", method, err)
	}
	return s.send(message{Method: method, Params: body})
}

// answer does a request.
func (s *server) answer(m message) (any, *problem) {
	switch m.Method {
	case "initialize":
		s.started = true
		return map[string]any{"capabilities": capabilities(), "serverInfo": map[string]any{"name": "checkrow", "version": s.o.Version}}, nil
	case "shutdown":
		s.shutdown = true
		return nothing, nil
	case "textDocument/completion", "textDocument/hover", "textDocument/definition", "textDocument/documentSymbol":
		var p struct {
			TextDocument struct {
				URI string `json:"uri"`
			} `json:"textDocument"`
			Position position `json:"position"`
		}
		if err := json.Unmarshal(m.Params, &p); err != nil {
			return nil, &problem{codeParams, m.Method + ": the parameters cannot be read"}
		}
		d := s.docs[p.TextDocument.URI]
		if d == nil {
			return nil, nil
		}
		switch m.Method {
		case "textDocument/completion":
			return s.complete(d, p.Position), nil
		case "textDocument/hover":
			return s.hover(d, p.Position), nil
		case "textDocument/definition":
			return s.definition(d, p.Position), nil
		}
		return d.symbols(), nil
	}
	return nil, &problem{codeNoMethod, "the server does not know " + m.Method}
}

func capabilities() map[string]any {
	return map[string]any{
		"positionEncoding":   "utf-16",
		"textDocumentSync":   map[string]any{"openClose": true, "change": 1},
		"completionProvider": map[string]any{"triggerCharacters": []string{"[", ",", " ", "-", ":", "{"}},
		"hoverProvider":      true, "definitionProvider": true, "documentSymbolProvider": true,
	}
}

// notice takes a notification.
func (s *server) notice(m message) error {
	var p struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
		ContentChanges []struct {
			Text string `json:"text"`
		} `json:"contentChanges"`
	}
	switch m.Method {
	case "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave":
		if err := json.Unmarshal(m.Params, &p); err != nil {
			_, _ = fmt.Fprintf(s.o.Log, "%s: the parameters cannot be read\n", m.Method)
			return nil
		}
	default: // initialized, $/cancelRequest, settings: nothing follows from them
		return nil
	}
	uri := p.TextDocument.URI
	switch d := s.docs[uri]; {
	case m.Method == "textDocument/didClose":
		delete(s.docs, uri)
		return s.forget(uri)
	case m.Method == "textDocument/didOpen":
		s.docs[uri] = newDocument(uri, p.TextDocument.Version, p.TextDocument.Text)
	case d == nil:
	case m.Method == "textDocument/didSave": // others may use it
		s.stale(time.Now())
	case len(p.ContentChanges) > 0:
		d.change(p.TextDocument.Version, p.ContentChanges[len(p.ContentChanges)-1].Text)
		s.stale(time.Now().Add(s.o.Settle))
	}
	return nil
}
