package electron

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// tailBytes is how much of the end of each stream is kept (R174).
const tailBytes = 4096

// tails keeps the end of what an app writes.
type tails struct {
	mu  sync.Mutex
	end [2][]byte
	all [2]int
}

// add takes a line.
func (t *tails) add(stderr bool, line string) {
	i := 0
	if stderr {
		i = 1
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all[i] += len(line) + 1
	t.end[i] = append(append(t.end[i], line...), '\n')
	if over := len(t.end[i]) - tailBytes; over > 0 {
		t.end[i] = append(t.end[i][:0], t.end[i][over:]...)
	}
}

// stream gives the end of a stream and whether there was more before it.
func (t *tails) stream(i int) (text string, cut bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	end := t.end[i]
	for len(end) > 0 && t.all[i] > len(end) && !utf8.RuneStart(end[0]) {
		end = end[1:]
	}
	return strings.ToValidUTF8(strings.TrimRight(string(end), "\n"), "�"), t.all[i] > len(t.end[i])
}

// words shows both streams.
func (t *tails) words() string {
	var out []string
	for i, name := range []string{"stdout", "stderr"} {
		text, cut := t.stream(i)
		switch {
		case text == "":
			out = append(out, name+": empty")
		case cut:
			out = append(out, name+", its last "+strconv.Itoa(tailBytes)+" bytes:\n"+text)
		default:
			out = append(out, name+":\n"+text)
		}
	}
	return strings.Join(out, "\n")
}
