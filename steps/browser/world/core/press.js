// The click: checks, arming, and the verdict on the first trusted event of the gesture.
const EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick'];
const say = s => { if (G.__crhit) G.__crhit(s); };

// guard puts the listeners on a window at document start, before any script of the page. document.open() drops all
// listeners: renew puts them back, and does nothing where they are.
const guard = w => {
  const c = { arm: null, last: null }, on = e => { if (c.arm) judge(c.arm, e); };
  c.renew = () => { for (const t of EVENTS) w.addEventListener(t, on, { capture: true, passive: false }); };
  c.renew();
  return c;
};
const disarm = a => { for (const c of a.guards) if (c.arm === a) c.arm = null; };
const judge = (a, e) => {
  if (!e.isTrusted || a.event === e) return;
  a.event = e; // one window can have listeners of two contexts
  if (now() > a.until) { disarm(a); return; }
  if (!a.first) {
    const p = e.composedPath();
    a.first = p.includes(a.hit) ? 'hit' : 'miss';
    if (a.first === 'miss') a.by = name(p[0]);
    say(a.t + ' ' + a.first);
  }
  if (a.first === 'miss') {
    e.preventDefault();
    e.stopImmediatePropagation();
    return;
  }
  if (e.type === 'click' && ++a.clicks >= a.count) {
    disarm(a);
    say(a.t + ' click');
    if (a.want !== undefined) setTimeout(() => say(a.t + ' checked ' + checked(a.field)), 0);
  }
};

// moving tells that an animation runs that can move the element's box.
const STILL = /color$|^(offset|computedOffset|easing|composite|opacity|visibility|cursor|filter|backdropFilter)$|^(background|outline|boxShadow|textShadow|textDecoration|fill|stroke|caret|accent)/i;
const moves = a => a.playState === 'running' && (!a.effect || !a.effect.getKeyframes || a.effect.getKeyframes().some(k => Object.keys(k).some(p => !STILL.test(p))));
const moving = el => { for (let n = el; n; n = up(n)) if (n.getAnimations && n.getAnimations().some(moves)) return true; return false; };

// place is a point of the element that lies in its own viewport.
const place = el => {
  const w = view(el);
  for (const r of el.getClientRects()) {
    const l = Math.max(r.left, 0), t = Math.max(r.top, 0), x = Math.min(r.right, w.innerWidth), y = Math.min(r.bottom, w.innerHeight);
    if (r.width * r.height > 0.99 && (x - l) * (y - t) > 0.99) return { x: (l + x) / 2, y: (t + y) / 2 };
  }
  return null;
};

// reach carries a point up to the main frame's viewport and tests in every document that the press gets there.
const reach = (el, hit, p) => {
  if (!p) return { s: 'offscreen' };
  let { x, y } = p;
  const h = deep(el.ownerDocument, x, y);
  if (!h) return { s: 'offscreen' };
  if (!inside(h, hit)) return { s: 'covered', d: name(h) };
  const wins = [view(el)];
  for (let w = wins[0]; w !== w.parent; w = w.parent, wins.push(w)) {
    let fe = null;
    try { fe = w.frameElement; } catch { /* another origin */ }
    if (!fe) return { s: 'frame', d: 'in a frame of another origin' };
    const fr = fe.getBoundingClientRect();
    if (Math.abs(fr.width - fe.offsetWidth) > .5 || Math.abs(fr.height - fe.offsetHeight) > .5 || w.devicePixelRatio !== w.parent.devicePixelRatio) return { s: 'frame', d: 'in a transformed frame' };
    const st = styleOf(fe);
    x += fr.x + fe.clientLeft + parseFloat(st.paddingLeft);
    y += fr.y + fe.clientTop + parseFloat(st.paddingTop);
    const o = deep(fe.ownerDocument, x, y);
    if (o !== fe) return o ? { s: 'covered', d: name(o) } : { s: 'offscreen' };
  }
  const top = wins[wins.length - 1], vv = top.visualViewport;
  if (vv && (vv.scale !== 1 || vv.offsetLeft || vv.offsetTop)) return { s: 'frame', d: 'the viewport is scaled' };
  return { x, y, wins };
};

// ready checks that a press would reach el and gives the point. It scrolls if it must: into the middle first, then to
// the edges, from under headers that stick.
const ready = (el, o) => {
  if (!el.isConnected) return { s: 'missing' };
  if (disabled(el)) return { s: 'disabled' };
  if (!visible(el)) return { s: 'invisible' };
  if (!o.stable && moving(el)) return { s: 'moving' };
  const hit = pressed(el);
  let r = reach(el, hit, place(el));
  for (const block of o.calm ? ['center'] : ['center', 'end', 'start']) {
    if (r.s !== 'offscreen' && (r.s !== 'covered' || o.calm)) break;
    el.scrollIntoView({ block, inline: 'center', behavior: 'instant' });
    r = reach(el, hit, place(el));
  }
  if (!r.s) r.hit = hit;
  return r;
};

const arm = (el, o) => {
  const field = control(el), f = fieldOf(field);
  if (o.want !== undefined) {
    if (!checkable(field)) return { s: 'not-this', d: name(el) + ' is no checkbox or radio button' };
    if (checked(field) === o.want) return { s: 'already', c: o.want, f };
    if (!o.want && (field.type === 'radio' || field.getAttribute('role') === 'radio')) return { s: 'not-this', d: 'a radio button cannot be unchecked' };
  }
  const r = ready(el, o);
  if (r.s || o.op === 'point') return r.s ? r : { x: r.x, y: r.y, f };
  const a = { t: o.t, hit: r.hit, first: '', by: '', clicks: 0, count: o.count || 1, want: o.want, field, until: now() + (o.life || 5000) };
  a.guards = r.wins.map(w => (w.__cr || (w.__cr = { guard: guard(w) })).guard);
  for (const c of a.guards) { if (c.arm) disarm(c.arm); c.renew(); c.arm = c.last = a; }
  return { x: r.x, y: r.y, f };
};
// verdict ends an arm and tells what it saw: for the few clicks whose binding call came late, and after a miss.
const own = guard(G);
const verdict = t => {
  const a = own.last;
  if (!a || a.t !== t) return {};
  disarm(a);
  return { fi: a.first, k: a.clicks >= a.count, d: a.by, c: a.want !== undefined && checked(a.field) };
};
