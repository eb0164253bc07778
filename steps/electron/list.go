package electron

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

const (
	// DefaultApps is how many apps are listed unless somebody says otherwise, and mostApps how many may be asked for.
	DefaultApps = 50
	mostApps    = 200
)

// listKeys are the keys of the map under list.
var listKeys = []spec.Key{
	{Name: "query", Type: "text", Doc: "only apps whose name, id or path has it, in any case", Aka: []string{"filter", "search", "name"}},
	{Name: "max_results", Type: "int", Doc: "how many are told, at most 200", Default: "50", Aka: []string{"maxresults", "max", "limit"}},
	{Name: "allow", Type: "texts", Doc: "only apps whose name, id or path has one of these", Aka: []string{"only"}},
	{Name: "deny", Type: "texts", Doc: "no app whose name, id or path has one of these; it wins", Aka: []string{"except"}},
}

// App is an Electron app of this machine.
type App struct {
	Name       string `json:"name"`
	ID         string `json:"id,omitempty"` // of its bundle, or of its desktop entry
	Path       string `json:"path"`
	Executable string `json:"executable"`
}

// Installed lists the Electron apps of this machine that a query fits, by their names; omitted says how many more there
// are than most. home is the user's folder.
func Installed(query, home string, most int) (list []App, omitted int, err error) {
	return discover(query, home, most, nil, nil)
}

func discover(query, home string, most int, allow, deny []string) (list []App, omitted int, err error) {
	if err := supported(); err != nil {
		return nil, 0, err
	}
	seen := map[string]bool{}
	query = strings.ToLower(query)
	for _, t := range everywhere(home) {
		t = t.whole()
		if seen[t.executable] || evidence(t.executable) != nil || judge(t, allow, deny) != nil || !slices.ContainsFunc(t.words(), func(s string) bool {
			return strings.Contains(strings.ToLower(s), query)
		}) {
			continue
		}
		seen[t.executable] = true
		list = append(list, App{t.name, t.id, t.path, t.executable})
	}
	slices.SortStableFunc(list, func(a, b App) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.Executable, b.Executable))
	})
	omitted = max(0, len(list)-most)
	return list[:len(list)-omitted], omitted, nil
}

// supported says on which systems apps are found (R159).
func supported() error {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		return &missing{subUnsupported, "apps can be found and launched on Linux and macOS only"}
	}
	return nil
}

// places are folders in which Linux keeps programs that bring all they need, each in a folder of its own.
func places(home string) []string {
	out := strings.Fields("/opt /usr/local/lib /usr/local/share /usr/lib /usr/lib64 /usr/share")
	if home != "" {
		out = append([]string{filepath.Join(home, ".local", "opt"), filepath.Join(home, ".local", "lib"), filepath.Join(home, ".local", "share")}, out...)
	}
	return out
}

// inPlaces finds the apps that no desktop entry leads to: many are started by a script somewhere else.
func inPlaces(dirs []string) []target {
	var out []target
	for _, dir := range dirs {
		for _, mark := range []string{"app.asar", "app", "default_app.asar"} {
			found, _ := filepath.Glob(filepath.Join(quoted(dir), "*", "resources", mark))
			for _, f := range found {
				if t, err := inFolder(filepath.Dir(filepath.Dir(f))); err == nil {
					out = append(out, t)
				}
			}
		}
	}
	return out
}

// list is a compiled list. It is not changed by running it.
type list struct {
	query       spec.Text
	most        int
	allow, deny []spec.Text
}

func listType() spec.Type {
	fields := map[string]spec.Type{
		"apps":    {Base: spec.List, Elem: &spec.Type{Base: spec.Any}, Doc: "{name, id, path, executable} of each, by its name"},
		"count":   {Base: spec.Int, Doc: "how many were found"},
		"omitted": {Base: spec.Int, Doc: "how many of these are not told, for max_results"},
	}
	out := map[string]spec.Type{"value": fields["apps"], "data": {Base: spec.Struct, Fields: fields}}
	maps.Copy(out, fields)
	return steps.Result(out)
}

func decodeList(d *steps.Decoder, n spec.Node) (steps.Body, spec.Type) {
	typ := listType()
	if text, is := n.Text(); is && text == "true" && !n.Quoted() {
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("list", "a map", "true"), "write list: {} for every app")
		return nil, typ
	}
	k, ok := n.Map(`"list"`, listKeys, d.Errs)
	if !ok {
		return nil, typ
	}
	l := &list{most: DefaultApps}
	if v, is := k["query"]; is {
		l.query = text(d, v, "query")
	}
	if v, is := k["max_results"]; is {
		l.most = spec.WantInt(v, "max_results", 1, d.Errs)
		if l.most > mostApps {
			d.Errs.AddWide(v.Pos(), v.Width(), diag.WantKind("max_results", "at most "+strconv.Itoa(mostApps), strconv.Itoa(l.most)), "query tells fewer")
		}
	}
	l.allow, l.deny = texts(d, k["allow"], "allow"), texts(d, k["deny"], "deny")
	return steps.Opaque{Safe: true, Run: l.run}, typ
}

// run lists apps. None is no failure: expect judges.
func (l *list) run(ctx context.Context, e steps.Env) steps.Observation {
	query, err := l.query.String(ctx, e.Values, e.Reader)
	var allow, deny []string
	if err == nil {
		allow, err = render(ctx, e, l.allow)
	}
	if err == nil {
		deny, err = render(ctx, e, l.deny)
	}
	if err != nil {
		return failed(err)
	}
	found, omitted, err := discover(query, home(e.Environ), l.most, allow, deny)
	if err != nil {
		return failed(err)
	}
	apps := make([]any, len(found))
	for i, a := range found {
		apps[i] = map[string]any{"name": a.Name, "id": a.ID, "path": a.Path, "executable": a.Executable}
	}
	o := steps.OK(map[string]any{"apps": apps, "count": len(apps) + omitted, "omitted": omitted}, "apps")
	o.Summary = fmt.Sprintf("%d Electron apps", len(apps)+omitted)
	if len(apps)+omitted == 1 {
		o.Summary = "one Electron app"
	}
	return o
}
