package browser_test

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// bodies are the pages of the test server, by path.
var bodies = map[string]string{
	"/": `<h1>Home</h1><p id=nb>a&nbsp;b   c</p><a href=/two id=two>Two</a> <a href=/slow id=slow>Slow</a>
		<ul><li class=item>one</li><li class=item>two</li><li class=item hidden>three</li></ul>
		<button id=b data-testid=go onclick="log('b')">Press me</button><button onclick="log('save')">Save</button>
		<button id=dis disabled>Off</button><button id=hid style="display:none">Hidden</button>
		<div id=cov style="position:relative;width:120px;height:30px"><button id=under onclick="log('under')">Under</button>
		<div id=overlay style="position:absolute;inset:0;background:#eee"></div></div>
		<input id=name placeholder="Your name" aria-label="Full name"><img alt="Logo" title="Our logo" width=10 height=10>
		<pre id=log></pre><script>function log(s){document.getElementById('log').textContent+=s+' '}</script>`,
	"/two":   `<h1>Two</h1><a id=home href=/>Home</a>`,
	"/empty": ``,
	"/form": `<form onsubmit="event.preventDefault();out('submit '+document.querySelector('#q').value)">
		<label>Quantity <input id=q></label><input type=password id=pw aria-label=Password><input type=date id=date><input type=color id=color>
		<input type=range id=range min=0 max=10><input id=ro readonly value=fixed><input id=off disabled value=off><input id=max maxlength=3>
		<div id=ce contenteditable>edit me</div><textarea id=ta></textarea><button id=submit>Send</button>
		<label><input type=checkbox id=box> Agree</label><input type=checkbox id=on checked><input type=checkbox id=stuck aria-label=Stuck onclick="event.preventDefault()">
		<select id=one><option value=v>Vanilla</option><option value=c>Chocolate</option></select>
		<select id=many multiple><option>a</option><option>b</option><option>c</option></select>
		<input type=file id=file onchange="out([...this.files].map(f=>f.name).join())"><input type=file id=files multiple style="display:none">
		<input id=late disabled><button id=bad>No text</button></form>
		<pre id=out></pre><script>function out(s){document.getElementById('out').textContent=s}
		setTimeout(()=>late.disabled=false,150)</script>`,
	"/dialogs": `<button id=alert onclick="alert('hello');out('after')">Alert</button><button id=confirm onclick="out(confirm('sure?'))">Confirm</button>
		<button id=prompt onclick="out(prompt('name?','nobody'))">Prompt</button><button id=later onclick="setTimeout(()=>out(confirm('later?')),150)">Later</button>
		<pre id=out></pre><script>function out(s){document.getElementById('out').textContent=s}</script>`,
	"/popups": `<a id=pop href=/two target=_blank>Pop</a><h1>Opener</h1>`,
	"/frames": `<h1>Outer</h1><iframe id=f name=inner src=/inner></iframe><iframe id=x src="http://localhost:PORT/inner"></iframe>`,
	"/around": `<h1>Around</h1><iframe id=f width=600 height=500 src=/parts></iframe><iframe id=x width=600 height=500 src="http://localhost:PORT/parts"></iframe>`,
	"/parts": `<style>#styled{color:rgb(1, 2, 3);width:70px}#roll{height:40px;width:90px;overflow:auto}</style><b id=styled data-k=v>Styled</b>
		<form onsubmit="return false"><label>Name <input id=name value=old></label><input id=pw type=password value=hunter22><input id=day type=date>
		<textarea id=note>one</textarea><input id=fixed readonly value=kept><input id=dead disabled><div id=ed contenteditable>hey</div>
		<select id=size><option value=s>Small<option value=l>Large<option value=x disabled>Huge</select><input id=box type=checkbox><input id=file type=file></form>
		<a id=link href=/to><i id=deep>deep</i></a><button class=two>Two</button><button class=two>Two</button><p id=none hidden>hidden</p>
		<button id=go onclick="this.textContent='went '+event.isTrusted">Go</button><button id=hov onmouseover="this.textContent='over'">Over</button>
		<div id=roll><div style="height:500px">long</div></div><div style="height:900px"></div><p id=foot>Foot</p>`,
	"/inner": `<h2>Inner</h2><button id=ib onclick="this.textContent='done'">Inner button</button><input id=in>
		<script>window.who='inner'</script>`,
	"/late": `<div id=root></div><script>setTimeout(()=>root.innerHTML='<button id=l onclick="this.textContent=\'clicked\'">Late</button>',200);
		let n=0;setInterval(()=>{document.title='n'+(++n)},40)</script>`,
	"/scroll": `<div style="height:3000px">tall</div><div id=foot>Foot</div><div id=box style="height:50px;overflow:auto"><div style="height:500px">in</div></div>`,
	"/logs": `<script>console.log('one',1);console.error('bad thing');fetch('/missing').catch(()=>{});fetch('http://127.0.0.1:1/').catch(()=>{});
		setTimeout(()=>{throw new TypeError('boom')},0);Promise.reject(new Error('nope'))</script><p>logs</p>`,
	"/flood": `<script>for(let i=0;i<1500;i++)console.log('m'+i);console.log('x'.repeat(100000))</script><p id=done>done</p>`,
	"/drag": `<div id=src draggable=true ondragstart="event.dataTransfer.setData('text','x')">drag</div>
		<div id=dst style="width:100px;height:100px;background:#ddd" ondragover="event.preventDefault()" ondrop="event.preventDefault();this.textContent='dropped'">here</div>`,
	"/spa": `<button id=push onclick="history.pushState(0,'','/spa/next?x=1#y')">Push</button>`,
	"/strict": `<label>List <select><option>a</select></label><label>List <select><option>a</select></label><button class=dup onclick="log('1')">Same</button><button class=dup onclick="log('2')">Same</button><button class=dup hidden>Same</button>
		<pre id=log></pre><script>function log(s){document.getElementById('log').textContent+=s}</script>`,
	"/hang":   `<button id=hang onclick="for(;;);">Hang</button><button id=micro onclick="(async()=>{while(true)await null})()">Micro</button><h1>Hang</h1>`,
	"/colors": `<style>body{background:#fff}</style><div id=red style="width:50px;height:40px;background:red"></div><div style="height:2000px"></div>`,
}

// pages is the test server.
func pages() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		body, ok := bodies[r.URL.Path]
		if !ok {
			body, ok = moreBodies[r.URL.Path]
		}
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			html(w, "<h1>Not found</h1>")
			return
		}
		html(w, replacePort(body, r.Host))
	})
	mux.HandleFunc("/status/{n}", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.PathValue("n"))
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(n)
		html(w, "<h1>Status</h1>")
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		pause(r, 300*time.Millisecond)
		w.Header().Set("Content-Type", "text/html")
		html(w, "<h1>Slow</h1>")
	})
	mux.HandleFunc("/slow.js", func(w http.ResponseWriter, r *http.Request) {
		pause(r, 700*time.Millisecond)
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = fmt.Fprint(w, "go.onclick=()=>said.textContent='clicked'")
	})
	mux.HandleFunc("/never", func(w http.ResponseWriter, r *http.Request) { pause(r, time.Minute) })
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/two", http.StatusFound) })
	mux.HandleFunc("/data.json", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{"ok":true}`) })
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	morePages(mux)
	return mux
}

// pause keeps a request waiting.
func pause(r *http.Request, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.Context().Done():
	}
}
