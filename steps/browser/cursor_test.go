package browser_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"time"

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
		began := time.Now()
		o := t.ok(ctx, "record", "start", "v.mp4", "--cursor", "--contact-sheet", "--contact-sheet-threshold", "0.2")
		sheet := filepath.Join(t.files.dir, "v.contact-sheet.png")
		Expect(o.Data).To(And(HaveKeyWithValue("cursor", true), HaveKeyWithValue("contactSheet", true), HaveKeyWithValue("contactSheetPath", sheet),
			HaveKeyWithValue("contactSheetThreshold", 0.2)))
		Expect(o.Artifacts).To(ConsistOf(HaveField("Path", "v.mp4"), And(HaveField("Path", "v.contact-sheet.png"), HaveField("State", steps.Pending))))
		before := t.ok(ctx, "screenshot", "before.png")
		t.ok(ctx, "mouse", "move", "200", "400")
		Expect(t.ok(ctx, "eval", "document.documentElement.children.length").Value).To(Equal(2))
		moved := time.Since(began)
		t.ok(ctx, "wait", "400")
		Expect(t.ok(ctx, "diff", "screenshot", "-b", before.Data["path"].(string)).Value).To(BeTrue(), "screenshots do not show it")
		between := (moved + time.Since(began)) / 2
		t.ok(ctx, "click", "#go")
		clicked := time.Since(began)
		t.ok(ctx, "wait", "800")
		o = t.ok(ctx, "record", "stop")
		Expect(o.Data).To(HaveKeyWithValue("contactSheetPath", sheet))
		Expect(o.Artifacts).To(ConsistOf(HaveField("Kind", "video"), HaveField("Kind", "image")))

		first := t.still(ctx, "v.mp4", between)
		Expect(luma(first, 203, 406)).To(BeNumerically(">", 200), "white in the pointer")
		Expect(dark(first, image.Rect(195, 395, 225, 430))).To(BeNumerically(">", 20), "its rim")
		last := t.still(ctx, "v.mp4", clicked+400*time.Millisecond)
		Expect(dark(last, image.Rect(645, 325, 670, 355))).To(BeNumerically(">", 20), "in the middle of the button that was clicked")
		w, h := size(sheet)
		Expect([]int{w, h}).To(Equal([]int{2*(320+8) + 8, 180 + 16}), "two pictures: white and blue")

		o = t.ok(ctx, "record", "restart", "w.webm")
		Expect(o.Data).To(And(HaveKeyWithValue("cursor", false), HaveKeyWithValue("contactSheetPath", BeNil()), HaveKeyWithValue("previousPath", "")))
		t.ok(ctx, "record", "stop")
	})
})

// still gives the picture that a video shows at a time.
func (t *tester) still(ctx SpecContext, video string, at time.Duration) image.Image {
	GinkgoHelper()
	second := fmt.Sprintf("%.3f", at.Seconds())
	out := filepath.Join(t.files.dir, second+".png")
	said, err := exec.CommandContext(ctx, "ffmpeg", "-loglevel", "error", "-y", "-i", filepath.Join(t.files.dir, video),
		"-vf", "fps=50,trim=start="+second, "-frames:v", "1", out).CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(said))
	raw, err := os.ReadFile(out)
	Expect(err).NotTo(HaveOccurred())
	pic, err := png.Decode(bytes.NewReader(raw))
	Expect(err).NotTo(HaveOccurred())
	return pic
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
