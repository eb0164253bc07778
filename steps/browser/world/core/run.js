// A request that waits, and the hand-over from the driver.
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
