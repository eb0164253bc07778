package artifact_test

import (
	"archive/tar"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/artifact"
	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("a destination", func() {
	var store *artifact.Store
	var dir string
	var folder *artifact.Folder

	BeforeEach(func() {
		dir = GinkgoT().TempDir()
		var err error
		store, err = artifact.Open(dir)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(store.Close)
		folder = store.Folder("t/1", false)
	})

	write := func(f *artifact.Folder, step, name, text string) (steps.Artifact, error) {
		GinkgoHelper()
		tmp, commit, err := f.For("", step).Reserve(name)
		if err != nil {
			return steps.Artifact{}, err
		}
		if text != "" {
			Expect(os.WriteFile(tmp, []byte(text), 0o600)).To(Succeed())
		}
		return commit()
	}
	held := func() []string {
		GinkgoHelper()
		names, err := filepath.Glob(filepath.Join(dir, "t/1/.hold-*"))
		Expect(err).NotTo(HaveOccurred())
		return names
	}

	DescribeTable("that is taken is refused before anything is written there", func(second, why string) {
		Expect(folder.Make()).To(Succeed())
		Expect(os.Mkdir(filepath.Join(dir, "t/1/deep"), 0o700)).To(Succeed())
		Expect(os.Symlink("deep", filepath.Join(dir, "t/1/link"))).To(Succeed())
		_, _, err := folder.For("", "1").Reserve("deep/Ä.webm")
		Expect(err).NotTo(HaveOccurred())
		_, _, err = folder.For("", "2").Reserve(second)
		Expect(err).To(MatchError(ContainSubstring(why)))
	},
		Entry("by name", "deep/Ä.webm", "another step"),
		Entry("in other words", "deep/../deep/./Ä.webm", "another step"),
		Entry("in other case", "DEEP/ä.WEBM", "another step"),
		Entry("through a link in a folder's place", "link/Ä.webm", "another step"))

	It("is free again when the attempt is over, and holds nothing once a file lies there", func() {
		_, _, err := folder.For("", "1").Reserve("a.txt")
		Expect(err).NotTo(HaveOccurred())
		Expect(held()).To(HaveLen(1))
		_, err = write(folder, "2", "b.txt", "text")
		Expect(err).NotTo(HaveOccurred())
		Expect(held()).To(HaveLen(1))
		folder.Close()
		Expect(held()).To(BeEmpty())
		Expect(folder.Saved()).To(HaveLen(1))
	})

	It("names a file of another step that has a second name", func() {
		_, err := write(folder, "1", "a.txt", "text")
		Expect(err).NotTo(HaveOccurred())
		Expect(os.Link(filepath.Join(dir, "t/1/a.txt"), filepath.Join(dir, "t/1/b.txt"))).To(Succeed())
		_, err = write(folder, "2", "b.txt", "text")
		Expect(err).To(MatchError(ContainSubstring("hard link")))
	})

	It("is refused in another attempt, by path or by dots", func() {
		_, err := write(folder, "1", filepath.Join(dir, "t/2/a.txt"), "text")
		Expect(err).To(MatchError(ContainSubstring("not in the folder of this attempt")))
		_, err = write(folder, "1", filepath.Join(dir, "journal.jsonl"), "text")
		Expect(err).To(MatchError(ContainSubstring("not in the folder of this attempt")))
		_, err = write(folder, "1", "../2/a.txt", "text")
		Expect(err).To(MatchError(ContainSubstring("outside the folder of this attempt")))
		a, err := write(folder, "1", filepath.Join(folder.Path(), "a.txt"), "text")
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Path).To(Equal("t/1/a.txt"))
	})

	It("may lie outside if the suite says so, where what an earlier run left is replaced", func() {
		out := GinkgoT().TempDir()
		name := filepath.Join(out, "deep/a.txt")
		_, err := write(folder, "1", name, "text")
		Expect(err).To(MatchError(ContainSubstring("allow_outside")))
		one, two, other := store.Folder("t/1", true), store.Folder("t/2", true), store.Folder("u/1", true)
		a, err := write(one, "1", name, "old")
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Path).To(Equal(filepath.ToSlash(name)))
		_, err = write(two, "1", name, "new")
		Expect(err).NotTo(HaveOccurred(), "a second attempt of the same test")
		Expect(os.ReadFile(name)).To(BeEquivalentTo("new"))
		_, err = write(other, "1", filepath.Join(out, "deep/A.TXT"), "x")
		Expect(err).To(MatchError(ContainSubstring("another test")))
		_, err = write(other, "1", name, "x")
		Expect(err).To(MatchError(ContainSubstring("another test")))
		Expect(folder.Make()).To(Succeed())
		Expect(os.Symlink(filepath.Join(dir, "t/1"), filepath.Join(out, "back"))).To(Succeed())
		_, err = write(other, "2", filepath.Join(out, "back/a.txt"), "x")
		Expect(err).To(MatchError(ContainSubstring("back into the run folder")))
		Expect(os.Symlink("/etc/hostname", filepath.Join(out, "link"))).To(Succeed())
		_, err = write(other, "3", filepath.Join(out, "link"), "x")
		Expect(err).To(MatchError(ContainSubstring("symbolic link")))
	})

	It("tells what is stale from what is missing", func() {
		a, err := write(folder, "1", "a.txt", "")
		Expect(err).To(MatchError(ContainSubstring("wrote nothing")))
		Expect(a.State).To(Equal(steps.Missing))
		_, err = write(folder, "1", "a.txt", "first try")
		Expect(err).NotTo(HaveOccurred())
		a, err = write(folder, "1", "a.txt", "")
		Expect(err).To(MatchError(ContainSubstring("written before it")))
		Expect(a.State).To(Equal(steps.Stale))
		Expect(folder.Saved()).To(ConsistOf(HaveField("State", steps.Stale)))
		tmp, commit, err := folder.For("", "2").Reserve("b.txt")
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(tmp, []byte("x"), 0o600)).To(Succeed())
		Expect(os.Chtimes(tmp, time.Time{}, time.Now().Add(-time.Hour))).To(Succeed())
		a, err = commit()
		Expect(err).To(MatchError(ContainSubstring("older than the row")))
		Expect(a.State).To(Equal(steps.Stale))
	})

	It("says what the system says when its folder is gone, or is a file", func() {
		tmp, commit, err := folder.For("sub", "1").Reserve("a.txt")
		Expect(err).NotTo(HaveOccurred())
		Expect(os.RemoveAll(filepath.Join(dir, "t"))).To(Succeed())
		Expect(os.WriteFile(tmp, []byte("x"), 0o600)).NotTo(Succeed())
		a, err := commit()
		Expect(err).To(MatchError(ContainSubstring("no such file or directory")))
		Expect(a.State).To(Equal(steps.Missing))
		Expect(os.WriteFile(filepath.Join(dir, "t"), []byte("x"), 0o600)).To(Succeed())
		_, err = write(folder, "2", "b.txt", "x")
		Expect(err).To(MatchError(MatchRegexp("reserving \"b.txt\": making its folder: (not a directory|file exists)")))
		Expect(os.Remove(filepath.Join(dir, "t"))).To(Succeed())
		_, err = write(folder, "3", "c.txt", "x")
		Expect(err).NotTo(HaveOccurred(), "the next row goes on")
	})

	It("passes the gate for secrets before it is hashed", func() {
		store.Scrub = func(media, name string, content []byte) ([]byte, error) {
			if media == "application/zip" {
				return nil, os.ErrPermission
			}
			return []byte(strings.ReplaceAll(string(content), "hunter2", "•••")), nil
		}
		a, err := write(folder, "1", "a.txt", "password hunter2, hunter2\n")
		Expect(err).NotTo(HaveOccurred())
		Expect(os.ReadFile(filepath.Join(dir, a.Path))).To(BeEquivalentTo("password •••, •••\n"))
		Expect(a.Bytes).To(BeEquivalentTo(len("password •••, •••\n")))
		_, err = write(folder, "2", "a.zip", string(trace("{}\n")))
		Expect(err).To(MatchError(ContainSubstring("was not kept")))
		Expect(filepath.Join(dir, "t/1/a.zip")).NotTo(BeAnExistingFile())
		binary := "hunter2\x00"
		_, err = write(folder, "3", "a.bin", binary)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.ReadFile(filepath.Join(dir, "t/1/a.bin"))).To(BeEquivalentTo(binary))
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		Expect(w.WriteHeader(&tar.Header{Name: "hunter2", Mode: 0o600})).To(Succeed())
		Expect(w.Close()).To(Succeed())
		a, err = write(folder, "4", "a.bundle", b.String())
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Redacted).To(BeTrue(), "a tar is told by its content, and is no text")
	})

	DescribeTable("is as a test wants it", func(w artifact.Wanted, why string) {
		_, err := write(folder, "1", "blank.png", string(pngBytes(true, 40)))
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(filepath.Join(folder.Path(), "theirs.json"), []byte("{}"), 0o600)).To(Succeed())
		a, fault := folder.Expect(w)
		Expect(fault).To(Equal(why))
		if w.Path[0] != '/' {
			Expect(folder.Saved()).To(ContainElement(a))
		}
	},
		Entry("whoever wrote it", artifact.Wanted{Path: "theirs.json", Type: "application/json", MinBytes: 2}, ""),
		Entry("a picture", artifact.Wanted{Path: "blank.png", Type: "image", MinWidth: 40, MinHeight: 40}, ""),
		Entry("not there", artifact.Wanted{Path: "b.png"}, `"b.png" is missing: no such file or directory; the attempt saved blank.png`),
		Entry("another type", artifact.Wanted{Path: "blank.png", Type: "application/pdf"}, `"blank.png" is image/png, wanted application/pdf`),
		Entry("too small", artifact.Wanted{Path: "blank.png", MinWidth: 41}, `"blank.png" has 40 pixels of width, wanted at least 41`),
		Entry("too short", artifact.Wanted{Path: "theirs.json", MinBytes: 3}, `"theirs.json" has 2 bytes, wanted at least 3`),
		Entry("blank", artifact.Wanted{Path: "blank.png", NotBlank: true}, `"blank.png" is blank: all its pixels have one colour`),
		Entry("no picture", artifact.Wanted{Path: "theirs.json", NotBlank: true}, `"theirs.json" is application/json: not_blank looks at pictures`),
		Entry("elsewhere", artifact.Wanted{Path: "/etc/hostname"}, `"/etc/hostname" cannot be looked at: it is outside the run folder, where files go only if the suite says artifacts: { allow_outside: true }`))

	It("is compared again", func(ctx context.Context) {
		for _, name := range []string{"a", "b", "c", "d"} {
			_, err := write(folder, name, name+".txt", "text of "+name)
			Expect(err).NotTo(HaveOccurred())
		}
		at := func(name string) string { return filepath.Join(folder.Path(), name) }
		list := append(folder.Saved(), steps.Artifact{Path: "t/1/never.webm", State: steps.Pending})
		Expect(os.WriteFile(filepath.Join(dir, "junit.xml"), nil, 0o600)).To(Succeed())
		v, err := artifact.Verify(ctx, dir, list)
		Expect(err).NotTo(HaveOccurred())
		Expect(v).To(Equal(artifact.Verdict{Checked: 4, Differences: []artifact.Difference{}, Extra: []string{}, Leftover: []string{}, Unhashed: []string{"t/1/never.webm"}}))
		Expect(os.Remove(at("a.txt"))).To(Succeed())
		Expect(os.WriteFile(at("b.txt"), []byte("text of B"), 0o600)).To(Succeed())
		Expect(os.Remove(at("c.txt"))).To(Succeed())
		Expect(os.Symlink("b.txt", at("c.txt"))).To(Succeed())
		Expect(os.WriteFile(at("more.txt"), nil, 0o600)).To(Succeed())
		Expect(os.WriteFile(at(".tmp-12.png"), nil, 0o600)).To(Succeed())
		v, err = artifact.Verify(ctx, dir, list)
		Expect(err).NotTo(HaveOccurred())
		Expect(v.Differences).To(HaveExactElements(
			And(HaveField("Path", "t/1/a.txt"), HaveField("What", "missing")),
			And(HaveField("Path", "t/1/b.txt"), HaveField("What", "changed"), HaveField("Got", int64(9))),
			And(HaveField("Path", "t/1/c.txt"), HaveField("What", "changed"))))
		Expect(v.Extra).To(Equal([]string{"t/1/more.txt"}))
		Expect(v.Leftover).To(Equal([]string{"t/1/.tmp-12.png"}))
	})
})
