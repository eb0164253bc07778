package argv

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec/diag"
)

// modifiers may stand before a key: Control+a.
var modifiers = []string{"Alt", "Control", "ControlOrMeta", "Meta", "Shift"}

// keyNames are the keys that have a name, beside the single characters of a US keyboard.
var keyNames = func() []string {
	out := append([]string{}, modifiers...)
	out = append(out, strings.Fields(`AltGraph AltLeft AltRight ArrowDown ArrowLeft ArrowRight ArrowUp Backquote Backslash Backspace
		BracketLeft BracketRight CapsLock Comma ContextMenu ControlLeft ControlRight Delete End Enter Equal Escape F1 F2 F3 F4
		F5 F6 F7 F8 F9 F10 F11 F12 Home Insert MetaLeft MetaRight Minus NumLock NumpadAdd NumpadDecimal NumpadDivide
		NumpadEnter NumpadMultiply NumpadSubtract PageDown PageUp Pause Period PrintScreen Quote ScrollLock Semicolon
		ShiftLeft ShiftRight Slash Space Tab`)...)
	for c := 'A'; c <= 'Z'; c++ {
		out = append(out, "Key"+string(c))
	}
	for c := '0'; c <= '9'; c++ {
		out = append(out, "Digit"+string(c), "Numpad"+string(c))
	}
	slices.Sort(out)
	return out
}()

// otherKeys are names of other tools and what the key is called here.
var otherKeys = map[string]string{
	"return": "Enter", "esc": "Escape", "del": "Delete", "ins": "Insert", "up": "ArrowUp", "down": "ArrowDown",
	"left": "ArrowLeft", "right": "ArrowRight", "ctrl": "Control", "cmd": "Meta", "command": "Meta", "win": "Meta",
	"option": "Alt", "spacebar": "Space", "pgup": "PageUp", "pgdn": "PageDown", "back": "Backspace", "plus": "+",
}

func checkKey(s string, p diag.Pos, l *diag.List) {
	mods, key := chord(s)
	for _, m := range mods {
		if !slices.Contains(modifiers, m) {
			l.Add(p, strconv.Quote(m)+" is no modifier", keyHint(m, modifiers))
			return
		}
	}
	if isKey(key) {
		return
	}
	if key == "" {
		l.Add(p, "a key is missing in "+strconv.Quote(s), "write Enter, a, Control+a")
		return
	}
	l.Add(p, strconv.Quote(key)+" is no key", keyHint(key, keyNames))
}

// chord splits Control+Shift+a; the key itself may be "+".
func chord(s string) (mods []string, key string) {
	if rest, ok := strings.CutSuffix(s, "++"); ok {
		return strings.Split(rest, "+"), "+"
	}
	if s == "+" {
		return nil, s
	}
	parts := strings.Split(s, "+")
	return parts[:len(parts)-1], parts[len(parts)-1]
}

func isKey(s string) bool {
	if len(s) == 1 {
		return s[0] >= ' ' && s[0] <= '~'
	}
	_, found := slices.BinarySearch(keyNames, s)
	return found
}

func keyHint(s string, names []string) string {
	low := strings.ToLower(s)
	if to, ok := otherKeys[low]; ok {
		return "did you mean " + to + "?"
	}
	for _, n := range names {
		if strings.ToLower(n) == low {
			return "did you mean " + n + "?"
		}
	}
	if near := diag.Nearest(s, names); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	if utf8.RuneCountInString(s) == 1 {
		return "no key of a US keyboard types it; write [keyboard, inserttext, " + s + "]"
	}
	return "single characters, Enter, Escape, Tab, ArrowDown, F1 …, with Control+ Shift+ Alt+ Meta+ before them"
}
