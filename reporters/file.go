package reporters

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Replace writes a report by a temporary file beside it and a rename, so that whoever reads it, and whatever ends this
// process, meets the old text or the new, never a part. A missing folder is made for this user alone, as the run folder is. With sync it is on disk afterwards.
func Replace(path string, data []byte, sync bool) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("making the folder of %q: %w", path, err)
	}
	tmp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	if err := put(tmp, data, sync); err != nil {
		return errors.Join(fmt.Errorf("writing %q: %w", path, err), discard(tmp))
	}
	if err := os.Rename(tmp, path); err != nil {
		return errors.Join(fmt.Errorf("writing %q: %w", path, err), discard(tmp))
	}
	return nil
}

func discard(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func put(path string, data []byte, sync bool) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if sync {
		return f.Sync()
	}
	return nil
}
