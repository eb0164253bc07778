package runner

import (
	"bytes"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/checkrow/checkrow/runner/journal/redact"
	"github.com/checkrow/checkrow/steps"
)

// originals are the files of the run folder from which secrets were taken, as they were: rows that read them get the
// original, which lies in the private store and goes when the run ends.
type originals struct {
	mu   sync.Mutex
	kept map[string]string // path in the run folder, absolute -> where the original lies
}

// scrub hides secrets in a file before it goes to the run folder.
func (r *run) scrub(_, name string, content []byte) ([]byte, error) {
	out, err := redact.File(name, content, r.mask())
	if err != nil {
		return nil, err
	}
	return r.scrubbed(name, content, out)
}

// bare hides declared secrets in a file that a step saves unredacted.
func (r *run) bare(_, name string, content []byte) ([]byte, error) {
	m := r.mask()
	if r.o.Declared != nil {
		m = r.o.Declared.Mask
	}
	out, err := redact.Declared(name, content, m)
	if err != nil {
		return nil, err
	}
	return r.scrubbed(name, content, out)
}

// scrubbed keeps what a file was from which secrets were taken.
func (r *run) scrubbed(name string, content, out []byte) ([]byte, error) {
	if len(out) == len(content) && (len(out) == 0 || &out[0] == &content[0]) {
		return content, nil
	}
	at, err := r.vault.Keep(name, content)
	if err != nil {
		return nil, fmt.Errorf("keeping what it was: %w", err)
	}
	r.originals.mu.Lock()
	defer r.originals.mu.Unlock()
	if r.originals.kept == nil {
		r.originals.kept = map[string]string{}
	}
	r.originals.kept[r.inRun(name)] = at
	return out, nil
}

// mask is what replaces declared secrets, nil if there is nothing.
func (r *run) mask() redact.Mask {
	if r.o.Mask == nil {
		return nil
	}
	return r.o.Mask.Mask
}

// secretName tells a name of a file that holds what was declared a secret.
func (r *run) secretName(name string) bool {
	m := r.mask()
	if r.o.Declared != nil {
		m = r.o.Declared.Mask
	}
	return m != nil && !bytes.Equal(m([]byte(name)), []byte(name))
}

// slug is the name of a folder for a suite, test or session, without the secrets in theirs.
func (r *run) slug(name string) string {
	clean := name
	if m := r.mask(); m != nil {
		clean = string(m([]byte(name)))
	}
	return slug(clean, name)
}

// inRun is the absolute path of a file as artifacts name it.
func (r *run) inRun(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(r.store.Dir(), name)
}

// original gives where a row reads a file from: what a row of this run has saved is read as it was, before secrets were
// hidden in it.
func (r *run) original(path string) string {
	r.originals.mu.Lock()
	defer r.originals.mu.Unlock()
	if at, ok := r.originals.kept[filepath.Clean(path)]; ok {
		return at
	}
	return path
}

// learn has the credentials masked that a row set, typed or read, so that they do not come back in messages, trees and traces.
func (p *player) learn(command string, row []string, o steps.Observation) {
	data := o.Data
	if o.Full != nil {
		data = o.Full.Data
	}
	for _, v := range append(redact.Learn(command, row, data), redact.Typed(row, o.Argv)...) {
		if l, told := p.run.o.Secrets.(Learner); told {
			l.Learn(v)
		} else {
			p.run.secret(v)
		}
	}
}
