package electron

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/steps"
)

// target is an app that was found.
type target struct {
	name, id   string // its name, and its bundle or desktop id; either may be ""
	path       string // its folder
	executable string // with every link followed
}

// missing is the error of an app that is not there, or is none.
type missing struct{ sub, msg string }

// Error is the sentence.
func (m *missing) Error() string { return m.msg }

// Observation makes it the failure of a step.
func (m *missing) Observation() steps.Observation { return steps.Fail(steps.Validation, m.sub, m.msg) }

const (
	subNoApp       = "no-app"
	subOther       = "non-electron-target"
	subReserved    = "reserved"
	subUnsupported = "unsupported"
)

// find finds the app that a key names. root is what relative paths start from, home the user's folder.
func find(by, what, root, home string) (target, error) {
	if err := supported(); err != nil {
		return target{}, err
	}
	var t target
	var err error
	switch by {
	case "app_path":
		t, err = inFolder(below(root, what))
	case "executable":
		t = target{executable: below(root, what)}
		if _, serr := os.Stat(t.executable); serr != nil {
			err = gone(t.executable, serr)
		}
	default:
		t, err = installed(by, what, home)
	}
	if err != nil {
		return t, err
	}
	if t.executable, err = filepath.EvalSymlinks(t.executable); err != nil {
		return t, gone(t.executable, err)
	}
	t = t.whole()
	return t, evidence(t.executable)
}

// whole gives an app whose program is known all that it needs, with every link followed.
func (t target) whole() target {
	t.executable = resolved(t.executable)
	if t.path == "" {
		t.path = filepath.Dir(t.executable)
	}
	if t.name == "" {
		t.name = filepath.Base(t.executable)
	}
	return t
}

// words are what allow, deny and queries look at.
func (t target) words() []string { return []string{t.name, t.id, t.path, t.executable} }

func below(root, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(root, path)
}

func gone(path string, err error) error {
	why := "there is no such file"
	var pe *fs.PathError
	if errors.As(err, &pe) && !errors.Is(err, fs.ErrNotExist) {
		why = pe.Err.Error()
	}
	return &missing{subNoApp, fmt.Sprintf("the app %q cannot be used: %s", path, why)}
}

// helpers are programs that lie beside every app and are none.
var helpers = []string{"chrome-sandbox", "chrome_crashpad_handler", "chrome-management-service"}

// data are endings of files that are no programs, whatever their mode says: some disks set it for every file.
var data = strings.Fields(".pak .bin .dat .json .html .txt .md .desktop .png .icns .asar")

// inFolder finds the program of an app in its folder.
func inFolder(dir string) (target, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return target{}, gone(dir, err)
	}
	if !info.IsDir() {
		return target{}, &missing{subNoApp, fmt.Sprintf("app_path %q is no folder: name a program by executable", dir)}
	}
	if strings.HasSuffix(dir, ".app") || runtime.GOOS == "darwin" {
		return inBundle(dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return target{}, gone(dir, err)
	}
	var found []string
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		info, err := os.Stat(at) // links to programs count
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 || slices.Contains(helpers, e.Name()) ||
			strings.Contains(e.Name(), ".so") || slices.Contains(data, filepath.Ext(e.Name())) {
			continue
		}
		found = append(found, e.Name())
	}
	if len(found) > 1 {
		if i := slices.Index(found, filepath.Base(dir)); i >= 0 {
			found = found[i : i+1]
		}
	}
	switch len(found) {
	case 0:
		return target{}, &missing{subNoApp, fmt.Sprintf("there is no program in the folder %q", dir)}
	case 1:
		return target{name: found[0], path: dir, executable: filepath.Join(dir, found[0])}, nil
	}
	return target{}, &missing{subNoApp, fmt.Sprintf("there are several programs in the folder %q: name one by executable: %s", dir, strings.Join(found, ", "))}
}

// evidence wants the marks of an Electron app beside its program: what runs it, and the app itself. It tells a mistake, and
// keeps nobody out (R161).
func evidence(executable string) error {
	dir := filepath.Dir(executable)
	resources := filepath.Join(dir, "resources")
	other := func(why string) error {
		return &missing{subOther, fmt.Sprintf("%q is no Electron app: %s", executable, why)}
	}
	if contents := filepath.Dir(dir); filepath.Base(dir) == "MacOS" && filepath.Base(contents) == "Contents" {
		resources = filepath.Join(contents, "Resources")
		if !isDir(filepath.Join(contents, "Frameworks", "Electron Framework.framework")) {
			return other("Contents/Frameworks has no Electron Framework.framework")
		}
	} else if paks, _ := filepath.Glob(filepath.Join(quoted(dir), "chrome_*.pak")); len(paks) == 0 && !isFile(filepath.Join(dir, "resources.pak")) {
		return other("neither a chrome_*.pak nor resources.pak lies beside it")
	}
	for _, name := range []string{"app.asar", "default_app.asar"} {
		if isFile(filepath.Join(resources, name)) {
			return nil
		}
	}
	if isDir(filepath.Join(resources, "app")) {
		return nil
	}
	return other("its resources hold neither app.asar, nor app/, nor default_app.asar")
}

// quoted makes a folder a pattern that matches itself.
func quoted(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// judge applies allow and deny of a launch; deny wins (R176).
func judge(t target, allow, deny []string) error {
	has := func(part string) bool {
		return part != "" && slices.ContainsFunc(t.words(), func(s string) bool { return strings.Contains(s, part) })
	}
	refused := func(why string) error {
		return &steps.Denied{Msg: fmt.Sprintf("the app %q is not launched: %s", t.name, why)}
	}
	if i := slices.IndexFunc(deny, has); i >= 0 {
		return refused(strconv.Quote(deny[i]) + " is in deny")
	}
	if len(allow) > 0 && !slices.ContainsFunc(allow, has) {
		return refused("nothing of it is in allow: " + strings.Join(allow, ", "))
	}
	return nil
}
