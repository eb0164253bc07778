// Elements, words and the state in the address. Text reaches the document as text nodes only.

const $ = id => document.getElementById(id);

function h(tag, props, ...kids) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props || {})) {
    if (k.startsWith("aria-") && typeof v === "boolean") { e.setAttribute(k, v); continue; }
    if (v === undefined || v === null || v === false) continue;
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (k === "class") e.className = v;
    else if (k === "css") for (const [p, x] of Object.entries(v)) e.style.setProperty(p, x);
    else e.setAttribute(k, v === true ? "" : v);
  }
  add(e, kids);
  return e;
}

function add(e, kids) {
  for (const k of kids) {
    if (Array.isArray(k)) add(e, k);
    else if (k !== undefined && k !== null && k !== false && k !== "") e.append(k);
  }
}

function json(id) {
  const e = $(id);
  return e ? JSON.parse(e.textContent) : null;
}

const data = json("index");

// The statuses in the order in which they matter: sign, word, whether a run with it is red.
const words = {
  "failed": ["✕", "failed", true], "error": ["!", "error", true], "interrupted": ["■", "interrupted", true],
  "unknown": ["?", "no verdict", true], "not-run": ["–", "not run", true], "flaky": ["~", "flaky", false],
  "known-bug": ["#", "known bug", false], "quarantined": ["=", "quarantined", false], "skipped": ["»", "skipped", false],
  "passed": ["✓", "passed", false],
};
const order = Object.keys(words);
const rank = s => { const i = order.indexOf(s); return i < 0 ? order.length : i; };
const word = s => (words[s] || ["?", s])[1];
const count = (s, n) => n.toLocaleString("en") + (s === "error" ? " with an error" : s === "unknown" ? " without a verdict" : " " + word(s));
const bad = s => (words[s] || ["", "", true])[2];

function badge(s, text) {
  return h("span", { class: "badge s-" + s }, h("span", { class: "sign", "aria-hidden": "true" }, (words[s] || ["?"])[0]),
    text ? h("span", {}, word(s)) : h("span", { class: "hide" }, word(s) + " "));
}

function took(ms) {
  if (ms < 1) return ms > 0 ? "<1 ms" : "0 ms";
  if (ms < 1000) return Math.round(ms) + " ms";
  if (ms < 60000) return (ms / 1000).toFixed(ms < 10000 ? 2 : 1) + " s";
  const s = Math.round(ms / 1000), m = Math.floor(s / 60);
  return m < 60 ? m + " min " + String(s % 60).padStart(2, "0") + " s" : Math.floor(m / 60) + " h " + String(m % 60).padStart(2, "0") + " min";
}

const many = (n, one, more) => n.toLocaleString("en") + " " + (n === 1 ? one : more || one + "s");

function size(n) {
  if (n < 1000) return n + " B";
  return n < 1e6 ? (n / 1000).toFixed(n < 1e4 ? 1 : 0) + " kB" : (n / 1e6).toFixed(1) + " MB";
}

// chunks and texts of tests, read when one is opened.
const chunks = new Map();

function detail(i) {
  const n = Math.floor(i / data.chunk);
  if (!chunks.has(n)) chunks.set(n, json("chunk-" + n));
  const c = chunks.get(n);
  return { test: c.tests[i % data.chunk], texts: c.texts || {} };
}

// link is the way to a file of the run. Each part is encoded: a name can neither leave the folder nor be a script.
function link(path) {
  const parts = path.split("/").filter(p => p !== ".." && p !== "." && p !== "").map(encodeURIComponent).join("/");
  const base = data.base.startsWith("file:") ? encodeURI(data.base) : data.base.split("/").map(encodeURIComponent).join("/");
  return (base || "./") + parts;
}

function web(url) {
  return /^https?:\/\//i.test(url) ? h("a", { href: url, rel: "noreferrer noopener", target: "_blank" }, url) : h("span", {}, url);
}

function copy(label, text, what) {
  const b = h("button", { type: "button", class: "copy", "aria-label": what || label }, label);
  b.addEventListener("click", async () => {
    let ok = true;
    try { await navigator.clipboard.writeText(text); } catch {
      const area = h("textarea", { class: "hide", "aria-hidden": "true" });
      area.value = text;
      document.body.append(area);
      area.select();
      ok = document.execCommand("copy");
      area.remove();
    }
    b.textContent = ok ? "Copied" : "Not copied";
    setTimeout(() => { b.textContent = label; }, 1500);
  });
  return b;
}

// The state, kept in the hash: text, statuses, tag, order, test, attempt, view.
const state = { q: "", s: new Set(), tag: "", o: "", t: -1, a: 0, v: "" };

function readHash() {
  const p = new URLSearchParams(location.hash.slice(1));
  state.q = p.get("q") || "";
  state.s = new Set((p.get("s") || "").split(",").filter(x => words[x]));
  state.tag = p.get("tag") || "";
  state.o = p.get("o") || "";
  const t = p.has("t") ? Number(p.get("t")) : -1;
  state.t = Number.isInteger(t) && t >= 0 && t < data.tests.length ? t : -1;
  state.a = Number(p.get("a")) || 0;
  state.v = p.get("v") || "";
}

function hash() {
  const p = new URLSearchParams();
  if (state.q) p.set("q", state.q);
  if (state.s.size) p.set("s", [...state.s].join(","));
  if (state.tag) p.set("tag", state.tag);
  if (state.o) p.set("o", state.o);
  if (state.t >= 0) p.set("t", state.t);
  if (state.a) p.set("a", state.a);
  if (state.v) p.set("v", state.v);
  return "#" + p.toString().replaceAll("%2C", ",");
}

// go changes the state; a step back undoes what opened a test, and not each letter of a filter.
function go(change, step) {
  Object.assign(state, change);
  try { history[step ? "pushState" : "replaceState"](null, "", hash()); } catch { location.hash = hash(); }
  update();
}

const openTest = i => go({ t: i, a: 0, v: "" }, true);

function testLink(i, ...kids) {
  return h("a", { href: "#t=" + i, onclick: ev => { if (plain(ev)) { ev.preventDefault(); openTest(i); } } }, kids);
}

const plain = ev => !(ev.metaKey || ev.ctrlKey || ev.shiftKey || ev.button);
