package install

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxArchive bounds what is read of a download; the archive has 3 MB.
const maxArchive = 64 << 20

// fetchDriver gets the archive of the driver package, and says where from. npm is asked first, since it knows the
// registry, proxies, certificates and tokens of its configuration; without npm the configured registry is read directly.
func fetchDriver(ctx context.Context, o Options, tmp string) (archive []byte, from string, err error) {
	if npms := o.Env.look("npm"); len(npms) > 0 {
		o.say("fetching %s %s with npm", driverPackage, DriverVersion)
		archive, err = packDriver(ctx, o, npms[0], tmp)
		if err == nil {
			return archive, "npm", nil
		}
		if ctx.Err() != nil || registry(o.Env) == "" {
			return nil, "", err
		}
		o.say("npm could not: %v", err)
	}
	reg := registry(o.Env)
	if reg == "" {
		return nil, "", &Missing{What: "driver", Msg: "npm is not installed and no registry is configured",
			Fix: "install npm, or set npm_config_registry to the address of an npm registry"}
	}
	o.say("fetching %s %s from the configured registry", driverPackage, DriverVersion)
	archive, err = download(ctx, strings.TrimRight(reg, "/")+"/"+driverPackage+"/-/"+driverPackage+"-"+DriverVersion+".tgz")
	return archive, "the configured registry", err
}

// packDriver lets npm fetch and verify the archive.
func packDriver(ctx context.Context, o Options, npm, tmp string) ([]byte, error) {
	argv := []string{npm, "pack", driverPackage + "@" + DriverVersion, "--pack-destination", tmp, "--ignore-scripts", "--loglevel=error"}
	if err := o.run(ctx, tmp, argv...); err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(tmp, driverPackage+"-"+DriverVersion+".tgz"))
	if err != nil {
		return nil, fmt.Errorf("reading what npm fetched: %w", err)
	}
	defer func() { _ = f.Close() }()
	return bounded(f)
}

// registry is the npm registry that the environment or an .npmrc configures, or "".
func registry(env Env) string {
	for _, name := range []string{"npm_config_registry", "NPM_CONFIG_REGISTRY", "PLAYWRIGHT_GO_NPM_REGISTRY"} {
		if v := env.get(name); v != "" {
			return v
		}
	}
	files := []string{env.get("npm_config_userconfig"), filepath.Join(env.get("HOME"), ".npmrc"), env.get("npm_config_globalconfig"),
		env.Root + "/etc/npmrc", env.Root + "/usr/etc/npmrc", env.Root + "/usr/local/etc/npmrc"}
	for _, file := range files {
		if !filepath.IsAbs(file) {
			continue
		}
		if v := npmrc(file, "registry"); v != "" {
			return v
		}
	}
	return ""
}

// npmrc reads one key of an .npmrc file; a file that is not there has none.
func npmrc(file, key string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	value := ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		k, v, ok := strings.Cut(lines.Text(), "=")
		if ok && strings.TrimSpace(k) == key {
			value = strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	return value
}

// download reads a URL, with three tries for what may pass: the network and the server's own errors.
func download(ctx context.Context, from string) (body []byte, err error) {
	u, err := url.Parse(from)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, fmt.Errorf("fetching %q: the registry must be an http or https address", redact(from))
	}
	for try := 1; ; try++ {
		again := false
		body, again, err = get(ctx, from)
		if err == nil || !again || try == 3 || ctx.Err() != nil {
			return body, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(try) * time.Second):
		}
	}
}

// get is one try of a download; again tells whether another may help.
func get(ctx context.Context, from string) (body []byte, again bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, false, fmt.Errorf("fetching %q: %w", redact(from), err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // its own text repeats the address, with the password in it
		}
		return nil, true, fmt.Errorf("fetching %q: %w", redact(from), err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, resp.StatusCode >= 500, fmt.Errorf("fetching %q: the server answered %s", redact(from), resp.Status)
	}
	body, err = bounded(resp.Body)
	return body, true, err
}

// bounded reads all of an archive, but no more than an archive can have.
func bounded(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxArchive+1))
	if err != nil {
		return nil, fmt.Errorf("reading the archive: %w", err)
	}
	if len(b) > maxArchive {
		return nil, fmt.Errorf("the archive is larger than %d MB", maxArchive>>20)
	}
	return b, nil
}

// redact takes user and password out of an address.
func redact(addr string) string {
	u, err := url.Parse(addr)
	if err != nil {
		return "the registry"
	}
	u.User = nil
	return u.String()
}
