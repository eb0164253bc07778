package runner_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// appFolder lays out an app that serves the debugging port of somebody else, so that the port goes on when it is ended.
func appFolder(leaves bool) string {
	GinkgoHelper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := `{"Browser": "Chrome/1"}`
		if r.URL.Path == "/json/list" {
			text = `[{"id": "w", "type": "page", "url": "app://main"}]`
		}
		_, _ = w.Write([]byte(text))
	}))
	DeferCleanup(srv.Close)
	dir := GinkgoT().TempDir()
	Expect(os.Mkdir(filepath.Join(dir, "resources"), 0o700)).To(Succeed())
	end := "while [ ! -e \"${0%/*}/end\" ]; do sleep 0.05; done\n"
	if leaves {
		end = "sleep 60 & wait\n"
	}
	port := srv.URL[strings.LastIndex(srv.URL, ":")+1:]
	for name, text := range map[string]string{"resources/app.asar": "", "resources.pak": "",
		"notes": "#!/bin/sh\nprintf " + port + " > \"${1#*=}/DevToolsActivePort\"\n" + end} {
		Expect(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700)).To(Succeed())
	}
	return dir
}

var _ = Describe("An app", func() {
	It("that cannot be cleaned up wholly is a failure beside the verdict, and never hides one", func(ctx SpecContext) {
		e := &fakeEngine{answer: func(row []string) steps.Observation {
			return steps.Observation{Success: row[0] != "click", Category: steps.NotFound, Error: "no such element"}
		}}
		app := appFolder(true)
		o := play(ctx, suite("tests:\n"+
			"\t- name: well\n\t  steps:\n\t    - electron: { launch: { app_path: "+app+", timeout: 30s } }\n\t    - [reload]\n"+
			"\t- name: ill\n\t  steps:\n\t    - electron: { launch: { app_path: "+app+", timeout: 30s } }\n\t    - [click, \"#a\"]\n"),
			func(o *runner.Options, _ *plan.Options) { o.Engine = e })
		for name, status := range map[string]steps.Status{"well": steps.Errored, "ill": steps.Errored} {
			a := o.last(name)
			Expect(o.test(name).Status).To(Equal(status))
			Expect(a.Cleanup).To(ConsistOf(And(HaveField("Sub", "cleanup-failed, app-left"), HaveField("Category", steps.Environment),
				HaveField("Message", ContainSubstring("debug-port: the port")), HaveField("Pos.Line", BeNumerically(">", 0)))))
		}
		Expect(o.last("well").Failure).To(BeNil())
		Expect(o.last("well").Apps).To(HaveExactElements(And(HaveField("LaunchID", HavePrefix("electron-")), HaveField("Session", "main"), HaveField("State", "partial"),
			HaveField("Cleanup", ContainElement(And(HaveField("Part", "debug-port"), HaveField("State", "failed"), HaveField("Error", ContainSubstring("still serves"))))))),
			"R168, R170")
		Expect(o.last("ill").Failure.Message).To(Equal("no such element"))
		Expect(e.open).To(BeZero())
		Expect(e.opened).To(Equal(2))
	}, SpecTimeout(time.Minute))

	It("lets no row into a browser after it was ended, and cannot be launched in a session that has one", func(ctx SpecContext) {
		e := &fakeEngine{answer: func([]string) steps.Observation { return steps.Observation{Success: true} }}
		app := appFolder(true)
		o := play(ctx, suite("tests:\n"+
			"\t- name: gone\n\t  steps:\n\t    - { electron: { launch: { app_path: "+app+", timeout: 30s } } }\n\t    - { electron: { cleanup: true }, optional: true }\n\t    - [reload]\n"+
			"\t- name: unseen\n\t  steps:\n\t    - { electron: { launch: { app_path: "+app+", timeout: 30s } } }\n\t    - { electron: { cleanup: true }, optional: true }\n\t  finally: [[reload]]\n"+
			"\t- name: late\n\t  steps:\n\t    - [reload]\n\t    - electron: { launch: { app_path: "+app+" } }\n"),
			func(o *runner.Options, _ *plan.Options) { o.Engine = e })
		Expect(o.last("unseen").Failure).To(BeNil())
		Expect(o.last("unseen").Cleanup).To(ContainElement(HaveField("Sub", ContainSubstring("app-closed"))), "its finally did not run")
		Expect(o.last("gone").Failure).To(And(HaveField("Sub", "app-closed"), HaveField("Message", ContainSubstring("was ended: launch it again"))))
		Expect(o.last("late").Failure.Sub).To(Equal("session-used"))
	}, SpecTimeout(time.Minute))

	It("has its processes known to the journal, for what a killed run leaves", func(ctx SpecContext) {
		app := appFolder(false)
		o := play(ctx, suite("tests:\n\t- name: quits\n\t  steps:\n\t    - electron: { launch: { app_path: "+app+", timeout: 30s } }\n"+
			"\t    - exec: [touch, "+app+"/end]\n\t    - electron: { status: true }\n\t      expect: not running\n"),
			func(o *runner.Options, _ *plan.Options) {
				o.Engine = &fakeEngine{answer: func([]string) steps.Observation { return steps.Observation{Success: true} }}
			})
		text, err := os.ReadFile(filepath.Join(o.run, "journal.jsonl"))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).To(And(ContainSubstring(`"kind":"proc-start","body":{"what":"app"`), ContainSubstring(`"kind":"proc-end","body":{"what":"app"`)))
		Expect(o.last("quits").Failure).To(BeNil(), "it ended in order")
	}, SpecTimeout(time.Minute))
})
