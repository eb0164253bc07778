package source

import (
	"github.com/checkrow/checkrow/steps"
)

// inProject says which folder was searched and, in the session of an app, which app it is about: what the app was built from
// need not lie there, and what it has inside is not unpacked. Without a candidate it says how to look on in the app itself.
func inProject(e steps.Env, gave []steps.Observation, o *steps.Observation) {
	o.Data["workspace_root"] = e.Root
	if e.Apps == nil {
		return
	}
	app := e.Apps().Current
	if app == nil {
		return
	}
	about, url := app.Record(), ""
	if len(gave) > 0 {
		url = Redacted(gave[len(gave)-1].Page.URL)
	}
	o.Data["electron_context"] = map[string]any{"launch_id": about.LaunchID, "name": about.Name, "id": about.ID, "path": about.Path, "executable": about.Executable, "url": url}
	if o.Data["status"] == "candidates-found" || o.Data["status"] == "no-failed-requests" || len(o.Detail.Found) > 0 {
		return
	}
	limits, _ := o.Data["limitations"].([]any)
	o.Data["limitations"] = append(limits, "only the files of the project were searched: what the app "+about.Name+" has inside, such as its app.asar, is not unpacked")
	o.NextActions = append(o.NextActions,
		steps.NextAction{ID: "snapshot-electron-session", Reason: "see what the app shows", Row: []string{"snapshot", "-i"}},
		steps.NextAction{ID: "probe-electron-launch", Reason: "see where the app is", Step: "electron: { probe: true }"},
		steps.NextAction{ID: "list-electron-tabs", Reason: "see its windows", Row: []string{"tab", "list"}})
}
