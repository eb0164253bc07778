package manual

import "github.com/checkrow/checkrow/steps"

// state is a topic of a state with at most one remedy.
func state[T ~string](s Sort, code T, means, do string) Topic {
	t := Topic{Code: string(code), Sort: s, Means: means}
	if do != "" {
		t.Do = []string{do}
	}
	return t
}

var states = []Topic{
	state(Verdict, steps.Passed, "All steps and checks of the first attempt were met.", ""),
	state(Verdict, steps.Failed, "A check was not met in the last attempt.", "explain the category in the failure"),
	state(Verdict, steps.Errored, "The test could not be judged: a timeout, a crash, a set-up that failed, a cleanup that failed.", "explain the category in the failure"),
	state(Verdict, steps.Flaky, "An attempt failed and a later one passed. It is its own verdict and not green: --fail-on-flaky makes it exit code 6.",
		"run --repeat 20 FILE:LINE shows how often it fails; the failure of each attempt is kept"),
	state(Verdict, steps.Skipped, "The test says that it is not to run here: skip, only or a condition.", "the reason stands beside it"),
	state(Verdict, steps.Quarantined, "The test does not count until the day that quarantine names, whether it passes or not.", "mend it before the day; then it counts again"),
	state(Verdict, steps.KnownBug, "The test failed by a check, as known_bug says it must. When it passes, it fails: the bug is gone.", "take known_bug out once the bug is mended"),
	state(Verdict, steps.NotRun, "The test should have run and did not: setup failed, a test it needs failed, or the run ended before. It is never green.",
		"the reason stands beside it; checkrow resume runs what a stopped run left"),
	state(Verdict, steps.StatusInterrupted, "The run was stopped while the test ran.", "checkrow resume goes on with the run"),
	state(Verdict, steps.Unknown, "The journal ends in the middle of the test: the run was killed. Nobody knows how it would have ended.", "checkrow resume runs it again"),

	state(RowState, steps.RowNotRun, "The row was not sent.", ""),
	state(RowState, steps.RowSentUnknown, "The row was sent and no answer came: it may have taken effect. It is never sent again by itself.",
		"look at the app before the row is repeated; resume: manual leaves that to a person"),
	state(RowState, steps.RowCompleted, "The row was answered.", ""),
	state(RowState, steps.RowFailed, "The row failed; if it acts, the failure says whether it was sent.", ""),

	state(FileWord, steps.Saved, "The file is there, new, decodes and has a digest.", ""),
	state(FileWord, steps.Pending, "The file is being written: a recording that is still open.", ""),
	state(FileWord, steps.Missing, "The row said that it wrote the file, and there is none.", "look for a full disk or a folder that cannot be written"),
	state(FileWord, steps.Stale, "There is a file of that name, and it is older than the row.", "the row did not write: nothing that was there before counts"),
	state(FileWord, steps.Invalid, "The file does not decode as what its name says, or a picture of it is all one colour.",
		"wait until the page shows something before the picture is taken"),
	state(FileWord, steps.Unverified, "The file is there, and checkrow cannot look into files of its type.", ""),

	state(CheckEnd, steps.CheckPassed, "What was looked at is right.", ""),
	state(CheckEnd, steps.CheckFailed, "What was looked at is wrong.", ""),
	state(CheckEnd, steps.CheckUnverified, "The log was full and lost entries: nobody knows. It fails the check.", "look more often, with [console, --clear] or [network, requests, --clear] between"),
	state(CheckEnd, steps.CheckNotRun, "The check was not made, because one before it failed or it was not asked for.", ""),
}

// messages are the sorts of complaints about a suite, as spec/diag words them. The code is the gist of the message.
var messages = []Topic{
	{Code: "unknown key", Sort: Message, Means: `A map has a key that does not exist there: unknown key "tset" in a suite (did you mean "test"?).`,
		Do: []string{"write the key that the message offers; checkrow steps NAME lists those of a step"}},
	{Code: "needs", Sort: Message, Means: `A map lacks a key that it must have: a test needs "steps".`, Do: []string{"add the key"}},
	{Code: "must be", Sort: Message, Means: `A value is of the wrong kind: "tags" must be a list, got text.`,
		Do: []string{"write it as wanted; [a, b] is a list, { a: b } a map, quotes make text of anything"}},
	{Code: "has no value", Sort: Message, Means: `A key takes one of a few words, and this is none of them: "level" has no value "warning".`,
		Do: []string{"write one of the words that the message offers"}},
	{Code: "exclude each other", Sort: Message, Means: `Two keys cannot stand side by side: "http" and "tcp" exclude each other.`, Do: []string{"take one of them out"}},
	{Code: "is there twice", Sort: Message, Means: `A name or key is used twice; the hint says where it came first.`,
		Do: []string{"rename or remove one; YAML itself would silently keep the last"}},
	{Code: "not built yet", Sort: Message, Means: `The word is reserved by the language and this version does nothing with it. It is an error, never ignored.`,
		Do: []string{"leave it out"}},
}
