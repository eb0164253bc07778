// Package mask replaces secrets in everything that leaves the process: journal lines, console, reports and the output of
// children. A secret is found raw and in the forms that software gives it on the way: percent-encoded (also twice), with
// + for space, JSON-escaped (also JSON in JSON), as HTML and XML entities, and in base64 at any of the three alignments,
// in both alphabets, also wrapped in lines, and also of JSON, forms and queries that hold it. Where a text was cut short
// its beginning or end is found too. Forms may be mixed within one occurrence.
package mask

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Replacement is what stands in place of a secret.
const Replacement = "•••"

// MinRunes is the least length of a secret. A shorter one would hide ordinary text and is easily guessed from what is
// left, so it is refused.
const MinRunes = 6

// Secret is a named value to mask. The name is for messages only.
type Secret struct{ Name, Value string }

// ShortError says that a secret is too short to be masked. It never holds the value.
type ShortError struct {
	Name  string
	Runes int
}

// Error names the secret, not its value.
func (e *ShortError) Error() string {
	return fmt.Sprintf("secret %q has %d characters, want at least %d: masking it would hide ordinary text",
		e.Name, e.Runes, MinRunes)
}

// Masker replaces secrets. It is safe for many goroutines; secrets may be added while others mask. The zero value masks
// nothing yet.
type Masker struct {
	mu    sync.Mutex // serialises Add
	table atomic.Pointer[table]
}

// New makes a masker of secrets. Those that are too short are left out and reported, joined, as ShortErrors.
func New(secrets ...Secret) (*Masker, error) {
	m := &Masker{}
	var errs []error
	for _, s := range secrets {
		errs = append(errs, m.Add(s.Name, s.Value))
	}
	return m, errors.Join(errs...)
}

// Add masks one more secret from now on. Line ends at the end of the value do not count, since output often loses them;
// of a secret with several lines each long enough line is masked alone too.
func (m *Masker) Add(name, value string) error {
	value = strings.TrimRight(value, "\r\n")
	if n := utf8.RuneCountInString(value); n < MinRunes {
		return &ShortError{Name: name, Runes: n}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.table.Load()
	if old.has(value) {
		return nil
	}
	m.table.Store(old.with(value))
	return nil
}

// Mask gives b with every secret replaced. If there is none it is b itself, with no allocation; b is never changed.
func (m *Masker) Mask(b []byte) []byte {
	t := m.table.Load()
	if t == nil {
		return b
	}
	var out []byte
	last := 0
	for i := 0; i < len(b); {
		r := t.next(b, i, true)
		if !r.found() {
			break
		}
		out = append(out, b[last:max(r.from, last)]...)
		out = append(out, Replacement...)
		last, i = r.to, r.to
	}
	if out == nil {
		return t.torn(b)
	}
	return t.torn(append(out, b[last:]...))
}

// String is Mask for text.
func (m *Masker) String(s string) string {
	b := []byte(s)
	out := m.Mask(b)
	if len(out) == len(b) && (len(b) == 0 || &out[0] == &b[0]) {
		return s
	}
	return string(out)
}
