package install_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/install"
)

// archive packs entries as npm does.
func archive(entries ...tar.Header) []byte {
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	tw := tar.NewWriter(zw)
	for _, h := range entries {
		body := []byte("text of " + h.Name)
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(body))
		}
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		if err := tw.WriteHeader(&h); err != nil {
			panic(err)
		}
		if h.Typeflag == tar.TypeReg {
			_, _ = tw.Write(body)
		}
	}
	_, _ = tw.Close(), zw.Close()
	return b.Bytes()
}

func file(name string) tar.Header { return tar.Header{Name: name, Typeflag: tar.TypeReg} }

var _ = Describe("unpacking", func() {
	It("writes plain files, for the owner only", func() {
		dir := GinkgoT().TempDir()
		exe := file("package/bin/run")
		exe.Mode = 0o755
		Expect(install.Unpack(bytes.NewReader(archive(file("package/a/b.js"), exe)), dir)).To(Succeed())
		Expect(os.ReadFile(filepath.Join(dir, "package/a/b.js"))).To(BeEquivalentTo("text of package/a/b.js"))
		info, err := os.Stat(filepath.Join(dir, "package/a/b.js"))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(BeEquivalentTo(0o600))
		info, err = os.Stat(filepath.Join(dir, "package/bin/run"))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(BeEquivalentTo(0o700))
	})

	DescribeTable("refuses", func(text string, entries ...tar.Header) {
		outer := GinkgoT().TempDir()
		dir := filepath.Join(outer, "in")
		Expect(os.Mkdir(dir, 0o700)).To(Succeed())
		Expect(install.Unpack(bytes.NewReader(archive(entries...)), dir)).To(MatchError(ContainSubstring(text)))
		left, err := os.ReadDir(outer)
		Expect(err).NotTo(HaveOccurred())
		Expect(left).To(HaveLen(1), "something was written outside")
	},
		Entry("a way up", "outside its package folder", file("package/../../evil")),
		Entry("a way up at once", "outside its package folder", file("../evil")),
		Entry("an absolute name", "outside its package folder", file("/tmp/evil")),
		Entry("another folder", "outside its package folder", file("other/x")),
		Entry("a backslash", "outside its package folder", file(`package/..\..\evil`)),
		Entry("a symbolic link", "not a plain file", tar.Header{Name: "package/l", Typeflag: tar.TypeSymlink, Linkname: "/etc"}, file("package/l/evil")),
		Entry("a hard link", "not a plain file", tar.Header{Name: "package/l", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}),
		Entry("a device", "not a plain file", tar.Header{Name: "package/l", Typeflag: tar.TypeChar}),
		Entry("a name twice", "creating", file("package/x"), file("package/x")),
		Entry("nothing", "no files"),
	)

	It("refuses what is no archive, or half of one", func() {
		whole := archive(file("package/x"), file("package/y"))
		Expect(install.Unpack(bytes.NewReader([]byte("<html>")), GinkgoT().TempDir())).NotTo(Succeed())
		Expect(install.Unpack(bytes.NewReader(whole[:len(whole)/2]), GinkgoT().TempDir())).NotTo(Succeed())
	})

	It("patches the bundle once, and refuses one it does not know", func() {
		bundle := put(filepath.Join(GinkgoT().TempDir(), "b.js"), "a(pageError.location.url, pageError.location.lineNumber,pageError.location.columnNumber)", 0o600)
		const want = `a(pageError.location?.url || "", pageError.location?.lineNumber || 0,pageError.location?.columnNumber || 0)`
		for range 2 {
			Expect(install.Patch(bundle)).To(Succeed())
			Expect(os.ReadFile(bundle)).To(BeEquivalentTo(want))
		}
		Expect(install.Patch(put(bundle, "x()", 0o600))).To(MatchError(ContainSubstring("pageError.location.url")))
	})
})

// FuzzUnpack: whatever the archive, nothing is written beside the folder and nothing panics.
func FuzzUnpack(f *testing.F) {
	f.Add(archive(file("package/x")))
	f.Add(archive(file("package/../../evil"), tar.Header{Name: "package/l", Typeflag: tar.TypeSymlink, Linkname: ".."}))
	f.Add([]byte{0x1f, 0x8b})
	f.Fuzz(func(t *testing.T, raw []byte) {
		outer := t.TempDir()
		dir := filepath.Join(outer, "in")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		_ = install.Unpack(bytes.NewReader(raw), dir)
		if left, err := os.ReadDir(outer); err != nil || len(left) != 1 {
			t.Fatalf("beside the folder: %v %v", left, err)
		}
	})
}
