package manual

// Exits says for each exit code what to do.
var Exits = map[int][]string{
	0:   {"flaky tests are green here, with --fail-on-flaky they are not"},
	1:   {"read the failures, then run one again: the last line of each says how", "run --last-failed runs those that were not green"},
	2:   {"checkrow check prints everything that is wrong at once"},
	3:   {"checkrow doctor says what is missing", "a service that does not start: its output is in the failure"},
	4:   {"it is no fault of the suites: report it with journal.jsonl of the run"},
	5:   {"--deadline, or timeouts.run", "checkrow resume goes on with what is left"},
	6:   {"the report lists the flaky tests with the failure of each attempt", "run --repeat 20 FILE:LINE shows how often it fails"},
	130: {"checkrow resume goes on with the run"},
	143: {"whoever ended it, often a CI with a limit on time: set --deadline below it, so that reports are whole", "checkrow resume goes on with the run"},
}
