package artifact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// film is what the frame of a video file says. The pictures in it are not decoded.
type film struct {
	duration time.Duration
	streams  []string
	frames   int
	parts    bool // it is written in parts, whose lengths nobody adds up
}

// errCut says that a file ends inside one of its parts.
var errCut = errors.New("is cut off")

// video walks the parts of a WebM or MP4 to the end: that finds a file whose writer was stopped, and gives length and
// streams.
func video(a *steps.Artifact, r io.ReadSeeker, size int64) {
	read := readWebM
	if a.Type == "video/mp4" {
		read = readMP4
	}
	f, err := read(r, size)
	if err != nil {
		bad(a, err.Error())
		return
	}
	a.DurationMS, a.Streams = f.duration.Milliseconds(), f.streams
	switch {
	case len(f.streams) == 0:
		bad(a, "holds no stream")
	case f.frames == 0:
		bad(a, "holds no picture")
	case f.duration <= 0 && f.parts:
		a.State, a.Error = steps.Unverified, "does not say how long it lasts"
	case f.duration <= 0:
		bad(a, "lasts no time")
	}
}

// The elements of WebM that are looked at.
const (
	idEBML      = 0x1A45DFA3
	idSegment   = 0x18538067
	idInfo      = 0x1549A966
	idScale     = 0x2AD7B1
	idDuration  = 0x4489
	idTracks    = 0x1654AE6B
	idTrack     = 0xAE
	idTrackType = 0x83
	idCodec     = 0x86
	idVideo     = 0xE0
	idWidth     = 0xB0
	idHeight    = 0xBA
	idCluster   = 0x1F43B675
	idTime      = 0xE7
	idGroup     = 0xA0
	idBlock     = 0xA1
	idSimple    = 0xA3
)

// webm is the walk through a WebM.
type webm struct {
	r     io.ReadSeeker
	size  int64
	scale float64 // nanoseconds of one tick
	ticks float64 // the length that the file says; 0: none
	last  float64 // the tick of the last block
	time  float64 // of the cluster
	film  film
	track struct {
		kind  uint64
		codec string
		w, h  uint64
	}
}

func readWebM(r io.ReadSeeker, size int64) (film, error) {
	w := &webm{r: r, size: size, scale: 1e6}
	if err := w.walk(0, size, 0); err != nil {
		return film{}, err
	}
	ticks := w.ticks
	if ticks == 0 {
		ticks = w.last
	}
	if ns := ticks * w.scale; ns > 0 && ns < math.MaxInt64/2 {
		w.film.duration = time.Duration(ns)
	}
	return w.film, nil
}

// walk goes through the elements between two offsets. Nothing nests deeper than segment, tracks, track, video.
func (w *webm) walk(from, to int64, depth int) error {
	if depth > 6 {
		return errors.New("is damaged: its parts nest too deeply")
	}
	for at := from; at < to; {
		id, n, err := w.number(at, true)
		if err != nil {
			return err
		}
		length, m, err := w.number(at+n, false)
		if err != nil {
			return err
		}
		body := at + n + m
		end := body + int64(length)
		if length == unknown {
			end = to // a live stream: until its parent ends
		}
		if end > w.size {
			return errCut
		}
		if end > to || end < body {
			return errors.New("is damaged: a part is longer than what it lies in")
		}
		if err := w.element(id, body, end, depth); err != nil {
			return err
		}
		at = end
	}
	return nil
}

func (w *webm) element(id uint64, from, to int64, depth int) error {
	switch id {
	case idSegment, idInfo, idTracks, idVideo, idCluster, idGroup:
		return w.walk(from, to, depth+1)
	case idTrack:
		w.track.kind, w.track.codec, w.track.w, w.track.h = 0, "", 0, 0
		if err := w.walk(from, to, depth+1); err != nil {
			return err
		}
		w.film.streams = append(w.film.streams, stream(w.track.kind == 1, w.track.codec, int(w.track.w), int(w.track.h)))
		return nil
	case idScale, idDuration, idTrackType, idCodec, idWidth, idHeight, idTime:
		b, err := w.bytes(from, min(to-from, 64))
		if err != nil {
			return err
		}
		w.value(id, b)
	case idSimple, idBlock:
		b, err := w.bytes(from, min(to-from, 12))
		if err != nil {
			return err
		}
		w.film.frames++
		if n := vintLen(b); n > 0 && len(b) >= n+2 {
			w.last = max(w.last, w.time+float64(int16(binary.BigEndian.Uint16(b[n:]))))
		}
	}
	return nil
}

func (w *webm) value(id uint64, b []byte) {
	var u uint64
	for _, x := range b[max(0, len(b)-8):] {
		u = u<<8 | uint64(x)
	}
	switch id {
	case idScale:
		w.scale = float64(u)
	case idDuration:
		switch len(b) {
		case 4:
			w.ticks = float64(math.Float32frombits(uint32(u)))
		case 8:
			w.ticks = math.Float64frombits(u)
		}
	case idTrackType:
		w.track.kind = u
	case idCodec:
		w.track.codec = string(bytes.TrimRight(b, "\x00"))
	case idWidth:
		w.track.w = u
	case idHeight:
		w.track.h = u
	case idTime:
		w.time = float64(u)
	}
}

// unknown is the size of an element that does not say how long it is.
const unknown = 1<<56 - 1

// number reads an id, whose marker bit stays, or a size, whose bit goes.
func (w *webm) number(at int64, id bool) (v uint64, n int64, err error) {
	b, err := w.bytes(at, min(8, w.size-at))
	if err != nil {
		return 0, 0, err
	}
	size := vintLen(b)
	if size == 0 || size > len(b) {
		if len(b) < 8 {
			return 0, 0, errCut
		}
		return 0, 0, errors.New("is damaged: it has no part where one must be")
	}
	all := true
	for i, x := range b[:size] {
		if i == 0 && !id {
			x &= 1<<(8-size) - 1
			all = all && x == 1<<(8-size)-1
		} else if i > 0 {
			all = all && x == 0xff
		}
		v = v<<8 | uint64(x)
	}
	if !id && all {
		v = unknown
	}
	return v, int64(size), nil
}

// vintLen is the length of a number by its first byte; 0 if there is none.
func vintLen(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	for i := range 8 {
		if b[0]&(0x80>>i) != 0 {
			return i + 1
		}
	}
	return 0
}

func (w *webm) bytes(at, n int64) ([]byte, error) { return part(w.r, at, n) }

// part reads n bytes at an offset.
func part(r io.ReadSeeker, at, n int64) ([]byte, error) {
	if n <= 0 {
		return nil, errCut
	}
	if _, err := r.Seek(at, io.SeekStart); err != nil {
		return nil, fmt.Errorf("cannot be read back: %w", err)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, errCut
	}
	return b, nil
}

// stream says what a stream is: "video vp8 1280x720".
func stream(pictures bool, codec string, w, h int) string {
	names := map[string]string{"V_VP8": "vp8", "V_VP9": "vp9", "V_AV1": "av1", "A_OPUS": "opus", "A_VORBIS": "vorbis",
		"avc1": "h264", "avc3": "h264", "hvc1": "h265", "hev1": "h265", "vp09": "vp9", "av01": "av1", "mp4a": "aac"}
	if known := names[codec]; known != "" {
		codec = known
	}
	if !pictures {
		return "audio " + codec
	}
	return fmt.Sprintf("video %s %dx%d", codec, w, h)
}
