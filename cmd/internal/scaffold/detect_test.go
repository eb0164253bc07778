package scaffold_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/cmd/internal/scaffold"
)

// folder is a file system of "name", "text" pairs.
func folder(pairs ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i+1 < len(pairs); i += 2 {
		out[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

// scripts is a package.json with one script.
func scripts(name, script string) string {
	return `{"scripts": {"test": "x", "` + name + `": "` + script + `"}, "dependencies": {"x": "1"}}`
}

const free = scaffold.PortWord

var _ = DescribeTable("how an app is started", func(dir fstest.MapFS, start, env string, port int, ready string) {
	app, notes := scaffold.Detect(dir)
	Expect(strings.Join(app.Start, " ")).To(Equal(start), strings.Join(notes, "\n"))
	Expect(strings.Join(app.Env, " ")).To(Equal(env))
	Expect(app.Port).To(Equal(port))
	Expect(app.Ready).To(Equal(ready))
	Expect(app.From).NotTo(BeEmpty())
},
	Entry("vite", folder("package.json", scripts("dev", "vite")), "npm run dev -- --port "+free+" --strictPort", "", 0, "/"),
	Entry("vite by pnpm", folder("package.json", scripts("dev", "vite --host"), "pnpm-lock.yaml", ""), "pnpm run dev --port "+free+" --strictPort", "", 0, "/"),
	Entry("a port in the script", folder("package.json", scripts("start", "next start -p 4000")), "npm run start", "", 4000, "/"),
	Entry("a server that reads PORT by itself", folder("package.json", scripts("start", "react-scripts start")), "npm run start", "PORT="+free, 0, "/"),
	Entry("a source that reads PORT", folder("package.json", scripts("start", "node src/app.js"), "src/app.js", "listen(process.env.PORT ?? 3000)"),
		"npm run start", "PORT="+free, 0, "/"),
	Entry("a literal port", folder("package.json", scripts("start", "node app.js"), "app.js", "app.listen(3111)", "node_modules/x/i.js", "process.env.PORT"),
		"npm run start", "", 3111, "/"),
	Entry("a flag of Go", folder("go.mod", "module x", "cmd/app/main.go", "package main\nvar p = flag.Int(\"port\", 1, \"\")\nhttp.Handle(\"/healthz\", h)"),
		"go run ./cmd/app --port "+free, "", 0, "/healthz"),
	Entry("an address of Go", folder("go.mod", "module x", "main.go", "package main\nfunc f() { flag.StringVar(&addr, \"addr\", \":1\", \"\") }"),
		"go run . --addr localhost:"+free, "", 0, "/"),
	Entry("PORT of Go", folder("go.mod", "module x", "main.go", "package main\nvar p = os.Getenv(\"APP_PORT\")"), "go run .", "APP_PORT="+free, 0, "/"),
	Entry("a literal address of Go", folder("go.mod", "module x", "tool/main.go", "package main", "web/main.go", "package main\nvar e = http.ListenAndServe(\":8080\", nil)"),
		"go run ./web", "", 8080, "/"),
	Entry("a Makefile with PORT", folder("Makefile", "PORT ?= 8000\nrun: build\n\t./app\n"), "make run PORT="+free, "", 0, "/"),
	Entry("a recipe with a port", folder("Makefile", "all:\n\techo --port 1234\nserve:\n\tpython3 app.py --port 8001\n"), "make serve", "", 8001, "/"),
	Entry("compose", folder("docker-compose.yml", "services:\n  web:\n    ports:\n      - \"127.0.0.1:8088:80\"\n"), "docker compose up", "", 8088, "/"),
	Entry("what package.json cannot say, another file does", folder("package.json", `{"scripts": {"lint": "x"}}`, "go.mod", "module x",
		"main.go", "package main\nvar p = os.Getenv(\"PORT\")"), "go run .", "PORT="+free, 0, "/"),
)

var _ = DescribeTable("what cannot be used is said", func(dir fstest.MapFS, note string) {
	app, notes := scaffold.Detect(dir)
	Expect(app.Known()).To(BeFalse())
	Expect(notes).To(ConsistOf(ContainSubstring(note)))
},
	Entry("no script that serves", folder("package.json", `{"scripts": {"test": "x"}}`), "no script that serves"),
	Entry("no port", folder("package.json", scripts("start", "node app.js")), `say it with --start "npm run start" --port N`),
	Entry("not JSON", folder("package.json", `{`), "package.json cannot be read"),
	Entry("flags would go to the wrong program", folder("package.json", scripts("dev", "vite & node api.js")), "no port was found"),
	Entry("a library in Go", folder("go.mod", "module x", "x.go", "package x"), "no main package"),
	Entry("a Makefile without a port", folder("Makefile", "run:\n\t./app\n"), "no PORT is in it"),
	Entry("compose without ports", folder("compose.yaml", "services: {}\n"), "publishes no fixed port"),
)

var _ = Describe("an empty folder", func() {
	It("has no app and nothing to say of it", func() {
		app, notes := scaffold.Detect(folder())
		Expect(app.Known()).To(BeFalse())
		Expect(notes).To(BeEmpty())
	})
})

var _ = Describe("writing", func() {
	files := []scaffold.File{{Name: "a.yaml", Text: "a"}, {Name: "sub/b.yaml", Text: "b"}}
	It("writes all or nothing, over what is there by force only", func() {
		dir := GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(dir, "a.yaml"), []byte("mine"), 0o600)).To(Succeed())
		_, err := scaffold.Write(dir, files, false)
		Expect(err).To(MatchError(scaffold.ErrExists))
		Expect(err).To(MatchError(HavePrefix("a.yaml: there already")))
		Expect(filepath.Join(dir, "sub")).NotTo(BeADirectory())
		replaced, err := scaffold.Write(dir, files, true)
		Expect(err).NotTo(HaveOccurred())
		Expect(replaced).To(Equal([]string{"a.yaml"}))
		Expect(os.ReadFile(filepath.Join(dir, "a.yaml"))).To(BeEquivalentTo("a"))
		Expect(os.ReadFile(filepath.Join(dir, "sub", "b.yaml"))).To(BeEquivalentTo("b"))
	})
	DescribeTable(".gitignore", func(before, after string) {
		dir := GinkgoT().TempDir()
		file := filepath.Join(dir, ".gitignore")
		if before != "none" {
			Expect(os.WriteFile(file, []byte(before), 0o600)).To(Succeed())
		}
		_, err := scaffold.Ignore(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.ReadFile(file)).To(BeEquivalentTo(after))
	},
		Entry("none", "none", ".checkrow/\n"),
		Entry("one", "node_modules\n", "node_modules\n.checkrow/\n"),
		Entry("no final newline", "node_modules", "node_modules\n.checkrow/\n"),
		Entry("it is there", "/.checkrow\n", "/.checkrow\n"),
	)
})
