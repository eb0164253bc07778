package browser_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

// films is a page that stands still until its button is clicked: then all of it changes.
const films = "document.body.innerHTML = '<button id=go style=\"position:absolute;left:600px;top:300px;width:100px;height:60px\" " +
	"onclick=\"document.body.style.background=`#00f`\">go</button>'; document.body.style.background='#fff'"

var _ = Describe("videos with a pointer", Label("browser"), func() {
	It("draw it where the mouse is, and leave the page alone", func(ctx SpecContext) {
		needFFmpeg()
		t := at(ctx, "/")
		t.ok(ctx, "eval", films)
		t.ok(ctx, "screenshot", "painted.png") // else the video of a busy machine begins with the page as it was
		o := t.ok(ctx, "record", "start", "v.mp4", "--cursor", "--contact-sheet", "--contact-sheet-threshold", "0.2")
		sheet := filepath.Join(t.files.dir, "v.contact-sheet.png")
		Expect(o.Data).To(And(HaveKeyWithValue("cursor", true), HaveKeyWithValue("contactSheet", true), HaveKeyWithValue("contactSheetPath", sheet),
			HaveKeyWithValue("contactSheetThreshold", 0.2)))
		Expect(o.Artifacts).To(ConsistOf(HaveField("Path", "v.mp4"), And(HaveField("Path", "v.contact-sheet.png"), HaveField("State", steps.Pending))))
		before := t.ok(ctx, "screenshot", "before.png")
		t.ok(ctx, "mouse", "move", "200", "400")
		Expect(t.ok(ctx, "eval", "document.documentElement.children.length").Value).To(Equal(2))
		t.ok(ctx, "wait", "400")
		Expect(t.ok(ctx, "diff", "screenshot", "-b", before.Data["path"].(string)).Value).To(BeTrue(), "screenshots do not show it")
		t.ok(ctx, "click", "#go")
		t.ok(ctx, "screenshot", "blue.png") // as above
		t.ok(ctx, "wait", "1500")
		o = t.ok(ctx, "record", "stop")
		Expect(o.Data).To(HaveKeyWithValue("contactSheetPath", sheet))
		Expect(o.Artifacts).To(ConsistOf(HaveField("Kind", "video"), HaveField("Kind", "image")))

		shown := t.stills(ctx, "v.mp4") // which of them is when depends on the machine
		moved := slices.IndexFunc(shown, func(p image.Image) bool { return dark(p, image.Rect(195, 395, 225, 430)) > 20 })
		Expect(moved).NotTo(Equal(-1), "none of %d pictures has its rim where the mouse was moved", len(shown))
		Expect(luma(shown[moved], 203, 406)).To(BeNumerically(">", 200), "white in the pointer")
		last := shown[len(shown)-1]
		Expect(dark(last, image.Rect(195, 395, 225, 430))).To(BeZero(), "it went on")
		Expect(dark(last, image.Rect(645, 325, 670, 355))).To(BeNumerically(">", 20), "in the middle of the button that was clicked")
		w, h := size(sheet)
		Expect([]int{w, h}).To(Equal([]int{2*(320+8) + 8, 180 + 16}), "two pictures: white and blue")

		o = t.ok(ctx, "record", "restart", "w.webm")
		Expect(o.Data).To(And(HaveKeyWithValue("cursor", false), HaveKeyWithValue("contactSheetPath", BeNil()), HaveKeyWithValue("previousPath", "")))
		t.ok(ctx, "record", "stop")
	})
})

// stills gives the pictures of a video.
func (t *tester) stills(ctx SpecContext, video string) (out []image.Image) {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	said, err := exec.CommandContext(ctx, "ffmpeg", "-loglevel", "error", "-i", filepath.Join(t.files.dir, video), "-fps_mode", "passthrough",
		filepath.Join(dir, "%06d.png")).CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(said))
	list, err := filepath.Glob(filepath.Join(dir, "*.png")) // in order
	Expect(err).NotTo(HaveOccurred())
	Expect(list).NotTo(BeEmpty())
	for _, name := range list {
		raw, err := os.ReadFile(name)
		Expect(err).NotTo(HaveOccurred())
		pic, err := png.Decode(bytes.NewReader(raw))
		Expect(err).NotTo(HaveOccurred())
		out = append(out, pic)
	}
	return out
}

func luma(pic image.Image, x, y int) int {
	g, _ := color.GrayModel.Convert(pic.At(x, y)).(color.Gray)
	return int(g.Y)
}

// dark counts the pixels in a part of a picture that are nearly black and no colour.
func dark(pic image.Image, in image.Rectangle) (n int) {
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if r, g, b, _ := pic.At(x, y).RGBA(); max(r, g, b) < 0x5000 {
				n++
			}
		}
	}
	return n
}
