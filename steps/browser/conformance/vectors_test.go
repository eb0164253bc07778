package conformance_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"

	. "github.com/onsi/gomega"
)

// vector is one batch as the reference CLI answered it. {{BASE}} and {{HOST}} are the fixture's address, {{ART}} is a
// folder for files, {{ROOT}} the folder that the CLI ran in; ids, times and user agents are masked: "<ts>".
type vector struct {
	Name    string            `json:"name"`
	Globals []string          `json:"globals"` // flags before the command
	Flags   []string          `json:"flags"`   // of the batch: --bail
	Env     map[string]string `json:"env"`
	Text    string            `json:"text"`  // what stands in place of rows: no JSON array of arrays of text
	Error   string            `json:"error"` // of the whole batch
	Rows    []answer          `json:"rows"`
}

// answer is one row and what the reference CLI said to it.
type answer struct {
	Row    []string `json:"row"`
	OK     bool     `json:"ok"`
	Data   any      `json:"data"`
	Error  string   `json:"error"`
	Code   string   `json:"code"`
	Text   string   `json:"text"`   // what it printed, where that was no JSON
	Absent bool     `json:"absent"` // it was not run: an empty row, or one behind a row that failed
}

// readVectors reads all vectors.
func readVectors() []vector {
	f, err := os.Open(filepath.Join("testdata", "vectors.jsonl"))
	Expect(err).NotTo(HaveOccurred())
	defer f.Close()
	var out []vector
	for in := bufio.NewReader(f); ; {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return out
		}
		var v vector
		Expect(json.Unmarshal(line, &v)).To(Succeed(), "%.80s", line)
		out = append(out, v)
	}
}
