package artifact

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/checkrow/checkrow/steps"
)

// maxUnpacked bounds what is unpacked to compare checksums: an archive can be a bomb.
const maxUnpacked = 2 << 30

// archive unpacks every file of a zip, which compares its checksums. Of a trace each event must be JSON.
func archive(a *steps.Artifact, r io.ReaderAt, size int64) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		bad(a, "is cut off or damaged: "+err.Error())
		return
	}
	a.Entries = len(z.File)
	trace, left := false, int64(maxUnpacked)
	for _, f := range z.File {
		events := strings.HasSuffix(f.Name, ".trace") || strings.HasSuffix(f.Name, ".network")
		n, err := member(f, left, events)
		switch {
		case errors.Is(err, errTooMuch):
			a.State, a.Error = steps.Unverified, "unpacks to more than 2 GiB"
			return
		case err != nil:
			bad(a, fmt.Sprintf("is damaged in %q: %s", f.Name, err))
			return
		}
		left -= n
		trace = trace || events
	}
	if trace {
		a.Kind = "trace"
	}
}

var errTooMuch = errors.New("too much")

// member reads one file to its end, where its checksum is compared.
func member(f *zip.File, limit int64, events bool) (n int64, err error) {
	in, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	all := &counter{r: io.LimitReader(in, limit+1)}
	if events {
		err = eachEvent(all)
	} else {
		_, err = io.Copy(io.Discard, all)
	}
	if all.n > limit {
		return all.n, errTooMuch
	}
	return all.n, err
}

// eachEvent checks that each line is a map in JSON.
func eachEvent(r io.Reader) error {
	br := bufio.NewReaderSize(r, 64<<10)
	for line := 1; ; line++ {
		text, err := br.ReadBytes('\n')
		if text = bytes.TrimSpace(text); len(text) > 0 && (text[0] != '{' || !json.Valid(text)) && (err == nil || errors.Is(err, io.EOF)) {
			return fmt.Errorf("line %d is no JSON", line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

type counter struct {
	r io.Reader
	n int64
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// structured checks JSON; a HAR must have entries, which are counted.
func structured(a *steps.Artifact, r io.Reader) {
	if strings.EqualFold(path.Ext(a.Path), ".har") {
		n, err := harEntries(r)
		if err != nil {
			bad(a, err.Error())
		}
		a.Entries = n
		return
	}
	d := json.NewDecoder(bufio.NewReaderSize(r, 64<<10))
	for whole := false; ; {
		var v skipped
		err := d.Decode(&v)
		switch {
		case errors.Is(err, io.EOF) && whole:
			return
		case err != nil, whole:
			bad(a, "is no valid JSON")
			return
		}
		whole = true
	}
}

// skipped is a value that was checked and is not kept.
type skipped struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (skipped) UnmarshalJSON([]byte) error { return nil }

// harEntries counts the requests of a HAR.
func harEntries(r io.Reader) (int, error) {
	var doc struct {
		Log *struct {
			Version string
			Entries *[]skipped
		}
	}
	d := json.NewDecoder(bufio.NewReaderSize(r, 64<<10))
	if err := d.Decode(&doc); err != nil {
		return 0, errors.New("is no valid JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return 0, errors.New("is no valid JSON")
	}
	switch {
	case doc.Log == nil, doc.Log.Entries == nil:
		return 0, errors.New("is no HAR: it has no log.entries")
	case doc.Log.Version == "":
		return 0, errors.New("is no HAR: it has no log.version")
	}
	return len(*doc.Log.Entries), nil
}
