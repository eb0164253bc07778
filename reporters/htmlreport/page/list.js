// The filters and the list of tests. Only what is in sight is in the document.

const rowHeight = 50, headHeight = 34;
let hay = null, shown = [], items = [], tops = [0];
const live = new Map();

function matches() {
  if (state.q && !hay) {
    hay = data.tests.map(t => [t.name, data.suites[t.suite].file, data.suites[t.suite].name, t.why || "", (t.tags || []).join(" ")].join("\n").toLowerCase());
  }
  const terms = state.q.toLowerCase().split(/\s+/).filter(Boolean), out = [];
  data.tests.forEach((t, i) => {
    if (state.tag && !(t.tags || []).includes(state.tag)) return;
    if (terms.length && !terms.every(x => hay[i].includes(x))) return;
    out.push(i);
  });
  return out;
}

function filter() {
  const found = matches(), counts = {};
  for (const i of found) counts[data.tests[i].status] = (counts[data.tests[i].status] || 0) + 1;
  shown = state.s.size ? found.filter(i => state.s.has(data.tests[i].status)) : found;
  const by = {
    bad: (a, b) => rank(data.tests[a].status) - rank(data.tests[b].status) || a - b,
    slow: (a, b) => data.tests[b].ms - data.tests[a].ms || a - b,
    start: (a, b) => begin(a) - begin(b) || a - b,
  }[state.o];
  if (by) shown.sort(by);
  else shown.sort((a, b) => data.tests[a].suite - data.tests[b].suite || a - b);
  chips(counts);
  layout(!by);
  $("found").textContent = shown.length === data.tests.length ? many(shown.length, "test") : shown.length.toLocaleString("en") + " of " + many(data.tests.length, "test");
}

const begin = i => data.tests[i].runs ? data.tests[i].runs[0].at : Infinity;

function chips(counts) {
  const box = $("chips");
  if (!box.children.length) {
    for (const s of order) {
      if (!data.counts[s]) continue;
      box.append(h("button", { type: "button", class: "chip s-" + s, id: "chip-" + s, onclick: () => {
        const set = new Set(state.s);
        if (!set.delete(s)) set.add(s);
        go({ s: set });
      } }));
    }
  }
  for (const s of order) {
    const b = $("chip-" + s);
    if (!b) continue;
    b.setAttribute("aria-pressed", state.s.has(s));
    b.replaceChildren(h("span", { class: "sign", "aria-hidden": "true" }, words[s][0]), h("span", {}, word(s)), " ", h("b", {}, String(counts[s] || 0)));
  }
}

// layout places the tests under each other, with the suites over theirs.
function layout(heads) {
  items = [];
  let suite = -1;
  for (const i of shown) {
    if (heads && data.tests[i].suite !== suite) items.push({ suite: suite = data.tests[i].suite });
    items.push({ test: i });
  }
  tops = new Float64Array(items.length + 1);
  items.forEach((x, n) => { tops[n + 1] = tops[n] + (x.test === undefined ? headHeight : rowHeight); });
  for (const e of live.values()) e.remove();
  live.clear();
  const list = $("list");
  if (!$("space")) list.append(h("div", { id: "space", role: "presentation" }));
  $("space").style.height = tops[items.length] + "px";
  draw();
}

function first(y) {
  let a = 0, b = items.length;
  while (a < b) {
    const m = (a + b) >> 1;
    if (tops[m + 1] <= y) a = m + 1; else b = m;
  }
  return a;
}

function draw() {
  const list = $("list"), from = Math.max(0, first(list.scrollTop) - 4), end = list.scrollTop + list.clientHeight;
  let to = from;
  while (to < items.length && tops[to] < end) to++;
  to = Math.min(items.length, to + 4);
  for (const [n, e] of live) if (n < from || n >= to) { e.remove(); live.delete(n); }
  for (let n = from; n < to; n++) {
    if (live.has(n)) continue;
    const e = items[n].test === undefined ? head(items[n].suite) : line(n);
    e.style.top = tops[n] + "px";
    live.set(n, e);
    const next = [...live.keys()].filter(k => k > n).sort((a, b) => a - b)[0]; // in the order of the list, for readers
    if (next === undefined) list.append(e); else list.insertBefore(e, live.get(next));
  }
}

function head(s) {
  return h("div", { class: "suite", role: "listitem" }, h("span", { class: "cut" }, data.suites[s].file));
}

function line(n) {
  const i = items[n].test, t = data.tests[i], why = bad(t.status) || t.status === "flaky" ? t.why : "";
  const note = state.o ? data.suites[t.suite].file : (t.tags || []).join(" · ");
  const a = testLink(i, badge(t.status), h("span", { class: "name cut" }, t.name), h("span", { class: "ms" }, t.runs ? took(t.ms) : ""),
    h("span", { class: "why cut" }, why || t.why || note || word(t.status)));
  a.className = "row s-" + t.status;
  if (i === state.t) a.setAttribute("aria-current", "true");
  return h("div", { class: "item", role: "listitem", "aria-setsize": items.length, "aria-posinset": n + 1 }, a);
}

// reveal marks the open test and brings it into sight.
function reveal() {
  for (const [n, e] of live) {
    const a = e.querySelector("a");
    if (!a) continue;
    if (items[n].test === state.t) a.setAttribute("aria-current", "true"); else a.removeAttribute("aria-current");
  }
  const n = items.findIndex(x => x.test === state.t), list = $("list");
  if (state.t < 0 || n < 0 || !list.clientHeight) return;
  if (tops[n] < list.scrollTop + headHeight) list.scrollTop = Math.max(0, tops[n] - headHeight);
  else if (tops[n + 1] > list.scrollTop + list.clientHeight) list.scrollTop = tops[n + 1] - list.clientHeight + 8;
  draw();
}

function tags() {
  const all = new Map();
  for (const t of data.tests) for (const x of t.tags || []) all.set(x, (all.get(x) || 0) + 1);
  const box = $("tag");
  box.append(h("option", { value: "" }, all.size ? "Any tag" : "No tags"));
  for (const x of [...all.keys()].sort()) box.append(h("option", { value: x }, x + " (" + all.get(x) + ")"));
  box.disabled = !all.size;
}

// step opens the next or previous test that fits.
function step(by, fits) {
  if (!shown.length) return;
  const at = shown.indexOf(state.t);
  for (let n = at < 0 && by < 0 ? shown.length - 1 : at + by; n >= 0 && n < shown.length; n += by) {
    if (!fits || fits(data.tests[shown[n]])) { openTest(shown[n]); return; }
  }
}
