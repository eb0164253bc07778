package world_test

// kase is one page, one target and the log that one real user click leaves.
type kase struct {
	name, html, sel, want string
	csp                   string // the page comes with this policy, and without the log script
	frame                 string // the target is in this frame
	mobile                bool
	safe                  bool   // nothing may happen, and the verdict must not be a hit
	worse                 string // why a press without a click is right here
}

// logScript gives the pages their log.
const logScript = `<script>window.log=[];const L=s=>log.push(s)</script>`

// cases are the 51 pages that a fast click was held against; in the naive form it got 24 of them wrong.
var cases = []kase{
	{name: "plain", html: `<button id=b onclick="L('b')">x</button>`, want: "b"},
	{name: "label for= (checkbox elsewhere)", html: `<label id=b for=c>L</label><input type=checkbox id=c onchange="L('c'+this.checked)">`, want: "ctrue"},
	{name: "label wraps input", html: `<label id=b><span>Labeltext</span><input type=checkbox id=c onchange="L('c'+this.checked)"></label>`, want: "ctrue"},
	{name: "span inside label", html: `<label><span id=b>Labeltext</span><input type=checkbox id=c onchange="L('c'+this.checked)"></label>`, want: "ctrue"},
	{name: "handler calls other.click()", html: `<button id=b onclick="f.click()">x</button><input type=checkbox id=f onclick="L('file')">`, want: "file"},
	{name: "handler clicks appended <a> (download idiom)", html: `<button id=b onclick="const a=document.createElement('a');a.href='#x';a.onclick=()=>L('a');document.body.append(a);a.click()">x</button>`, want: "a"},
	{name: "handler dispatches MouseEvent elsewhere", html: `<button id=b onclick="o.dispatchEvent(new MouseEvent('mousedown',{bubbles:true}))">x</button><div id=o onmousedown="L('o')">o</div>`, want: "o"},
	{name: "page window-capture stops click (app handles it there)", html: `<button id=b>x</button><script>addEventListener('click',e=>{e.stopImmediatePropagation();L('w')},true)</script>`, want: "w"},
	{name: "page window-capture stops all 5 events", html: `<button id=b>x</button><script>for(const t of ['pointerdown','mousedown','pointerup','mouseup','click'])addEventListener(t,e=>{e.stopImmediatePropagation();if(t=='click')L('w')},true)</script>`, want: "w"},
	{name: "overlay appears on mousemove; page has window-capture logger", html: `<button id=b onclick="L('BUY')">x</button><div id=ov hidden style="position:fixed;inset:0" onclick="L('OVER')"></div><script>addEventListener('click',e=>L('global:'+e.target.id),true);addEventListener('mousemove',()=>ov.hidden=false)</script>`, want: "", safe: true},
	{name: "overlay appears on mousemove (no logger)", html: `<button id=b onclick="L('BUY')">x</button><div id=ov hidden style="position:fixed;inset:0" onclick="L('OVER')"></div><script>addEventListener('mousemove',()=>ov.hidden=false)</script>`, want: "", safe: true},
	{name: "navigates on mousedown", html: `<button id=b onmousedown="location.href='/two'">x</button>`, want: "@/two"},
	{name: "link", html: `<a id=b href=/two>x</a>`, want: "@/two"},
	{name: "link, server answers after 300 ms", html: `<a id=b href=/slow>x</a>`, want: "@/slow"},
	{name: "form submit", html: `<form action=/two><button id=b>x</button></form>`, want: "@/two?"},
	{name: "removes itself on pointerdown", html: `<button id=b onpointerdown="L('p');this.remove()">x</button>`, want: "p"},
	{name: "re-rendered on mousedown, delegated click", html: `<div id=w><button id=b>x</button></div><script>w.onmousedown=()=>{w.innerHTML='<button id=b>x</button>'};w.onclick=e=>L('click:'+e.target.id)</script>`, worse: "a real click in Chromium sends no click event after the pressed element was replaced, and neither do we: pressed, with a warning"},
	{name: "removes itself on click", html: `<button id=b onclick="L('c');this.remove()">x</button>`, want: "c"},
	{name: "opens overlay on mousedown (custom select)", html: `<button id=b onmousedown="L('down');ov.hidden=false">x</button><div id=ov hidden style="position:fixed;inset:0"></div>`, want: "down"},
	{name: "container takes pointer capture", html: `<div id=w onpointerdown="this.setPointerCapture(event.pointerId)" onclick="L('w:'+event.target.id)"><button id=b>x</button></div>`, want: "w:w"},
	{name: "blur shifts layout: moves on mousedown", html: `<button id=b onmousedown="L('down');this.style.marginTop='300px'" onclick="L('c')">x</button>`, want: "down"},
	{name: "open shadow DOM", html: `<x-a></x-a><script>customElements.define('x-a',class extends HTMLElement{constructor(){super();const r=this.attachShadow({mode:'open'});r.innerHTML='<button id=b>s</button>';r.firstChild.onclick=()=>L('s')}})</script>`, want: "s"},
	{name: "nested shadow + slot", html: `<x-a><button id=b onclick="L('slot')">s</button></x-a><script>customElements.define('x-a',class extends HTMLElement{constructor(){super();const r=this.attachShadow({mode:'open'});r.innerHTML='<div><slot></slot></div>'}})</script>`, want: "slot"},
	{name: "shadow host", html: `<x-a id=b style="display:inline-block"></x-a><script>customElements.define('x-a',class extends HTMLElement{constructor(){super();const r=this.attachShadow({mode:'open'});r.innerHTML='<button>s</button>';r.firstChild.onclick=()=>L('s')}})</script>`, want: "s"},
	{name: "same-origin iframe, danger at same coords in parent", frame: "#f", html: `<button style="position:absolute;left:8px;top:8px" onclick="L('DANGER')">del</button><iframe id=f style="position:absolute;left:200px;top:150px" srcdoc="<button id=b onclick=&quot;parent.L2('in')&quot;>z</button>"></iframe><script>window.L2=s=>log.push(s)</script>`, want: "in"},
	{name: "iframe covered by parent overlay", frame: "#f", html: `<iframe id=f style="position:absolute;left:0;top:0;border:0" srcdoc="<button id=b onclick=&quot;parent.L2('in')&quot;>z</button>"></iframe><div style="position:fixed;inset:0" onclick="L('OVER')"></div><script>window.L2=s=>log.push(s)</script>`, want: "", safe: true},
	{name: "cross-origin iframe", frame: "#f", html: `<button style="position:absolute;left:8px;top:8px" onclick="L('DANGER')">del</button><iframe id=f style="position:absolute;left:200px;top:150px" src="http://localhost:PORT/inner"></iframe><script>addEventListener('message',e=>L(e.data))</script>`, want: "in"},
	{name: "iframe transform scale(.5)", frame: "#f", html: `<iframe id=f style="position:absolute;left:200px;top:150px;transform:scale(.5)" srcdoc="<button id=b onclick=&quot;parent.L2('in')&quot;>z</button>"></iframe><script>window.L2=s=>log.push(s)</script>`, want: "in"},
	{name: "fieldset disabled", html: `<fieldset disabled><button id=b onclick="L('c')">x</button></fieldset>`, want: "", safe: true},
	{name: "span in disabled button", html: `<button disabled onclick="L('c')"><span id=b>xxxx</span></button>`, want: "", safe: true},
	{name: "aria-disabled", html: `<button aria-disabled=true id=b onclick="L('c')">x</button>`, want: "", safe: true},
	{name: "pointer-events none over clickable parent", html: `<div onclick="L('parent')" style="padding:20px"><button id=b style="pointer-events:none">x</button></div>`, want: "", safe: true},
	{name: "multi-line inline link", html: `<div style="width:120px;font:20px monospace">aaaaaaaa <a id=b href="#x" onclick="L('c')">bbb ccccccccc</a></div>`, want: "c"},
	{name: "CSP default-src none + trusted types", csp: "default-src 'none'; script-src 'nonce-x'; require-trusted-types-for 'script'", html: `<button id=b>x</button><script nonce=x>window.log=[];b.onclick=()=>log.push('b')</script>`, want: "b"},
	{name: "page patched prototypes", html: `<button id=b onclick="L('b')">x</button><script>Element.prototype.getBoundingClientRect=()=>({x:0,y:0,width:0,height:0});document.querySelector=()=>null;Element.prototype.contains=()=>{throw 1};Array.prototype.some=()=>true</script>`, want: "b"},
	{name: "page owns __cr (frozen)", html: `<button id=b onclick="L('b')">x</button><script>Object.defineProperty(window,'__cr',{value:1,writable:false})</script>`, want: "b"},
	{name: "page counts addEventListener calls (zone.js)", html: `<button id=b onclick="L('b')">x</button><script>const ael=EventTarget.prototype.addEventListener;EventTarget.prototype.addEventListener=function(t,...a){L('zone:'+t);return ael.call(this,t,...a)}</script>`, want: "b"},
	{name: "smooth scrolling, far below", html: `<style>html{scroll-behavior:smooth}</style><div style="height:4000px"></div><button id=b onclick="L('b')">x</button><div style="height:4000px"></div>`, want: "b"},
	{name: "sticky header", html: `<div style="position:sticky;top:0;height:200px;background:red" onclick="L('HEAD')"></div><div style="height:4000px"></div><button id=b onclick="L('b')">x</button><div style="height:4000px"></div>`, want: "b"},
	{name: "svg circle", html: `<svg width=100 height=100><circle id=b cx=50 cy=50 r=30 onclick="L('b')"/></svg>`, want: "b"},
	{name: "css zoom:2", html: `<body style="zoom:2"><div style="height:30px"></div><button id=b onclick="L('b')">x</button>`, want: "b"},
	{name: "mobile, page scaled (no meta viewport)", mobile: true, html: `<div style="width:1400px;height:300px"></div><button id=b style="margin-left:700px" onclick="L('b')">x</button>`, want: "b"},
	{name: "endless colour animation on ancestor", html: `<style>@keyframes p{50%{opacity:.5}}</style><div style="animation:p 1s infinite"><button id=b onclick="L('b')">x</button></div>`, want: "b"},
	{name: "modal dialog open, target outside", html: `<button id=b onclick="L('b')">x</button><dialog id=d onclick="L('D')">hi</dialog><script>d.showModal()</script>`, want: "", safe: true},
	{name: "display:contents wrapper as target", html: `<div id=b style="display:contents" onclick="L('b')"><button>x</button></div>`, want: ""},
	{name: "radio in label, input visually hidden", html: `<style>input{position:absolute;opacity:0}</style><label><input id=b type=radio onchange="L('r')">Pick</label>`, want: "r"},
	{name: "document.open() rewrote the page", html: `<script>setTimeout(()=>{document.open();document.write("<script>window.log=[];const L=s=>log.push(s)<\/script><button id=b onclick=\"L('b')\">x</button>");document.close()},0)</script>`, want: "b"},
	{name: "alert in handler (auto-dismissed)", html: `<button id=b onclick="alert(1);L('b')">x</button>`, want: "b"},
	{name: "click opens popup", html: `<button id=b onclick="window.open('/two');L('b')">x</button>`, want: "b"},
	{name: "window.close in handler", html: `<button id=b onclick="L('b');window.location.replace('about:blank')">x</button>`, want: "@about:blank"},
	{name: "handler blocks 300 ms", html: `<button id=b onclick="const t=Date.now();while(Date.now()-t<300);L('b')">x</button>`, want: "b"},
}
