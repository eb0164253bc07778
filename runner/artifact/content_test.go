package artifact_test

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/artifact"
	"github.com/checkrow/checkrow/steps"
)

func webpBytes() []byte {
	GinkgoHelper()
	b, err := base64.StdEncoding.DecodeString("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
	Expect(err).NotTo(HaveOccurred())
	return b
}

// sample gives a file of testdata, cut off after n bytes; 0 is all of it.
func sample(name string, n int) func() []byte {
	return func() []byte {
		GinkgoHelper()
		b, err := os.ReadFile(filepath.Join("testdata", name))
		Expect(err).NotTo(HaveOccurred())
		if n > 0 {
			return b[:n]
		}
		return b
	}
}

// pdf makes a document of two pages whose objects are packed or not.
func pdf(packed bool) []byte {
	GinkgoHelper()
	objects := "1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>\nendobj\n" +
		"3 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n4 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n"
	if packed {
		var z bytes.Buffer
		w := zlib.NewWriter(&z)
		_, err := w.Write([]byte(objects))
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Close()).To(Succeed())
		objects = fmt.Sprintf("5 0 obj\n<< /Type /ObjStm /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream\nendobj\n", z.Len(), z.String())
	}
	head := "%PDF-1.7\n" + objects
	return fmt.Appendf(nil, "%sxref\n0 1\ntrailer << /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", head, len(head))
}

// trace makes an archive as a trace is one.
func trace(events string) []byte {
	GinkgoHelper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{"trace.trace": events, "resources/page.txt": "text"} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		Expect(err).NotTo(HaveOccurred())
		_, err = w.Write([]byte(text))
		Expect(err).NotTo(HaveOccurred())
	}
	Expect(z.Close()).To(Succeed())
	return b.Bytes()
}

func damaged(b []byte, part string) []byte {
	GinkgoHelper()
	i := bytes.Index(b, []byte(part))
	Expect(i).To(BeNumerically(">", 0))
	b[i] ^= 1
	return b
}

const har = `{"log":{"version":"1.2","entries":[{"a":1},{"b":[2]}]}}`

var _ = DescribeTable("what a file holds", func(name string, content func() []byte, want steps.Artifact, why string) {
	store, err := artifact.Open(GinkgoT().TempDir())
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(store.Close)
	tmp, commit, err := store.Folder("t", false).For("", "1").Reserve(name)
	Expect(err).NotTo(HaveOccurred())
	Expect(os.WriteFile(tmp, content(), 0o600)).To(Succeed())
	a, err := commit()
	if why == "" {
		Expect(err).NotTo(HaveOccurred())
	} else {
		Expect(err).To(MatchError(ContainSubstring(why)))
	}
	got := steps.Artifact{Kind: a.Kind, State: a.State, Pages: a.Pages, Entries: a.Entries, DurationMS: a.DurationMS, Streams: a.Streams, Error: want.Error}
	Expect(got).To(Equal(want))
	if want.Error != "" {
		Expect(a.Error).To(ContainSubstring(want.Error))
	}
},
	Entry("a WebM", "a.webm", sample("short.webm", 0), steps.Artifact{Kind: "video", State: steps.Saved, DurationMS: 600, Streams: []string{"video vp8 32x16"}}, ""),
	Entry("a WebM that was cut off", "a.webm", sample("short.webm", 600), steps.Artifact{Kind: "video", State: steps.Invalid}, "is cut off"),
	Entry("a WebM that is noise", "a.webm", func() []byte { return append([]byte("\x1a\x45\xdf\xa3"), make([]byte, 90)...) },
		steps.Artifact{Kind: "video", State: steps.Invalid}, "is damaged"),
	Entry("an MP4", "a.mp4", sample("short.mp4", 0), steps.Artifact{Kind: "video", State: steps.Saved, DurationMS: 600, Streams: []string{"video h264 32x16"}}, ""),
	Entry("an MP4 that was cut off", "a.mp4", sample("short.mp4", 1500), steps.Artifact{Kind: "video", State: steps.Invalid}, "is cut off"),
	Entry("an MP4 in parts", "a.mp4", sample("frag.mp4", 0), steps.Artifact{Kind: "video", State: steps.Unverified, Streams: []string{"video h264 32x16"},
		Error: "does not say how long"}, ""),
	Entry("a PDF", "a.pdf", func() []byte { return pdf(false) }, steps.Artifact{Kind: "pdf", State: steps.Saved, Pages: 2}, ""),
	Entry("a packed PDF", "a.pdf", func() []byte { return pdf(true) }, steps.Artifact{Kind: "pdf", State: steps.Saved, Pages: 2}, ""),
	Entry("a PDF that was cut off", "a.pdf", func() []byte { return pdf(false)[:150] }, steps.Artifact{Kind: "pdf", State: steps.Invalid}, "is cut off"),
	Entry("a HAR", "a.har", func() []byte { return []byte(har) }, steps.Artifact{Kind: "har", State: steps.Saved, Entries: 2}, ""),
	Entry("a HAR that was cut off", "a.har", func() []byte { return []byte(har[:40]) }, steps.Artifact{Kind: "har", State: steps.Invalid}, "no valid JSON"),
	Entry("JSON that is no HAR", "a.har", func() []byte { return []byte(`{"log":{}}`) }, steps.Artifact{Kind: "har", State: steps.Invalid}, "no HAR"),
	Entry("JSON with more behind it", "a.json", func() []byte { return []byte("{}\n{}") }, steps.Artifact{Kind: "data", State: steps.Invalid}, "no valid JSON"),
	Entry("a trace", "a.zip", func() []byte { return trace("{\"type\":\"x\"}\n{}\n") }, steps.Artifact{Kind: "trace", State: steps.Saved, Entries: 2}, ""),
	Entry("a trace with a broken event", "a.zip", func() []byte { return trace("{\"type\":\n") }, steps.Artifact{Kind: "file", State: steps.Invalid, Entries: 2}, "line 1 is no JSON"),
	Entry("an archive with a wrong checksum", "a.zip", func() []byte { return damaged(trace("{}\n"), "text") },
		steps.Artifact{Kind: "file", State: steps.Invalid, Entries: 2}, "checksum error"),
	Entry("an archive that was cut off", "a.zip", func() []byte { b := trace("{}\n"); return b[:len(b)-10] },
		steps.Artifact{Kind: "file", State: steps.Invalid}, "is cut off or damaged"))

// FuzzContent holds that no file, whatever is in it, does more than be called invalid.
func FuzzContent(f *testing.F) {
	for _, name := range []string{"short.webm", "short.mp4", "frag.mp4"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(filepath.Ext(name), b)
	}
	f.Add(".pdf", []byte("%PDF-1.7\n/Type /Pages /Count 2 /Type /ObjStm stream\nx\nstartxref\n3\n%%EOF"))
	f.Add(".har", []byte(har))
	f.Add(".zip", []byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, suffix string, content []byte) {
		store, err := artifact.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		tmp, commit, err := store.Folder("t", false).For("", "1").Reserve("a" + suffix)
		if err != nil {
			return
		}
		if err := os.WriteFile(tmp, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if a, err := commit(); err == nil && a.SHA256 == "" {
			t.Fatalf("%v was saved without a digest", a)
		}
	})
}
