package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/proc"
	"github.com/mxschmitt/playwright-go"
)

// video is a recording that runs. The browser gives a picture when the page changes; each is kept as a file until the end,
// when ffmpeg makes a video of them in which each lasts as long as it was seen. So a page that stands still costs nothing.
type video struct {
	file  *file
	page  playwright.Page
	tab   *tab
	fps   int
	files *row
	dir   string
	track *track // of the mouse, if it is to be drawn
	sheet *sheet // if one is to be made
	began time.Time

	mu       sync.Mutex
	frames   []videoFrame
	captured int
	bytes    int64
	full     bool // frames were left out: there was no room
	swept    bool // the folder is gone: what the browser still sends has no place
	err      error
}

// videoFrame is one picture and when it was seen first.
type videoFrame struct {
	name string
	at   time.Time
}

// maxVideo bounds what the pictures of a recording take on the disk.
const maxVideo = 1 << 30

// ffmpeg is the program that makes videos.
const ffmpeg = "ffmpeg"

func recordStart(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	s.yieldVideo(ctx, r)
	if v := s.extra.video; v != nil {
		return steps.Observation{}, problem(steps.Validation, "recording-open", fmt.Sprintf("a recording is open already: %q", v.file.name),
			next("stop-pending-recording", "end it first", "record", "stop"))
	}
	v, err := s.startVideo(ctx, r)
	if err != nil {
		return steps.Observation{}, err
	}
	return s.recording(r, v, map[string]any{"started": true})
}

// recording completes a row that began a video: it opens the page that the row names.
func (s *session) recording(r *row, v *video, data map[string]any) (steps.Observation, error) {
	data["path"], data["fps"] = v.file.path(), v.fps
	data["cursor"], data["contactSheet"], data["contactSheetPath"] = v.track != nil, v.sheet != nil, nil
	o := steps.OK(data, "path")
	o.Artifacts = []steps.Artifact{v.file.pending()}
	if v.sheet != nil {
		data["contactSheetPath"], data["contactSheetThreshold"] = v.sheet.file.path(), v.sheet.threshold
		o.Artifacts = append(o.Artifacts, v.sheet.file.pending())
	}
	if u := r.op(1); u != "" {
		to, err := s.resolve(u)
		if err != nil {
			return o, err
		}
		return o, s.visit(r, to)
	}
	return o, nil
}

// startVideo begins a recording of the active tab.
func (s *session) startVideo(ctx context.Context, r *row) (*video, error) {
	if err := s.e.encoder(ctx); err != nil {
		return nil, err
	}
	v := &video{page: s.page(), tab: s.active(), fps: 30, files: r, began: time.Now()}
	var err error
	if n, ok := r.a.Flag("--fps"); ok {
		fps, err := strconv.Atoi(n)
		if err != nil {
			return nil, problem(steps.Validation, "fps", err.Error())
		}
		v.fps = fps
	}
	if v.file, err = r.reserve(r.op(0), "video"); err != nil {
		return nil, err
	}
	if v.sheet, err = r.wantsSheet(); err != nil {
		v.drop()
		return nil, err
	}
	if r.a.Has("--cursor") {
		v.track = &track{page: v.page}
	}
	if err := s.film(v); err != nil {
		v.drop()
		return nil, err
	}
	return v, nil
}

// film begins to take pictures.
func (s *session) film(v *video) error {
	base, err := s.e.scratchDir()
	if err != nil {
		return err
	}
	if v.dir, err = os.MkdirTemp(base, "video-"); err != nil {
		return problem(steps.ArtifactBad, "scratch", "there is no place for the pictures: "+cause(err))
	}
	w, h := s.size()
	cast, err := v.page.Screencast()
	if err == nil {
		err = cast.Start(playwright.ScreencastStartOptions{Size: &playwright.Size{Width: w, Height: h}, Quality: playwright.Int(80),
			OnFrame: func(f playwright.OnFrame) { safely(func() { v.add(f.Data) }) }})
	}
	if err != nil {
		v.sweep()
		return err
	}
	s.extra.video = v
	s.extra.track.Store(v.track)
	return nil
}

// encoder fails if ffmpeg cannot be started: better before the recording than behind it. It looks once.
func (e *Engine) encoder(ctx context.Context) error {
	if e.ffmpeg.Load() {
		return nil
	}
	_, err := proc.Run(ctx, proc.Spec{Argv: []string{ffmpeg, "-version"}, Env: encoderEnv(), Limit: 1 << 10}, nil)
	if err == nil {
		e.ffmpeg.Store(true)
		return nil
	}
	text := "ffmpeg does not run: " + firstLine(err)
	if missing, ok := errors.AsType[*proc.StartError](err); ok {
		text = "recording a video needs ffmpeg: " + missing.Error() + "; install it, or use [trace, start]"
	}
	return problem(steps.Environment, "no-ffmpeg", text)
}

// add keeps a picture. It runs in a goroutine of the library's; the browser sends no other before it returns.
func (v *video) add(jpeg []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.swept {
		return
	}
	v.captured++
	now := time.Now()
	if v.bytes+int64(len(jpeg)) > maxVideo || v.err != nil {
		v.full = true
		return
	}
	name := fmt.Sprintf("%06d.jpg", v.captured)
	slot := time.Second / time.Duration(v.fps)
	n := len(v.frames)
	if n > 0 && now.Sub(v.frames[n-1].at) < slot { // too soon: it takes the place of the last one
		name = v.frames[n-1].name
	}
	if v.err = os.WriteFile(filepath.Join(v.dir, name), jpeg, 0o600); v.err != nil {
		return
	}
	if n == 0 { // the page was so from the beginning, as far as anybody knows
		now = v.began
	}
	if v.bytes += int64(len(jpeg)); n == 0 || name != v.frames[n-1].name {
		v.frames = append(v.frames, videoFrame{name, now})
	}
}

func recordStop(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	if s.extra.video == nil || s.extra.video.files == nil {
		return steps.Observation{}, problem(steps.Validation, "no-recording", "no recording is open",
			next("start-recording", "begin one", "record", "start", "video.webm"))
	}
	return s.stopVideo(ctx, r)
}

func recordRestart(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	data := map[string]any{"restarted": true, "previousPath": ""}
	var done []steps.Artifact
	s.yieldVideo(ctx, r)
	if s.extra.video != nil {
		o, err := s.stopVideo(ctx, r)
		if err != nil {
			return o, err
		}
		data["previousPath"], done = o.Data["path"], o.Artifacts
	}
	v, err := s.startVideo(ctx, r)
	if err != nil {
		return steps.Observation{}, err
	}
	o, err := s.recording(r, v, data)
	o.Artifacts = append(o.Artifacts, done...)
	return o, err
}

// stopVideo ends the recording and makes the video.
func (s *session) stopVideo(ctx context.Context, r *row) (steps.Observation, error) {
	v := s.extra.video
	defer v.sweep()
	s.cut(ctx, v)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.full {
		r.warning("the video ends early: its pictures take more than 1 GiB")
	}
	end := time.Now()
	if v.err != nil || len(v.frames) == 0 {
		v.drop()
		text := "the browser gave no picture"
		if v.err != nil {
			text = "a picture cannot be kept: " + cause(v.err)
		}
		return steps.Observation{}, problem(steps.ArtifactBad, "no-frames", "the recording "+quoted(v.file.name)+" is empty: "+text)
	}
	made, err := s.develop(ctx, v, end)
	if err != nil {
		v.drop()
		return steps.Observation{}, err
	}
	a, err := v.file.take(made.path)
	if err != nil {
		v.drop()
		return steps.Observation{}, err
	}
	o := saved(map[string]any{"path": v.file.path(), "fps": v.fps, "frames": len(v.frames), "capturedFrames": v.captured,
		"durationMs": int(end.Sub(v.frames[0].at).Milliseconds()), "contactSheetPath": nil}, "path", a)
	if v.sheet != nil {
		if a, err = v.sheet.file.write(made.sheet); err != nil {
			return o, err
		}
		o.Data["contactSheetPath"], o.Artifacts = v.sheet.file.path(), append(o.Artifacts, a)
	}
	return o, nil
}

// drop gives up what the video was to be written to.
func (v *video) drop() {
	v.file.drop()
	if v.sheet != nil {
		v.sheet.file.drop()
	}
}

// sweep removes the pictures. One that comes in this moment would keep the folder alive: none is written from now on.
func (v *video) sweep() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.swept = true
	_ = os.RemoveAll(v.dir)
}

// developed is a video that is ready to be saved, and its contact sheet.
type developed struct {
	path  string
	sheet []byte
}

// develop makes the files of a video.
func (s *session) develop(ctx context.Context, v *video, end time.Time) (out developed, err error) {
	if v.track != nil {
		if err = v.point(ctx, end); err != nil {
			return out, err
		}
	}
	if v.sheet != nil {
		if out.sheet, err = v.contactSheet(ctx); err != nil {
			return out, err
		}
	}
	out.path, err = s.encode(ctx, v, end)
	return out, err
}

// cut ends the taking of pictures.
func (s *session) cut(ctx context.Context, v *video) {
	s.extra.video = nil
	s.extra.track.Store(nil)
	s.lastPicture(ctx, v)
	if cast, err := v.page.Screencast(); err == nil && !v.page.IsClosed() {
		_ = cast.Stop() // what was seen is there already
	}
}

// lastPicture takes a picture for a recording that has none: a page that stands still from the start may give none.
func (s *session) lastPicture(ctx context.Context, v *video) {
	v.mu.Lock()
	n := len(v.frames)
	v.mu.Unlock()
	if n > 0 || s.active() != v.tab || s.talk.current() != nil {
		return
	}
	if shot, err := s.shoot(ctx, "jpeg", false, nil); err == nil {
		v.add(shot)
	}
}

// encode lets ffmpeg make the video in our own folder.
func (s *session) encode(ctx context.Context, v *video, end time.Time) (string, error) {
	var list strings.Builder
	list.WriteString("ffconcat version 1.0\n")
	for i, f := range v.frames {
		until := end
		if i+1 < len(v.frames) {
			until = v.frames[i+1].at
		}
		fmt.Fprintf(&list, "file %s\nduration %.3f\n", f.name, max(until.Sub(f.at).Seconds(), 0.001))
	}
	fmt.Fprintf(&list, "file %s\n", v.frames[len(v.frames)-1].name) // else the last one lasts no time
	if err := os.WriteFile(filepath.Join(v.dir, "list.txt"), []byte(list.String()), 0o600); err != nil {
		return "", problem(steps.ArtifactBad, "scratch", "the list of pictures cannot be written: "+cause(err))
	}
	out := filepath.Join(v.dir, "out"+filepath.Ext(strings.ToLower(v.file.name)))
	args := []string{ffmpeg, "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "concat", "-i", "list.txt",
		"-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2", "-fps_mode", "vfr"}
	if filepath.Ext(out) == ".mp4" {
		args = append(args, "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p", "-movflags", "+faststart")
	} else {
		args = append(args, "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-crf", "12", "-b:v", "2M", "-pix_fmt", "yuv420p")
	}
	exit, err := proc.Run(ctx, proc.Spec{Argv: append(args, out), Dir: v.dir, Env: encoderEnv(), Limit: 16 << 10}, nil)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "", problem(steps.Environment, "no-ffmpeg", "ffmpeg does not run: "+firstLine(err))
	case exit.Code != 0:
		return "", problem(steps.ArtifactBad, "encoding", "ffmpeg could not make the video: "+lastLine(string(exit.Stderr)))
	}
	return out, nil
}

// encoderEnv is the environment of ffmpeg.
func encoderEnv() []string { return proc.StrictEnviron(os.Environ(), nil, "") }

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
