package runner

import (
	"context"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// recordOf says what the sessions of an attempt record. Setup and login, attempt 0, are recorded as a first attempt is.
func recordOf(c steps.Capture, attempt int) steps.Record {
	records := func(mode string) bool {
		return mode == "on" || mode == "on-failure" || mode == "on-first-retry" && attempt == 2
	}
	return steps.Record{Trace: records(c.Trace), Video: records(c.Video),
		NoScreenshot: c.Screenshot == "off" || c.Screenshot == "on-first-retry" && attempt != 2 && attempt != 0}
}

// keeps decides whether a recording of an attempt stays. What a setup or login that went well recorded belongs to no test.
func keeps(mode string, failed bool, attempt int) bool {
	return failed && mode == "on-failure" || (failed || attempt > 0) && (mode == "on" || mode == "on-first-retry")
}

// recorded ends the recordings of all sessions of an attempt and saves those that its outcome asks for. What cannot be had is
// a warning: it changes no verdict.
func (p *player) recorded(ctx context.Context, failed bool, block *journal.Failure) {
	c := p.options.Capture
	rec := recordOf(c, p.attempt)
	keep := steps.Record{Trace: rec.Trace && keeps(c.Trace, failed, p.attempt), Video: rec.Video && keeps(c.Video, failed, p.attempt)}
	if !keep.Trace && !keep.Video {
		return // closing the sessions drops the rest
	}
	rctx, le := p.run.life.enter(ctx, evidence, finishLimit, &Limit{"end of recordings", finishLimit})
	defer le.end()
	for _, s := range p.seats {
		r, can := s.session.(steps.Recorder)
		if !can {
			continue
		}
		if s.dead != nil {
			p.warnings = append(p.warnings, "no recording: "+s.dead.Error)
			continue
		}
		for _, o := range r.Recorded(rctx, keep, p.folder.For("", "recording"), p.nameIn(s)) {
			p.warnings = append(p.warnings, o.Warnings...)
			if !o.Success {
				p.warnings = append(p.warnings, "no recording: "+o.Error)
			}
			if block != nil {
				block.Artifacts = append(block.Artifacts, o.Artifacts...)
			}
		}
	}
}

// nameIn names the files of a session.
func (p *player) nameIn(s *seat) func(string) string {
	return func(name string) string {
		was := p.seat
		p.seat = s
		defer func() { p.seat = was }()
		return p.suffixed(name)
	}
}

// picture takes the screenshot of an attempt that passed, where the suite asks for one.
func (p *player) picture(ctx context.Context) {
	mode := p.options.Capture.Screenshot
	if mode != "on" && (mode != "on-first-retry" || p.attempt != 2) {
		return
	}
	home := p.home()
	r, can := home.session.(steps.Recorder)
	if !can || home.dead != nil {
		return
	}
	pctx, le := p.run.life.enter(ctx, evidence, evidenceLimit, &Limit{"evidence", evidenceLimit})
	defer le.end()
	shot, err := r.Picture(pctx)
	if err == nil {
		_, err = save(p.folder.For("", "picture"), "test.png", shot)
	}
	if err != nil {
		p.warnings = append(p.warnings, "no screenshot: "+err.Error())
	}
}
