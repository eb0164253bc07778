package artifact_test

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/artifact"
	"github.com/checkrow/checkrow/steps"
)

func picture(blank bool, size int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, size, size))
	for i := range size * size {
		c := color.RGBA{200, 10, 10, 255}
		if !blank {
			c = color.RGBA{uint8(i * 7), uint8(i / 3), uint8(i), 255}
		}
		m.SetRGBA(i%size, i/size, c)
	}
	return m
}

func pngBytes(blank bool, size int) []byte {
	GinkgoHelper()
	var b bytes.Buffer
	Expect(png.Encode(&b, picture(blank, size))).To(Succeed())
	return b.Bytes()
}

var _ = Describe("A folder", func() {
	var store *artifact.Store
	var dir string

	BeforeEach(func() {
		dir = GinkgoT().TempDir()
		var err error
		store, err = artifact.Open(dir)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(store.Close)
	})

	save := func(files steps.Files, name string, content []byte) (steps.Artifact, error) {
		GinkgoHelper()
		tmp, commit, err := files.Reserve(name)
		if err != nil {
			return steps.Artifact{}, err
		}
		Expect(os.WriteFile(tmp, content, 0o600)).To(Succeed())
		return commit()
	}

	It("makes parents, moves the file in place and leaves nothing else", func() {
		a, err := save(store.Folder("t/1", false).For("loop.2", "3"), "deep/er/shot.png", pngBytes(false, 300))
		Expect(err).NotTo(HaveOccurred())
		Expect(a).To(HaveField("Path", "t/1/loop.2/deep/er/shot.png"))
		Expect(a).To(HaveField("State", steps.Saved))
		Expect(a).To(HaveField("Type", "image/png"))
		Expect(a).To(HaveField("Width", 300))
		Expect(a).To(HaveField("Blank", false))
		Expect(a.SHA256).To(HaveLen(64))
		entries, err := os.ReadDir(filepath.Join(dir, "t/1/loop.2/deep/er"))
		Expect(err).NotTo(HaveOccurred())
		Expect(entries).To(HaveLen(1))
	})

	It("lists what was saved", func() {
		f := store.Folder("t/1", false)
		_, err := save(f.For("", "1"), "a.txt", []byte("hello"))
		Expect(err).NotTo(HaveOccurred())
		Expect(f.Saved()).To(ConsistOf(HaveField("Path", "t/1/a.txt")))
	})

	DescribeTable("tells a blank picture", func(size int, blank bool) {
		a, err := save(store.Folder("t", false).For("", "1"), "s.png", pngBytes(blank, size))
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Blank).To(Equal(blank))
		Expect(a.State).To(Equal(steps.Saved))
	},
		Entry("small and blank", 20, true), Entry("small", 20, false),
		Entry("large and blank", 900, true), Entry("large", 900, false))

	DescribeTable("checks content", func(name string, content func() []byte, state steps.ArtifactState, media, why string) {
		a, err := save(store.Folder("t", false).For("", "1"), name, content())
		Expect(a.State).To(Equal(state))
		Expect(a.Type).To(Equal(media))
		if why == "" {
			Expect(err).NotTo(HaveOccurred())
			return
		}
		Expect(err).To(MatchError(ContainSubstring(why)))
	},
		Entry("a cut-off PNG", "a.png", func() []byte { b := pngBytes(false, 200); return b[:len(b)-20] }, steps.Invalid, "image/png", "is cut off"),
		Entry("a damaged PNG", "a.png", func() []byte { b := pngBytes(false, 200); b[len(b)/2] ^= 1; return b }, steps.Invalid, "image/png", "is damaged"),
		Entry("a JPEG", "a.jpg", func() []byte {
			var b bytes.Buffer
			Expect(jpeg.Encode(&b, picture(false, 40), nil)).To(Succeed())
			return b.Bytes()
		}, steps.Saved, "image/jpeg", ""),
		Entry("a cut-off JPEG", "a.jpg", func() []byte {
			var b bytes.Buffer
			Expect(jpeg.Encode(&b, picture(false, 40), nil)).To(Succeed())
			return b.Bytes()[:b.Len()/2]
		}, steps.Invalid, "image/jpeg", "does not decode"),
		Entry("a GIF", "a.gif", func() []byte {
			var b bytes.Buffer
			Expect(gif.Encode(&b, picture(false, 10), nil)).To(Succeed())
			return b.Bytes()
		}, steps.Saved, "image/gif", ""),
		Entry("a WebP", "a.webp", webpBytes, steps.Saved, "image/webp", ""),
		Entry("a WebP of nothing", "a.webp", func() []byte { return []byte("RIFF\x08\x00\x00\x00WEBPVP8 ") }, steps.Invalid, "image/webp", "does not decode"),
		Entry("a WebP that moves", "a.webp", func() []byte {
			return []byte("RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00")
		}, steps.Unverified, "image/webp", ""),
		Entry("a cut-off WebP", "a.webp", func() []byte { return []byte("RIFF\xff\x00\x00\x00WEBPVP8 ") }, steps.Invalid, "image/webp", "is cut off"),
		Entry("a PNG under a JPEG's name", "a.jpg", func() []byte { return pngBytes(false, 20) }, steps.Invalid, "image/png", "not image/jpeg"),
		Entry("text under a PNG's name", "a.png", func() []byte { return []byte("<html>") }, steps.Invalid, "text/plain", "not image/png"),
		Entry("JSON", "a.json", func() []byte { return []byte(`{"a":1}`) }, steps.Saved, "application/json", ""),
		Entry("no JSON", "a.json", func() []byte { return []byte(`{"a":`) }, steps.Invalid, "application/json", "no valid JSON"),
		Entry("text", "a.txt", func() []byte { return []byte("für") }, steps.Saved, "text/plain", ""),
		Entry("bytes", "a.bin", func() []byte { return []byte{1, 0, 2} }, steps.Saved, "application/octet-stream", ""),
		Entry("nothing", "a.txt", func() []byte { return nil }, steps.Missing, "", "wrote nothing"),
	)

	It("fails when the reserved file is gone", func() {
		tmp, commit, err := store.Folder("t", false).For("", "1").Reserve("a.txt")
		Expect(err).NotTo(HaveOccurred())
		Expect(os.Remove(tmp)).To(Succeed())
		a, err := commit()
		Expect(err).To(MatchError(ContainSubstring("wrote no file")))
		Expect(a.State).To(Equal(steps.Missing))
	})

	It("refuses a name that another step wrote, also in other case, and lets the same step write again", func() {
		f := store.Folder("t", false)
		_, err := save(f.For("", "1"), "a.txt", []byte("1"))
		Expect(err).NotTo(HaveOccurred())
		_, err = save(f.For("", "2"), "sub/../A.TXT", []byte("2"))
		Expect(err).To(MatchError(ContainSubstring("another step")))
		_, err = save(f.For("", "1"), "a.txt", []byte("3"))
		Expect(err).NotTo(HaveOccurred())
	})

	DescribeTable("refuses what is outside", func(name string) {
		_, err := save(store.Folder("t/1", false).For("", "1"), name, []byte("x"))
		Expect(err).To(MatchError(ContainSubstring("outside the run folder")))
	}, Entry("above", "../../../x"), Entry("absolute", "/tmp/x"))

	It("refuses links, folders and files of others", func() {
		f := store.Folder("t", false)
		Expect(f.Make()).To(Succeed())
		Expect(os.Symlink(filepath.Join(dir, "elsewhere"), filepath.Join(dir, "t/link.txt"))).To(Succeed())
		Expect(os.Symlink(GinkgoT().TempDir(), filepath.Join(dir, "t/out"))).To(Succeed())
		Expect(os.Mkdir(filepath.Join(dir, "t/folder"), 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(dir, "t/theirs"), []byte("x"), 0o600)).To(Succeed())
		files := f.For("", "1")
		for name, why := range map[string]string{"link.txt": "symbolic link", "folder": "a folder", "theirs": "no row wrote", "out/x": "escapes"} {
			_, err := save(files, name, []byte("x"))
			Expect(err).To(MatchError(ContainSubstring(why)), name)
		}
	})

	It("refuses a temporary file that became a link", func() {
		tmp, commit, err := store.Folder("t", false).For("", "1").Reserve("a.txt")
		Expect(err).NotTo(HaveOccurred())
		Expect(os.Remove(tmp)).To(Succeed())
		Expect(os.Symlink("/etc/hostname", tmp)).To(Succeed())
		_, err = commit()
		Expect(err).To(MatchError(ContainSubstring("no regular file")))
	})
})
