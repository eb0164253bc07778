package spec_test

import (
	"context"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// scalar gives the node of a text, as if it stood in single quotes in line 1, column 4 of a file.
func scalar(text string) spec.Node {
	var l diag.List
	f := spec.Parse("s.yaml", []byte("suite: s\nbase_url: '"+strings.ReplaceAll(text, "'", "''")+"'\ntests: [{name: a, steps: [[open, /]]}]\n"), &l)
	return f.Suite.BaseURL
}

func exprScope() *spec.Scope {
	str, num, yes := spec.Type{Base: spec.String}, spec.Type{Base: spec.Int}, spec.Type{Base: spec.Bool}
	step := func(maybe bool) spec.Type {
		return spec.Type{Base: spec.Struct, Maybe: maybe, Fields: map[string]spec.Type{
			"value": str, "ok": yes, "data": {Base: spec.Map}, "exit": num,
		}}
	}
	return &spec.Scope{
		Page: true,
		Env:  &spec.EnvUses{},
		Used: map[string]bool{},
		Names: map[string]spec.Type{
			"vars": {Base: spec.Struct, Fields: map[string]spec.Type{
				"user": str, "n": num, "f": {Base: spec.Float}, "yes": yes, "users": {Base: spec.List, Elem: &str}, "any": {Base: spec.Any},
			}},
			"env":     {Base: spec.Map, Elem: &str},
			"secrets": {Base: spec.Struct, Fields: map[string]spec.Type{"PW": str}},
			"data":    {Base: spec.Any}, "exit": num, "stdout": str,
		},
		Steps: map[string]spec.Type{"login": step(false), "order": step(true), "nothing": {Base: spec.Struct, Fields: map[string]spec.Type{"value": {Base: spec.Nothing}}}},
		Later: map[string]diag.Pos{"pay": {File: "s.yaml", Line: 40, Col: 3}},
	}
}

func exprValues() spec.Values {
	return spec.Values{
		"vars": map[string]any{"user": "ada", "n": 4, "f": 1.5, "yes": true, "users": []any{"ada", "bob"}, "any": nil},
		"env":  map[string]any{"A": "x"}, "secrets": map[string]any{"PW": "hush"}, "data": map[string]any{"n": 3}, "exit": 0, "stdout": "paid\n",
		"steps": map[string]any{"login": map[string]any{"value": "in", "ok": true, "data": map[string]any{"a": 1}, "exit": 0}},
	}
}

// page answers page functions and counts how often each was asked.
type page map[string]int

// Read answers as a page with one heading and two errors would.
func (p page) Read(_ context.Context, fn string, args []any) (any, error) {
	p[fn]++
	switch fn {
	case "visible", "exists":
		return args[0] == "h1", nil
	case "text":
		return "Thank you", nil
	case "count":
		return 2, nil
	case "attr":
		return nil, nil
	case "path":
		return "/cart", nil
	case "js":
		return map[string]any{"n": 1}, nil
	}
	return nil, context.DeadlineExceeded
}

func compile(src string, want spec.Type) (*spec.Expr, *diag.List, *spec.Scope) {
	var l diag.List
	scope := exprScope()
	return spec.CompileExpr(scalar(src), scope, want, &l), &l, scope
}

var _ = DescribeTable("expressions have values", func(ctx SpecContext, src string, want any) {
	e, l, _ := compile(src, spec.Type{})
	Expect(l.Err()).NotTo(HaveOccurred())
	got, _, err := e.Eval(ctx, exprValues(), page{})
	Expect(err).NotTo(HaveOccurred())
	if want == nil {
		Expect(got).To(BeNil())
	} else {
		Expect(got).To(Equal(want))
	}
},
	Entry(nil, "1 + 2", 3),
	Entry(nil, "vars.n + 1", 5),
	Entry(nil, "vars.n * vars.f", 6.0),
	Entry(nil, "vars.user + '!'", "ada!"),
	Entry(nil, "vars.users[1]", "bob"),
	Entry(nil, "len(filter(vars.users, # startsWith 'a'))", 1),
	Entry(nil, "exit == 0 and stdout contains 'paid'", true),
	Entry(nil, "exit == 0 && !(stdout contains 'x')", true),
	Entry(nil, "env.A", "x"),
	Entry(nil, "env.B ?? 'd'", "d"),
	Entry(nil, "env.B == nil", true),
	Entry(nil, "steps.login.value", "in"),
	Entry(nil, "steps.order?.value", nil),
	Entry(nil, "steps.order?.value ?? 'none'", "none"),
	Entry(nil, "steps.order.ok", false),
	Entry(nil, "not steps.order.ok and steps.login.ok", true),
	Entry(nil, "steps.order == nil", true),
	Entry(nil, "steps.order?.data.x.y", nil),
	Entry(nil, "visible('h1')", true),
	Entry(nil, "visible('h1') and count('.error') == 2", true),
	Entry(nil, "1 < count('.error') < 3", true),
	Entry(nil, "attr('a', 'href') == nil", true),
	Entry(nil, "attr('a', 'href') ?? 'x'", "x"),
	Entry(nil, "js('1').n + 1", 2),
	Entry(nil, "text('h1') startsWith 'Thank'", true),
	Entry(nil, "path() matches '^/c'", true),
	Entry(nil, "let n = count('a'); n * n", 4),
	Entry(nil, "vars.yes ? 'a' : 'b'", "a"),
	Entry(nil, "join(vars.users, ', ')", "ada, bob"),
	Entry(nil, "replace('aXa', 'a', 'b')", "bXb"),
	Entry(nil, "fromJSON('{\"n\": 3}').n == 3", true),
	Entry(nil, "fromJSON('{\"n\": 3}').n", 3),
	Entry(nil, "fromJSON('[1.5]')[0]", 1.5),
	Entry(nil, "today('+1d', 'x') ", "x"),
	Entry(nil, "today() < today('+1d')", true),
	Entry(nil, "unique('ada') startsWith 'ada-' and unique('a') != unique('a')", true),
	Entry(nil, "data.n == 3", true),
	Entry(nil, "any(vars.users, any(vars.users, # == 'bob'))", true),
	Entry(nil, "{'a': vars.n}.a", 4),
	Entry(nil, "vars.users | len()", 2),
)

var _ = DescribeTable("expressions have types", func(src string, base spec.Base) {
	e, l, _ := compile(src, spec.Type{})
	Expect(l.Err()).NotTo(HaveOccurred())
	Expect(e.Type().Base).To(Equal(base))
},
	Entry(nil, "1", spec.Int), Entry(nil, "1.5", spec.Float), Entry(nil, "'a'", spec.String), Entry(nil, "1 == 1", spec.Bool),
	Entry(nil, "vars.users", spec.List), Entry(nil, "vars", spec.Struct), Entry(nil, "data", spec.Any), Entry(nil, "nil", spec.Nothing),
	Entry(nil, "steps.login.data", spec.Map), Entry(nil, "env.X ?? 'a'", spec.String), Entry(nil, "steps.order.ok", spec.Bool),
	Entry(nil, "count('a')", spec.Int), Entry(nil, "js('a')", spec.Any),
)

// The column is that of the expression's own runes: the quoted text starts in column 12.
var _ = DescribeTable("wrong expressions", func(src string, want spec.Base, col int, message string) {
	_, l, _ := compile(src, spec.Type{Base: want})
	Expect(l.All()).NotTo(BeEmpty())
	first := l.All()[0]
	Expect(first.Error()).To(ContainSubstring(message))
	Expect(first.Pos).To(Equal(diag.Pos{File: "s.yaml", Line: 2, Col: 11 + col}), first.Error())
},
	Entry(nil, "vars.usr", spec.Any, 6, `"vars" has no "usr" (did you mean "user"?)`),
	Entry(nil, "1 + vrs.n", spec.Any, 5, `unknown name "vrs" (did you mean "vars"?)`),
	Entry(nil, "user == 'a'", spec.Any, 1, `unknown name "user" (write vars.user)`),
	Entry(nil, "login.value", spec.Any, 1, `unknown name "login" (write steps.login)`),
	Entry(nil, "steps.logn.value", spec.Any, 7, `no step has the id "logn" (did you mean "login"?)`),
	Entry(nil, "steps.pay.value", spec.Any, 7, `the step "pay" comes later, at line 40`),
	Entry(nil, "steps.login.valu", spec.Any, 13, `"steps.login" has no "valu" (did you mean "value"?)`),
	Entry(nil, "steps.order.value", spec.Any, 13, `the step "order" may not have run (write steps.order?.value)`),
	Entry(nil, "len(toPairs(steps.order))", spec.Any, 19, `the step may not have run`),
	Entry(nil, "steps.nothing.value.x", spec.Any, 21, `"steps.nothing.value" gives no value`),
	Entry(nil, "steps", spec.Any, 1, `"steps" needs the id of a step`),
	Entry(nil, "vars.n = 4", spec.Bool, 8, `"=" does not compare (write ==)`),
	Entry(nil, "vars.n === 4", spec.Bool, 8, `"===" does not compare (write ==)`),
	Entry(nil, "vars.n !== 4", spec.Bool, 8, `"!==" does not compare (write !=)`),
	Entry(nil, "vars.user.contains('a')", spec.Bool, 11, `write vars.user contains "a"`),
	Entry(nil, "vars.user.includes('a')", spec.Bool, 11, `write vars.user contains "a"`),
	Entry(nil, "vars.user.length > 1", spec.Bool, 11, `text has no field "length"`),
	Entry(nil, "vars.any == null", spec.Bool, 13, `unknown name "null" (write nil)`),
	Entry(nil, "${{ vars.yes }}", spec.Bool, 1, `an expression stands here without ${{ }} (write vars.yes)`),
	Entry(nil, "vars.user", spec.Bool, 1, `must be true or false, got text (write vars.user != "")`),
	Entry(nil, "vars.any", spec.Bool, 1, `the type of this is not known (write vars.any == true)`),
	Entry(nil, "count('.e')", spec.Bool, 1, `must be true or false, got a whole number (write count('.e') > 0)`),
	Entry(nil, "vars.yes ? true : 'x'", spec.Bool, 1, `must be true or false`),
	Entry(nil, "vars.n == 'a'", spec.Bool, 8, `"==" does not go between a whole number and text`),
	Entry(nil, "vars.user + 1", spec.Any, 11, `string(…) makes text of the number`),
	Entry(nil, "visible(h1)", spec.Bool, 9, `unknown name "h1" (text stands in quotes)`),
	Entry(nil, "visible()", spec.Bool, 1, `visible() takes 1 argument, got 0 (write visible(target))`),
	Entry(nil, "visble('a')", spec.Bool, 1, `unknown function "visble" (did you mean "visible"?)`),
	Entry(nil, "visible(1)", spec.Bool, 9, `visible() takes text here, got a whole number`),
	Entry(nil, "visible and true", spec.Bool, 1, `"visible" is a function (write visible(…))`),
	Entry(nil, "count(vars.users, # == 'a')", spec.Any, 19, `len(filter(`),
	Entry(nil, "repeat('a', 3)", spec.Any, 1, `"repeat" is not available`),
	Entry(nil, "reduce(vars.users, #acc + #)", spec.Any, 1, `"reduce" is not available`),
	Entry(nil, "totp()", spec.Any, 1, `not enough arguments for totp()`),
	Entry(nil, "matrix.size", spec.Any, 1, `there is no "matrix" here (a test or its suite has it`),
	Entry(nil, "1..20000", spec.Any, 2, `the range has more than 10000 steps`),
	Entry(nil, "1 +", spec.Any, 3, `the expression ends too early`),
	Entry(nil, "'abc", spec.Any, 1, `the text is never closed`),
	Entry(nil, "vars.n 4", spec.Any, 8, `"4" is not expected here`),
	Entry(nil, "“a”", spec.Any, 1, `this character cannot stand here`),
	Entry(nil, "env[vars.user]", spec.Any, 4, `"env" needs a name that is written out`),
	Entry(nil, "vars.n()", spec.Any, 6, `no`),
	Entry(nil, "vars.user matches '('", spec.Bool, 11, `the regular expression does not compile`),
	Entry(nil, "env.A ?? 'b' == 'b'", spec.Bool, 16, `?? beside another operator needs brackets`),
	Entry(nil, strings.Repeat("1 + ", 300)+"1", spec.Any, 1003, `more than 500 parts`),
	Entry(nil, "secrets.PWD", spec.Any, 9, `"secrets" has no "PWD" (`),
	Entry(nil, "   ", spec.Any, 1, `the expression is empty`),
)

var _ = Describe("an evaluation", func() {
	It("records each term once and calls each page function once", func(ctx SpecContext) {
		e, l, _ := compile("text('h1') startsWith 'Thank' and count('.e') == 0 and visible('h1')", spec.Type{Base: spec.Bool})
		Expect(l.Err()).NotTo(HaveOccurred())
		p := page{}
		got, term, err := e.Eval(ctx, exprValues(), p)
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(BeFalse())
		Expect(p).To(Equal(page{"text": 1, "count": 1}))
		Expect(term.Source).To(Equal(e.Source()))
		Expect(term.Value).To(BeFalse())
		Expect(term.Sub).To(HaveLen(2))
		both, last := term.Sub[0], term.Sub[1]
		Expect(both.Evaluated).To(BeTrue())
		Expect(both.Sub[0]).To(Equal(spec.Term{
			Source: `text("h1") startsWith "Thank"`, Value: true, Evaluated: true,
			Sub: []spec.Term{{Source: `text("h1")`, Value: "Thank you", Evaluated: true}},
		}))
		Expect(both.Sub[1].Sub).To(ConsistOf(spec.Term{Source: `count(".e")`, Value: 2, Evaluated: true}))
		Expect(last).To(Equal(spec.Term{Source: `visible("h1")`}))
	})
	It("shows a path as one term", func(ctx SpecContext) {
		e, _, _ := compile("vars.n > steps.login.exit", spec.Type{})
		_, term, err := e.Eval(ctx, exprValues(), nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(term.Sub).To(Equal([]spec.Term{{Source: "vars.n", Value: 4, Evaluated: true}, {Source: "steps.login.exit", Value: 0, Evaluated: true}}))
	})
	It("reads the middle of a chained comparison once", func(ctx SpecContext) {
		e, _, _ := compile("1 < count('.e') < 3", spec.Type{})
		p := page{}
		got, term, err := e.Eval(ctx, exprValues(), p)
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(BeTrue())
		Expect(p["count"]).To(Equal(1))
		Expect(term.Sub[1].Sub).To(Equal([]spec.Term{{Source: `count(".e")`, Value: 2, Evaluated: true}}))
	})
	It("may be made by many goroutines at once", func(ctx SpecContext) {
		e, _, _ := compile("len(filter(vars.users, # == 'ada')) == 1 and visible('h1')", spec.Type{Base: spec.Bool})
		done := make(chan error)
		for range 8 {
			go func() {
				var err error
				for range 100 {
					if _, _, e := e.Eval(ctx, exprValues(), page{}); e != nil {
						err = e
					}
				}
				done <- err
			}()
		}
		for range 8 {
			Expect(<-done).NotTo(HaveOccurred())
		}
	})
	It("ends with the context", func(ctx SpecContext) {
		e, _, _ := compile("vars.n", spec.Type{})
		ended, cancel := context.WithCancel(ctx)
		cancel()
		_, _, err := e.Eval(ended, exprValues(), nil)
		Expect(err).To(MatchError(context.Canceled))
	})
	It("keeps the reader's error and its place", func(ctx SpecContext) {
		e, _, _ := compile("vars.n == 4 and title() == 'a'", spec.Type{})
		_, term, err := e.Eval(ctx, exprValues(), page{})
		Expect(err).To(MatchError(context.DeadlineExceeded))
		Expect(err).To(MatchError(ContainSubstring("s.yaml:2:28: title(): ")))
		Expect(term.Evaluated).To(BeFalse())
		Expect(term.Sub[0].Value).To(BeTrue())
	})
	DescribeTable("fails in words", func(ctx SpecContext, src, message string) {
		e, l, _ := compile(src, spec.Type{})
		Expect(l.Err()).NotTo(HaveOccurred())
		_, _, err := e.Eval(ctx, exprValues(), nil)
		Expect(err).To(MatchError(ContainSubstring(message)))
		Expect(err.Error()).To(HavePrefix("s.yaml:2:"))
	},
		Entry(nil, "vars.any.x", `what stands before .x is nil (write ?.x if it may be absent)`),
		Entry(nil, "vars.users[5]", `index out of range: 5`),
		Entry(nil, "1 % (vars.n - 4)", `division by zero`),
		Entry(nil, "1 / (vars.n - 4) > 0", `this is no finite number, as after a division by zero`),
		Entry(nil, "0.0 / (vars.n - 4) != 1", `this is no finite number`),
		Entry(nil, "all([vars.n - 4], 1 / # > 0)", `this is no finite number`),
		Entry(nil, "float('inf') > 0", `this is no finite number`),
		Entry(nil, "visible('h1')", `there is no page to read`),
		Entry(nil, "data + 1", `"+" does not go between a map and a whole number`),
		Entry(nil, "today('soon')", `the offset is a number and d, w, m or y`),
		Entry(nil, "data.n and true", `a value is a whole number where true or false is needed`),
		Entry(nil, "int(vars.user)", `this is no number`),
		// The limits.
		Entry(nil, "let f = 1..9000; any(f, any(f, false))", `nested predicates look at more than 10000 pairs`),
		Entry(nil, "let a = join(map(1..9999, vars.user), '0123456789'); let b = a+a; let c = b+b; let d = c+c; let e = d+d; let f = e+e; let g = f+f; len(g+g)",
			`the value grows too large`),
		Entry(nil, "let a = join(1..9999); replace(a, '', a)", `the value grows too large`),
	)
	It("collects the names of the environment", func() {
		_, _, scope := compile("env.A ?? 'x'", spec.Type{})
		Expect(scope.Env.Uses).To(HaveExactElements(HaveField("Optional", true)))
		_, _, scope = compile("env.B == nil ? 'x' : env.B", spec.Type{})
		Expect(scope.Env.Uses).To(HaveExactElements(HaveField("Optional", true), HaveField("Optional", true)))
		_, _, scope = compile("env.C + secrets.PW", spec.Type{})
		Expect(scope.Env.Uses).To(HaveExactElements(
			spec.EnvUse{Name: "C", Pos: diag.Pos{File: "s.yaml", Line: 2, Col: 16}}, spec.EnvUse{Name: "PW", Pos: diag.Pos{File: "s.yaml", Line: 2, Col: 28}}))
	})
	It("notes the steps and names that it reads", func() {
		e, _, scope := compile("steps.login.value == vars.user", spec.Type{})
		Expect(scope.Used).To(Equal(map[string]bool{"login": true}))
		Expect(e.Uses("vars")).To(BeTrue())
		Expect(e.Uses("stdout")).To(BeFalse())
		Expect(e.UsesPage()).To(BeFalse())
	})
	It("has no page where there is none, and hands targets to their judge", func() {
		var l diag.List
		scope := exprScope()
		scope.CheckTarget = func(src string, p diag.Pos, l *diag.List) { l.Add(p, "judged "+src, "") }
		spec.CompileExpr(scalar("true and visible('//a')"), scope, spec.Type{}, &l)
		Expect(l.Err()).To(MatchError("s.yaml:2:31: judged //a"))
		scope.Page = false
		var l2 diag.List
		spec.CompileExpr(scalar("visible('//a')"), scope.Child(), spec.Type{}, &l2)
		Expect(l2.Err()).To(MatchError("s.yaml:2:12: visible() reads the page, and there is no page here"))
	})
})
