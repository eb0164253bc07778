package electron_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("list", func() {
	var d *desk

	// entry writes a desktop entry.
	entry := func(id, name, exec string) {
		GinkgoHelper()
		dir := filepath.Join(d.root, ".local/share/applications")
		Expect(os.MkdirAll(dir, 0o755)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(dir, id+".desktop"), []byte("[Desktop Entry]\nName="+name+"\nExec="+exec+"\n"), 0o600)).To(Succeed())
	}
	// names lists apps, as far as they are those of the user: the machine may have some too.
	names := func(keys string) []string {
		GinkgoHelper()
		o := d.do(GinkgoT().Context(), "electron: { list: { "+keys+" } }")
		Expect(o.Error).To(BeEmpty())
		out := []string{}
		for _, x := range o.Data["apps"].([]any) {
			if m := x.(map[string]any); strings.HasPrefix(m["executable"].(string), d.root) {
				out = append(out, fmt.Sprint(m["name"], " ", m["id"]))
			}
		}
		return out
	}

	BeforeEach(func() {
		root, err := filepath.EvalSymlinks(GinkgoT().TempDir())
		Expect(err).NotTo(HaveOccurred())
		d = &desk{root: root}
		install(root, ".local/opt/jotter", "exit 0\n") // no entry leads to it, but a script
		Expect(os.WriteFile(filepath.Join(root, "script"), []byte("#!/bin/sh\n"), 0o755)).To(Succeed())
		entry("test.jotter", "Jotter", filepath.Join(root, "script"))
		mine := install(root, "apps/mine", "exit 0\n")
		Expect(os.Symlink(filepath.Join(mine, "notes"), filepath.Join(root, "mine"))).To(Succeed())
		entry("test.mine", "Mine", filepath.Join(root, "mine")+" --flag %U")
		entry("test.again", "Mine Again", filepath.Join(mine, "notes"))
		entry("test.plain", "Plain", "/bin/sh")
	})

	It("finds apps by the same evidence as launch, each once, by their names", func() {
		Expect(names("")).To(Or(HaveExactElements("Mine test.mine", "notes "), HaveExactElements("Mine Again test.again", "notes ")))
	})

	DescribeTable("tells some of them",
		func(keys string, want ...string) {
			var all []any
			for _, w := range want {
				all = append(all, w)
			}
			Expect(names(keys)).To(HaveExactElements(all...))
		},
		Entry("in any case", "query: JOTTER", "notes "),
		Entry("that allow names", `allow: [.local/opt/jotter]`, "notes "),
		Entry("that deny does not name", `allow: [jotter, apps/mine], deny: [apps/mine]`, "notes "),
		Entry("none", "query: nothing has this name"),
	)

	It("says how many it does not tell", func() {
		o := d.do(GinkgoT().Context(), `electron: { list: { max_results: 1, allow: ["`+d.root+`"] } }`)
		Expect(o.Value).To(HaveLen(1))
		Expect(o.Data).To(And(HaveKeyWithValue("count", 2), HaveKeyWithValue("omitted", 1)))
	})

	It("names what launch can find by that name", func(ctx SpecContext) {
		o := d.do(ctx, launching("app_name: jotter, deny: [x]"))
		Expect(o.Sub).To(Equal("non-electron-target"), "the desktop's Jotter is the script")
	})
})
