package vault

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// Keep writes content to a new file with the base name of name, so that whoever uploads it gives it that name, and gives
// its absolute path. Only the owner can read it.
func (v *Vault) Keep(name string, content []byte) (string, error) {
	dir, err := v.folder()
	if err != nil {
		return "", err
	}
	own, err := os.MkdirTemp(dir, "kept-*")
	if err != nil {
		return "", fmt.Errorf("making a private folder for %q: %w", name, err)
	}
	file := filepath.Join(own, clean(path.Base(filepath.ToSlash(name))))
	if err := os.WriteFile(file, content, 0o600); err != nil {
		return "", fmt.Errorf("writing the private file %q: %w", name, err)
	}
	return file, nil
}
