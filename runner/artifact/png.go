package artifact

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// pngInfo is what the chunks of a PNG say.
type pngInfo struct {
	width, height int
	packed        int64 // bytes of compressed pixels
	raw           int64 // bytes of pixels
}

// plain tells that the picture may be of one colour: only such a one packs better than 500:1, and a small one is cheap
// to look at. All others need no decoding to know that they are not blank.
func (p pngInfo) plain() bool { return p.raw <= 256<<10 || p.packed*500 < p.raw }

// readPNG walks the chunks of a PNG and checks each CRC, the order of the first and last one, and that there is nothing
// behind. That finds every cut-off or damaged file at a hundredth of the cost of decoding it.
func readPNG(r io.Reader) (pngInfo, error) {
	var info pngInfo
	br := bufio.NewReaderSize(r, 64<<10)
	if _, err := br.Discard(8); err != nil {
		return info, errors.New("is cut off")
	}
	crc := crc32.NewIEEE()
	for n := 0; ; n++ {
		var head [8]byte
		if _, err := io.ReadFull(br, head[:]); err != nil {
			return info, errors.New("is cut off")
		}
		size, name := binary.BigEndian.Uint32(head[:4]), string(head[4:])
		if n == 0 && (name != "IHDR" || size != 13) {
			return info, errors.New("does not start with its header")
		}
		crc.Reset()
		crc.Write(head[4:])
		body := io.TeeReader(io.LimitReader(br, int64(size)), crc)
		if name == "IHDR" {
			var h [13]byte
			if _, err := io.ReadFull(body, h[:]); err != nil {
				return info, errors.New("is cut off")
			}
			info.size(h)
		} else if got, err := io.Copy(io.Discard, body); err != nil || got != int64(size) {
			return info, errors.New("is cut off")
		}
		var sum [4]byte
		if _, err := io.ReadFull(br, sum[:]); err != nil {
			return info, errors.New("is cut off")
		}
		if binary.BigEndian.Uint32(sum[:]) != crc.Sum32() {
			return info, fmt.Errorf("is damaged in its %q part", name)
		}
		switch name {
		case "IDAT":
			info.packed += int64(size)
		case "IEND":
			if _, err := br.ReadByte(); err != io.EOF {
				return info, errors.New("has bytes behind its end")
			}
			if info.packed == 0 || info.width == 0 || info.height == 0 {
				return info, errors.New("holds no picture")
			}
			return info, nil
		}
	}
}

// size reads the header: width, height, bit depth and colour type.
func (p *pngInfo) size(h [13]byte) {
	p.width, p.height = int(binary.BigEndian.Uint32(h[:4])), int(binary.BigEndian.Uint32(h[4:8]))
	channels := map[byte]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[h[9]]
	p.raw = int64(p.width) * int64(p.height) * channels * int64(h[8]) / 8
}
