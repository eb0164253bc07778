package install

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// driverPackage is the npm package that is the driver.
const driverPackage = "playwright-core"

// driverSum is the sha512 of the published archive of DriverVersion, as npm writes it. It is pinned so that no registry
// or mirror can hand us other code.
const driverSum = "sha512-BC4s8y6SEVA6Q1rSxZTto8hI1KUI3xXlHGZgvGqP4IqPdI/a6FX9H29IDNz7vKo9l21b6LfYosScPL6M3xxyDQ=="

// errDriver marks a driver folder that is not usable; the texts around it say why.
var errDriver = errors.New("the Playwright driver is not installed")

// checkDriver tells the version of an installed driver, or what is wrong with it.
func checkDriver(dir string) (string, error) {
	version, err := packageVersion(filepath.Join(dir, "package"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", &Missing{What: "driver", Msg: fmt.Sprintf("%v in %q", errDriver, dir), Fix: installFix}
	case err != nil:
		return "", &Missing{What: "driver", Msg: fmt.Sprintf("the Playwright driver in %q is damaged: %v", dir, err), Fix: installFix}
	case version != DriverVersion:
		return "", &Missing{What: "driver", Fix: installFix,
			Msg: fmt.Sprintf("the Playwright driver in %q is version %s, not %s", dir, version, DriverVersion)}
	}
	for _, name := range []string{"cli.js", "browsers.json", "lib/coreBundle.js"} {
		if _, err := os.Stat(filepath.Join(dir, "package", name)); err != nil {
			return "", &Missing{What: "driver", Msg: fmt.Sprintf("the Playwright driver in %q is damaged: no %s", dir, name), Fix: installFix}
		}
	}
	return version, nil
}

// packageVersion reads the version of the driver package in a folder.
func packageVersion(dir string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", fmt.Errorf("reading its package.json: %w", err)
	}
	var p struct{ Name, Version string }
	if err := json.Unmarshal(raw, &p); err != nil {
		return "", fmt.Errorf("reading its package.json: %w", err)
	}
	if p.Name != driverPackage {
		return "", fmt.Errorf("reading its package.json: it is package %q, not %q", p.Name, driverPackage)
	}
	return p.Version, nil
}

// installDriver puts the driver into dir: fetched, verified, unpacked beside it and renamed into place, so that a reader
// never sees half of one. The caller holds the lock.
func installDriver(ctx context.Context, o Options, dir, node string) error {
	parent := filepath.Dir(dir)
	if err := private(parent); err != nil {
		return err
	}
	removeStale(parent)
	tmp, err := os.MkdirTemp(parent, tmpPrefix)
	if err != nil {
		return fmt.Errorf("making a folder in %q: %w", parent, err)
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	archive, from, err := fetchDriver(ctx, o, tmp)
	if err != nil {
		return err
	}
	if got := sum512(archive); got != driverSum {
		return fmt.Errorf("verifying %s %s from %s: its checksum is %s, not %s", driverPackage, DriverVersion, from, got, driverSum)
	}
	fresh := filepath.Join(tmp, "driver")
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return fmt.Errorf("making %q: %w", fresh, err)
	}
	if err := unpack(bytes.NewReader(archive), fresh); err != nil {
		return fmt.Errorf("unpacking %s %s: %w", driverPackage, DriverVersion, err)
	}
	if err := patch(filepath.Join(fresh, "package", "lib", "coreBundle.js")); err != nil {
		return err
	}
	if err := os.Symlink(node, filepath.Join(fresh, "node")); err != nil {
		return fmt.Errorf("linking %q into the driver: %w", node, err)
	}
	if _, err := checkDriver(fresh); err != nil {
		return err
	}
	if err := os.Rename(dir, filepath.Join(tmp, "old")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("moving the old driver %q away: %w", dir, err)
	}
	if err := os.Rename(fresh, dir); err != nil {
		return fmt.Errorf("moving the driver to %q: %w", dir, err)
	}
	o.say("installed the Playwright driver %s in %s (from %s)", DriverVersion, dir, from)
	return nil
}

// tmpPrefix begins the names of work folders; what an install that was killed left behind is found by it.
const tmpPrefix = ".install-"

// removeStale removes work folders of earlier installs; the caller's lock says that none of them is in use.
func removeStale(parent string) {
	old, err := filepath.Glob(filepath.Join(parent, tmpPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range old {
		_ = os.RemoveAll(dir) // at worst it stays until the next install
	}
}

// sum512 is the checksum of an archive in npm's spelling.
func sum512(b []byte) string {
	s := sha512.Sum512(b)
	return "sha512-" + base64.StdEncoding.EncodeToString(s[:])
}

// patch adds the null checks that playwright-go's own installer adds: a page error without a location, which Chromium
// reports for some scripts, would end the driver otherwise. A bundle without the patterns is refused, since then we do
// not know what we have.
func patch(bundle string) error {
	src, err := os.ReadFile(bundle)
	if err != nil {
		return fmt.Errorf("reading the driver bundle: %w", err)
	}
	for _, field := range []struct{ name, none string }{{"url", `""`}, {"lineNumber", "0"}, {"columnNumber", "0"}} {
		bare := []byte("pageError.location." + field.name)
		safe := []byte("pageError.location?." + field.name + " || " + field.none)
		if !bytes.Contains(src, bare) && !bytes.Contains(src, safe) {
			return fmt.Errorf("patching the driver bundle %q: it does not hold %q", bundle, bare)
		}
		src = bytes.ReplaceAll(src, bare, safe)
	}
	if err := os.WriteFile(bundle, src, 0o600); err != nil {
		return fmt.Errorf("writing the driver bundle: %w", err)
	}
	return nil
}

// relink makes the driver's node link point at a Node that is there. It returns whether it had to.
func relink(dir, node string) (bool, error) {
	link := filepath.Join(dir, "node")
	if at, err := os.Readlink(link); err == nil && at == node {
		return false, nil
	}
	tmp := link + ".new"
	_ = os.Remove(tmp)
	if err := os.Symlink(node, tmp); err != nil {
		return false, fmt.Errorf("linking %q into the driver: %w", node, err)
	}
	if err := os.Rename(tmp, link); err != nil {
		return false, fmt.Errorf("linking %q into the driver: %w", node, err)
	}
	return true, nil
}
