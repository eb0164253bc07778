package artifact

import (
	"encoding/binary"
	"errors"
	"io"
	"time"
)

// mp4 is the walk through an MP4.
type mp4 struct {
	r    io.ReadSeeker
	size int64
	film film
	kind string // of the track: vide or soun
	moov bool
	data bool
}

func readMP4(r io.ReadSeeker, size int64) (film, error) {
	m := &mp4{r: r, size: size}
	if err := m.walk(0, size, 0); err != nil {
		return film{}, err
	}
	switch {
	case !m.moov: // what a writer puts there at its end
		return film{}, errors.New("has no index: its writer did not come to the end")
	case !m.data:
		return film{}, errors.New("holds no picture")
	}
	return m.film, nil
}

// walk goes through the boxes between two offsets.
func (m *mp4) walk(from, to int64, depth int) error {
	if depth > 8 {
		return errors.New("is damaged: its parts nest too deeply")
	}
	for at := from; at < to; {
		b, err := part(m.r, at, min(16, to-at))
		if err != nil {
			return err
		}
		if len(b) < 8 {
			return errCut
		}
		length, head := int64(binary.BigEndian.Uint32(b)), int64(8)
		switch length {
		case 0:
			length = to - at
		case 1:
			if len(b) < 16 {
				return errCut
			}
			length, head = int64(binary.BigEndian.Uint64(b[8:])), 16
		}
		end := at + length
		if length >= head && end > m.size {
			return errCut
		}
		if length < head || end > to {
			return errors.New("is damaged: a part is longer than what it lies in")
		}
		if err := m.box(string(b[4:8]), at+head, end, depth); err != nil {
			return err
		}
		at = end
	}
	return nil
}

func (m *mp4) box(name string, from, to int64, depth int) error {
	switch name {
	case "moov", "trak", "mdia", "minf", "stbl":
		m.moov = true
		return m.walk(from, to, depth+1)
	case "moof", "traf":
		m.film.parts = true
		return m.walk(from, to, depth+1)
	case "mdat":
		m.data = m.data || to > from
		return nil
	case "mvhd", "hdlr", "stsd", "stsz", "trun":
	default:
		return nil
	}
	b, err := part(m.r, from, min(to-from, 64))
	if err != nil {
		return err
	}
	switch {
	case name == "mvhd" && len(b) >= 32:
		scale, length := uint64(binary.BigEndian.Uint32(b[12:])), uint64(binary.BigEndian.Uint32(b[16:]))
		if b[0] == 1 {
			scale, length = uint64(binary.BigEndian.Uint32(b[20:])), binary.BigEndian.Uint64(b[24:])
		}
		if scale > 0 {
			m.film.duration = time.Duration(float64(length) / float64(scale) * float64(time.Second))
		}
	case name == "hdlr" && len(b) >= 12:
		m.kind = string(b[8:12])
	case name == "stsd" && len(b) >= 44 && (m.kind == "vide" || m.kind == "soun"):
		m.film.streams = append(m.film.streams, stream(m.kind == "vide", string(b[12:16]),
			int(binary.BigEndian.Uint16(b[40:])), int(binary.BigEndian.Uint16(b[42:]))))
	case name == "trun" && len(b) >= 8:
		m.film.frames += int(binary.BigEndian.Uint32(b[4:]))
	case name == "stsz" && len(b) >= 12 && m.kind == "vide":
		m.film.frames += int(binary.BigEndian.Uint32(b[8:]))
	}
	return nil
}
