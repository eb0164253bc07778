package runner_test

import (
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("Files of rows", func() {
	quiet := func() *fakeEngine {
		return &fakeEngine{answer: func([]string) steps.Observation { return good() }}
	}

	It("lie in the attempt's folder; loops and fragments have folders of their own", func(ctx SpecContext) {
		files := suite(`
retries: 1
tests:
	- name: one
	  steps:
	    - [screenshot, a.png]
	    - for: n in 1..2
	      do: [[screenshot, a.png]]
	    - use: ./shot.yaml
	    - { exec: [sh, -c, "test ${{ attempt }} = 2"] }
`)
		files["shot.yaml"] = "fragment: shot\nsteps: [[screenshot, a.png]]\n"
		o := play(ctx, files, with(quiet()))
		Expect(o.test("one").Status).To(Equal(steps.Flaky))
		first, second := o.test("one").Attempts[0].Artifacts, o.test("one").Attempts[1].Artifacts
		Expect(first).To(ConsistOf(
			HaveField("Path", HaveSuffix("/attempt-1/a.png")), HaveField("Path", HaveSuffix("/attempt-1/step-2-1/a.png")),
			HaveField("Path", HaveSuffix("/attempt-1/step-2-2/a.png")), HaveField("Path", HaveSuffix("/attempt-1/step-3/a.png")),
			HaveField("Path", HaveSuffix("failure.aria.txt")), HaveField("Path", HaveSuffix("console.txt")),
			HaveField("Path", HaveSuffix("rows.txt"))))
		Expect(second).To(HaveLen(4))
	})

	It("that two steps write fail the second one, and a retried step writes again", func(ctx SpecContext) {
		o := play(ctx, suite(`
vars: { name: a.png }
tests:
	- name: one
	  steps:
	    - row: [screenshot, a.png]
	      retry: { times: 1, unsafe: true }
	      expect: ok == false
	      optional: true
	    - [screenshot, "${{ vars.name }}"]
`), with(quiet()))
		b := o.last("one").Failure
		Expect(b).NotTo(BeNil())
		Expect(b.Message).To(ContainSubstring("another step of this attempt wrote it already"))
	})
})

// keeper notes the values that are to be masked.
type keeper struct {
	mu   sync.Mutex
	list []string
}

func (k *keeper) Add(v string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = append(k.list, v)
}

var _ = It("Secrets are masked from the moment they are known: declared ones, set ones, secret inputs", func(ctx SpecContext) {
	files := suite(`
secrets: [SELF]
tests:
	- name: one
	  steps:
	    - set: { token: { value: '"tok" + "en-1"', secret: true }, plain: "'open'" }
	    - use: ./part.yaml
	      with: { pw: "${{ vars.token }}-pw" }
	    - exec: [./note, "${{ secrets.SELF == env.SELF }}"]
`)
	files["part.yaml"] = "fragment: part\ninputs: { pw: { type: string, secret: true } }\nsteps: [{ exec: [./note, \"${{ inputs.pw }}\"] }]\n"
	k := &keeper{}
	o := play(ctx, files, func(o *runner.Options, _ *plan.Options) { o.Secrets = k })
	Expect(o.log()).To(Equal(words("token-1-pw true")))
	Expect(k.list).To(HaveLen(3))
	Expect(k.list[1:]).To(Equal([]string{"token-1", "token-1-pw"}))
})
