package install

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Limits on an archive: the driver is 14 MB in 115 files.
const (
	maxFiles = 5_000
	maxBytes = 200 << 20
)

// unpack writes the regular files under `package/` of an npm archive into dir. It writes through an [os.Root] and creates
// every file anew, so no name and no link can lead out of dir or onto an earlier file; links and devices are refused.
func unpack(r io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("opening %q: %w", dir, err)
	}
	defer func() { _ = root.Close() }()
	zr, err := gzip.NewReader(r)
	if err != nil {
		return fmt.Errorf("reading the archive: %w", err)
	}
	files, left := 0, int64(maxBytes)
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			if files == 0 {
				return errors.New("the archive holds no files")
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the archive: %w", err)
		}
		if h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		if err := admit(h); err != nil {
			return err
		}
		if files++; files > maxFiles {
			return fmt.Errorf("the archive holds more than %d files", maxFiles)
		}
		if left -= h.Size; left < 0 {
			return fmt.Errorf("the archive holds more than %d MB", maxBytes>>20)
		}
		if err := write(root, h, tr); err != nil {
			return err
		}
	}
}

// admit refuses an entry that is no plain file under `package/`.
func admit(h *tar.Header) error {
	if h.Typeflag != tar.TypeReg {
		return fmt.Errorf("the archive holds %q, which is not a plain file", h.Name)
	}
	if path.Clean(h.Name) != h.Name || !filepath.IsLocal(h.Name) || !strings.HasPrefix(h.Name, "package/") || strings.Contains(h.Name, `\`) {
		return fmt.Errorf("the archive holds %q, a name outside its package folder", h.Name)
	}
	return nil
}

// write creates one file of the archive.
func write(root *os.Root, h *tar.Header, r io.Reader) error {
	if err := root.MkdirAll(path.Dir(h.Name), 0o700); err != nil {
		return fmt.Errorf("making the folder of %q: %w", h.Name, err)
	}
	mode := os.FileMode(0o600)
	if h.FileInfo().Mode().Perm()&0o100 != 0 {
		mode = 0o700
	}
	f, err := root.OpenFile(h.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return fmt.Errorf("creating %q: %w", h.Name, err)
	}
	if _, err := io.Copy(f, r); err != nil {
		_ = f.Close()
		return fmt.Errorf("writing %q: %w", h.Name, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("writing %q: %w", h.Name, err)
	}
	return nil
}
