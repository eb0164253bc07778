package browser_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/source"
)

// build is one version of React: the files of its packages that a page needs.
type build struct {
	version string
	files   [][2]string // package@version, file in it
}

var (
	react18 = build{"18.3.1", [][2]string{{"react@18.3.1", "umd/react.development.js"}, {"react-dom@18.3.1", "umd/react-dom.development.js"}}}
	react19 = build{"19.1.0", [][2]string{{"scheduler@0.26.0", "cjs/scheduler.development.js"}, {"react@19.1.0", "cjs/react.development.js"},
		{"react-dom@19.1.0", "cjs/react-dom.development.js"}, {"react-dom@19.1.0", "cjs/react-dom-client.development.js"}}}
)

// reactFiles gives the folder with React's own builds for a page, fetched once from the package registry. Their names have
// no ".development".
func reactFiles(b build) string {
	GinkgoHelper()
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	plain := func(file string) string { return strings.Replace(filepath.Base(file), ".development", "", 1) }
	dir := filepath.Join(cache, "checkrow-test", "react-"+b.version)
	if _, err := os.Stat(filepath.Join(dir, plain(b.files[len(b.files)-1][1]))); err == nil {
		return dir
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		Skip("React cannot be had: there is no npm")
	}
	tmp := GinkgoT().TempDir()
	run := func(name string, args ...string) {
		cmd := exec.Command(name, args...)
		cmd.Dir = tmp
		if out, err := cmd.CombinedOutput(); err != nil {
			Skip("React cannot be had: " + filepath.Base(name) + " says " + strings.TrimSpace(string(out)))
		}
	}
	Expect(os.MkdirAll(dir, 0o700)).To(Succeed())
	for _, f := range b.files { // the one that is looked for comes last
		archive := strings.Replace(f[0], "@", "-", 1) + ".tgz"
		if _, err := os.Stat(filepath.Join(tmp, archive)); err != nil {
			run(npm, "pack", "--silent", "--fetch-timeout=15000", "--fetch-retries=0", f[0])
		}
		run("tar", "-xzf", archive, "--strip-components=2", "package/"+f[1])
		data, err := os.ReadFile(filepath.Join(tmp, filepath.Base(f[1])))
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(filepath.Join(dir, plain(f[1])), data, 0o600)).To(Succeed())
	}
	return dir
}

// commonJS loads React 19, which has no build for pages any more.
const commonJS = `const have = {}, process = { env: {} };
function require(name) {
	const file = { 'react-dom/client': 'react-dom-client' }[name] || name;
	if (have[file]) return have[file].exports;
	const m = have[file] = { exports: {} }, x = new XMLHttpRequest();
	x.open('GET', '/react/' + file + '.js', false); x.send();
	new Function('exports', 'module', 'require', 'process', x.responseText + '\n//# sourceURL=' + location.origin + '/react/' + file + '.js')(m.exports, m, require, process);
	return m.exports;
}
window.React = require('react'); window.ReactDOM = require('react-dom/client');`

// shopScript is what a development build makes of a shop: React up to 18 reads __source, later ones the stack.
const shopScript = `function Price({ cents }) { return React.createElement('b', { id: 'total' }, cents / 100) }
function Shop() {
  return React.createElement('main', null,
    React.createElement(Price, { cents: 8400, __source: { fileName: '/home/ada/shop/src/shop.js', lineNumber: 4, columnNumber: 5 } }))
}
ReactDOM.createRoot(document.getElementById('root')).render(React.createElement(Shop))
`

// lookUp runs a source step in a session as the runner would.
func (t *tester) lookUp(ctx context.Context, step, root string) steps.Observation {
	GinkgoHelper()
	var l diag.List
	s := spec.Parse("s.yaml", []byte("suite: s\ntests:\n  - name: t\n    steps:\n      - "+step+"\n"), &l).Suite
	Expect(l.Err()).NotTo(HaveOccurred())
	sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Used: map[string]bool{}, Steps: map[string]spec.Type{}, Names: map[string]spec.Type{}}
	d := &steps.Decoder{Errs: &l, Scope: sc, Kinds: map[string]steps.Kind{"source": source.Kind}}
	body, ok := d.Steps(s.Tests[0].Steps, sc)[0].Body.(steps.Rows)
	Expect(ok).To(BeTrue())
	Expect(l.Err()).NotTo(HaveOccurred())
	var gave []steps.Observation
	for _, r := range body.Rows {
		var cells []string
		for _, c := range r.Call.Cells {
			cells = append(cells, c.Text)
		}
		gave = append(gave, t.row(ctx, cells...))
	}
	return body.Verdict(ctx, steps.Env{Root: root, BaseURL: srv.URL}, gave)
}

var _ = DescribeTable("source finds where a component of a real React is written", Label("browser"), func(ctx SpecContext, b build, path string, column int) {
	needBrowser()
	reactDir.Store(reactFiles(b))
	root := GinkgoT().TempDir()
	Expect(os.MkdirAll(filepath.Join(root, "src"), 0o700)).To(Succeed())
	Expect(os.WriteFile(filepath.Join(root, "src", "shop.js"), []byte(shopScript), 0o600)).To(Succeed())
	o := options()
	o.React = true
	t := openOn(ctx, eng, o)
	t.ok(ctx, "open", path)
	t.ok(ctx, "expect", "text", "#total", "84")

	got := t.lookUp(ctx, "source: { component_name: Price }", root)
	Expect(got.Success).To(BeTrue(), got.Error)
	Expect(got.Value).To(HaveExactElements(
		And(HaveKeyWithValue("file", "src/shop.js"), HaveKeyWithValue("line", 4), HaveKeyWithValue("column", column), HaveKeyWithValue("confidence", "high"),
			HaveKeyWithValue("kind", "react"), HaveKeyWithValue("component", "Price"), HaveKeyWithValue("evidence", MatchRegexp(`^React: Price #\d+ is written here$`))),
		And(HaveKeyWithValue("file", "src/shop.js"), HaveKeyWithValue("line", 1), HaveKeyWithValue("confidence", "low"), HaveKeyWithValue("kind", "workspace"))))
	for _, n := range t.ok(ctx, "react", "tree").Value.([]any) {
		if m := n.(map[string]any); m["name"] == "Price" {
			got = t.lookUp(ctx, "source: { react_fiber_id: "+jsonText(m["id"])+" }", root)
			Expect(got.Value).To(HaveExactElements(HaveKeyWithValue("line", 4)))
		}
	}
	Expect(t.lookUp(ctx, "source: { component_name: Nobody }", root).Data).To(HaveKeyWithValue("status", "no-candidates"))
},
	Entry("18, as its build told it", react18, "/shop18", 5),
	Entry("19, by the stack", react19, "/shop19", 11),
)
