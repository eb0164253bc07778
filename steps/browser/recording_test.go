package browser_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
)

var _ = Describe("differences", Label("browser"), func() {
	It("are told of trees", func(ctx SpecContext) {
		t := at(ctx, "/before")
		Expect(t.fails(ctx, steps.Validation, "no-baseline", "diff", "snapshot").NextActions[0].Row).To(Equal([]string{"snapshot"}))
		first := t.ok(ctx, "snapshot")
		Expect(t.ok(ctx, "diff", "snapshot").Data).To(And(HaveKeyWithValue("changed", false), HaveKeyWithValue("diff", ""), HaveKeyWithValue("additions", 0)))
		t.ok(ctx, "eval", "document.querySelectorAll('li')[1].textContent = 'Pan'; document.querySelector('button').textContent = 'Pay'")
		for range 2 { // what it reads is not what it compares with
			o := t.ok(ctx, "diff", "snapshot")
			Expect(o.Value).To(BeTrue())
			Expect(o.Data).To(And(HaveKeyWithValue("additions", 2), HaveKeyWithValue("removals", 2)))
			Expect(o.Data["diff"]).To(And(ContainSubstring("\n-    - listitem: Pot\n+    - listitem: Pan\n"), Not(ContainSubstring("[ref="))))
		}
		t.ok(ctx, "click", refOf(first, "link", "Two"))
		t.ok(ctx, "wait", "--url", "/two")
		text, _ := first.Value.(string)
		t.put("base.txt", text)
		t.ok(ctx, "back")
		Expect(t.ok(ctx, "diff", "snapshot", "-b", "base.txt").Value).To(BeFalse())
		Expect(t.ok(ctx, "diff", "snapshot", "-b", "base.txt", "-s", "ul").Value).To(BeTrue())
		t.fails(ctx, steps.Validation, "no-file", "diff", "snapshot", "-b", "none.txt")
		o := t.ok(ctx, "diff", "url", "/before", "/after", "--screenshot")
		Expect(o.Value).To(And(HaveKeyWithValue("changed", true), HaveKeyWithValue("additions", 2), HaveKeyWithValue("deletions", 1)))
		Expect(o.Data["snapshot2"]).To(ContainSubstring("Jar"))
		Expect(o.Data["screenshot"]).To(And(HaveKeyWithValue("match", false), HaveKeyWithValue("dimensionMismatch", BeNil())))
		Expect(t.ok(ctx, "get", "url").Value).To(Equal(srv.URL + "/after"))
	})

	It("are told of pictures", func(ctx SpecContext) {
		t := at(ctx, "/colors")
		t.ok(ctx, "screenshot", "base.png")
		t.ok(ctx, "screenshot", "#red", "red.png")
		Expect(t.ok(ctx, "diff", "screenshot", "-b", "base.png").Data).To(Equal(map[string]any{"match": true, "mismatchPercentage": 0.0,
			"differentPixels": 0, "totalPixels": 1280 * 720, "dimensionMismatch": nil, "diffPath": nil}))
		t.ok(ctx, "eval", "red.style.background = 'blue'")
		o := t.ok(ctx, "diff", "screenshot", "-b", "base.png", "-o", "sub/diff.png")
		Expect(o.Data).To(And(HaveKeyWithValue("match", false), HaveKeyWithValue("differentPixels", 2000),
			HaveKeyWithValue("diffPath", filepath.Join(t.files.dir, "sub/diff.png"))))
		Expect(o.Artifacts).To(ConsistOf(HaveField("Kind", "diff")))
		w, h := size(filepath.Join(t.files.dir, "sub/diff.png"))
		Expect([]int{w, h}).To(Equal([]int{1280, 720}))
		Expect(t.ok(ctx, "diff", "screenshot", "-b", "red.png", "-s", "#red").Data).To(HaveKeyWithValue("mismatchPercentage", 100.0))
		Expect(t.ok(ctx, "diff", "screenshot", "-b", "base.png", "-t", "1").Value).To(BeTrue())
		Expect(t.ok(ctx, "diff", "screenshot", "-b", "red.png").Data["dimensionMismatch"]).To(HaveKeyWithValue("expected", map[string]any{"width": 50, "height": 40}))
		t.fails(ctx, steps.Validation, "no-file", "diff", "screenshot", "-b", "none.png")
		t.put("no.png", "text")
		t.fails(ctx, steps.Validation, "picture", "diff", "screenshot", "-b", "no.png")
	})
})

// picture draws a white picture with a black part.
func picture(w, h int, black func(x, y int) uint8) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			v := black(x, y)
			img.SetNRGBA(x, y, color.NRGBA{R: v, G: v, B: v, A: 255})
		}
	}
	var b bytes.Buffer
	Expect(png.Encode(&b, img)).To(Succeed())
	return b.Bytes()
}

var _ = DescribeTable("comparing pixels", func(before, after func(x, y int) uint8, threshold float64, want int) {
	n, err := browser.DifferentPixels(picture(40, 40, before), picture(40, 40, after), threshold)
	Expect(err).NotTo(HaveOccurred())
	Expect(n).To(Equal(want))
},
	Entry("the same", step(20, 0), step(20, 0), 0.1, 0),
	Entry("one line more", step(20, 0), step(21, 0), 0.1, 40),
	Entry("a smoothed edge", step(20, 0), step(20, 128), 0.1, 0),
	Entry("a shade below the threshold", flat(200), flat(205), 0.1, 0),
	Entry("a shade without a threshold", flat(200), flat(205), 0.0, 1600),
	Entry("a shade above it", flat(200), flat(120), 0.1, 1600))

func flat(v uint8) func(x, y int) uint8 { return func(int, int) uint8 { return v } }

// step is black from a diagonal on; the edge itself has a shade of its own if it is not 0.
func step(at int, shade uint8) func(x, y int) uint8 {
	return func(x, y int) uint8 {
		switch d := x + y/8; {
		case d < at:
			return 255
		case d == at && shade > 0:
			return shade
		}
		return 0
	}
}

var _ = Describe("snapshots", Label("browser"), func() {
	It("are shaped by their flags", func(ctx SpecContext) {
		t := at(ctx, "/tree")
		refs := t.ok(ctx, "snapshot").Data["refs"]
		shown := func(flags ...string) string {
			GinkgoHelper()
			o := t.ok(ctx, append([]string{"snapshot"}, flags...)...)
			Expect(o.Data["refs"]).To(Equal(refs), "refs tell of the whole page")
			s, _ := o.Value.(string)
			return browser.WithoutRefs(s)
		}
		Expect(shown("-i", "-u")).To(Equal("- link \"Two\" [url=/two]\n- button \"Open\"\n- button \"Inside\"\n- button \"Far down\""))
		Expect(shown("-s", "#sec")).To(And(ContainSubstring(`button "Inside"`), Not(ContainSubstring("Open"))))
		Expect(shown("-i", "--viewport")).To(And(ContainSubstring("Inside"), Not(ContainSubstring("Far down"))))
		Expect(shown("--search", "WORDS")).To(Equal("- paragraph: First words\n- paragraph: Deep words"))
		Expect(shown("--filter", "role=heading,link")).To(Equal("- link \"Two\"\n- heading \"Tree\" [level=1]"))
		Expect(shown("-d", "2")).To(And(ContainSubstring("- main"), Not(ContainSubstring("heading"))))
		whole, compact := shown(), shown("-c")
		Expect(whole).To(ContainSubstring("list"))
		Expect(compact).To(And(Not(ContainSubstring("- list:")), ContainSubstring("First words"), ContainSubstring(`heading "Tree"`)))
		Expect(shown("--search", "nothing like this")).To(Equal("(nothing matches)"))
		t.fails(ctx, steps.NotFound, "not-found", "snapshot", "-s", "#nope")
	})

	It("tell what became of refs", func(ctx SpecContext) {
		t := at(ctx, "/tree")
		o := t.ok(ctx, "snapshot", "--diff")
		ref := refOf(o, "button", "Open")
		Expect(o.Data).To(And(HaveKeyWithValue("unchangedRefs", 0), HaveKeyWithValue("changedRefs", BeEmpty())))
		t.ok(ctx, "click", ref)
		t.ok(ctx, "eval", "document.getElementById('low').remove(); h.insertAdjacentHTML('afterend', '<button>New</button>')")
		o = t.ok(ctx, "snapshot", "--diff", "-i")
		Expect(o.Data["changedRefs"]).To(ContainElement(ref))
		Expect(o.Data["addedRefs"]).To(ConsistOf(refOf(o, "button", "New")))
		Expect(o.Data["removedRefs"]).To(HaveLen(1))
		Expect(o.Data["summary"]).To(ContainSubstring("1 added, 1 removed"))
		t.ok(ctx, "snapshot", "-s", "#sec")
		t.ok(ctx, "click", ref) // refs outside the part stay good
		Expect(t.ok(ctx, "eval", "-b", "MSsx").Value).To(Equal(2))
	})
})

var _ = Describe("recordings", Label("browser"), func() {
	It("make traces and profiles", func(ctx SpecContext) {
		t := at(ctx, "/")
		t.fails(ctx, steps.Validation, "no-trace", "trace", "stop")
		t.ok(ctx, "trace", "start")
		t.fails(ctx, steps.Validation, "trace-open", "trace", "start")
		t.ok(ctx, "click", "#b")
		o := t.ok(ctx, "trace", "stop", "t.zip")
		Expect(o.Data["eventCount"]).To(BeNumerically(">", 3))
		Expect(o.Artifacts).To(ConsistOf(HaveField("Kind", "trace")))
		t.ok(ctx, "trace", "start")
		t.ok(ctx, "trace", "stop", "u.zip")
		t.fails(ctx, steps.Validation, "no-profile", "profiler", "stop")
		t.ok(ctx, "profiler", "start")
		t.ok(ctx, "click", "#b")
		Expect(t.ok(ctx, "profiler", "stop").Data["eventCount"]).To(BeNumerically(">", 10))
	})

	It("make videos", func(ctx SpecContext) {
		needFFmpeg()
		t := at(ctx, "/")
		t.fails(ctx, steps.Validation, "no-recording", "record", "stop")
		o := t.ok(ctx, "record", "start", "sub/a.webm", "/late")
		Expect(o.Artifacts).To(ConsistOf(HaveField("State", steps.Pending)))
		t.fails(ctx, steps.Validation, "recording-open", "record", "start", "b.webm")
		t.ok(ctx, "click", "#l")
		o = t.ok(ctx, "record", "restart", "b.mp4", "--fps", "10")
		Expect(o.Data).To(And(HaveKeyWithValue("previousPath", filepath.Join(t.files.dir, "sub/a.webm")), HaveKeyWithValue("fps", 10)))
		t.ok(ctx, "eval", "document.body.style.background = 'red'")
		t.ok(ctx, "wait", "1500")
		o = t.ok(ctx, "record", "stop")
		Expect(o.Data).To(And(HaveKeyWithValue("frames", BeNumerically(">=", 1)), HaveKeyWithValue("durationMs", BeNumerically(">=", 200))))
		for _, name := range []string{"sub/a.webm", "b.mp4"} {
			out, err := exec.CommandContext(ctx, "ffprobe", "-v", "error", "-show_entries", "stream=width,height:format=duration", "-of", "csv=p=0",
				filepath.Join(t.files.dir, name)).CombinedOutput()
			Expect(err).NotTo(HaveOccurred(), string(out))
			Expect(string(out)).To(HavePrefix("1280,720"))
		}
	})

	It("say that ffmpeg is missing before they begin", func(ctx SpecContext) {
		t := openOn(ctx, fresh(), options())
		GinkgoT().Setenv("PATH", GinkgoT().TempDir())
		Expect(t.fails(ctx, steps.Environment, "no-ffmpeg", "record", "start", "a.webm").Error).To(ContainSubstring("needs ffmpeg"))
		Expect(os.ReadDir(t.files.dir)).To(BeEmpty())
	})

	It("are ended and told of when the test forgets them", func(ctx SpecContext) {
		needFFmpeg()
		t := at(ctx, "/")
		f, _ := t.Session.(steps.Unfinished)
		Expect(f.Finish(ctx)).To(BeEmpty())
		t.ok(ctx, "record", "start", "a.webm")
		t.ok(ctx, "network", "har", "start")
		t.ok(ctx, "trace", "start")
		left := f.Finish(ctx)
		Expect(left).To(HaveLen(3))
		for i, name := range []string{"a.webm", "network.har", "trace.zip"} {
			o := left[i]
			Expect([]any{o.Success, o.Category, o.Sub}).To(Equal([]any{false, steps.ArtifactBad, "left-open"}))
			Expect(o.Error).To(And(ContainSubstring("still open at the end of the test"), ContainSubstring(name)))
			Expect(o.Artifacts).To(HaveLen(1))
			Expect(filepath.Join(t.files.dir, name)).To(BeARegularFile())
		}
		Expect(f.Finish(ctx)).To(BeEmpty())
	})
})

func needFFmpeg() {
	GinkgoHelper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		Skip("there is no ffmpeg")
	}
}

var _ = Describe("audits", Label("browser"), func() {
	It("find what keeps people out", func(ctx SpecContext) {
		t := at(ctx, "/axe")
		ids := func(o steps.Observation) (out []string) {
			list, _ := o.Value.([]any)
			for _, v := range list {
				m, _ := v.(map[string]any)
				id, _ := m["id"].(string)
				out = append(out, id)
			}
			return out
		}
		o := t.ok(ctx, "a11y", "--tags", "wcag2a")
		Expect(ids(o)).To(ContainElements("image-alt", "label"))
		Expect(o.Data["counts"]).To(HaveKeyWithValue("violations", len(ids(o))))
		Expect(o.Data["axeVersion"]).To(HavePrefix("4."))
		Expect(t.ok(ctx, "eval", "typeof axe").Value).To(Equal("undefined"))
		Expect(ids(t.ok(ctx, "a11y", "-s", "#bad", "--tags", "wcag2a"))).To(Equal([]string{"label"}))
		Expect(ids(t.ok(ctx, "a11y", "-s", "#ok", "--tags", "wcag2a"))).To(BeEmpty())
		t.fails(ctx, steps.NotFound, "not-found", "a11y", "-s", "#nope")
		f := t.timed(ctx, patience, "a11y", "/axeframes") // on a busy machine the frames take longer than rows may here
		Expect(f.Success).To(BeTrue(), f.Error)
		Expect(ids(f)).To(Equal([]string{"image-alt"}), "rules of whole pages do not count in frames")
		Expect(f.Data["framesSkipped"]).To(HaveLen(1))
		rule := f.Value.([]any)[0].(map[string]any)
		Expect(rule["nodeCount"]).To(Equal(3))
		Expect(rule["nodes"]).To(ContainElement(HaveKeyWithValue("target", []any{"#f", "img"})))
		Expect(f.Data["framesAudited"]).To(ConsistOf(HaveSuffix("/axeframe"), HavePrefix("http://localhost:")))
		Expect(f.Data["framesSkipped"]).To(ConsistOf(HaveKeyWithValue("why", "it is not visible")))
		f = t.timed(ctx, patience, "a11y", "-s", "main")
		Expect(f.Success).To(BeTrue(), f.Error)
		Expect(f.Data["framesSkipped"]).To(HaveLen(3))
		Expect(f.Summary).To(HaveSuffix("3 frames not looked into"))
		Expect(t.ok(ctx, "a11y", "/two").Data["url"]).To(Equal(srv.URL + "/two"))
		Expect(t.ok(ctx, "eval", "typeof axe").Value).To(Equal("undefined"))
	})

	It("measure vitals", func(ctx SpecContext) {
		t := at(ctx, "/")
		o := t.ok(ctx, "vitals", "/tree")
		Expect(o.Data).To(And(HaveKeyWithValue("url", srv.URL+"/tree"), HaveKeyWithValue("cls", HaveKeyWithValue("score", BeNumerically("<", 0.1))),
			HaveKeyWithValue("lcp", HaveKeyWithValue("size", BeNumerically(">", 0))), HaveKey("ttfb"), HaveKey("inp")))
	})
})
