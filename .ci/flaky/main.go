// Command flaky reads Ginkgo's JSON reports and names the specs that passed only when they were tried again.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/onsi/ginkgo/v2/types"
)

func main() {
	found := 0
	for _, path := range os.Args[1:] {
		raw, err := os.ReadFile(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, "flaky:", err)
			os.Exit(1)
		}
		var suites []types.Report
		if err := json.Unmarshal(raw, &suites); err != nil {
			fmt.Fprintf(os.Stderr, "flaky: %s is no report: %v\n", path, err)
			os.Exit(1)
		}
		for _, suite := range suites {
			for _, spec := range suite.SpecReports {
				if spec.State.Is(types.SpecStatePassed) && spec.NumAttempts > 1 {
					found++
					fmt.Printf("flaky: %s: %s (attempt %d)\n", spec.LeafNodeLocation, spec.FullText(), spec.NumAttempts)
					for _, f := range spec.AdditionalFailures {
						fmt.Printf("flaky:   %s\n", f.Failure.Message)
					}
				}
			}
		}
	}
	fmt.Printf("flaky: %d specs passed only at their second attempt\n", found)
}
