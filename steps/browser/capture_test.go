package browser_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
)

// traceEvent is what the trace viewer reads of a line of trace.trace.
type traceEvent struct {
	Type     string
	Version  int
	CallID   string `json:"callId"`
	Title    string
	File     string
	ParentID string `json:"parentId"`
	Snapshot struct {
		CallID string `json:"callId"`
		Phase  string
		HTML   any
	}
}

// openTrace reads a trace as its viewer does: every file against its checksum, every event, every picture by its name.
func openTrace(path string) (events []traceEvent, files []string) {
	GinkgoHelper()
	z, err := zip.OpenReader(path)
	Expect(err).NotTo(HaveOccurred())
	defer z.Close()
	for _, f := range z.File {
		files = append(files, f.Name)
		in, err := f.Open()
		Expect(err).NotTo(HaveOccurred())
		content, err := io.ReadAll(in)
		Expect(err).NotTo(HaveOccurred(), f.Name)
		if !strings.HasSuffix(f.Name, ".trace") {
			continue
		}
		lines := bufio.NewScanner(bytes.NewReader(content))
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var e traceEvent
			Expect(json.Unmarshal(lines.Bytes(), &e)).To(Succeed(), lines.Text())
			events = append(events, e)
		}
	}
	return events, files
}

var _ = Describe("a session that is recorded as a whole", Label("browser"), func() {
	both := steps.Record{Trace: true, Video: true}
	same := func(name string) string { return name }
	recorded := func(ctx context.Context, t *tester, keep steps.Record) []steps.Observation {
		GinkgoHelper()
		r, can := t.Session.(steps.Recorder)
		Expect(can).To(BeTrue())
		return r.Recorded(ctx, keep, t.files, same)
	}

	It("gives a trace that the viewer opens, and a video", func(ctx SpecContext) {
		needFFmpeg()
		o := options()
		o.Record = both
		t := openOn(ctx, eng, o)
		t.ok(ctx, "open", "/")
		t.fails(ctx, steps.Validation, "no-trace", "trace", "stop")
		t.fails(ctx, steps.Validation, "no-recording", "record", "stop")
		t.ok(ctx, "click", "#b")
		t.ok(ctx, "eval", "document.body.style.background = 'red'")
		f, _ := t.Session.(steps.Unfinished)
		Expect(f.Finish(ctx)).To(BeEmpty(), "no row began it")
		out := recorded(ctx, t, both)
		Expect(out).To(HaveExactElements(
			And(HaveField("Success", true), HaveField("Artifacts", HaveExactElements(HaveField("Kind", "trace")))),
			And(HaveField("Success", true), HaveField("Artifacts", HaveExactElements(HaveField("Kind", "video"))))))
		events, files := openTrace(filepath.Join(t.files.dir, "test-trace.zip"))
		Expect(files).To(ContainElements("trace.trace", "trace.network"))
		Expect(events[0]).To(And(HaveField("Type", "context-options"), HaveField("Version", BeNumerically(">=", 7))))
		calls, parent, shown, ended, shots := map[string]string{}, map[string]string{}, map[string]bool{}, 0, 0
		for _, e := range events {
			switch e.Type {
			case "before":
				calls[e.CallID], parent[e.CallID] = e.Title, e.ParentID
			case "after":
				Expect(calls).To(HaveKey(e.CallID))
				ended++
			case "screencast-frame":
				shots++
				Expect(files).To(ContainElement(e.File))
			case "frame-snapshot":
				Expect(e.Snapshot.HTML).NotTo(BeNil())
				if e.Snapshot.Phase == "after" {
					shown[calls[parent[e.Snapshot.CallID]]] = true
				}
			}
		}
		Expect(ended).To(Equal(len(calls)), "every call of it ended")
		Expect(shots).To(BeNumerically(">", 0))
		Expect(shown).To(And(HaveKey("open"), HaveKey("click #b"), HaveKey("eval")), "each row shows the page as it left it")
		viewed(ctx, filepath.Join(t.files.dir, "test-trace.zip"), "click #b")
		probe, err := exec.CommandContext(ctx, "ffmpeg", "-v", "error", "-i", filepath.Join(t.files.dir, "test-video.webm"), "-f", "null", "-").CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(probe))
	})

	It("yields to a row that records by itself, and leaves nothing behind when nobody wants it", func(ctx SpecContext) {
		needFFmpeg()
		e := fresh()
		o := options()
		o.Record = both
		t := openOn(ctx, e, o)
		t.ok(ctx, "open", "/")
		Expect(t.ok(ctx, "trace", "start").Warnings).To(ContainElement(ContainSubstring("ends here")))
		Expect(t.ok(ctx, "record", "start", "mine.webm").Warnings).To(ContainElement(ContainSubstring("ends here")))
		t.ok(ctx, "click", "#b")
		t.ok(ctx, "record", "stop")
		t.ok(ctx, "trace", "stop", "mine.zip")
		for _, o := range recorded(ctx, t, both) {
			Expect(o.Success).To(BeTrue(), o.Error)
		}
		entries, err := os.ReadDir(t.files.dir)
		Expect(err).NotTo(HaveOccurred())
		names := []string{}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		Expect(names).To(ConsistOf("mine.webm", "mine.zip", "test-trace.zip", "test-video.webm"))

		dropped := openOn(ctx, e, o)
		dropped.ok(ctx, "open", "/")
		dropped.Close()
		Expect(os.ReadDir(dropped.files.dir)).To(BeEmpty())
		Eventually(func() []string { return scraps(e.Scratch()) }).Should(BeEmpty())
	})

	It("leaves no folder behind when a picture comes while it is dropped", func() {
		for range 100 {
			dir := filepath.Join(GinkgoT().TempDir(), "video")
			Expect(os.Mkdir(dir, 0o700)).To(Succeed())
			add, sweep := browser.Film(dir)
			stop, done := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(done)
				for {
					select {
					case <-stop:
						return
					default:
						add([]byte("picture"))

					}
				}
			}()
			Eventually(func() ([]os.DirEntry, error) { return os.ReadDir(dir) }, "5s", "1ms").ShouldNot(BeEmpty())
			sweep()
			Expect(dir).NotTo(BeAnExistingFile())
			close(stop)
			<-done
			Expect(dir).NotTo(BeAnExistingFile())
		}
	})

	It("goes on without a video where there is no ffmpeg, and says so", func(ctx SpecContext) {
		path := os.Getenv("PATH")
		e := fresh()
		warm := openOn(ctx, e, options())
		warm.Close()
		GinkgoT().Setenv("PATH", GinkgoT().TempDir())
		o := options()
		o.Record = steps.Record{Video: true}
		t := openOn(ctx, e, o)
		GinkgoT().Setenv("PATH", path)
		t.ok(ctx, "open", "/")
		Expect(recorded(ctx, t, steps.Record{Video: true})).To(ContainElement(And(HaveField("Success", false), HaveField("Error", ContainSubstring("needs ffmpeg")))))
		shot, err := t.Session.(steps.Recorder).Picture(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(shot).To(HavePrefix("\x89PNG"))
		o.Record = steps.Record{NoScreenshot: true}
		ev := openOn(ctx, e, o).Evidence(ctx)
		Expect(ev.Screenshot).To(BeEmpty())
		Expect(ev.Problems).To(BeEmpty())
	})
})

// viewed opens a trace in its viewer, which must show an action.
func viewed(ctx context.Context, trace, action string) {
	GinkgoHelper()
	cmd := exec.CommandContext(ctx, found.Node, filepath.Join(found.Driver, "package", "cli.js"), "show-trace", "--host", "127.0.0.1", "--port", "0", trace)
	out, err := cmd.StdoutPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(cmd.Start()).To(Succeed())
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "Listening on "); ok {
			viewer := openOn(ctx, eng, options())
			viewer.ok(ctx, "open", url)
			viewer.ok(ctx, "wait", "text="+action)
			viewer.Close()
			return
		}
	}
	Fail("the viewer does not start")
}

// scraps are the pictures and traces that recordings have left in the private folder of an engine.
func scraps(dir string) (out []string) {
	for _, pattern := range []string{"video-*", "trace-*", "playwright-artifacts-*/*.trace", "playwright-artifacts-*/screencast/*"} {
		list, err := filepath.Glob(filepath.Join(dir, pattern))
		Expect(err).NotTo(HaveOccurred())
		out = append(out, list...)
	}
	slices.Sort(out)
	return out
}
