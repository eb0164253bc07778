package conformance_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// reactVersion is the last of React's versions that has builds for a page, as the reference was asked about.
const reactVersion = "18.3.1"

// reactFiles gives the folder with React's own builds for a page, fetched once from the package registry.
func reactFiles(tmp string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "checkrow-test", "react-"+reactVersion)
	if _, err := os.Stat(filepath.Join(dir, "react-dom.js")); err == nil {
		return dir, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", fmt.Errorf("looking for npm: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("making a folder for React: %w", err)
	}
	for _, name := range []string{"react", "react-dom"} { // the one that is looked for comes last
		built := name + ".development.js"
		for _, argv := range [][]string{
			{npm, "pack", "--silent", "--fetch-timeout=15000", "--fetch-retries=0", name + "@" + reactVersion},
			{"tar", "-xzf", name + "-" + reactVersion + ".tgz", "--strip-components=2", "package/umd/" + built},
		} {
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Dir = tmp
			if out, err := cmd.CombinedOutput(); err != nil {
				return "", fmt.Errorf("running %s: %w: %s", filepath.Base(argv[0]), err, strings.TrimSpace(string(out)))
			}
		}
		text, err := os.ReadFile(filepath.Join(tmp, built))
		if err != nil {
			return "", fmt.Errorf("reading %s: %w", built, err)
		}
		fresh := filepath.Join(dir, fmt.Sprintf("%s.%d", name, os.Getpid()))
		if err := os.WriteFile(fresh, text, 0o600); err != nil {
			return "", fmt.Errorf("keeping %s: %w", name, err)
		}
		if err := os.Rename(fresh, filepath.Join(dir, name+".js")); err != nil {
			return "", fmt.Errorf("keeping %s: %w", name, err)
		}
	}
	return dir, nil
}
