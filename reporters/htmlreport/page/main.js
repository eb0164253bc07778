// The overview, the keys, the colours, printing; and the start.

const counts = list => list.map(s => [s, data.counts[s] || 0]).filter(([, n]) => n);

function verdict() {
  const red = counts(order.filter(bad)), run = data.run, other = outside();
  if (!run.id) return ["unknown", "The run has not ended: nothing is known yet"];
  if (!run.ended) return ["unknown", "The run did not end" + (run.reason ? ": " + run.reason : "")];
  if (red.length) return [red[0][0], red.map(([s, n]) => count(s, n)).join(", ")];
  if (other.length || (data.broken || []).length) return ["error", "Something outside of the tests failed"];
  if (run.exit) return [data.counts.flaky ? "flaky" : "error", run.reason || "Exit code " + run.exit];
  const flaky = data.counts.flaky || 0;
  return [flaky ? "flaky" : "passed", data.tests.length ? (flaky ? "Passed, " + flaky + " flaky" : "All is well") : "No tests"];
}

// outside are the failures of setup, logins and teardown.
const outside = () => data.suites.flatMap(s => (s.hooks || []).flatMap(k => (k.failures || []).map(f => ({ suite: s, hook: k.name, f }))));

function overview() {
  const [kind, text] = verdict(), run = data.run, total = data.tests.length || 1;
  const out = h("article", { class: "over" });
  out.append(h("section", { class: "hero s-" + kind, "aria-label": "Summary" }, h("h2", {}, h("span", { class: "big", "aria-hidden": "true" }, words[kind][0]), text),
    h("p", {}, [many(data.tests.length, "test") + " of " + many(data.suites.length, "suite"), took(run.ms) + (run.lives ? " in " + run.lives.length + " lives" : ""), many(run.workers, "worker"), run.shard && "shard " + run.shard,
      run.started && new Date(run.started).toLocaleString()].filter(Boolean).join(" · ")),
    h("div", { class: "bars", "aria-hidden": "true" }, counts([...order].reverse()).map(([s, n]) => h("span", { class: "s-" + s, css: { "flex-grow": n / total } }))),
    h("ul", { class: "legend" }, counts([...order].reverse()).map(([s, n]) => h("li", {}, badge(s), h("b", {}, n.toLocaleString("en")), " " + word(s))))));
  if (!run.ended) out.append(h("p", { class: "note s-unknown" }, "This is what is known of a run that goes on or was killed. “checkrow report” makes the report from its journal again, “checkrow resume” finishes the run."));
  for (const b of data.broken || []) out.append(h("section", { class: "card failure" }, h("h3", {}, b.file + " could not be read"), b.errors.map(e => pre(e, b.file))));
  for (const x of outside()) out.append(h("p", { class: "label" }, x.hook + " of " + x.suite.file), failure(x.f, data.texts || {}));
  out.append(groups("What went wrong", order.filter(bad).filter(s => s !== "not-run")), groups("Flaky", ["flaky"]), groups("Not run", ["not-run"]),
    ...[timeline(out.clientWidth || Math.min(innerWidth, 900)), slowest(), warnings(), environment()].filter(Boolean));
  return out;
}

// groups lists tests by what they say, so that 200 failures of one cause are one.
function groups(title, list) {
  const by = new Map();
  data.tests.forEach((t, i) => {
    if (!list.includes(t.status)) return;
    const key = t.status + (t.why || "").replace(/\d+/g, "#");
    if (!by.has(key)) by.set(key, []);
    by.get(key).push(i);
  });
  if (!by.size) return "";
  const all = [...by.values()].sort((a, b) => rank(data.tests[a[0]].status) - rank(data.tests[b[0]].status) || b.length - a.length);
  const box = h("section", { class: "card", "aria-label": title }, h("h2", {}, title), h("ul", { class: "groups" }, all.slice(0, 30).map(group)));
  if (all.length > 30) box.append(h("p", { class: "dim" }, "… and " + many(all.length - 30, "more cause")));
  return box;
}

function group(list) {
  const t = data.tests[list[0]];
  return h("li", { class: "s-" + t.status }, badge(t.status), h("div", {}, list.length > 1 && t.why && h("div", { class: "cause" }, h("b", {}, "×" + list.length.toLocaleString("en") + " "), list.some(i => data.tests[i].why !== t.why) && h("span", { class: "dim" }, "such as "), t.why),
    list.slice(0, 4).map(i => h("div", {}, testLink(i, data.tests[i].name), " ", h("span", { class: "dim" }, data.suites[data.tests[i].suite].file + ":" + data.tests[i].line))),
    list.length > 4 && h("button", { type: "button", class: "link", onclick: () => go({ s: new Set([t.status]), q: "", tag: "", v: "tests" }, true) }, "… and " + many(list.length - 4, "more", "more")), list.length === 1 && t.why && h("div", { class: "cause" }, t.why)));
}

function slowest() {
  const list = data.tests.map((t, i) => i).filter(i => data.tests[i].runs).sort((a, b) => data.tests[b].ms - data.tests[a].ms).slice(0, 5);
  if (data.tests.length < 6) return null;
  const most = data.tests[list[0]] ? data.tests[list[0]].ms || 1 : 1;
  return h("section", { class: "card", "aria-label": "Slowest" }, h("h2", {}, "Slowest"), h("ul", { class: "slow" }, list.map(i => h("li", {}, testLink(i, data.tests[i].name),
    h("span", { class: "ms" }, took(data.tests[i].ms), h("span", { class: "len", css: { width: (100 * data.tests[i].ms / most) + "%" } }))))));
}

function warnings() {
  const list = data.warnings || [];
  return list.length ? h("section", { class: "card", "aria-label": "Warnings" }, h("h2", {}, "Warnings"), h("ul", {}, list.slice(0, 100).map(w => h("li", {}, w))), list.length > 100 && h("p", {}, "… and " + (list.length - 100) + " more")) : null;
}

function environment() {
  const r = data.run;
  if (!r.id) return null;
  const cmd = (r.command || []).map(x => /^[\w@%+=:,.\/-]+$/.test(x) ? x : "'" + x.replaceAll("'", "'\\''") + "'").join(" ");
  return h("section", { class: "card", "aria-label": "Environment" }, h("h2", {}, "Environment"), facts([["command", h("span", {}, h("code", {}, cmd), " ", copy("Copy", cmd, "Copy the command"))],
    ["checkrow", r.version], ["machine", r.hostname + " · " + r.os], ["started", r.started], ["ended", r.ended ? "exit code " + r.exit + (r.reason ? ", " + r.reason : "") : "no"], ["run", r.id],
    ["folder", h("code", {}, r.dir)], ["in", h("code", {}, r.workdir)], ["plan", h("code", {}, r.hash)], ["resumed", r.lives ? h("ol", { class: "lives" }, r.lives.map(l => h("li", {}, new Date(l.started).toLocaleString() + " – " + new Date(l.last).toLocaleString() + ": " + took(l.ms) + ", " + l.end))) : ""],
    ["other shards", data.others ? many(data.others, "test") + " run in other shards" : ""],
    ["suites", h("ul", {}, data.suites.slice(0, 200).map(s => h("li", {}, s.file + (s.name && s.name !== s.file ? " — " + s.name : ""), s.sha256 && h("code", { class: "dim", title: s.sha256 }, " " + s.sha256.replace(/^sha256:/, "").slice(0, 12)))))]]));
}

let last = { key: "", list: "" };

function update() {
  const list = [state.q, [...state.s].sort(), state.tag, state.o].join("\u0000");
  if (list !== last.list) {
    filter();
    $("list").scrollTop = 0;
    draw();
    if (document.activeElement !== $("q") || $("q").value.trim() !== state.q) $("q").value = state.q;
    $("tag").value = state.tag;
    $("order").value = state.o;
  }
  const key = state.t + "/" + state.a;
  const main = $("main");
  if (key !== last.key) {
    const again = last.key.split("/")[0] === String(state.t);
    main.replaceChildren(state.t >= 0 ? showTest(state.t) : overview());
    if (!again) main.scrollTop = 0;
  }
  const view = state.t >= 0 ? "test" : state.v || "over";
  document.body.dataset.view = view;
  for (const [id, v] of [["tab-over", "over"], ["tab-tests", "tests"]]) $(id).setAttribute("aria-pressed", view === v);
  draw(); // the list may have come into sight just now
  if (key !== last.key || list !== last.list) reveal();
  last = { key, list };
}

// Colours: those of the system, until somebody chooses.
function theme(next) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches, root = document.documentElement;
  let now = root.dataset.theme || (dark ? "dark" : "light");
  if (next) {
    now = now === "dark" ? "light" : "dark";
    root.dataset.theme = now;
    try { localStorage.setItem("checkrow-theme", now); } catch { /* not allowed here: it holds until the page is closed */ }
  }
  $("theme").textContent = now === "dark" ? "☀" : "☾";
  $("theme").setAttribute("aria-label", now === "dark" ? "Light colours" : "Dark colours");
}

const keys = [["/", "filter by text"], ["j  k", "next, previous test"], ["n  p", "next, previous test that is red or flaky"], ["1 … 9", "attempt"], ["o", "overview"],
  ["x", "drop the filters"], ["d", "dark or light"], ["Esc", "back to the overview"], ["?", "these keys"]];

function press(ev) {
  if (ev.metaKey || ev.ctrlKey || ev.altKey || document.querySelector("dialog[open]")) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(ev.target.tagName);
  if (ev.key === "Escape") {
    if (typing) { ev.target.blur(); return; }
    if (state.t >= 0) go({ t: -1, a: 0 }, true);
    return;
  }
  if (typing) {
    if (ev.key === "Enter" && shown.length) { ev.preventDefault(); openTest(shown[0]); }
    return;
  }
  const worth = t => bad(t.status) || t.status === "flaky";
  const act = {
    "/": () => { if (narrow()) go({ t: -1, a: 0, v: "tests" }); $("q").focus(); }, j: () => step(1), k: () => step(-1), n: () => step(1, worth), p: () => step(-1, worth),
    o: () => go({ t: -1, a: 0, v: "" }, true), x: () => go({ q: "", s: new Set(), tag: "", o: "" }), d: () => theme(true), "?": help,
  }[ev.key];
  if (act) { ev.preventDefault(); act(); return; }
  if (/^[1-9]$/.test(ev.key) && state.t >= 0) go({ a: Number(ev.key) });
}

const narrow = () => matchMedia("(max-width: 900px)").matches;

function help() {
  const d = $("help");
  d.replaceChildren(h("h2", { id: "help-title" }, "Keys"), h("dl", { class: "facts" }, keys.map(([k, v]) => h("div", {}, h("dt", {}, h("kbd", {}, k)), h("dd", {}, v)))),
    h("button", { type: "button", class: "close", onclick: () => d.close() }, "Close"));
  d.showModal();
}

// What is printed: the overview, a table of the tests that are listed, and the details of what is red.
const mostPrinted = 40;

function print() {
  const open = state.t, box = $("print");
  if (open >= 0) { box.replaceChildren(showTest(open)); return; }
  const red = shown.filter(i => bad(data.tests[i].status) && data.tests[i].runs);
  const keep = state.a;
  state.a = 0;
  box.replaceChildren(overview(), h("table", { class: "files" }, h("tbody", {}, shown.slice(0, 2000).map(i => h("tr", {}, h("td", {}, badge(data.tests[i].status, true)),
    h("td", {}, data.suites[data.tests[i].suite].file), h("td", {}, data.tests[i].name), h("td", {}, took(data.tests[i].ms)))))), ...red.slice(0, mostPrinted).map(showTest));
  state.a = keep;
}

function start() {
  let chosen = null;
  try { chosen = localStorage.getItem("checkrow-theme"); } catch { /* as above */ }
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  $("app").hidden = false;
  const [kind, text] = verdict();
  $("verdict").replaceChildren(badge(kind), text);
  $("home").querySelector(".mark").textContent = words[kind][0];
  $("home").querySelector(".mark").className = "mark s-" + kind;
  tags();
  theme();
  readHash();
  $("q").value = state.q;
  update();
  $("q").addEventListener("input", ev => go({ q: ev.target.value.trim() }));
  $("tag").addEventListener("change", ev => go({ tag: ev.target.value }));
  $("order").addEventListener("change", ev => go({ o: ev.target.value }));
  $("filters").addEventListener("submit", ev => ev.preventDefault());
  let frame = 0;
  $("list").addEventListener("scroll", () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(draw); });
  addEventListener("resize", draw);
  for (const e of ["popstate", "hashchange"]) addEventListener(e, () => { readHash(); update(); });
  $("home").addEventListener("click", () => go({ t: -1, a: 0, v: "" }, true));
  $("tab-over").addEventListener("click", () => go({ t: -1, a: 0, v: "" }, true));
  $("tab-tests").addEventListener("click", () => { go({ t: -1, a: 0, v: "tests" }, true); });
  $("theme").addEventListener("click", () => theme(true));
  $("keys").addEventListener("click", help);
  $("skip").addEventListener("click", () => $("main").focus());
  $("view").addEventListener("click", ev => { if (ev.target === $("view")) $("view").close(); });
  addEventListener("keydown", press);
  addEventListener("beforeprint", print);
  addEventListener("afterprint", () => $("print").replaceChildren());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => theme());
}

start();
