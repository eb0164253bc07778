package browser_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// moreBodies are pages of the rows that are not every day's.
var moreBodies = map[string]string{
	"/input": `<input id=t value="clip text"><div id=pad style="width:200px;height:100px;background:#ddd"
		onmousedown="log('down'+event.button)" onmouseup="log('up'+event.button)" onmousemove="moved=event.clientX+','+event.clientY"
		onwheel="log('wheel'+event.deltaY)" ontouchstart="log('touch')" onclick="log('click')">pad</div>
		<button id=menu onclick="log('menu')">Menu</button>
		<div style="height:3000px">tall</div><pre id=log style="position:fixed;right:0;top:0"></pre>
		<script>let moved='';onkeydown=e=>log('+'+e.key);onkeyup=e=>log('-'+e.key);
		function log(s){document.getElementById('log').textContent+=s+' '}</script>`,
	"/downloads": `<a id=csv href=/file/report.csv>Report</a> <a id=none href=/two>No download</a> <a id=late href=#
		onclick="setTimeout(()=>location='/file/late.csv',150);return false">Late</a> <a id=slow href=/file/slow.csv>Slow</a>
		<button id=ask onclick="confirm('sure?')">Ask</button>`,
	"/api": `<p id=out></p><script>async function go(u,o){const r=await fetch(u,o).catch(e=>({text:()=>'failed',status:0}));
		document.getElementById('out').textContent=r.status+' '+await r.text();return r.status}</script>`,
	"/before": `<h1>Shop</h1><ul><li>Cup</li><li>Pot</li></ul><a href=/two>Two</a><button>Buy</button>`,
	"/after":  `<h1>Shop</h1><ul><li>Cup</li><li>Pan</li><li>Jar</li></ul><a href=/two>Two</a><button>Buy</button>`,
	"/tree": `<nav><ul><li><a href=/two>Two</a></li></ul></nav><main><h1 id=h>Tree</h1><div><div><p>First words</p></div></div>
		<button id=b onclick="document.getElementById('b').setAttribute('aria-expanded','true')" aria-expanded=false>Open</button>
		<section id=sec><button>Inside</button><p>Deep words</p></section></main><div style="height:3000px"></div><button id=low>Far down</button>`,
	"/axe":   `<main><h1>Axe</h1><img src=/none.png width=10 height=10><div id=ok><p>fine</p></div><div id=bad><input></div></main>`,
	"/named": `<iframe name=pay src=/inner></iframe><iframe name=other src="/inner?x=1"></iframe>`,
}

// morePages adds what is more than a page.
func morePages(mux *http.ServeMux) {
	mux.HandleFunc("/file/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		w.Header().Set("Content-Disposition", `attachment; filename="`+r.PathValue("name")+`"`)
		_, _ = io.WriteString(w, "a,b\n1,2\n")
		if r.PathValue("name") == "slow.csv" {
			w.(http.Flusher).Flush()
			pause(r, 20*time.Second)
		}
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		headers := map[string]string{}
		for name := range r.Header {
			headers[name] = r.Header.Get(name)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"method": r.Method, "body": string(body), "headers": headers})
	})
	mux.HandleFunc("/bytes", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write([]byte{0xff, 0xfe, 0, 1})
	})
	mux.HandleFunc("/auth", func(w http.ResponseWriter, r *http.Request) {
		if user, pw, _ := r.BasicAuth(); user != "ada" || pw != "secret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		html(w, "<h1>Authed</h1>")
	})
	mux.HandleFunc("/cookie", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "s3", HttpOnly: true, Path: "/"})
		w.Header().Set("Content-Type", "text/html")
		html(w, fmt.Sprintf("<p id=sent>%s</p>", r.Header.Get("Cookie")))
	})
}
