package journal

// Format says in words what a journal is: what its schema cannot.
const Format = `RUN/journal.jsonl, version 1: all that is known of a run; junit.xml, report.json and the console are made of it and of nothing else.

Lines. Each line is one JSON object and ends in a line feed. "seq" counts them from 1 without a gap. "at" is the time in UTC: the wall clock of when the process began, and from there the monotonic one, so that it never goes back within a life; a later life may begin before an earlier one ended, if somebody set the clock. Durations ("took") are measured apart from it, in whole nanoseconds. What is empty is left out. Secrets are masked, so that no value can be taken from here to run with.

Order. The first line is "planned": the tests, suites, inputs with their digests, and the shard. "intent" is written before a row or step that may change something is sent, "done" when it has answered: an intent without a done has an outcome that nobody knows. "attempt-end" and "test-end" give verdicts, "test-end" is on disk before any report shows it. The last line is "run-end"; a journal without it is of a run that was killed, or goes on.

Torn tail. What stands behind the last line feed was torn by a kill and counts as not written. Any other line that cannot be read, and a gap in "seq", is damage: readers stop there, say the line, and count what stands before it.

Taking up. "resumed" begins a run's going on after a kill or a stop, in the same file: the torn tail is cut off, "rerun" lists the tests whose verdict no longer counts as places in the plan, all others keep theirs; "plan" replaces the plan if it has changed. "run-end" may stand before it. Each begins a life; "took" of a "run-end" is that of its life, and a life without one took until its last event. What the run took is the sum of its lives.

Merging. merge writes one journal of all shards: their events behind one plan, "seq" counted anew, without processes and without verdicts that a later "resumed" took back. A test whose verdict is lost in a damaged shard ends as "unknown".

Versions. "v" is 1. Fields and kinds of event may be added under it, readers pass over fields they do not know; what would change the meaning of a line gets another number, and readers refuse numbers they do not know.

Locking. Whoever writes holds an exclusive flock on the file, which dies with it.`
