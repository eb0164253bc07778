package browser

import (
	"errors"
	"strings"
	"unicode"

	"github.com/mxschmitt/playwright-go"
)

// squash normalises whitespace as LANGUAGE §5 says: runs of it, no-break spaces too, become one space, ends are trimmed.
func squash(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' || r == '\u00ad'
	}), " ")
}

// invisible are characters that a failure must show.
var invisible = strings.NewReplacer("\u00a0", "⍽", "\t", "⇥", "\n", "↵", "\r", "␍", "\u200b", "⟨ZWSP⟩", "\u200c", "⟨ZWNJ⟩",
	"\u200d", "⟨ZWJ⟩", "\ufeff", "⟨BOM⟩", "\u00ad", "⟨SHY⟩", "\u202f", "⟨NNBSP⟩", "\u200e", "⟨LRM⟩", "\u200f", "⟨RLM⟩")

// quoted shows a text in quotes with its invisible characters, cut when it is long.
func quoted(s string) string {
	const limit = 500
	if r := []rune(s); len(r) > limit {
		s = string(r[:limit]) + "…"
	}
	return `"` + invisible.Replace(s) + `"`
}

func asFailed(err error, f **failed) bool { return errors.As(err, f) }

func isTimeout(err error) bool { return errors.Is(err, playwright.ErrTimeout) }

// contains compares as wait --text does: whitespace normalised.
func contains(s, part string) bool { return strings.Contains(squash(s), squash(part)) }
