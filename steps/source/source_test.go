package source_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/source"
)

type object = map[string]any

// project writes files below a new folder.
func project(files map[string]string) string {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		Expect(os.MkdirAll(filepath.Dir(full), 0o700)).To(Succeed())
		Expect(os.WriteFile(full, []byte(text), 0o600)).To(Succeed())
	}
	return dir
}

func compiled(step string) steps.Rows {
	GinkgoHelper()
	var l diag.List
	s := spec.Parse("s.yaml", []byte("suite: s\ntests:\n  - name: t\n    steps:\n      - "+step+"\n"), &l).Suite
	Expect(l.Err()).NotTo(HaveOccurred())
	sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Used: map[string]bool{}, Steps: map[string]spec.Type{}, Names: map[string]spec.Type{}}
	d := &steps.Decoder{Errs: &l, Scope: sc, Kinds: map[string]steps.Kind{"source": source.Kind, "network_source": source.Network}}
	list := d.Steps(s.Tests[0].Steps, sc)
	Expect(l.Err()).NotTo(HaveOccurred())
	Expect(list).To(HaveLen(1))
	body, ok := list[0].Body.(steps.Rows)
	Expect(ok).To(BeTrue())
	Expect(steps.Asserts(list)).To(BeFalse(), "it judges nothing")
	return body
}

// ask runs the verdict of a step over what its rows gave, by the part that each stands for.
func ask(step, root, base string, gave map[string]steps.Observation) steps.Observation {
	GinkgoHelper()
	body := compiled(step)
	var list []steps.Observation
	for _, r := range body.Rows {
		o, ok := gave[r.From[strings.LastIndexByte(r.From, '.')+1:]]
		Expect(ok).To(BeTrue(), r.From)
		list = append(list, o)
	}
	return body.Verdict(context.Background(), steps.Env{Root: root, BaseURL: base}, list)
}

func ok(data object) steps.Observation { return steps.Observation{Success: true, Data: data} }

// rows spells the rows of a body.
func rows(b steps.Rows) []string {
	var out []string
	for _, r := range b.Rows {
		var cells []string
		for _, c := range r.Call.Cells {
			cells = append(cells, c.Text)
		}
		out = append(out, strings.Join(cells, " "))
	}
	return out
}

var _ = Describe("source", func() {
	noHook := steps.Fail(steps.Environment, "react", "React DevTools hook not installed")

	It("compiles to rows that only read, and goes on after one that failed", func() {
		b := compiled(`source: { selector: "#save", component_name: SaveButton, react_fiber_id: 3 }`)
		Expect(rows(b)).To(Equal([]string{"is visible #save", "get html #save --outer --ancestors", "react inspect 3", "react tree"}))
		Expect(b.Whole).To(BeTrue())
		Expect(rows(compiled(`source: { selector: "#save", include_dom_hints: false }`))).To(Equal([]string{"is visible #save"}))
	})

	It("takes what development builds leave on the element, React and the declaration", func() {
		dir := project(map[string]string{"web/src/SaveButton.tsx": "import x\n\nexport const SaveButton: FC = () => <b/>\n",
			"web/src/SaveButton.test.go": "function SaveButton", "node_modules/x/SaveButton.js": "function SaveButton() {}"})
		o := ask(`source: { selector: "#save", component_name: SaveButton, react_fiber_id: 3 }`, dir, "", map[string]steps.Observation{
			"visible": ok(object{"visible": true}), "tree": ok(object{"tree": "# …"}),
			"html": ok(object{"html": `<button id="save" data-source-file="src/SaveButton.tsx" data-source-line="7">Save 0</button>`,
				"ancestors": []any{`<main>`, `<div data-source="src/App.tsx:12:3"></div>`}}),
			"inspect": ok(object{"id": 3, "name": "SaveButton", "source": object{"file": "http://h/src/SaveButton.tsx", "line": 9.0, "column": 11.0},
				"text": "SaveButton #3\nsource: http://h/src/SaveButton.tsx:9"})})
		Expect(o.Success).To(BeTrue(), o.Error)
		Expect(o.Data["status"]).To(Equal("candidates-found"))
		Expect(o.Detail.Found).To(Equal([]string{"web/src/SaveButton.tsx:9:11 (React: SaveButton #3 is written here, high)",
			"web/src/SaveButton.tsx:7 (attribute of the element, medium)", "src/App.tsx:12:3 (attribute of an element around it, medium)",
			"web/src/SaveButton.tsx (named in its markup, medium)", "web/src/SaveButton.tsx:3:8 (declares SaveButton, low)"}))
	})

	DescribeTable("says how it came out",
		func(gave map[string]steps.Observation, status string, succeeds bool) {
			o := ask(`source: { selector: "#a", component_name: Nope }`, project(nil), "", gave)
			Expect(o.Data["status"]).To(Equal(status))
			Expect(o.Success).To(Equal(succeeds), o.Error)
		},
		Entry("nothing found is no failure", map[string]steps.Observation{"visible": ok(nil), "html": ok(object{"html": "<b>"}), "tree": ok(nil)}, "no-candidates", true),
		Entry("React is not there", map[string]steps.Observation{"visible": ok(nil), "html": ok(object{"html": "<b>"}), "tree": noHook}, "unsupported", false),
		Entry("React is not there, but something was found", map[string]steps.Observation{"visible": ok(nil), "tree": noHook,
			"html": ok(object{"html": `<b data-file="src/b.ts">`})}, "candidates-found", true),
		Entry("the element is not there", map[string]steps.Observation{"visible": ok(nil), "tree": ok(nil), "html": steps.Fail(steps.NotFound, "", "no such element")},
			"no-candidates", false),
	)

	It("takes from React's tree where each of the components is written, through a source map", func() {
		mux := http.NewServeMux()
		mux.HandleFunc("/app.js", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "\ncall1();call2()\n//# sourceMappingURL=data:application/json;base64,"+base64.StdEncoding.EncodeToString([]byte(served)))
		})
		site := httptest.NewServer(mux)
		DeferCleanup(site.Close)
		dir := project(map[string]string{"src/a.ts": "", "src/b.ts": "class Cart {}", "src/Shop.jsx": ""})
		node := func(id int, name, file string, line, column int) any {
			return object{"id": id, "name": name, "source": object{"file": file, "line": line, "column": column}}
		}
		o := ask("source: { component_name: Cart }", dir, site.URL, map[string]steps.Observation{"tree": ok(object{"nodes": []any{
			node(1, "App", site.URL+"/app.js", 2, 1), node(2, "Cart", site.URL+"/app.js", 2, 9), node(3, "Cart", "/home/ada/shop/src/Shop.jsx", 4, 0),
			object{"id": 4, "name": "Cart", "source": nil}}})})
		Expect(o.Detail.Found).To(Equal([]string{"src/b.ts:3:3 (React: Cart #2 is written here, through its source map, high)",
			"src/Shop.jsx:4 (React: Cart #3 is written here, high)", "src/b.ts:1:1 (declares Cart, low)"}))
		Expect(o.Value).To(HaveEach(HaveKeyWithValue("component", "Cart")))
		Expect(o.Data).To(HaveKeyWithValue("workspace_root", dir))
	})

	It("stays in the project, and says what it did not read", func() {
		outside := project(map[string]string{"Secret.ts": "class Nope {}"})
		dir := project(map[string]string{"a.ts": "", "b.ts": "class Nope {}", ".gitignore": "gen/\n", "gen/c.ts": "class Nope {}", ".hidden/d.ts": "class Nope {}"})
		Expect(os.Symlink(outside, filepath.Join(dir, "link"))).To(Succeed())
		Expect(os.Symlink(filepath.Join(outside, "Secret.ts"), filepath.Join(dir, "c.ts"))).To(Succeed())
		tree := map[string]steps.Observation{"tree": ok(nil)}
		Expect(ask("source: { component_name: Nope }", dir, "", tree).Detail.Found).To(Equal([]string{"b.ts:1:1 (declares Nope, low)"}))
		Expect(ask("source: { component_name: Nope, max_workspace_files: 1 }", dir, "", tree).Data["limitations"]).To(
			HaveExactElements("only 1 files were read (max_workspace_files)"))
	})
})

var _ = Describe("network_source", func() {
	const script = "\ncall1();call2()\n//# sourceMappingURL=app.js.map\n"
	var site *httptest.Server
	var dir string

	BeforeEach(func() {
		mux := http.NewServeMux()
		mux.HandleFunc("/app.js", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, script) })
		mux.HandleFunc("/app.js.map", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, served) })
		mux.HandleFunc("/in.js", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "\nx\n//# sourceMappingURL=data:application/json;base64,"+base64.StdEncoding.EncodeToString([]byte(served)))
		})
		site = httptest.NewServer(mux)
		DeferCleanup(site.Close)
		dir = project(map[string]string{"src/a.ts": "\nfetch('/api/fail?x=1')\n", "src/b.ts": "", "static/app.js": script, "server/routes.go": "mux.Handle(\"POST /api/fail\")"})
	})

	failing := func(url string, more object) object {
		out := object{"requestId": "r7", "url": url, "method": "POST", "resourceType": "fetch", "status": 500, "failed": false, "error": nil}
		for k, v := range more {
			out[k] = v
		}
		return out
	}
	stack := func(url string, line, column int) object {
		return object{"stack": []any{object{"url": url, "line": line, "column": column}}, "initiator": "script"}
	}

	It("follows the initiator through the source map, and looks for the URL in the project", func() {
		o := ask("network_source: { filter: /api/fail }", dir, site.URL, map[string]steps.Observation{"requests": ok(object{"requests": []any{
			failing(site.URL+"/api/fail?token=hunter2", stack(site.URL+"/app.js", 2, 9)),
			object{"requestId": "r8", "url": site.URL + "/api/fail/ok", "status": 200}}})})
		Expect(o.Success).To(BeTrue(), o.Error)
		Expect(o.Data["status"]).To(Equal("failed-requests-found"))
		Expect(o.Detail.Found).To(Equal([]string{"src/b.ts:3:3 (initiator, through its source map, medium)",
			"server/routes.go:1:18 (names /api/fail, low)", "src/a.ts:2:8 (names /api/fail, low)"}))
		Expect(o.Data["failed_requests"]).To(HaveLen(1))
		Expect(fmt.Sprint(o.Data)).NotTo(ContainSubstring("hunter2"))
	})

	DescribeTable("says how it came out",
		func(requests []any, status string) {
			o := ask("network_source: { url: /other }", dir, site.URL, map[string]steps.Observation{"requests": ok(object{"requests": requests})})
			Expect(o.Data["status"]).To(Equal(status))
			Expect(o.Success).To(BeTrue())
		},
		Entry("none failed", []any{object{"requestId": "r1", "status": 200.0}}, "no-failed-requests"),
		Entry("nothing names it", []any{failing("http://h/other", nil)}, "no-candidates"),
		Entry("refused", []any{object{"requestId": "r1", "url": "http://h/api/fail", "failed": true, "error": "net::ERR_CONNECTION_REFUSED"}}, "failed-requests-found"),
	)

	It("fails with a row that did", func() {
		o := ask("network_source: { request_id: r9 }", dir, site.URL, map[string]steps.Observation{"request": steps.Fail(steps.NotFound, "no-request", "there is no request")})
		Expect(o.Success).To(BeFalse())
		Expect(o.Category).To(Equal(steps.NotFound))
	})

	DescribeTable("a locator names one file", func(from func() []steps.Place, to, want string) {
		Expect(new(source.Locator).Locate(context.Background(), dir, site.URL, from(), to)).To(Equal(want))
	},
		Entry("through the map", func() []steps.Place { return []steps.Place{{URL: site.URL + "/app.js", Line: 2, Column: 9}} }, "",
			"src/b.ts:3:3 (stack, through its source map, medium)"),
		Entry("through a map in the script", func() []steps.Place { return []steps.Place{{URL: site.URL + "/in.js", Line: 2, Column: 1}} }, "",
			"src/a.ts:1:1 (stack, through its source map, medium)"),
		Entry("by the path of the script", func() []steps.Place {
			return []steps.Place{{URL: "http://cdn.test/lib.js", Line: 1}, {URL: "http://elsewhere.test/static/app.js", Line: 2, Column: 1}}
		}, "", "static/app.js:2:1 (stack, medium)"),
		Entry("what sent a request", func() []steps.Place { return []steps.Place{{URL: site.URL + "/static/app.js", Line: 2, Column: 1}} }, "http://h/api/fail",
			"static/app.js:2:1 (initiator, medium)"),
		Entry("by the URL of the request", func() []steps.Place { return nil }, "http://h/api/fail", "server/routes.go:1:18 (names /api/fail, low)"),
		Entry("by an attribute", func() []steps.Place { return []steps.Place{{URL: "src/a.ts", Line: 4}} }, "", "src/a.ts:4 (attribute of the element, medium)"),
		Entry("nothing", func() []steps.Place { return []steps.Place{{URL: site.URL + "/nope.js", Line: 1}} }, "http://h/", ""),
	)
})
