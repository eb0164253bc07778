package browser

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// sweepTrace removes what the driver keeps of a trace that has ended, which else grows until the browser is closed: its
// events, and its pictures, whose names stand in them. Texts of pages are shared with other traces and stay.
func (s *session) sweepTrace(name string) {
	dir, err := s.e.scratchDir()
	if err != nil || name == "" {
		return
	}
	var files []string
	for _, suffix := range []string{".*", "-chunk*"} {
		list, _ := filepath.Glob(filepath.Join(dir, "playwright-artifacts-*", name+suffix)) // the pattern is a good one
		files = append(files, list...)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".trace") {
			sweepPictures(file)
		}
		_ = os.Remove(file)
	}
}

// sweepPictures removes the pictures that the events of a trace name.
func sweepPictures(file string) {
	in, err := os.Open(file)
	if err != nil {
		return
	}
	defer in.Close()
	lines := bufio.NewReaderSize(in, 64<<10)
	for { // a line that is longer than the buffer names no picture
		line, err := lines.ReadSlice('\n')
		if bytes.Contains(line, []byte(`"type":"screencast-frame"`)) {
			var e struct{ File string }
			if json.Unmarshal(line, &e) == nil && strings.HasPrefix(e.File, "screencast/") && filepath.IsLocal(filepath.FromSlash(e.File)) {
				_ = os.Remove(filepath.Join(filepath.Dir(file), filepath.FromSlash(e.File)))
			}
		}
		if err != nil && err != bufio.ErrBufferFull {
			return
		}
	}
}
