package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/artifact"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/spec/format"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
)

// stage is a browser for somebody who tries rows out, without a run around it.
type stage struct {
	a       *app
	headed  bool
	connect string
	base    string

	once   sync.Once
	engine *browser.Engine
	err    error
}

// open gives a session in a new context; the first one starts the browser.
func (s *stage) open(ctx context.Context) (steps.Session, error) {
	s.once.Do(func() {
		s.engine, s.err = s.a.findEngine(ctx, s.headed, "", s.connect != "", runner.NewProcs(s.a.Self, nil))
	})
	if s.err != nil {
		return nil, environment(s.err)
	}
	session, err := s.engine.Open(ctx, s.options())
	if err != nil {
		return nil, environment(err)
	}
	return session, nil
}

// options are those of a test that says nothing about its browser.
func (s *stage) options() steps.SessionOptions {
	return steps.SessionOptions{Headless: !s.headed, Viewport: [2]int{1280, 720}, Scale: 1, Strict: true, Limits: plan.Defaults,
		BaseURL: s.base, Connect: s.connect}
}

// close ends the browser.
func (s *stage) close() error {
	s.once.Do(func() { s.err = errors.New("closed") })
	if s.engine == nil {
		return nil
	}
	return environment(s.engine.Close(context.Background()))
}

// trials are the files that rows write outside of a run: in a folder of their own, made when the first one comes.
type trials struct {
	dir string

	once   sync.Once
	folder *artifact.Folder
	err    error
}

// Reserve implements steps.Files.
func (t *trials) Reserve(name string) (string, func() (steps.Artifact, error), error) {
	t.once.Do(func() {
		if t.err = os.MkdirAll(t.dir, 0o700); t.err != nil {
			return
		}
		var store *artifact.Store
		if store, t.err = artifact.Open(t.dir); t.err == nil {
			t.folder = store.Folder(".", false)
		}
	})
	if t.err != nil {
		return "", nil, t.err
	}
	return t.folder.For("", "row").Reserve(name)
}

// writeSuite writes a suite that somebody has made by doing it. It is checked before it is written, and again where it lies,
// with the project around it.
func (a *app) writeSuite(path, text string, force bool) error {
	full, name := a.abs(path), filepath.ToSlash(path)
	if _, err := os.Lstat(full); err == nil && !force {
		return fmt.Errorf("%s is there already, use --force to replace it", name)
	}
	var sel selection
	o, err := sel.options(a)
	if err != nil {
		return err
	}
	var list diag.List
	if styled, ok := format.Source(name, []byte(text), &list); ok {
		text = string(styled)
	}
	plan.Compile([]spec.File{spec.Parse(name, []byte(text), &list)}, o, &list)
	if list.Err() != nil {
		_ = a.complainOf(list.All(), func(string) []byte { return []byte(text) })
		return fmt.Errorf("%s was not written: checkrow check would refuse it", name)
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		return fmt.Errorf("making the folder of %q: %w", name, err)
	}
	if err := reporters.Replace(full, []byte(text), false); err != nil {
		return err
	}
	if _, err := a.load([]string{path}, o); err != nil {
		return fmt.Errorf("%s was written, but the project around it refuses it", name)
	}
	return nil
}
