package scaffold

import "strings"

// The services that run CI.
const (
	GitHub = "github"
	GitLab = "gitlab"
)

// CIs are the words of --ci.
var CIs = []string{GitHub, GitLab}

// CI is the job that runs the suites. exists tells that a file of that name is there: a pipeline of GitLab that is there
// is not touched, the job gets a file of its own, and the second result says how to include it.
func CI(service string, app App, exists func(name string) bool) (f File, note string) {
	if service == GitHub {
		return File{".github/workflows/checkrow.yml", github(app), "the job in GitHub Actions"}, ""
	}
	if exists(".gitlab-ci.yml") {
		const own = ".gitlab/checkrow.yml"
		return File{own, gitlab(app), "the job in GitLab"}, "add to .gitlab-ci.yml: include: [{ local: /" + own + " }]"
	}
	return File{".gitlab-ci.yml", gitlab(app), "the job in GitLab"}, ""
}

// get is how a CI gets checkrow.
const get = "go install github.com/checkrow/checkrow/cmd/checkrow@latest"

func github(app App) string {
	var b strings.Builder
	b.WriteString(`# Runs the suites on every change. What failed stands in the job's summary and as annotations on the lines.
name: checkrow
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  suites:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-go@v5
        with:
          go-version: stable
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: ` + get + `
      - run: checkrow install
`)
	if app.Lock != "" {
		b.WriteString("      - run: " + app.Lock + "\n")
	}
	b.WriteString(`      - run: checkrow run
        # env:
        #   APP_PASSWORD: ${{ secrets.APP_PASSWORD }}   # for secrets: [APP_PASSWORD] in checkrow.yaml
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: checkrow
          path: .checkrow/runs
          include-hidden-files: true
          if-no-files-found: ignore
`)
	return b.String()
}

func gitlab(app App) string {
	var b strings.Builder
	b.WriteString(`# Runs the suites on every change. The tests stand in the merge request, the reports are kept as artifacts.
checkrow:
  image: golang:trixie
  timeout: 20 minutes
  before_script:
    - apt-get update && apt-get install --yes --no-install-recommends nodejs npm
    - ` + get + `
    - checkrow install
`)
	if app.Lock != "" {
		b.WriteString("    - " + app.Lock + "\n")
	}
	b.WriteString(`  script:
    - checkrow run --output checkrow-run
  artifacts:
    when: always
    paths:
      - checkrow-run
    reports:
      junit: checkrow-run/junit.xml
`)
	return b.String()
}
