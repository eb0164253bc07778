package runner_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// environ gives the environment of a run that is not one of CI, with more names.
func environ(ci string, more ...string) setting {
	return func(o *runner.Options, po *plan.Options) {
		env := append([]string{"CI=" + ci}, more...)
		o.Environ = append(o.Environ, env...)
		inner := po.LookupEnv
		po.LookupEnv = func(name string) (string, bool) {
			for _, e := range env {
				if k, v, _ := strings.Cut(e, "="); k == name {
					return v, v != ""
				}
			}
			return inner(name)
		}
	}
}

var _ = Describe("A service with if", func() {
	body := suite(`
base_url: "${{ env.SHOP_URL ?? services.web.url }}"
services:
	web: { exec: [sh, -c, "echo web >> $LOG; echo up; exec sleep 60"], if: env.SHOP_URL == nil, ready: { log: up } }
	extra: { exec: [sh, -c, "echo extra >> $LOG; echo up; exec sleep 60"], if: services.web == nil, ready: { log: up } }
tests:
	- name: one
	  steps:
	    - exec: [./note, "${{ services.web?.host ?? 'absent' }}"]
`)

	It("is started where it holds", func(ctx SpecContext) {
		o := play(ctx, body)
		Expect(o.exit).To(Equal(0))
		Expect(o.log()).To(ConsistOf("web", "localhost"))
	})

	It("is absent where it does not", func(ctx SpecContext) {
		o := play(ctx, body, environ("", "SHOP_URL=http://localhost:1"))
		Expect(o.exit).To(Equal(0))
		Expect(o.log()).To(ConsistOf("extra", "absent"))
	})
})

var _ = Describe("A service with ports", func() {
	It("gets each of them from the system, all different", func(ctx SpecContext) {
		o := play(ctx, suite(`
services:
	web: { exec: [sh, -c, "echo $0 $1 $2 > ports; exec sleep 60", "${{ self.port }}", "${{ self.ports.admin }}", "${{ self.ports.metrics }}"], ports: [admin, metrics] }
	db: { exec: [sh, -c, "sleep 60"] }
tests:
	- name: one
	  steps:
	    - exec: [./note, "${{ services.web.port }}"]
	    - exec: [./note, "${{ services.web.ports.admin }}"]
	    - exec: [./note, "${{ services.web.ports.metrics }}"]
	    - exec: [./note, "${{ services.db.port }}"]
`))
		Expect(o.exit).To(Equal(0))
		seen := map[string]bool{}
		for _, p := range o.log() {
			seen[p] = true
		}
		Expect(seen).To(HaveLen(4))
	})
})

var _ = Describe("A service with reuse", func() {
	body := func(url, ready string) map[string]string {
		return suite(`
services:
	web: { exec: ["${{ env.SELF }}", serve, "${{ self.port }}"], ready: { http: ` + ready + ` }, reuse: "` + url + `" }
tests:
	- name: one
	  steps: [{ exec: [./note, "${{ services.web.url }}|${{ services.web.host }}|${{ services.web.port }}"] }]
`)
	}
	var hits chan string
	var server *httptest.Server
	BeforeEach(func() {
		hits = make(chan string, 100)
		server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			hits <- r.URL.Path
			if r.URL.Path == "/missing" {
				w.WriteHeader(http.StatusNotFound)
			}
		}))
		DeferCleanup(server.Close)
	})
	address := func() string {
		_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
		Expect(err).NotTo(HaveOccurred())
		return "http://127.0.0.1:" + port + "|127.0.0.1|" + port
	}

	It("uses what answers there, says so, and starts nothing", func(ctx SpecContext) {
		o := play(ctx, body(server.URL, "/up"), environ(""))
		Expect(o.exit).To(Equal(0))
		Expect(o.log()).To(Equal([]string{address()}))
		Expect(hits).To(Receive(Equal("/up")))
		Expect(o.state.Warnings).To(ConsistOf(ContainSubstring(`service "web": what answers at ` + server.URL + ` is used`)))
		Expect(o.state.Procs).To(BeEmpty())
	})

	It("is started where nothing answers", func(ctx SpecContext) {
		server.Close()
		o := play(ctx, body(server.URL, "/"), environ("false"))
		Expect(o.exit).To(Equal(0))
		Expect(o.log()).To(ConsistOf(HavePrefix("http://localhost:")))
		Expect(o.state.Warnings).To(BeEmpty())
	})

	It("is started where what answers is not ready, and says so", func(ctx SpecContext) {
		o := play(ctx, body(server.URL, "/missing"), environ(""))
		Expect(o.log()).To(ConsistOf(HavePrefix("http://localhost:")))
		Expect(o.state.Warnings).To(ConsistOf(ContainSubstring("answers 404 Not Found")))
	})

	It("is always started under CI", func(ctx SpecContext) {
		o := play(ctx, body(server.URL, "/up"), environ("true"))
		Expect(o.exit).To(Equal(0))
		Expect(o.log()).To(ConsistOf(HavePrefix("http://localhost:")))
		Expect(hits).NotTo(Receive())
	})

	It("fails the environment if what is written there turns out to be no URL", func(ctx SpecContext) {
		o := play(ctx, body("${{ 'nowhere' }}", "/"), environ(""))
		Expect(o.exit).To(Equal(3))
		Expect(o.state.Suites[0].SetupFailure.Message).To(ContainSubstring("reuse is no URL"))
	})
})

var _ = Describe("Services of checkrow.yaml", func() {
	project := `
env: { LOG: "${{ env.LOGFILE }}" }
services:
	db: { exec: [sh, -c, "echo db+ >> $LOG; trap 'echo db- >> $LOG; exit' TERM; echo up; while :; do sleep 0.02; done"], ready: { log: up } }
	shop: { exec: [sh, -c, "echo shop+ >> $LOG; trap 'echo shop- >> $LOG; exit' TERM; echo up; while :; do sleep 0.02; done", "${{ services.db.port }}"], ready: { log: up } }
	mail: { exec: [sh, -c, "echo mail+ >> $LOG; exec sleep 60"] }
	bad: { exec: [sh, -c, "echo bad+ >> $LOG; echo sorry >&2; exit 4"], ready: { tcp: true } }
`
	reader := func(name, what string) string {
		return "suite: " + name + "\ntests:\n\t- { name: t, steps: [{ exec: [./note, \"" + name + "${{ " + what + " }}\"] }] }\n"
	}
	run := func(ctx SpecContext, files map[string]string, more ...setting) outcome {
		files["checkrow.yaml"] = project
		log := GinkgoT().TempDir() + "/log"
		o := play(ctx, files, append(more, environ("", "LOGFILE="+log))...)
		b, err := os.ReadFile(log)
		if err == nil {
			Expect(os.WriteFile(o.dir+"/log.txt", b, 0o600)).To(Succeed())
		}
		return o
	}

	It("start once, before the first suite that reads them, behind those that they read, and end with the run", func(ctx SpecContext) {
		files := map[string]string{}
		for i := range 8 {
			files[fmt.Sprintf("s%d.yaml", i)] = reader(fmt.Sprintf("s%d", i), "services.shop.port > 0 ? '' : ''")
		}
		files["bad.yaml"] = "suite: x\ntests: [{ name: skipped, skip: \"no\", steps: [{ exec: [\"${{ services.bad.port }}\"] }] }]\n"
		o := run(ctx, files, workers(4))
		Expect(o.err).NotTo(HaveOccurred())
		Expect(o.exit).To(Equal(0))
		log := o.log()
		Expect(log).To(HaveLen(5 + 8))
		Expect(log[len(log)-2:]).To(Equal(words("shop- db-")))
		Expect(log).To(ContainElement("mail+")) // nobody reads it, so everybody may need it
		Expect(log).NotTo(ContainElement("bad+"))
		Expect(strings.Join(log, " ")).To(MatchRegexp(`db\+.*shop\+`))
		Expect(o.state.Procs).To(BeEmpty())
	})

	It("that do not come up fail every suite that needs them, and no other, and are tried once", func(ctx SpecContext) {
		o := run(ctx, map[string]string{"a.yaml": reader("a", "services.bad.url"), "b.yaml": reader("b", "services.bad.url"),
			"c.yaml": reader("c", "services.db.host")}, workers(3))
		Expect(o.exit).To(Equal(3))
		Expect(strings.Count(strings.Join(o.log(), " "), "bad+")).To(Equal(1))
		Expect(o.log()).To(ContainElement("clocalhost"))
		for _, file := range words("a.yaml b.yaml") {
			b := o.state.Suite(file).SetupFailure
			Expect(b).NotTo(BeNil())
			Expect(b.Category).To(Equal(steps.Environment))
			Expect(b.Message).To(ContainSubstring(`starting service "bad": it ended before it was ready (exit 4)`))
			Expect(b.Pos.File).To(Equal("checkrow.yaml"))
			Expect(b.Excerpt).NotTo(BeEmpty())
			Expect(b.Rerun).To(Equal("checkrow run " + file))
		}
		Expect(o.state.Suite("c.yaml").SetupFailure).To(BeNil())
	})

	It("can be hidden by a suite's own", func(ctx SpecContext) {
		o := run(ctx, map[string]string{"a.yaml": `
suite: a
services: { shop: { exec: [sh, -c, "exec sleep 60"] } }
tests: [{ name: t, steps: [{ exec: [./note, "own-${{ services.shop.host }}"] }] }]
`, "b.yaml": "suite: b\ntests: [{ name: t, skip: \"no\", steps: [{ exec: [\"${{ services.bad.port }}${{ services.db.port }}\"] }] }]\n"})
		Expect(o.exit).To(Equal(0))
		Expect(o.log()).To(ContainElement("own-localhost"))
		Expect(o.log()).NotTo(ContainElement(BeElementOf("shop+", "db+", "bad+")))
	})

	It("that die fail the tests of every suite that needs them, with their last lines", func(ctx SpecContext) {
		o := play(ctx, map[string]string{"checkrow.yaml": `
services: { web: { exec: ["${{ env.SELF }}", serve, "${{ self.port }}"], ready: { http: / } } }
`, "a.yaml": `
suite: a
tests:
	- name: one
	  steps:
	    - exec: [bash, -c, "exec 3<>/dev/tcp/localhost/$0 && printf 'GET /die HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3; sleep 0.3", "${{ services.web.port }}"]
`, "b.yaml": `
suite: b
tests: [{ name: two, steps: [{ exec: [./note, "${{ services.web.port }}"] }] }]
`}, workers(1))
		for _, name := range words("one two") {
			b := o.last(name).Failure
			Expect(b).NotTo(BeNil(), name)
			Expect(b.Sub).To(Equal("service-died"))
			Expect(b.Services).To(HaveExactElements(ContainSubstring("dying as told")))
		}
		Expect(o.exit).To(Equal(1))
	})
})
