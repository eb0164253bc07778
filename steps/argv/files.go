package argv

import (
	"strconv"

	"github.com/checkrow/checkrow/spec/diag"
)

// files are the rows that write files beside pictures: downloads, documents, recordings, saved state.
func files() []*Command {
	return append(documents(), append(recordings(), states()...)...)
}

func pathOperand(doc string, optional bool) Operand {
	return Operand{Name: "path", Kind: OutFile, Optional: optional, Doc: doc + "; resolves against the attempt's folder"}
}

// pathKey is what rows answer that wrote a file.
var pathKey = DataKey{"path", "string", "absolute path of the file"}

func documents() []*Command {
	return []*Command{
		{
			Words: words("download"), Operands: []Operand{targetOperand("what starts the download"), pathOperand("where to save it", false)},
			Data:  []DataKey{pathKey, {"filename", "string", "the name that the page gave it"}, {"url", "string", "where it came from"}},
			Value: "path", Traits: act | Navigates | Latches | WritesFile, Trips: 3,
			Doc: "Clicks the target and saves the download that follows, up to timeouts.wait.", Example: []string{"download", "role=link Invoice", "invoice.pdf"},
			Differs: "the file is checked; the click waits as click does",
		},
		{
			Words: words("pdf"), Operands: []Operand{pathOperand("ends in .pdf", false)}, Data: []DataKey{pathKey}, Value: "path",
			Traits: WritesFile | Repeatable | Page, Trips: 1,
			Doc: "Prints the page into a PDF file.", Example: []string{"pdf", "page.pdf"},
			Differs: "parents are created; the path is absolute; the file is checked",
			Check:   func(c *Call, l *diag.List) { suffixed(c, 0, l, ".pdf") },
		},
	}
}

func recordings() []*Command {
	started := []DataKey{{"started", "bool", "always true"}}
	stopped := []DataKey{pathKey, {"eventCount", "int", "number of events in it"}}
	return append(videos(),
		&Command{
			Words: words("trace start"), Data: started, Value: "started", Trips: 3,
			Doc: "Begins a Playwright trace of the session.", Example: []string{"trace", "start"},
			Differs: "a Playwright trace with a group for each row; one that is open at the end of the test is saved, and the test fails",
		},
		&Command{
			Words: words("trace stop"), Operands: []Operand{pathOperand("ends in .zip (default trace.zip)", true)}, Data: stopped, Value: "path",
			Traits: WritesFile, Trips: 3,
			Doc: "Ends the trace and saves it for the trace viewer.", Example: []string{"trace", "stop", "trace.zip"},
			Check: func(c *Call, l *diag.List) { suffixed(c, 0, l, ".zip") },
		},
		&Command{
			Words: words("profiler start"), Flags: []Flag{{Name: "--categories", Kind: Text, Doc: "of the browser's tracing, by comma"}},
			Data: started, Value: "started", Trips: 1,
			Doc: "Begins a profile of the browser; one test at a time can do so.", Example: []string{"profiler", "start"},
		},
		&Command{
			Words: words("profiler stop"), Operands: []Operand{pathOperand("ends in .json (default profile.json)", true)}, Data: stopped, Value: "path",
			Traits: WritesFile, Trips: 5,
			Doc: "Ends the profile and saves it for the browser's performance panel.", Example: []string{"profiler", "stop", "profile.json"},
			Check: func(c *Call, l *diag.List) { suffixed(c, 0, l, ".json") },
		})
}

func videos() []*Command {
	operands := []Operand{pathOperand("ends in .webm or .mp4", false),
		{Name: "url", Kind: URL, Optional: true, Doc: "to open once the recording runs"}}
	flags := []Flag{{Name: "--fps", Kind: Number, Doc: "frames a second at most, 1 to 60 (default 30)"}}
	flags = append(flags,
		Flag{Name: "--cursor", Bool: true, Doc: "draws the mouse pointer, and a spot where it presses, into the video; the page is not changed"},
		Flag{Name: "--contact-sheet", Bool: true, Doc: "also makes a PNG beside the video, NAME.contact-sheet.png, of the pictures that differ, each with its time in ms"},
		Flag{Name: "--contact-sheet-threshold", Kind: Decimal, Doc: "the part of the picture that must change for another one on the sheet, 0 to 1 (default 0.05)"})
	begun := []DataKey{{"path", "string", "absolute path that the file will have"}, {"fps", "int", "frames a second at most"},
		{"cursor", "bool", "whether the pointer is drawn"}, {"contactSheet", "bool", "whether one is made"},
		{"contactSheetPath", "any", "absolute path that the contact sheet will have, or nil"},
		{"contactSheetThreshold", "float", "with --contact-sheet: the part that must change"}}
	return []*Command{
		{
			Words: words("record start"), Operands: operands, Flags: flags,
			Data: append([]DataKey{{"started", "bool", "always true"}}, begun...), Value: "path", Traits: WritesFile | Page, Trips: 1,
			Doc: "Begins a video of the current tab; needs ffmpeg.", Example: []string{"record", "start", "checkout.webm"},
			Differs: "frames are kept as they change; a recording that is open at the end of the test is saved, and the test fails",
			Check:   checkVideo,
		},
		{
			Words: words("record stop"),
			Data: []DataKey{pathKey, {"fps", "int", "frames a second at most"}, {"frames", "int", "in the file"},
				{"capturedFrames", "int", "that the browser gave"}, {"durationMs", "int", "length of the video"},
				{"contactSheetPath", "any", "absolute path of the contact sheet, or nil"}},
			Value: "path", Traits: WritesFile, Trips: 1,
			Doc: "Ends the video and saves it.", Example: []string{"record", "stop"},
		},
		{
			Words: words("record restart"), Operands: operands, Flags: flags,
			Data: append([]DataKey{{"restarted", "bool", "always true"}, {"previousPath", "string", "of the video that was saved, or empty"}},
				begun...), Value: "path", Traits: WritesFile | Page, Trips: 2,
			Doc: "Saves the video that runs, if one does, and begins another.", Example: []string{"record", "restart", "pay.mp4"},
			Check: checkVideo,
		},
	}
}

func checkVideo(c *Call, l *diag.List) {
	suffixed(c, 0, l, ".webm", ".mp4")
	if text, p, ok := c.static("--fps"); ok {
		if n, err := strconv.Atoi(text); err == nil && (n < 1 || n > 60) {
			l.Add(p, "--fps takes 1 to 60, not "+text, "")
		}
	}
	if text, p, ok := c.static("--contact-sheet-threshold"); ok {
		if f, err := strconv.ParseFloat(text, 64); err == nil && (f < 0 || f > 1) {
			l.Add(p, "--contact-sheet-threshold takes 0 to 1, not "+text, "")
		}
		if !c.Has("--contact-sheet") {
			l.Add(p, "--contact-sheet-threshold needs --contact-sheet", "")
		}
	}
}

func states() []*Command {
	return []*Command{
		{
			Words: words("state save"), Operands: []Operand{pathOperand("ends in .json", false)},
			Data: []DataKey{pathKey, {"saved", "bool", "always true"}}, Value: "path",
			Traits: WritesFile | Repeatable | Page, Trips: 1,
			Doc: "Saves cookies and localStorage, in clear, for state load.", Example: []string{"state", "save", "login.json"},
			Check: func(c *Call, l *diag.List) { suffixed(c, 0, l, ".json") },
		},
		{
			Words: words("state load"), Operands: []Operand{{Name: "path", Kind: InFile, Doc: "resolves against the suite file"}},
			Data: []DataKey{pathKey, {"loaded", "bool", "always true"}, {"skippedOrigins", "list", "always empty"}}, Value: "path",
			Traits: Mutates | Latches | Repeatable | Page, Trips: 1,
			Doc: "Replaces cookies and localStorage by those of a file.", Example: []string{"state", "load", "login.json"},
			Differs: "what the session had is dropped",
		},
		{
			Words: words("state show"), Operands: []Operand{{Name: "path", Kind: InFile, Doc: "resolves against the suite file"}},
			Data: []DataKey{pathKey, {"filename", "string", "its name"}, {"state", "map", "cookies and origins"}, {"size", "int", "in bytes"},
				{"modified", "string", "when it was written"}, {"encrypted", "bool", "always false"},
				{"summary", "string", "how many cookies and origins it holds"}},
			Value: "state", Traits: ReadsOnly | Repeatable, Trips: 0,
			Doc: "Reads a saved state.", Example: []string{"state", "show", "login.json"},
		},
	}
}
