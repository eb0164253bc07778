package browser_test

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("flags of rows", Label("browser"), func() {
	It("click --new-tab opens the link that the target is or lies in", func(ctx SpecContext) {
		t := at(ctx, "/links")
		o := t.ok(ctx, "click", "#in", "--new-tab")
		Expect(o.Data).To(And(HaveKeyWithValue("clicked", "#in"), HaveKeyWithValue("newTab", true), HaveKeyWithValue("url", srv.URL+"/two")))
		t.ok(ctx, "expect", "text", "h1", "Two")
		t.ok(ctx, "tab", "t1")
		t.ok(ctx, "expect", "text", "#log", "")
		t.fails(ctx, steps.NotActionable, "no-link", "click", "#pad", "--new-tab")
		t.fails(ctx, steps.NotFound, "not-found", "click", "#nope", "--new-tab")
	})

	It("--human and --duration move the mouse on the way", func(ctx SpecContext) {
		t := at(ctx, "/links")
		moves := func() int {
			GinkgoHelper()
			n, _ := t.ok(ctx, "eval", "(() => { const n = moves; moves = 0; return n })()").Value.(int)
			return n
		}
		t.ok(ctx, "mouse", "move", "300", "300")
		Expect(moves()).To(BeNumerically("<", 4))
		t.ok(ctx, "click", "#pad", "--human")
		Expect(moves()).To(BeNumerically(">", 4))
		t.ok(ctx, "expect", "text", "#log", "pad")
		t.ok(ctx, "mouse", "move", "400", "400", "--human", "--seed", "7")
		Expect(moves()).To(BeNumerically(">", 3))
		o := t.ok(ctx, "mouse", "move", "10", "10", "--duration", "120ms")
		Expect(o.Took.Milliseconds()).To(BeNumerically(">=", 110))
		Expect(moves()).To(BeNumerically(">", 4))
		t.ok(ctx, "drag", "#pad", "#end", "--human")
		t.ok(ctx, "expect", "text", "#log", "pad up at end")
		t.fails(ctx, steps.NotActionable, "covered", "click", "#under", "--human")
	})

	It("snapshot --delta answers what has changed", func(ctx SpecContext) {
		t := at(ctx, "/tree")
		kind := func(cells ...string) map[string]any {
			GinkgoHelper()
			m, _ := t.ok(ctx, append([]string{"snapshot", "--delta"}, cells...)...).Value.(map[string]any)
			return m
		}
		full := kind()
		Expect(full).To(And(HaveKeyWithValue("kind", "full"), HaveKeyWithValue("revision", 1), HaveKeyWithValue("tree", ContainSubstring(`button "Open"`))))
		Expect(kind()).To(Equal(map[string]any{"kind": "unchanged", "revision": 2, "baseRevision": 1}))
		t.ok(ctx, "eval", "document.getElementById('h').textContent = 'Other'")
		delta := kind()
		Expect(delta).To(And(HaveKeyWithValue("kind", "delta"), HaveKeyWithValue("baseRevision", 2)))
		Expect(delta["treeChange"]).To(And(HaveKeyWithValue("deleteCount", 1), HaveKeyWithValue("lines", ConsistOf(ContainSubstring("Other")))))
		Expect(delta["changes"]).To(ConsistOf(
			And(HaveKeyWithValue("change", "removed"), HaveKeyWithValue("name", "Tree")), And(HaveKeyWithValue("change", "added"), HaveKeyWithValue("name", "Other"))))
		Expect(kind("--full")).To(HaveKeyWithValue("kind", "full"))
	})

	It("screenshot --if-changed writes only what differs, --annotate numbers what can be acted on", func(ctx SpecContext) {
		t := at(ctx, "/tree")
		Expect(t.ok(ctx, "screenshot", "a.png", "--if-changed").Data).To(And(HaveKeyWithValue("changed", true), HaveKeyWithValue("revision", 1),
			HaveKeyWithValue("pixelChangeRatio", 1.0), HaveKeyWithValue("path", HaveSuffix("a.png"))))
		same := t.ok(ctx, "screenshot", "b.png", "--if-changed")
		Expect(same.Data).To(And(HaveKeyWithValue("changed", false), HaveKeyWithValue("path", BeNil()), HaveKeyWithValue("pixelChangeRatio", 0.0)))
		Expect(same.Artifacts).To(BeEmpty())
		Expect(filepath.Join(t.files.dir, "b.png")).NotTo(BeAnExistingFile())
		t.ok(ctx, "eval", "document.getElementById('h').textContent = 'Other'")
		Expect(t.ok(ctx, "screenshot", "c.png", "--if-changed", "--threshold", "0.5").Data).To(HaveKeyWithValue("changed", false))
		Expect(t.ok(ctx, "screenshot", "d.png", "--if-changed").Data).To(HaveKeyWithValue("changed", true))

		t.ok(ctx, "screenshot", "plain.png")
		o := t.ok(ctx, "screenshot", "notes.png", "--annotate")
		notes, _ := o.Data["annotations"].([]any)
		Expect(notes).To(HaveLen(3), "the button far down is not in the picture")
		Expect(notes[1]).To(And(HaveKeyWithValue("number", 2), HaveKeyWithValue("role", "button"), HaveKeyWithValue("name", "Open")))
		Expect(t.ok(ctx, "screenshot", "whole.png", "--annotate", "--full").Data["annotations"]).To(HaveLen(4))
		ref, _ := notes[1].(map[string]any)["ref"].(string)
		t.ok(ctx, "click", ref)
		t.ok(ctx, "expect", "attr", "#b", "aria-expanded", "true")
		drawn, before := pixels(t.files.dir, "notes.png"), pixels(t.files.dir, "plain.png")
		Expect(drawn).NotTo(Equal(before))
	})
})

// pixels counts the red plates' pixels of a picture.
func pixels(dir, name string) int {
	GinkgoHelper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	Expect(err).NotTo(HaveOccurred())
	img, err := png.Decode(bytes.NewReader(data))
	Expect(err).NotTo(HaveOccurred())
	n := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, g, b, _ := img.At(x, y).RGBA(); r>>8 == 220 && g>>8 == 20 && b>>8 == 60 {
				n++
			}
		}
	}
	return n
}

var _ = Describe("counts of matches", Label("browser"), func() {
	It("tell how many can be seen, whatever a row asked", func(ctx SpecContext) {
		t := at(ctx, "/")
		counts := func(o steps.Observation) [2]int { return [2]int{o.Detail.Target.Matches, o.Detail.Target.Visible} }
		Expect(counts(t.row(ctx, "expect", "text", "h1", "Away"))).To(Equal([2]int{1, 1}))
		Expect(counts(t.row(ctx, "expect", "value", "#name", "x"))).To(Equal([2]int{1, 1}))
		Expect(counts(t.row(ctx, "expect", "attr", "#two", "href", "/x"))).To(Equal([2]int{1, 1}))
		Expect(counts(t.row(ctx, "expect", "hidden", "h1"))).To(Equal([2]int{1, 1}))
		Expect(counts(t.row(ctx, "expect", "count", ".item", "5"))).To(Equal([2]int{3, 2}))
		Expect(counts(t.row(ctx, "expect", "text", ".item", "zero"))).To(Equal([2]int{3, 2}))
		Expect(counts(t.row(ctx, "expect", "text", "role=button Press", "x"))).To(Equal([2]int{1, 1}))
		Expect(counts(t.row(ctx, "expect", "visible", "#hid"))).To(Equal([2]int{1, 0}))
	})
})
