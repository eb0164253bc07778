package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/reporters/github"
	"github.com/checkrow/checkrow/reporters/junit"
	"github.com/checkrow/checkrow/reporters/markdown"
)

// toStdout is the path that means stdout, for reporters that can write there.
const toStdout = "-"

// namedReporters are the reporters that write only when they are named.
var namedReporters = []string{"github", "markdown"}

func openMarkdown(a *app, p openParams) (reporters.Reporter, error) {
	if p.path == "" {
		return markdown.NewStream(a.Stdout), nil
	}
	return markdown.New(p.path)
}

// openGitHub makes the reporter of a step. It writes to stdout, which is the step's log.
func openGitHub(a *app, _ openParams) (reporters.Reporter, error) {
	workspace, _ := a.env("GITHUB_WORKSPACE")
	summary, _ := a.env("GITHUB_STEP_SUMMARY")
	return github.New(a.Stdout, github.Options{Workspace: workspace, Summary: summary}), nil
}

func openJUnit(a *app, p openParams) (reporters.Reporter, error) {
	o := junit.Options{Attachments: a.attachments()}
	if a.inGitLab() {
		o.Project, _ = a.env("CI_PROJECT_DIR")
	}
	return junit.New(p.path, o)
}

// inActions tells that this is a step of GitHub Actions, inGitLab that it is a job of GitLab CI.
func (w World) inActions() bool { v, _ := w.env("GITHUB_ACTIONS"); return v == "true" }
func (w World) inGitLab() bool  { v, _ := w.env("GITLAB_CI"); return v == "true" }

// usualReporters are those of a command without --reporter: none, which means all that write without being named, and
// in a step of GitHub Actions its reporter beside the console.
func (a *app) usualReporters() []string {
	if a.inActions() {
		return []string{"console", "github"}
	}
	return nil
}

// attachBases are the values of --junit-attachments.
var attachBases = []string{"report", string(junit.FromProject), string(junit.Absolute)}

// attachHelp describes --junit-attachments.
const attachHelp = "paths of attachments in junit.xml start at `BASE`: report (its folder), project or absolute (default: " +
	"project in GitLab CI, absolute in Jenkins, else report)"

// attachFlag is the value of --junit-attachments; "" leaves it to where the command runs.
type attachFlag string

// String implements pflag.Value.
func (f *attachFlag) String() string { return string(*f) }

// Set implements pflag.Value.
func (f *attachFlag) Set(v string) error {
	if !slices.Contains(attachBases, v) {
		return errors.New("wanted one of " + strings.Join(attachBases, ", ") + suggest(v, attachBases))
	}
	*f = attachFlag(v)
	return nil
}

// Type implements pflag.Value.
func (f *attachFlag) Type() string { return "BASE" }

// attachments says what the paths of attachments start from.
func (a *app) attachments() junit.Base {
	jenkins, _ := a.env("JENKINS_URL")
	switch {
	case a.attach == "report":
		return junit.FromReport
	case a.attach != "":
		return junit.Base(a.attach)
	case a.inGitLab():
		return junit.FromProject
	case jenkins != "":
		return junit.Absolute
	}
	return junit.FromReport
}
