// One request: find, choose, act, answer.
const listing = all => all.slice(0, 10).map(e => name(e) + (visible(e) ? '' : ' (not visible)'));
// counted tells how many matches of a read can be seen, and that the first is not among them. Of very many it would cost
// more than the read.
const counted = (o, all) => {
  if (o.op === 'page' || all.length > 100) return {};
  const vis = all.filter(visible);
  return { vis: vis.length, hid: vis[0] !== all[0] };
};
const once = (o, all) => {
  const n = all.length;
  if (o.op === 'count') return { n };
  if (o.op === 'describe') return { n, vis: all.filter(visible).length, l: listing(all) };
  if (READS[o.op]) {
    if (!n) return { s: 'missing', b: o.op === 'is' && (o.a === 'hidden' || o.a === 'detached') };
    return Object.assign({ n }, counted(o, all), READS[o.op](all[0], o));
  }
  if (!n) return { s: 'missing' };
  const vis = all.filter(visible);
  if (!vis.length && o.op !== 'scroll') return { s: 'invisible', n, l: listing(all) };
  if (vis.length > 1 && !o.loose) return { s: 'multiple', n, vis: vis.length, l: listing(vis) };
  const el = vis[0] || all[0];
  o.el = el;
  return Object.assign({ n, vis: vis.length, e: name(el) }, CHANGES[o.op](el, o));
};
const attempt = (o, all) => {
  try {
    return once(o, all || (o.q ? find(o.q) : [D.scrollingElement || D.documentElement]));
  } catch (e) {
    if (e instanceof Refuse) return Object.assign({ s: e.s, d: e.d }, e.x);
    if (e && (e.name === 'SyntaxError' || e.name === 'NamespaceError')) return { s: 'bad-target', d: String(e.message) };
    throw e;
  }
};

// key is a reading as one text, to see changes by.
const key = (o, a) => a.s ? '?' + a.s : a.z ? '?null' : o.op === 'count' ? '=' + a.n : o.op === 'is' ? '=' + !!a.b : '=' + (a.v ?? JSON.stringify(a.box || a.st || ''));
const compare = (n, s) => {
  const m = /^\s*(==|!=|<=|>=|<|>)?\s*(\d+)\s*$/.exec(s);
  if (!m) return false;
  const w = +m[2];
  return { '==': n === w, '!=': n !== w, '<=': n <= w, '>=': n >= w, '<': n < w, '>': n > w }[m[1] || '=='];
};
const OUTSIDE = new Set(['scope-missing', 'scope-several']);
const met = (o, a) => {
  const u = o.u || {};
  let ok;
  if (OUTSIDE.has(a.s)) return false;
  switch (u.c) {
    case 'scope': return true;
    case undefined: return !a.s || a.s === 'already' || a.s === 'type';
    case 'changed': return key(o, a) !== u.w;
    case 'count': ok = compare(a.n, u.w); break;
    case 'true': if (a.s && !(a.s === 'missing' && a.b)) return false; ok = !!a.b; break;
    default:
      if (a.s || a.z) return false;
      ok = u.c === 'equals' ? squash(a.v) === squash(u.w || '') : squash(a.v).includes(squash(u.w || ''));
  }
  return ok !== !!u.not;
};
const FINAL = new Set(['bad-target', 'not-this', 'malformed', 'frame', 'already', 'unfocused', 'readonly']);

const see = (o, a, seen) => {
  if (!READS[o.op] && o.op !== 'count') return;
  const k = cut(key(o, a), 2000), last = seen[seen.length - 1];
  if (last && last.v === k) last.t++;
  else { seen.push({ v: k, t: 1 }); if (seen.length > 50) seen.splice(1, 1); }
};

// still waits for two frames in which the box stays where it is, as somebody who aims does.
const still = (el, then) => {
  const box = () => { const r = el.getBoundingClientRect(); return [r.x, r.y, r.width, r.height].join(); };
  const a = box();
  view(el).requestAnimationFrame(() => view(el).requestAnimationFrame(() => then(el.isConnected && box() === a)));
};

// lying is the index of the first overlay that is visible, -1 if none is.
const lying = o => (o.ov || []).findIndex(q => { try { return find(q).some(visible); } catch { return false; } });

// poll tries until it is met, or o.w milliseconds are over: at each change of the document, and by the clock for what no
// observer sees.
const poll = o => new Promise(resolve => {
  const end = now() + o.w, seen = [], mo = new MutationObserver(() => soon());
  let timer = 0, due = Infinity, tries = 0, since = 0, over = false, cost = 0;
  const finish = (a, ok) => {
    if (over) return;
    over = true;
    mo.disconnect();
    clearTimeout(timer);
    if (seen.length) a.seen = seen;
    a.met = ok;
    resolve(JSON.stringify(a));
  };
  const at = ms => {
    const t = Math.min(now() + ms, end);
    if (over || t >= due) return;
    clearTimeout(timer);
    due = t;
    timer = setTimeout(tick, Math.max(0, t - now()));
  };
  const soon = () => at(Math.max(4, 3 * cost));
  const tick = () => {
    if (over) return;
    due = Infinity;
    const t0 = now();
    let a;
    try { a = attempt(o); } catch (e) { a = { s: 'error', d: String(e && e.stack || e) }; }
    cost = now() - t0;
    o.calm = true;
    o.stable = false;
    tries++;
    see(o, a, seen);
    const ok = met(o, a);
    if (o.ov && !ok && !FINAL.has(a.s) && a.s !== 'error') {
      const i = lying(o);
      if (i >= 0) return finish({ s: 'overlay', i, n: a.n, vis: a.vis, d: a.s }, false);
    }
    if (!ok) since = 0; else if (!since) since = now();
    if (ok && now() - since >= ((o.u && o.u.hold) || 0)) return finish(a, true);
    if (now() >= end || (!ok && (FINAL.has(a.s) || a.s === 'error'))) return finish(a, false);
    at(ok ? Math.min(20, o.u.hold) : tries < 4 ? 20 : tries < 10 ? 50 : 100);
    if (a.s === 'moving' && o.el) still(o.el, same => { if (same && !over) { o.stable = true; at(0); } });
  };
  mo.observe(D, { subtree: true, childList: true, attributes: true, characterData: true });
  tick();
});
const run = o => {
  if (o.op === 'over') { const i = lying(o); return JSON.stringify({ i: Math.max(i, 0), b: i >= 0 }); }
  if (o.op === 'verdict') return JSON.stringify(verdict(o.t));
  return o.w ? poll(o) : JSON.stringify(attempt(o));
};

// The hand-over from the driver's world: an event that only this world knows the name of, on the element, with a
// detached carrier as its related target. "add" notes one match after the other, "run" acts and answers.
const notes = new WeakMap();
const takeOver = e => {
  e.stopImmediatePropagation();
  const c = e.relatedTarget, el = e.composedPath()[0];
  if (!c) return;
  const all = notes.get(c) || [];
  notes.set(c, all);
  if (!c.hasAttribute('run')) { if (!all.includes(el)) all.push(el); return; }
  const o = JSON.parse(c.getAttribute('q'));
  let a;
  try { a = o.root ? JSON.parse(run(o)) : attempt(o, all); } catch (x) { a = { s: 'error', d: String(x && x.stack || x) }; }
  if (o.u) a.met = met(o, a);
  c.setAttribute('v', JSON.stringify(a));
};
const listen = () => { own.renew(); addEventListener(SECRET, takeOver, true); };
listen();
new MutationObserver(listen).observe(D, { childList: true });
G.__cr = { run, guard: own };
if (G === G.top) { say('@'); addEventListener('pageshow', e => { if (e.persisted) say('@'); }); }
