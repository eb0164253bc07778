package code_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/code"
)

func counts(o steps.Observation) map[string]any { return o.Data["codeRun"].(map[string]any) }

var _ = Describe("a code cell (R75 to R83)", func() {
	var w *world
	BeforeEach(func() { w = &world{} })

	It("runs rows one after the other, and gives what it returns", func(ctx SpecContext) {
		o := w.play(ctx, cell(`const [a, b] = await Promise.all([
  browser({args: ["get", "text", "#a"]}),
  browser({args: ["get", "text", "#b"], timeoutMs: 500}),
]);
console.log("got", {n: 1}, a.success);
return {a: a.value, b: b.data.text, n: inputs.n + 1, user: inputs.user};`, `with: { n: "${{ vars.n }}", user: "x${{ vars.user }}" }`))
		Expect(o.Error).To(BeEmpty())
		Expect(o.Success).To(BeTrue())
		Expect(o.Value).To(Equal(map[string]any{"a": "get text #a", "b": "get text #b", "n": 3, "user": "xada"}))
		Expect(w.rows).To(Equal([]string{"get text #a", "get text #b"}))
		Expect(w.at[1].Line).To(Equal(8), "the line of the call")
		Expect(counts(o)).To(HaveKeyWithValue("callCount", 2))
		Expect(o.Data["logs"]).To(Equal([]any{`got {"n":1} true`}))
	})

	DescribeTable("gives a value", func(ctx SpecContext, script string, want any, emits int) {
		o := w.play(ctx, cell(script))
		Expect(o.Error).To(BeEmpty())
		if want == nil {
			Expect(o.Value).To(BeNil())
		} else {
			Expect(o.Value).To(Equal(want))
		}
		Expect(counts(o)).To(HaveKeyWithValue("emitCount", emits))
	},
		Entry("by one emit", "emit({a: 1.5}); return 2", map[string]any{"a": 1.5}, 1),
		Entry("by several", "emit(1); emit('x'); emit()", []any{1, "x", nil}, 3),
		Entry("by return", "return [1, 2]", []any{1, 2}, 0),
		Entry("not at all", "let x = 1", nil, 0),
		Entry("without what the outside could give it", "return [typeof require, typeof process, typeof fetch, typeof setTimeout, typeof module, typeof Go]",
			[]any{"undefined", "undefined", "undefined", "undefined", "undefined", "undefined"}, 0),
		Entry("though it changes its own tools", "JSON.stringify = JSON.parse = () => { throw 1 }; const r = await browser({args: ['x']}); return r.success", true, 0),
		Entry("and names of source maps are not followed", "return 1\n//# sourceMappingURL=/etc/passwd", 1, 0),
	)

	DescribeTable("fails", func(ctx SpecContext, step string, category steps.Category, sub, says string, line int) {
		o := w.play(ctx, step)
		Expect(o.Success).To(BeFalse())
		Expect(o.Category).To(Equal(category), o.Error)
		Expect(o.Sub).To(Equal(sub))
		Expect(o.Error).To(ContainSubstring(says))
		Expect(o.Pos.Line).To(Equal(line), o.Error)
	},
		Entry("by an error that nobody catches", cell("const a = 1;\na.b.c.d"), steps.Assertion, "script-error", "TypeError", 7),
		Entry("by one after an await", cell("await browser({args: ['x']});\n\nthrow new Error('total is wrong')"), steps.Assertion, "script-error",
			"Error: total is wrong (line 3 of the code)", 8),
		Entry("by a thrown value", cell("throw {a: 1}"), steps.Assertion, "script-error", `the script threw {"a":1}`, 0),
		Entry("by recursion", cell("function f() { return f() + 1 }\nreturn f()"), steps.Assertion, "script-error", "RangeError", 6),
		Entry("by a promise of nothing", cell("await new Promise(() => {})"), steps.Assertion, "never-settles", "nothing can settle", 0),
		Entry("by a call too many, caught or not", cell("for (;;) { try { await browser({args: ['x']}) } catch {} }", "max_calls: 3"), steps.Validation, "call-limit",
			"more often than max_calls says (3)", 6),
		Entry("by what is no row", cell("try { await browser({args: 'click'}) } catch {}"), steps.Validation, "call", "needs args, a list of texts", 0),
		Entry("by a cell that is no text", cell("await browser({args: ['wait', 5]})"), steps.Assertion, "script-error", "cell 2 of args is no text but a number", 6),
		Entry("by a misspelt key", cell("try { await browser({arg: ['x']}) } catch {}"), steps.Validation, "call", `knows no "arg", did you mean "args"?`, 0),
		Entry("by input for a row that reads none", cell("try { await browser({args: ['click', '#a'], stdin: 'x'}) } catch {}"), steps.Validation, "call", "stdin is a text for", 0),
		Entry("by too much output", cell("for (let i = 0; i < 100; i++) emit('x'.repeat(1000))"), steps.Validation, "size-limit", "more than 65536 bytes", 6),
		Entry("by an image that is none", cell("try { await emitImage('a.png') } catch {}"), steps.Validation, "call", "emitImage takes an artifact", 0),
	)

	It("ends with the time it may take, wherever it is", func(ctx SpecContext) {
		for _, script := range []string{"for (;;) {}", "while (true) await null", "try { for (;;) {} } finally { for (;;) {} }",
			"return /(?=a)(a+)+$/.test('a'.repeat(60) + '!')"} {
			limited, cancel := context.WithTimeoutCause(ctx, 300*time.Millisecond, errors.New("the step took longer than 300ms"))
			since := time.Now()
			o := w.play(limited, cell(script, "timeout: 300ms"))
			Expect(time.Since(since)).To(BeNumerically("<", 1500*time.Millisecond), script)
			Expect(o.Category).To(Equal(steps.Timeout), script)
			Expect(o.Error).To(ContainSubstring("the step took longer than 300ms"), script)
			cancel()
		}
	})

	It("fails when a row did, though it goes on", func(ctx SpecContext) {
		w.answer = func(row string) steps.Observation {
			if strings.HasPrefix(row, "click") {
				return steps.Fail(steps.NotFound, "missing", "no element matches")
			}
			return steps.OK(nil, "")
		}
		script := "const r = await browser({args: ['click', '#a']});\nawait browser({args: ['reload']});\nreturn r.error"
		o := w.play(ctx, cell(script))
		Expect(o.Success).To(BeFalse())
		Expect(o.Category).To(Equal(steps.NotFound))
		Expect(o.Error).To(Equal(`[click, "#a"] of the code failed: no element matches`))
		Expect(w.rows).To(HaveLen(2))
		Expect(o.Data["failures"]).To(HaveLen(1))

		o = w.play(ctx, cell(script, "fail_on_inner_failure: false"))
		Expect(o.Error).To(BeEmpty())
		Expect(o.Value).To(Equal("no element matches"))
		Expect(counts(o)).To(HaveKeyWithValue("failedCallCount", 1))
	})

	It("stops at once when the browser dies, and shows the images it is told to", func(ctx SpecContext) {
		w.answer = func(row string) steps.Observation {
			if row == "click #crash" {
				return steps.Fail(steps.Crash, "browser-crashed", "the browser crashed")
			}
			return steps.Observation{Success: true, Artifacts: []steps.Artifact{{Path: "a.png", Type: "image/png", State: steps.Saved, Bytes: 10}}}
		}
		o := w.play(ctx, cell("const r = await browser({args: ['screenshot', 'a.png']});\nawait emitImage(r.artifacts[0]); await emitImage('a.png')"))
		Expect(o.Error).To(BeEmpty())
		Expect(o.Artifacts).To(HaveLen(1))
		o = w.play(ctx, cell("try { await browser({args: ['click', '#crash']}) } finally { await browser({args: ['reload']}) }", "fail_on_inner_failure: false"))
		Expect(o.Category).To(Equal(steps.Crash))
		Expect(w.rows).NotTo(ContainElement("reload"))
	})

	It("that takes memory dies alone", Label("memory"), func(ctx SpecContext) {
		for _, bomb := range []string{"return 'x'.repeat(2 ** 36)", "const a = []; for (;;) a.push('x'.repeat(1 << 24) + a.length)", "JSON.parse('['.repeat(5e6))",
			"return new ArrayBuffer(4e9)"} {
			since := time.Now()
			o := w.play(ctx, cell(bomb))
			Expect(o.Success).To(BeFalse(), bomb)
			Expect(o.Sub).To(BeElementOf("memory-limit", "script-error", "syntax"), bomb+": "+o.Error)
			GinkgoWriter.Println(bomb, time.Since(since), o.Sub, o.Error)
		}
	})

	It("needs the binary that it is run by", func(ctx SpecContext) {
		w.self = "none"
		o := w.play(ctx, cell("return 1"))
		Expect(o.Category).To(Equal(steps.Environment))
		Expect(o.Sub).To(Equal("no-child"))
		w.self = os.DevNull
		Expect(w.play(ctx, cell("return 1")).Error).To(ContainSubstring("cannot be run"))
	})

	It("is killed when the test around it ends", func(ctx SpecContext) {
		stopped, stop := context.WithCancelCause(ctx)
		w.answer = func(string) steps.Observation {
			stop(errors.New("the run was stopped"))
			return steps.OK(nil, "")
		}
		o := w.play(stopped, cell("await browser({args: ['x']}); for (;;) {}"))
		Expect(o.Error).To(HavePrefix("the run was stopped"))
		Expect(counts(o)).To(HaveKeyWithValue("aborted", true))
	})
})

var _ = DescribeTable("a wrong code step", func(step, says string, line, col int) {
	_, l := decode(code.Kind, step)
	Expect(l.Len()).To(BeNumerically(">", 0))
	e := l.All()[0]
	Expect(e.Error()).To(ContainSubstring(says))
	Expect([2]int{e.Pos.Line, e.Pos.Col}).To(Equal([2]int{line, col}), e.Error())
},
	Entry("that is no JavaScript", cell("const a = 1;\n  if (a {"), "the code is no JavaScript: Unexpected token {", 7, 19),
	Entry("that leaves its function", cell("}); (() => {"), "a bracket too many", 5, 15),
	Entry("that declares twice", cell("let a = 1;\nlet a = 2;"), "Identifier 'a' has already been declared", 7, 15),
	Entry("with an expression in it", cell("return 1;\nconst u = '${{ vars.user }}'"), "${{ }} in a script would be read as code", 7, 22),
	Entry("that is empty", `code: ""`, `"code" is empty`, 5, 15),
	Entry("that is too long", cell("//"+strings.Repeat("x", 65_536)), "at most 65536 are taken", 5, 15),
	Entry("that nests without end", cell(strings.Repeat("(", 2_000)), "more than 1000 deep", 5, 15),
	Entry("with a misspelt key", cell("return 1", "max_call: 3"), `did you mean "max_calls"?`, 7, 9),
	Entry("that calls without end", cell("return 1", "max_calls: 5000"), `at most 1000`, 7, 20),
	Entry("that takes all day", cell("return 1", "timeout: 1h"), "at most 5m", 7, 18),
	Entry("with an input that has no name", cell("return 1", `with: { "a-b": 1 }`), "cannot be the name of an input", 7, 17),
)

func FuzzCode(f *testing.F) {
	for _, s := range []string{"return 1", "`${a", "/(?=", "a => {", "class A { #x; static {} }", strings.Repeat("[", 900)} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, s string) {
		_, _ = decode(code.Kind, "code: "+strconv.Quote(s))
	})
}
