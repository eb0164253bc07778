package cli_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What must not be found: a declared secret, and credentials that nobody declared.
const (
	planted    = `pl4nted+Se/cret=Xy&9"<z`
	undeclared = "Und3claredSess10nV4lue"
	bearer     = "Und3claredBe4rerT0ken"
)

// hiddenPage says its secret in the title, to the console, to its storage and to the server.
const hiddenPage = `<!doctype html><title>start</title><input id="pw" type="password"><input id="plain">
<button id="send">send</button><a id="dl" href="/file" download="file.txt">file</a><a id="zip" href="/zip" download="file.zip">zip</a>
<p id="out"></p><script>
document.querySelector('#send').onclick = async () => {
  const s = document.querySelector('#plain').value;
  document.title = 'done ' + s;
  console.error('could not use ' + s + ' nor ' + btoa('u:' + s));
  localStorage.setItem('token', s);
  sessionStorage.setItem('other', JSON.stringify({password: s}));
  await fetch('/api?access_token=' + encodeURIComponent(s), {method: 'POST', headers: {Authorization: 'Bearer BEARER', 'X-Api-Key': s.slice(0, 15)},
    body: JSON.stringify({user: 'ada', password: s, inner: JSON.stringify({token: s})})});
  await fetch('/form', {method: 'POST', headers: {'Content-Type': 'application/x-www-form-urlencoded'},
    body: new URLSearchParams({user: 'ada', password: s})});
  document.querySelector('#out').textContent = 'sent ' + s;
};
</script>`

// hiddenSuite plants the secret wherever a run can write.
const hiddenSuite = `suite: hidden
base_url: "${{ env.BASE }}"
secrets: [PLANTED]
env: { PLANTED: "${{ secrets.PLANTED }}" }
tests:
  - name: everywhere
    health: { console_errors: off }
    steps:
      - [network, har, start, --content, all]
      - [trace, start]
      - [open, "/page?x=1"]
      - [cookies, set, session, "${{ replace(replace(secrets.PLANTED, '\"', ''), '<', '') }}"]
      - [storage, local, set, jwt, "${{ secrets.PLANTED }}"]
      - [fill, "#pw", "${{ secrets.PLANTED }}"]
      - [fill, "#plain", "${{ secrets.PLANTED }}"]
      - [click, "#send"]
      - [expect, text, "#out", "sent ${{ secrets.PLANTED }}"]
      - { row: [cookies, get], id: jar, expect: 'any(value, .value startsWith "Und3")', save: jar.json }
      - { row: [storage, local, get, token], expect: value == secrets.PLANTED }
      - { row: [storage, local, get], id: all, expect: data.data.jwt == secrets.PLANTED, save: storage.json }
      - { row: [network, requests], id: reqs, expect: len(value) > 2, save: requests.json }
      - { row: [network, request, "${{ filter(steps.reqs.value, .method == 'POST')[0].requestId }}"], id: one,
          expect: 'data.postData contains "ada"' }
      - { row: [eval, "document.title + btoa('x' + localStorage.token)"], id: e, expect: value contains secrets.PLANTED, save: eval.txt }
      - { row: [snapshot], save: page.txt }
      - [state, save, state.json]
      - [cookies, clear]
      - [state, load, "${{ test.dir }}/state.json"]
      - { row: [cookies, get], id: again, expect: 'any(value, .value startsWith "Und3")' }
      - [download, "#dl", file.txt]
      - [download, "#zip", file.zip]
      - exec: [sh, -c, "for i in 1 2 3 4 5; do printf '%s' \"$PLANTED\" | cut -c$((i*5-4))-$((i*5)) | tr -d '\\n'; sleep 0.02; done; echo; printf %s \"u:$PLANTED\" | base64; printf %s \"$PLANTED\" | base64 | tr '+/' '-_'; printf '&#112;l4nted+Se&#x2F;cret=Xy&amp;9&quot;&lt;z\\n'"]
        id: ran
        save: ran.txt
        expect: stdout contains secrets.PLANTED
      - { http: { url: "/json?api_key=pl4ntedx9" }, id: j, expect: json.token startsWith "Und3", save: answer.json }
      - [trace, stop, t.zip]
      - [network, har, stop, n.har]
      - [expect, text, "#out", "not ${{ secrets.PLANTED }} at all", --within, 100ms]
`

func TestSecretsStayHidden(t *testing.T) {
	t.Parallel()
	if has, err := hasBrowser(); err != nil {
		t.Fatal(err)
	} else if !has {
		t.Skip("no browser")
	}
	server := httptest.NewServer(http.HandlerFunc(hiddenServer))
	defer server.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hidden.yaml"), []byte(hiddenSuite), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("checkrow", "run", "hidden.yaml", "--output", "RUN")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "BASE="+server.URL, "PLANTED="+planted, "NO_COLOR=1")
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Fatalf("exit %d, want 1 from the last row alone: %v\n%s", code, err, out)
	}
	if !strings.Contains(string(out), `got "sent •••" (assertion)`) {
		t.Fatalf("another row failed:\n%s", out)
	}
	found := map[string]bool{}
	looked := 0
	look := func(where string, content []byte) {
		looked++
		for form, text := range hiddenForms() {
			if i := bytes.Index(content, []byte(text)); i >= 0 {
				found[fmt.Sprintf("%s holds %s: …%s…", where, form, content[max(0, i-60):min(len(content), i+len(text)+20)])] = true
			}
		}
	}
	look("console", out)
	err = filepath.WalkDir(filepath.Join(dir, "RUN"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err == nil {
			every(filepath.ToSlash(strings.TrimPrefix(path, dir)), content, look)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for f := range found {
		t.Error(f)
	}
	for _, name := range []string{"jar.json", "storage.json", "state.json", "file.txt", "file.zip", "t.zip", "n.har", "ran.txt", "failure.aria.txt",
		"console.txt", "network.txt"} {
		if list, _ := filepath.Glob(filepath.Join(dir, "RUN/*/*/*/*", name)); len(list) != 1 {
			t.Errorf("%s was not written", name)
		}
	}
	if looked < 20 {
		t.Errorf("only %d files were looked at", looked)
	}
}

// every gives a file, and each of those in it if it is an archive.
func every(name string, content []byte, look func(string, []byte)) {
	look(name, content)
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return
	}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			continue
		}
		text, _ := io.ReadAll(in)
		_ = in.Close()
		every(name+"!"+f.Name, text, look)
	}
}

// hiddenForms are the spellings that must not be found, those that base64 gives a text whatever stands before it too.
func hiddenForms() map[string]string {
	out := map[string]string{}
	for _, v := range []string{planted, undeclared, bearer, planted[:14]} {
		quoted, _ := json.Marshal(v)
		twice, _ := json.Marshal(string(quoted[1 : len(quoted)-1]))
		out["raw "+v] = v
		out["query "+v] = url.QueryEscape(v)
		out["query, low case "+v] = strings.ReplaceAll(strings.ToLower(url.QueryEscape(v)), strings.ToLower(v), v)
		out["path "+v] = url.PathEscape(v)
		out["json "+v] = string(quoted[1 : len(quoted)-1])
		out["json in json "+v] = string(twice[1 : len(twice)-1])
		out["html "+v] = html.EscapeString(v)
		for align := range 3 {
			enc := base64.StdEncoding.EncodeToString(append(make([]byte, align), v...))
			core := enc[(align*8+5)/6 : (align+len(v))*8/6]
			out[fmt.Sprint("base64 at ", align, " ", v)] = core
			out[fmt.Sprint("base64url at ", align, " ", v)] = strings.NewReplacer("+", "-", "/", "_").Replace(core)
		}
	}
	return out
}

// hiddenServer answers with secrets of its own.
func hiddenServer(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/page":
		http.SetCookie(w, &http.Cookie{Name: "visit", Value: undeclared, HttpOnly: true, Path: "/"})
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, strings.ReplaceAll(hiddenPage, "'Bearer BEARER'", "'Bearer ' + atob('"+base64.StdEncoding.EncodeToString([]byte(bearer))[:14]+"') + '"+bearer[10:]+"'"))
	case "/file":
		w.Header().Set("Content-Disposition", `attachment; filename="file.txt"`)
		fmt.Fprintf(w, "the secret is %s, or %s\n", planted, base64.StdEncoding.EncodeToString([]byte("ab"+planted)))
	case "/zip":
		z := zip.NewWriter(w)
		f, _ := z.Create("in/the.txt")
		fmt.Fprintf(f, "the secret is %s\n", planted)
		_ = z.Close()
	case "/json":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"token":%q,"name":"ada"}`, bearer)
	default:
		w.Header().Set("Content-Type", "application/json")
		body, _ := io.ReadAll(r.Body)
		_ = json.NewEncoder(w).Encode(map[string]any{"echo": string(body), "b": body, "secret": planted})
	}
}
