package browser_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

// kept executes a row of shop.yaml in a folder, with its baselines treated in a way.
func (t *tester) kept(ctx context.Context, dir string, b steps.Baselines, cells ...string) steps.Observation {
	GinkgoHelper()
	return t.Do(ctx, args(cells...), steps.RowOptions{Files: t.files, Dir: dir, File: "suites/shop.yaml", Baselines: b})
}

var _ = Describe("baselines", Label("browser"), func() {
	It("of trees are written, compared and shown as a diff", func(ctx SpecContext) {
		t, dir := at(ctx, "/"), GinkgoT().TempDir()
		row := []string{"expect", "aria", "list.yaml", "ul"}
		o := t.kept(ctx, dir, steps.BaselinesKept, row...)
		Expect([]string{string(o.Category), o.Sub}).To(Equal([]string{"assertion", "no-baseline"}))
		Expect(o.Error).To(Equal(`there is no baseline "list.yaml" to compare with`))
		o = t.kept(ctx, dir, steps.BaselinesWritten, append(row, "--within", "4s")...)
		Expect(o.Success).To(BeTrue(), o.Error)
		Expect(o.Warnings).To(ConsistOf(`the baseline "list.yaml" was missing and has been written: look at it and commit it`))
		raw, err := os.ReadFile(filepath.Join(dir, "list.yaml"))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(raw)).To(Equal("- list:\n  - listitem: one\n  - listitem: two\n"))

		ref := refOf(t.ok(ctx, "snapshot"), "button", "Save")
		o = t.kept(ctx, dir, steps.BaselinesKept, row...)
		Expect(o.Success).To(BeTrue(), o.Error)
		Expect(o.Warnings).To(BeEmpty())
		t.ok(ctx, "click", ref) // the refs of the snapshot row are as they were

		put := func(text string) {
			Expect(os.WriteFile(filepath.Join(dir, "list.yaml"), []byte(text), 0o600)).To(Succeed())
		}
		put("- listitem: /^t/\n")
		Expect(t.kept(ctx, dir, steps.BaselinesKept, row...).Success).To(BeTrue())
		Expect(t.kept(ctx, dir, steps.BaselinesKept, "expect", "aria", "list.yaml").Success).To(BeTrue(), "in the whole page")
		t.ok(ctx, "eval", "setTimeout(()=>document.querySelector('ul').innerHTML+='<li>four',200)")
		put("- list:\n  - listitem: two\n  - listitem: four\n")
		Expect(t.kept(ctx, dir, steps.BaselinesKept, row...).Success).To(BeTrue(), "it comes within the deadline")

		put("- list:\n  - listitem: one\n  - listitem: /fi.e/\n  - listitem: four\n")
		o = t.kept(ctx, dir, steps.BaselinesKept, row...)
		Expect(o.Error).To(Equal(`expected the accessibility tree of ul to be as in "list.yaml", got nothing like line 3: - listitem: /fi.e/`))
		Expect(o.Detail.Want).To(Equal("- list:\n  - listitem: one\n  - listitem: /fi.e/\n  - listitem: four"))
		Expect(o.Detail.Got).To(Equal("- list:\n  - listitem: one\n  - listitem: two\n  - listitem: four"))
		Expect(t.kept(ctx, dir, steps.BaselinesKept, append(row, "--not")...).Success).To(BeTrue())
		o = t.kept(ctx, dir, steps.BaselinesUpdated, row...)
		Expect(o.Success).To(BeTrue(), o.Error)
		Expect(o.Warnings).To(ConsistOf(ContainSubstring("was different and has been rewritten")))
		Expect(t.kept(ctx, dir, steps.BaselinesKept, row...).Success).To(BeTrue())

		put("- list:\n  - listitem [cheked]\n")
		o = t.kept(ctx, dir, steps.BaselinesUpdated, row...)
		Expect(o.Error).To(Equal(`list.yaml:2:14: unknown state "cheked" (did you mean "checked"?)`))
		o = t.kept(ctx, dir, steps.BaselinesWritten, "expect", "aria", "../out.yaml")
		Expect(o.Error).To(ContainSubstring("lies outside the folder"))
		o = t.kept(ctx, dir, steps.BaselinesKept, "expect", "aria", "list.yaml", "#nope")
		Expect(o.Success).To(BeFalse())
	})

	It("of pictures are written, compared and left as artifacts", func(ctx SpecContext) {
		t, dir := at(ctx, "/colors"), GinkgoT().TempDir()
		name := "red@" + brand + "-" + runtime.GOOS + "-1280x720.png"
		row := []string{"expect", "image", "red", "#red"}
		o := t.kept(ctx, dir, steps.BaselinesKept, row...)
		Expect(o.Error).To(Equal(`there is no baseline "shop.baselines/` + name + `" to compare with`))
		o = t.kept(ctx, dir, steps.BaselinesWritten, append(row, "--within", "4s")...)
		Expect(o.Success).To(BeTrue(), o.Error)
		Expect(o.Warnings).To(ConsistOf(ContainSubstring(name + `" was missing and has been written`)))
		w, h := size(filepath.Join(dir, "shop.baselines", name))
		Expect([]int{w, h}).To(Equal([]int{50, 40}))
		o = t.kept(ctx, dir, steps.BaselinesKept, row...)
		Expect(o.Success).To(BeTrue(), o.Error)
		Expect(o.Data).To(And(HaveKeyWithValue("differentPixels", 0), HaveKeyWithValue("totalPixels", 2000)))

		t.ok(ctx, "eval", `document.querySelector('#red').innerHTML='<b style="display:block;width:10px;height:10px;background:blue">'`)
		o = t.kept(ctx, dir, steps.BaselinesKept, row...)
		Expect([]string{string(o.Category), o.Sub}).To(Equal([]string{"assertion", "assertion-failed"}))
		Expect(o.Error).To(Equal(`expected the picture of #red to be as "shop.baselines/` + name + `", got 100 of 2000 pixels different (5 %)`))
		Expect(o.Value).To(Equal(100))
		var kinds []string
		for _, a := range o.Artifacts {
			kinds = append(kinds, a.Path+" "+a.Kind)
			w, h := size(filepath.Join(t.files.dir, a.Path))
			Expect([]int{w, h}).To(Equal([]int{50, 40}))
		}
		Expect(kinds).To(Equal([]string{"red-actual.png image-actual", "red-expected.png image-expected", "red-diff.png image-diff"}))
		Expect(t.kept(ctx, dir, steps.BaselinesKept, append(row, "--not")...).Success).To(BeTrue())
		o = t.kept(ctx, dir, steps.BaselinesKept, append(row, "--mask", "#red")...)
		Expect(o.Error).To(ContainSubstring("2000 of 2000"), "the baseline was not masked")
		o = t.kept(ctx, dir, steps.BaselinesUpdated, row...)
		Expect(o.Success).To(BeTrue(), o.Error)
		Expect(t.kept(ctx, dir, steps.BaselinesKept, row...).Success).To(BeTrue())

		t.ok(ctx, "eval", `document.querySelector('#red').style.width='60px'`)
		o = t.kept(ctx, dir, steps.BaselinesKept, row...)
		Expect(o.Error).To(HaveSuffix("got a picture of 60x40 pixels instead of 50x40"))
		t.ok(ctx, "eval", `(()=>{const b=document.querySelector('#red'),f=()=>{b.style.background='rgb('+Math.floor(performance.now()%255)+',0,0)';requestAnimationFrame(f)};f()})()`)
		o = t.kept(ctx, dir, steps.BaselinesKept, row...)
		Expect(o.Error).To(HaveSuffix("got a picture that goes on changing"))
		o = t.kept(ctx, dir, steps.BaselinesKept, "expect", "image", "red", "#red", "--threshold", "1", "--mask", "#red", "--not")
		Expect(o.Success).To(BeTrue(), "a picture of another size is another one: "+o.Error)
	})

	It("do not follow links out of the folder", func(ctx SpecContext) {
		t, dir, out := at(ctx, "/colors"), GinkgoT().TempDir(), GinkgoT().TempDir()
		Expect(os.Symlink(out, filepath.Join(dir, "shop.baselines"))).To(Succeed())
		o := t.kept(ctx, dir, steps.BaselinesUpdated, "expect", "image", "red", "#red")
		Expect(o.Success).To(BeFalse())
		Expect(strings.ToLower(o.Error)).To(ContainSubstring("escapes"))
		Expect(os.ReadDir(out)).To(BeEmpty())
	})
})
