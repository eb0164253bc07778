// One test: its attempts, failures, pictures, logs, steps and files.

function showTest(i) {
  const t = data.tests[i], { test, texts } = detail(i), suite = data.suites[t.suite];
  const tries = test.attempts, at = pickAttempt(tries);
  const out = h("article", { class: "test" },
    h("div", { class: "head" }, h("button", { type: "button", class: "back", onclick: () => go({ t: -1, a: 0, v: "tests" }, true) }, "‹ Tests"),
      badge(t.status, true), h("span", { class: "dim" }, t.runs ? took(t.ms) : "did not start")),
    h("h2", { id: "test-title" }, t.name),
    h("p", { class: "place" }, h("code", {}, suite.file + ":" + (t.line || 1)), copy("Copy", suite.file + ":" + (t.line || 1), "Copy the place"),
      (t.tags || []).map(x => h("button", { type: "button", class: "tag", title: "Only tests with this tag", onclick: () => go({ tag: x }) }, x))),
    about(t, test),
    tries.length > 1 && attempts(tries, at));
  if (at) out.append(...attempt(at, texts, suite.file));
  return out;
}

function pickAttempt(tries) {
  return tries.find(a => a.n === state.a) || [...tries].reverse().find(a => a.failures) || tries[tries.length - 1];
}

// about says what is particular to the test as a whole.
function about(t, test) {
  const notes = [];
  if (t.status === "flaky") notes.push("It failed, and passed when it was tried again.");
  if (t.why && !t.runs) notes.push(t.why);
  else if (t.why && ["interrupted", "skipped", "not-run", "unknown"].includes(t.status)) notes.push(t.why);
  if (test.known_bug) notes.push("Known bug: " + test.known_bug);
  if (test.quarantine) notes.push("In quarantine until " + test.quarantine.until + ": " + test.quarantine.why + (test.quarantine.over ? " (that day has passed: it counts)" : ""));
  const out = notes.map(x => h("p", { class: "note s-" + t.status }, x));
  if (test.because !== undefined) out.push(h("p", { class: "note" }, "Because of ", testLink(test.because, data.tests[test.because].name)));
  if (test.params) out.push(facts(test.params.map(p => [p.name || p.from, p.value])));
  return out;
}

function attempts(tries, at) {
  return h("div", { class: "tries", role: "group", "aria-label": "Attempts" }, tries.map(a =>
    h("button", { type: "button", "aria-pressed": a === at, class: "chip s-" + a.status, onclick: () => go({ a: a.n }) },
      h("span", { class: "sign", "aria-hidden": "true" }, words[a.status] ? words[a.status][0] : "?"), "Attempt " + a.n, h("span", { class: "dim" }, took(a.ms)))));
}

function attempt(a, texts, file) {
  const fails = a.failures || [];
  const notes = [];
  if (a.collateral) notes.push("A crash that this test did not cause ended the attempt; it does not count as a retry.");
  if (a.cut_off) notes.push("The run ended during this attempt, and was taken up again.");
  const files = [...fails.flatMap(f => f.artifacts || []), ...(a.artifacts || [])];
  return [...notes.map(x => h("p", { class: "note" }, x)), ...(a.warnings || []).map(x => h("p", { class: "note warn" }, "Warning: " + x)),
    ...fails.map(f => failure(f, texts)), media(a.artifacts || []), stepList(a, file), fileTable(files)].filter(Boolean);
}

// The categories of what was checked and not met; others are errors.
const checks = ["assertion", "health", "http", "process"];

// A failure says the same as on the console, and "As text" is what stands there.
function failure(f, texts) {
  const kind = f.category + (f.sub && !f.sub.startsWith(f.category) ? ", " + f.sub : "");
  const d = f.detail || {};
  const box = h("section", { class: "card failure s-" + (checks.includes(f.category) ? "failed" : "error"), role: "group", "aria-label": "Failure" },
    h("h3", {}, f.message),
    h("p", { class: "kinds" }, h("span", { class: "pill" }, kind), f.phase && f.phase !== "steps" && h("span", { class: "pill" }, "in " + f.phase),
      f.session && h("span", { class: "pill" }, "session " + f.session), place(f.pos) && h("code", {}, place(f.pos)),
      copy("Copy as text", f.block, "Copy as text: this failure")),
    excerpt(f), compare(d.want, d.got),
    facts([["step", f.step_name], ["scope", (f.scope || []).join(" › ")], ["row", !f.excerpt || f.excerpt.some(l => l.text.includes("${{")) ? f.row && h("code", {}, f.row) : ""],
      ["seen", seen(d.seen)], ["target", d.target && target(d.target)], ["covered", d.covered && "by " + d.covered], ["dialog", d.dialog],
      ["values", d.terms && h("ul", { class: "terms" }, d.terms.map(term))], ["found", d.found && h("ul", {}, d.found.map(x => h("li", {}, x)))],
      ["output", d.output && pre(d.output, "Output")], ["page", f.page && f.page.url && h("span", {}, web(f.page.url), f.page.title ? " “" + f.page.title + "”" : "")],
      ["changed", f.changed && h("code", {}, f.changed)], ["health", f.health && h("ul", {}, f.health.map(x => h("li", {}, fault(x))))],
      ["died", f.services && f.services.map(x => pre(x, "Service"))], ["rows", f.progress && f.progress.length > 1 && progress(f.progress)],
      ["try", f.next && h("ul", {}, f.next.map(x => h("li", {}, x.row && h("code", {}, x.row), x.row && x.reason ? " — " : "", x.reason)))],
      ["allow", f.paste && h("div", {}, pre(f.paste.join("\n"), "Lines for the suite"), copy("Copy", f.paste.join("\n"), "Copy these lines"))],
      ["rerun", f.rerun && h("span", {}, h("code", {}, f.rerun), " ", copy("Copy", f.rerun, "Copy the command"))]]));
  const list = f.artifacts || [];
  box.append(evidence(list, texts), h("details", {}, h("summary", {}, "As on the console"), pre(f.block, "The failure as text")));
  return box;
}

const place = p => p && p.file ? p.file + (p.line ? ":" + p.line + (p.col ? ":" + p.col : "") : "") : "";

const pre = (text, name) => h("pre", { tabindex: "0", role: "group", "aria-label": name }, text);

function facts(list) {
  const rows = list.filter(([, v]) => v !== undefined && v !== null && v !== false && v !== "" && !(Array.isArray(v) && !v.length));
  return rows.length ? h("dl", { class: "facts" }, rows.map(([k, v]) => h("div", {}, h("dt", {}, k), h("dd", {}, v)))) : null;
}

function excerpt(f) {
  if (!f.excerpt || !f.excerpt.length) return null;
  const out = h("pre", { class: "source", tabindex: "0", role: "group", "aria-label": "Source of " + place(f.pos) });
  const indent = Math.min(...f.excerpt.filter(l => l.text.trim()).map(l => l.text.search(/\S/)), (f.pos.col || 1) - 1);
  for (const l of f.excerpt) {
    const here = l.n === f.pos.line, text = [...l.text].slice(indent);
    out.append(h("span", { class: here ? "src here" : "src" }, h("span", { class: "n" }, String(l.n).padStart(5)),
      here && f.pos.col ? [text.slice(0, f.pos.col - 1 - indent).join(""), h("span", { class: "spot" }, text.slice(f.pos.col - 1 - indent).join(""))] : text.join(""), "\n"));
  }
  return out;
}

// compare marks the characters that differ, or whole lines. Values that have nothing in common are not marked.
function compare(want, got) {
  if (!want && !got) return null;
  want = want || ""; got = got || "";
  const whole = want.includes("\n") || got.includes("\n");
  const a = whole ? want.split("\n") : [...want], b = whole ? got.split("\n") : [...got], both = common(a, b);
  if (whole) return lines(a, b, both);
  const alike = want[0] === '"' && got[0] === '"' && both.length >= 5;
  const side = (name, list, n) => h("div", { class: name }, h("span", { class: "label" }, name), h("code", {}, alike ? marked(list, both.map(p => p[n])) : list.join("")));
  return h("div", { class: "compare" }, side("want", a, 0), side("got", b, 1));
}

// common gives the places of the longest common subsequence.
function common(a, b) {
  const out = [];
  if (a.length * b.length > 250000) return out;
  const w = b.length + 1, n = new Uint16Array((a.length + 1) * w);
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--)
    n[i * w + j] = a[i] === b[j] ? n[(i + 1) * w + j + 1] + 1 : Math.max(n[(i + 1) * w + j], n[i * w + j + 1]);
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) out.push([i++, j++]);
    else if (n[(i + 1) * w + j] >= n[i * w + j + 1]) i++; else j++;
  }
  return out;
}

// unseen characters that differ are shown, as a person would not find them.
const unseen = { "\u00a0": "⍽", "\t": "→", "\u200b": "⟨ZWSP⟩", "\u00ad": "⟨SHY⟩", "\r": "␍" };

function marked(list, same) {
  const keep = new Set(same), out = [];
  for (let i = 0; i < list.length;) {
    const k = keep.has(i);
    let j = i;
    while (j < list.length && keep.has(j) === k) j++;
    const text = list.slice(i, j).map(c => unseen[c] || c).join("");
    out.push(k ? list.slice(i, j).join("") : h("mark", {}, text));
    i = j;
  }
  return out;
}

function lines(a, b, both) {
  const out = h("pre", { class: "diff", tabindex: "0", role: "group", "aria-label": "Difference: minus is wanted, plus is got" });
  const put = (sign, text) => out.append(h("span", { class: sign === "-" ? "want" : sign === "+" ? "got" : "" }, sign + " " + text + "\n"));
  let i = 0, j = 0;
  for (const [x, y] of [...both, [a.length, b.length]]) {
    while (i < x) put("-", a[i++]);
    while (j < y) put("+", b[j++]);
    if (i < a.length || j < b.length) { put(" ", a[i]); i++; j++; }
  }
  return out;
}

function seen(list) {
  if (!list || !list.length || list.length === 1 && list[0].times <= 1) return "";
  return list.map((x, n) => [n ? ", then " : "", h("code", {}, x.value), " ×" + x.times]);
}

function target(t) {
  const n = t.matches === 0 ? "no match" : many(t.matches, "match", "matches") + ", " + t.visible + " visible";
  return [h("code", {}, t.source), ": " + n, t.list && h("ul", {}, t.list.map(x => h("li", {}, h("code", {}, x)))),
    t.near && h("div", {}, h("span", { class: "label" }, "nearest"), t.near.map((x, i) => [i ? ", " : "", h("code", {}, x)]))];
}

function term(t) {
  const v = t.evaluated ? JSON.stringify(t.value) : "not evaluated";
  const sub = (t.sub || []).filter(x => !x.evaluated || x.source !== JSON.stringify(x.value));
  return h("li", {}, h("code", {}, t.source), " → ", h("code", { class: v === "false" ? "no" : v === "true" ? "yes" : "" }, v === undefined ? "nil" : v),
    sub.length > 0 && h("ul", {}, sub.map(term)));
}

function fault(x) {
  const at = x.url && !x.text.includes(x.url) ? " (" + x.url + (x.line ? ":" + x.line : "") + ")" : "";
  return [(x.session ? "in session " + x.session + ", " : "") + x.kind.replaceAll("_", " ") + ": " + x.text + at, x.source && h("div", {}, "→ ", h("code", {}, x.source))];
}

const rowSigns = { "completed": ["✓", "passed", "done"], "failed": ["✕", "failed", "failed"], "sent-unknown": ["?", "unknown", "sent, outcome unknown"], "not-run": ["–", "not-run", "not run"] };

function progress(list) {
  return h("ol", { class: "progress" }, list.map(r => {
    const [sign, kind, text] = rowSigns[r.state] || rowSigns["not-run"];
    return h("li", { class: "s-" + kind }, h("span", { class: "sign", "aria-hidden": "true" }, sign), h("span", { class: "n" }, String(r.line)), h("code", {}, r.text),
      kind === "passed" ? h("span", { class: "hide" }, text) : h("span", { class: "dim" }, text));
  }));
}

// evidence is what the page showed when it failed.
function evidence(list, texts) {
  const out = h("div", { class: "evidence" });
  const name = a => a.path.slice(a.path.lastIndexOf("/") + 1);
  for (const a of list.filter(x => x.type.startsWith("image/"))) out.append(picture(a));
  for (const a of list.filter(x => x.text)) {
    const text = texts[a.text] || "", all = text.replace(/\n$/, "").split("\n");
    const note = [h("span", { class: "dim" }, name(a)), a.cut && h("span", { class: "dim" }, "a part; ", file(a, "the whole file"))];
    if (a.kind === "network") out.append(section("Network", requests(all), note, all.some(lost)));
    else if (a.kind === "console") out.append(section("Console", h("ul", { class: "log" }, all.map(logLine)), note, true));
    else if (a.kind === "snapshot") out.append(section("Accessibility tree", pre(text, "Accessibility tree"), note, false));
    else if (a.kind === "rows") out.append(section("Rows before the failure", pre(text, "Rows before the failure"), note, false));
    else out.append(section(a.kind, pre(text, a.kind), note, false));
  }
  return out;
}

const section = (title, body, note, open) => h("details", { open }, h("summary", {}, h("b", {}, title), " ", note), body);

const parse = line => /^(\S+) (.*?) ([^ ]+|net::.*|\D.*) \(([\w-]+)\)$/.exec(line);
function lost(line) {
  const m = parse(line);
  return m && m[3] !== "pending" && !/^[123]\d\d$/.test(m[3]);
}

// requests shows the failed ones first.
function requests(list) {
  const all = [...list.filter(lost), ...list.filter(x => !lost(x))].map(line => {
    const m = parse(line);
    if (!m) return h("tr", {}, h("td", { colspan: "4" }, line));
    return h("tr", { class: lost(line) ? "lost" : "" }, h("td", {}, lost(line) ? "✕ " + m[3] : m[3]), h("td", {}, m[1]), h("td", { class: "url" }, m[2]), h("td", {}, m[4]));
  });
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Network" }, h("table", { class: "net" },
    h("thead", {}, h("tr", {}, ["Status", "Method", "URL", "Type"].map(x => h("th", { scope: "col" }, x)))), h("tbody", {}, all)));
}

function logLine(x) {
  const level = /^(error|uncaught|assert)/.test(x) ? "error" : /^warn/.test(x) ? "warn" : "";
  return h("li", { class: level }, x);
}

function picture(a) {
  const e = a.image && $("image-" + a.image), src = e ? e.textContent : link(a.path), name = a.path.slice(a.path.lastIndexOf("/") + 1);
  const img = h("img", { src, alt: "Screenshot " + name, loading: e ? undefined : "lazy", width: a.width || undefined, height: a.height || undefined });
  const fig = h("figure", {}, h("button", { type: "button", class: "shot", "aria-label": "Enlarge " + name, onclick: () => enlarge(src, name) }, img),
    h("figcaption", {}, name, a.width ? " · " + a.width + " × " + a.height : "", a.blank ? " · blank: all of one colour" : ""));
  img.addEventListener("error", () => fig.replaceChildren(h("figcaption", {}, name + " is not beside this report: " + a.path)));
  return fig;
}

function enlarge(src, name) {
  const d = $("view");
  d.replaceChildren(h("button", { type: "button", class: "close", onclick: () => d.close() }, "Close"), h("img", { src, alt: "Screenshot " + name }));
  d.showModal();
}

// media shows the pictures and films of steps that are no evidence of a failure.
function media(list) {
  const kept = list.filter(a => a.state === "saved" || a.state === "unverified");
  const all = [...kept.filter(a => a.type.startsWith("image/") && a.type !== "image/svg+xml").map(picture), ...kept.filter(a => a.type.startsWith("video/")).map(a =>
    h("figure", {}, h("video", { src: link(a.path), controls: true, preload: "none", "aria-label": a.path }), h("figcaption", {}, file(a, a.path.slice(a.path.lastIndexOf("/") + 1)))))];
  return all.length ? h("section", { class: "card", "aria-label": "Pictures" }, h("h3", {}, "Pictures"), h("div", { class: "gallery" }, all)) : null;
}

const file = (a, text) => h("a", { href: link(a.path), target: "_blank", rel: "noopener" }, text);

const firstSteps = 400;

function stepList(a, file) {
  const all = a.steps || [];
  if (!all.length) return null;
  const most = Math.max(...all.map(s => s.ms), 1), body = h("ol", { class: "steps" });
  let phase = "";
  const put = list => list.forEach(s => {
    if ((s.phase || "") !== phase) body.append(h("li", { class: "phase" }, (phase = s.phase || "") || "steps"));
    body.append(stepLine(s, most));
  });
  put(all.slice(0, firstSteps));
  const box = h("section", { class: "card", "aria-labelledby": "steps-title" }, h("h3", { id: "steps-title" }, "Steps ", h("span", { class: "dim" }, many(all.length, "step") + ", " + took(a.ms) + ", worker " + a.worker)), body);
  if (all.length > firstSteps) {
    const more = h("button", { type: "button", class: "more", onclick: () => { more.remove(); put(all.slice(firstSteps)); } }, "Show " + many(all.length - firstSteps, "more step"));
    box.append(more);
  }
  return box;
}

function stepLine(s, most) {
  const [sign, kind, text] = rowSigns[s.state || "completed"] || rowSigns["not-run"], depth = Math.min(6, (s.path.match(/\./g) || []).length);
  const more = [s.title && h("strong", {}, s.title), s.file && h("code", {}, s.file), s.from && h("span", {}, "from " + s.from), s.session && h("span", {}, "session " + s.session),
    s.tries > 1 && h("span", { class: "warn" }, s.tries + " tries"), s.url && h("span", { class: "url" }, "↪ " + s.url), s.summary && h("span", {}, s.summary),
    s.value && h("code", { class: "value" }, "→ " + s.value), s.error && h("span", { class: "error" }, s.error),
    (s.warnings || []).map(x => h("span", { class: "warn" }, "Warning: " + x)),
    (s.checks || []).map(c => h("span", { class: c.state === "passed" ? "" : "error" }, (c.state === "passed" ? "✓ " : "✕ ") + c.name + (c.state === "passed" ? "" : ", " + c.state) + (c.text ? ": " + c.text : ""))),
    (s.files || []).map(p => h("a", { href: link(p), target: "_blank", rel: "noopener" }, p.slice(p.lastIndexOf("/") + 1)))].flat().filter(Boolean);
  return h("li", { class: "step s-" + kind, css: { "--depth": depth } },
    h("span", { class: "sign", "aria-hidden": "true" }, sign), h("span", { class: "n" }, s.line ? String(s.line) : ""),
    h("code", { class: "what" }, s.row || s.path, h("span", { class: "hide" }, " " + text)),
    h("span", { class: "ms", title: "began " + took(s.at) + " into the attempt" }, kind === "not-run" ? "not run" : took(s.ms),
      h("span", { class: "len", css: { width: (100 * s.ms / most).toFixed(1) + "%" } })),
    more.length > 0 && h("div", { class: "more" }, more));
}

const stateWords = { saved: ["✓", "passed"], pending: ["…", "not-run"], missing: ["✕", "failed"], stale: ["!", "error"], invalid: ["✕", "failed"], unverified: ["?", "unknown"] };

function fileTable(list) {
  const once = [...new Map(list.map(a => [a.path, a])).values()];
  if (!once.length) return null;
  return h("section", { class: "card", "aria-labelledby": "files-title" }, h("h3", { id: "files-title" }, "Files ", h("span", { class: "dim" }, String(once.length))),
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Files" }, h("table", { class: "files" },
      h("thead", {}, h("tr", {}, ["State", "File", "Kind", "Size", "SHA-256"].map(x => h("th", { scope: "col" }, x)))),
      h("tbody", {}, once.map(fileLine)))));
}

function fileLine(a) {
  const [sign, kind] = stateWords[a.state] || ["?", "unknown"], name = a.path.slice(a.path.lastIndexOf("/") + 1);
  const size_ = [size(a.bytes || 0), a.width && a.width + " × " + a.height, a.pages && many(a.pages, "page"), a.duration_ms && took(a.duration_ms), a.entries && many(a.entries, "entry", "entries"), ...(a.streams || [])];
  return h("tr", {}, h("td", { class: "state s-" + kind }, h("span", { class: "sign", "aria-hidden": "true" }, sign), a.state || "unknown"),
    h("td", {}, a.state === "missing" ? name : file(a, name), a.redacted && h("div", { class: "dim" }, "secrets hidden"), a.blank && h("div", { class: "warn" }, "blank"), a.error && h("div", { class: "error" }, a.error)),
    h("td", {}, a.kind), h("td", {}, size_.filter(Boolean).join(" · ")),
    h("td", {}, a.sha256 ? [h("code", { title: a.sha256 }, a.sha256.replace(/^sha256:/, "").slice(0, 12)), " ", copy("Copy", a.sha256.replace(/^sha256:/, ""), "Copy the digest of " + name)] : "–"));
}
