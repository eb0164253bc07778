package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestRecord records what is done on a small site and does it again.
func TestRecord(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/record",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("CHECKROW_GOLDEN") == "1",
		Condition:           condition,
		Setup: func(e *testscript.Env) error {
			site := httptest.NewServer(recorded())
			e.Defer(site.Close)
			e.Setenv("SITE", site.URL)
			e.Setenv("HOME", os.Getenv("HOME"))
			e.Setenv("NO_COLOR", "1")
			e.Values["children"] = &children{}
			e.Defer(func() { e.Values["children"].(*children).end() })
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "spawn": spawn, "awaittext": awaitText, "signal": signal, "status": status,
		},
	})
}

// recorded is a site with what people do: a list, a login, a form, a new tab.
func recorded() http.Handler {
	mux := http.NewServeMux()
	page := func(path, html string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!doctype html>"+html) })
	}
	page("GET /{$}", `<h1>Home</h1><a href=/login>Log in</a><ul>
<li><b>Pot</b> <button onclick="s.textContent='Pot added'">Add</button>
<li><b>Kettle</b> <button onclick="s.textContent='Kettle added'"><i>Add</i></button></ul><p role=status id=s></p>
<div style="cursor:pointer" onclick="this.textContent='open'" data-testid=more>closed</div><p>nothing here</p>`)
	page("GET /login", `<h1>Who are you?</h1><form method=post><label>E-mail <input type=email name=mail></label>
<label>Password <input type=password name=pw></label><button>Go</button></form>`)
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("pw") != "kettle-17" || r.FormValue("mail") != "ada@example.test" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		http.Redirect(w, r, "/account/4711", http.StatusSeeOther)
	})
	page("GET /account/4711", `<h1>Hello</h1><label>Country <select><option>Austria<option>Belgium</select></label>
<label><input type=checkbox> Letters</label><textarea placeholder=Note></textarea>
<iframe title=Card src=/card></iframe>
<button ondblclick="document.title='twice'">Twice</button><a href=/help target=_blank>Help</a>
<button onclick="history.pushState(0,'','/done');document.querySelector('h1').textContent='All done'">Finish</button>`)
	page("GET /card", `<label>Number <input></label><button onclick="this.textContent='Checked'">Check</button>`)
	page("GET /help", `<h1>Help</h1><button onclick="document.querySelector('h1').textContent='Helped'">Thanks</button>`)
	return mux
}
