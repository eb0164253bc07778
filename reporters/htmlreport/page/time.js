// The timeline: what each worker did when. Attempts too short to be seen are drawn together, by the worst of them.

function timeline(width) {
  const lanes = new Map();
  let end = data.run.ms || 1;
  data.tests.forEach((t, i) => (t.runs || []).forEach((r, n) => {
    if (!lanes.has(r.w)) lanes.set(r.w, []);
    lanes.get(r.w).push({ at: r.at, to: r.at + r.ms, s: r.s || t.status, i, n: n + 1, count: 1 });
    end = Math.max(end, r.at + r.ms);
  }));
  const hooks = data.suites.flatMap(s => (s.hooks || []).filter(k => k.ms).map(k => ({ s, k, at: k.at || 0, to: (k.at || 0) + k.ms })));
  for (const b of hooks) end = Math.max(end, b.to);
  if (!lanes.size && !hooks.length) return null;
  const least = end * 3 / Math.max(300, width);
  const box = h("div", { class: "lanes", role: "group", "aria-label": "Timeline of the workers and suites; arrow keys move, Enter opens" });
  for (const w of [...lanes.keys()].sort((a, b) => a - b)) {
    const lane = h("div", { class: "lane" }, h("span", { class: "who" }, "worker " + w)), track = h("div", { class: "track" });
    for (const b of merge(lanes.get(w).sort((x, y) => x.at - y.at), least)) track.append(bar(b, end));
    lane.append(track);
    box.append(lane);
  }
  for (const [n, list] of rows(hooks).entries()) {
    const lane = h("div", { class: "lane" }, h("span", { class: "who" }, n ? "" : "suites")), track = h("div", { class: "track" });
    for (const b of list) track.append(hookBar(b, end));
    lane.append(track);
    box.append(lane);
  }
  box.append(axis(end));
  const bars = [...box.querySelectorAll("button")];
  bars[0].tabIndex = 0;
  box.addEventListener("keydown", ev => move(ev, box));
  return h("section", { class: "card", "aria-labelledby": "time-title" }, h("h2", { id: "time-title" }, "Timeline"), box);
}

function merge(list, least) {
  const out = [];
  for (const b of list) {
    const last = out[out.length - 1];
    if (last && b.to - b.at < least && last.to - last.at < least && b.at - last.at < least) {
      last.to = Math.max(last.to, b.to);
      last.count++;
      if (rank(b.s) < rank(last.s)) Object.assign(last, { s: b.s, i: b.i, n: b.n });
    } else out.push({ ...b });
  }
  return out;
}

function bar(b, end) {
  const t = data.tests[b.i];
  let text = t.name + ": " + word(b.s) + (b.n > 1 || (t.runs || []).length > 1 ? ", attempt " + b.n : "") + ", at " + took(b.at) + ", took " + took(b.to - b.at);
  if (b.count > 1) text = many(b.count, "attempt") + ", the worst " + text;
  return h("button", { type: "button", tabindex: "-1", class: "bar s-" + b.s, title: text, "aria-label": text,
    css: { left: (100 * b.at / end).toFixed(3) + "%", width: "max(3px, calc(" + (100 * (b.to - b.at) / end).toFixed(3) + "% - 1px))" },
    onclick: () => go({ t: b.i, a: b.count > 1 ? 0 : b.n, v: "" }, true) });
}

// rows puts what overlaps below each other: suites are set up side by side. More than six rows say no more.
function rows(list) {
  const out = [];
  for (const b of list.sort((x, y) => x.at - y.at)) {
    const row = out.find(r => r[r.length - 1].to <= b.at) || (out.length < 6 ? out[out.push([]) - 1] : out[5]);
    row.push(b);
  }
  return out;
}

// A setup, login or teardown leads to the tests of its suite.
function hookBar(b, end) {
  const bad = (b.k.failures || []).length > 0, text = b.k.name + " of " + b.s.file + (bad ? ": failed" : "") + ", at " + took(b.at) + ", took " + took(b.to - b.at);
  return h("button", { type: "button", tabindex: "-1", class: "bar " + (bad ? "s-error" : "hook"), title: text, "aria-label": text,
    css: { left: (100 * b.at / end).toFixed(3) + "%", width: "max(3px, calc(" + (100 * (b.to - b.at) / end).toFixed(3) + "% - 1px))" },
    onclick: () => go({ q: b.s.file, t: -1 }, true) });
}

function axis(end) {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5];
  const by = steps.find(x => end / x <= 6) || end / 4, line = h("div", { class: "axis", "aria-hidden": "true" });
  for (let x = 0; x <= end * 0.93; x += by) line.append(h("span", { css: { left: (100 * x / end) + "%" } }, by < 1000 ? (x < 1000 ? Math.round(x) + " ms" : (x / 1000).toFixed(1) + " s") : took(x).replace(/\.0+ s$/, " s").replace(/ 00 (s|min)$/, "")));
  return line;
}

function move(ev, box) {
  const at = ev.target.closest(".bar");
  if (!at) return;
  const lane = [...at.parentNode.children], tracks = [...box.querySelectorAll(".track")], n = lane.indexOf(at), y = tracks.indexOf(at.parentNode);
  const near = track => track && [...track.children].reduce((a, b) => Math.abs(b.offsetLeft - at.offsetLeft) < Math.abs(a.offsetLeft - at.offsetLeft) ? b : a);
  const to = { ArrowRight: lane[n + 1], ArrowLeft: lane[n - 1], ArrowDown: near(tracks[y + 1]), ArrowUp: near(tracks[y - 1]), Home: lane[0], End: lane[lane.length - 1] }[ev.key];
  if (!to) return;
  ev.preventDefault();
  ev.stopPropagation();
  at.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}
