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
