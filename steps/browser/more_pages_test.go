package browser_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"time"
)

// reactDir is the folder of React's builds, once they were fetched.
var reactDir atomic.Value

// jsonText spells a value as JSON.
func jsonText(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

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
	"/axeframes": `<html lang=en><title>F</title><main><h1>F</h1><img src=/none.png><iframe id=f title=one src=/axeframe></iframe><iframe title=two src="http://localhost:PORT/axeframe"></iframe><iframe title=three src=/inner hidden></iframe></main>`,
	"/axeframe":  `<html lang=en><title>G</title><p>Hi</p><img src=/none.png width=9 height=9>`,
	"/axe":       `<main><h1>Axe</h1><img src=/none.png width=10 height=10><div id=ok><p>fine</p></div><div id=bad><input></div></main>`,
	"/article": `<header><h1>Tea</h1></header><p>intro</p><h2>Pots</h2><ul><li>red</li><li>blue</li></ul><h2>Cups</h2><p id=c>white</p>
		<script>c.textContent+=', added'</script>`,
	"/react": reactApp,
	"/fibers": `<script>{const h=window.__REACT_DEVTOOLS_GLOBAL_HOOK__;h.inject({});h.onCommitFiberRoot(1,{current:{child:{tag:0,type:function App(){},
		key:null,memoizedProps:{a:1},memoizedState:null,child:null,sibling:null,alternate:null}}})}</script>`,
	"/tools": `<script>const mc=document.modelContext||navigator.modelContext;if(mc){const t=(name,description,execute,inputSchema={type:'object',properties:{}})=>
		mc.registerTool({name,description,inputSchema,execute});
		t('add','Adds two numbers',({a,b})=>({content:[{type:'text',text:String(a+b)}]}),{type:'object',properties:{a:{type:'number'},b:{type:'number'}}});
		t('broken','Fails',()=>{throw new Error('out of tea')});t('slow','Never ends',()=>new Promise(()=>{}))}</script>`,
	"/links": `<a href=/two onclick="log('link')"><b id=in>Two</b></a><div id=pad style="width:80px;height:40px;background:#ddd" onclick="log('pad')">pad</div>
		<div id=end style="margin-top:150px;width:80px;height:40px;background:#ccc" onmouseup="log('up at end')">end</div>
		<div style="position:relative;width:90px"><button id=under>Under</button><i style="position:absolute;inset:0;background:#eee"></i></div>
		<pre id=log></pre><script>let moves=0;addEventListener('mousemove',()=>moves++);
		function log(s){const l=document.getElementById('log');l.textContent=(l.textContent+' '+s).trim()}</script>`,
	"/many": `<h1>Many</h1><p class=v style="display:none">hidden</p><p class=v id=one>shown</p><p class=v>shown too</p>`,
	"/over": `<button id=buy>Buy</button><div role=combobox id=combo tabindex=0 aria-expanded=false>Pick</div><label>Color <input id=color2></label>
		<input id=keeps oninput="this.value='old'"><div id=d role=dialog aria-label=Cookies style="position:fixed;inset:0;background:#fff">
		<button>Settings</button><button onclick="d.remove()">No thanks</button></div>`,
	"/pay": `<button onclick="log('pay')">Pay</button><button onclick="log('later')">Pay later</button><button hidden>Pay</button>
		<button onclick="log('same')">Same</button><button onclick="log('same')">Same</button><a href=#help aria-label="Help"><svg width=9 height=9></svg></a>
		<label><input type=checkbox id=gift> Gift   wrap</label><label>Pin <input type=password id=pin></label><input type=search aria-label="Find tea">
		<pre id=log></pre><script>function log(s){document.getElementById('log').textContent+=s}</script>`,
	"/shop18": `<div id=root></div><script src=/react/react.js></script><script src=/react/react-dom.js></script><script src=/src/shop.js></script>`,
	"/shop19": `<div id=root></div><script>` + commonJS + `</script><script src=/src/shop.js></script>`,
	"/framed": `<h1>Outer</h1><iframe src=/inner></iframe>`,
	"/named":  `<iframe name=pay src=/inner></iframe><iframe name=other src="/inner?x=1"></iframe>`,
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
	mux.HandleFunc("/article.md", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		_, _ = io.WriteString(w, "# Raw *tea*\n")
	})
	mux.HandleFunc("/llms.txt", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "# Site\n") })
	mux.HandleFunc("/src/shop.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, shopScript)
	})
	mux.HandleFunc("/react/{name}", func(w http.ResponseWriter, r *http.Request) {
		dir, _ := reactDir.Load().(string)
		http.ServeFile(w, r, filepath.Join(dir, filepath.Base(r.PathValue("name"))))
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
