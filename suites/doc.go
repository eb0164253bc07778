// Package suites holds checkrow's own acceptance suites. Its test runs every file here and in examples/ with a freshly
// built binary, as a user would.
package suites
