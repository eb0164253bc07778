// Finding elements. A query is {f: [parts of each frame], c: [[is a frame, parts] of each scope], p: parts}; a part is
// [kind, value, exact]. Without parts the innermost scope itself is meant.
class Refuse { constructor(s, d, x) { this.s = s; this.d = d; this.x = x; } }

// rootsOf lists the trees a query looks into: the root and every open shadow root below it.
const rootsOf = root => {
  const out = [root];
  if (root.shadowRoot) rootsBelow(root.shadowRoot, out);
  return rootsBelow(root, out, true);
};
const rootsBelow = (root, out, have) => {
  if (!have) out.push(root);
  for (const e of root.querySelectorAll('*')) if (e.shadowRoot) rootsBelow(e.shadowRoot, out);
  return out;
};

// order sorts elements of several trees as they stand: an element, what is in it, then its shadow.
const chainOf = n => { const c = []; for (; n; n = parentOf(n)) c.push(n); return c.reverse(); };
const order = (a, b) => {
  if (a === b) return 0;
  const x = chainOf(a), y = chainOf(b);
  let i = 0;
  while (i < x.length && i < y.length && x[i] === y[i]) i++;
  if (i === x.length) return -1;
  if (i === y.length) return 1;
  if (x[i].parentNode === y[i].parentNode) return x[i].compareDocumentPosition(y[i]) & 4 ? -1 : 1;
  return x[i].parentNode.nodeType === 11 ? 1 : -1;
};

// within collects from every tree below root, tree by tree.
const within = (root, get) => {
  const rs = rootsOf(root);
  return rs.length === 1 ? get(root) : [].concat(...rs.map(get));
};

// complex splits a selector list into compounds and combinators, and takes out what a browser
// does not know or, in pieces, would misread: :has-text("…"), :visible, :scope.
const EXTRA = /^:(has-text)\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\)|^:(visible|scope)(?![\w(-])/i;
const parsed = new Map();
const complex = sel => {
  let list = parsed.get(sel);
  if (list) return list;
  list = [];
  let chain = [], css = '', tests = [], scope = false, comb = '', i = 0;
  const end = next => {
    if (css || tests.length) { chain.push({ css: css || '*', tests, comb, scope }); comb = ''; }
    css = ''; tests = []; scope = false;
    if (next && next !== ' ') comb = next; else if (next && !comb) comb = ' ';
  };
  while (i < sel.length) {
    const c = sel[i], m = c === ':' && EXTRA.exec(sel.slice(i));
    if (m) {
      if (m[1]) { const t = squash(m[2].slice(1, -1).replace(/\\(.)/g, '$1')).toLowerCase(); tests.push(e => !skip(e) && text(e).toLowerCase().includes(t)); }
      else if (/scope/i.test(m[3])) { scope = true; tests.push((e, s) => e === (s.documentElement || s)); }
      else tests.push(e => visible(e));
      i += m[0].length;
    } else if (c === '\\') { css += c + (sel[i + 1] || ''); i += 2; }
    else if (c === '[' || c === '(' || c === '"' || c === "'") { const j = past(sel, i); css += sel.slice(i, j); i = j; }
    else if (c === ',') { end(); if (chain.length) list.push(chain); chain = []; comb = ''; i++; }
    else if (/[\s>+~]/.test(c)) { end(/\s/.test(c) ? ' ' : c); i++; }
    else { css += c; i++; }
  }
  end();
  if (chain.length) list.push(chain);
  if (parsed.size > 500) parsed.clear();
  parsed.set(sel, list);
  return list;
};
// past gives the index behind the bracket or string that starts at i.
const past = (s, i) => {
  const open = s[i], close = { '[': ']', '(': ')' }[open] || open;
  for (let j = i + 1; j < s.length; j++) {
    if (s[j] === '\\') j++;
    else if (s[j] === close) return j + 1;
    else if (close !== open && '[("\''.includes(s[j])) j = past(s, j) - 1;
  }
  return s.length;
};

const fits = (e, p, scope) => (e !== scope || p.scope) && e.matches(p.css) && p.tests.every(t => t(e, scope));
// left tells that what stands before compound k in the chain holds for e, inside the scope.
const left = (e, chain, k, scope) => {
  if (k === 0) {
    const c = chain[0].comb;
    return !c || (scope.nodeType === 1 && (c === ' ' ? true : c === '>' ? parentOf(e) === scope : false));
  }
  const p = chain[k - 1];
  switch (chain[k].comb) {
    case ' ':
      for (let a = e !== scope && parentOf(e); a; a = a !== scope && parentOf(a)) if (fits(a, p, scope) && left(a, chain, k - 1, scope)) return true;
      return false;
    case '>': { const a = e !== scope && parentOf(e); return !!a && fits(a, p, scope) && left(a, chain, k - 1, scope); }
    case '+': { const a = e.previousElementSibling; return !!a && fits(a, p, scope) && left(a, chain, k - 1, scope); }
    default:
      for (let a = e.previousElementSibling; a; a = a.previousElementSibling) if (fits(a, p, scope) && left(a, chain, k - 1, scope)) return true;
      return false;
  }
};
const css = (root, sel) => {
  const list = complex(sel);
  const plain = list.every(ch => ch.every(p => !p.tests.length));
  const single = plain && list.every(ch => ch.length === 1 && !ch[0].comb);
  if (single || (plain && root.nodeType === 9 && rootsOf(root).length === 1)) return within(root, r => [...r.querySelectorAll(sel)]);
  if (plain && root.nodeType === 9) root.querySelector(sel); // a selector that no browser takes must not pass as empty
  const set = new Set();
  for (const ch of list) {
    const last = ch[ch.length - 1];
    for (const e of within(root, r => [...r.querySelectorAll(last.css)])) if (last.tests.every(t => t(e, root)) && left(e, ch, ch.length - 1, root)) set.add(e);
  }
  return list.length > 1 ? [...set].sort(order) : [...set];
};

const xpath = (root, x) => {
  const doc = root.nodeType === 9 ? root : root.ownerDocument;
  if (x.startsWith('/') && root !== doc) x = '.' + x;
  const r = doc.evaluate(x, root, null, 7, null), out = [];
  for (let i = 0; i < r.snapshotLength; i++) if (r.snapshotItem(i).nodeType === 1) out.push(r.snapshotItem(i));
  return out;
};

// text is the normalised text of an element for matching, its shadow included; texts caches it for one call.
let texts = new Map();
const skip = e => e.nodeName === 'SCRIPT' || e.nodeName === 'NOSCRIPT' || e.nodeName === 'STYLE' || !!(e.ownerDocument.head && e.ownerDocument.head.contains(e));
const full = root => {
  let v = texts.get(root);
  if (v !== undefined) return v;
  v = '';
  if (!(root.nodeType === 1 && skip(root))) {
    if (root.localName === 'input' && /^(submit|button|reset)$/.test(root.type)) v = root.value;
    else {
      for (let c = root.firstChild; c; c = c.nextSibling) v += c.nodeType === 3 ? c.nodeValue : c.nodeType === 1 ? full(c) : '';
      if (root.shadowRoot) v += full(root.shadowRoot);
    }
  }
  texts.set(root, v);
  return v;
};
const text = e => squash(full(e));
const matcher = (want, exact) => { want = squash(want); if (exact) return s => s === want; want = want.toLowerCase(); return s => s.toLowerCase().includes(want); };

// byText are the innermost elements whose text matches.
const byText = (root, want, exact) => {
  const m = matcher(want, exact), hit = e => m(text(e));
  const own = e => !skip(e) && hit(e) && ![...e.children].some(hit) && !(e.shadowRoot && hit(e.shadowRoot));
  const out = within(root, r => [...r.querySelectorAll('*')].filter(own));
  return root.nodeType === 1 && own(root) ? [root, ...out] : out;
};
const labelsOf = e => {
  if (e.hasAttribute('aria-labelledby')) {
    const r = e.getRootNode(), ls = e.getAttribute('aria-labelledby').split(/\s+/).filter(Boolean).map(i => r.getElementById && r.getElementById(i)).filter(Boolean);
    if (ls.length) return ls.map(text);
  }
  const a = e.getAttribute('aria-label');
  if (a !== null && a.trim()) return [squash(a)];
  return e.labels && e.type !== 'hidden' ? [...e.labels].map(text) : [];
};
const byLabel = (root, want, exact) => {
  const m = matcher(want, exact);
  return within(root, r => [...r.querySelectorAll('[aria-label],[aria-labelledby],button,input,meter,output,progress,select,textarea')].filter(e => labelsOf(e).some(m)));
};
const byAttr = (root, attr, want, exact) => {
  const m = exact ? s => s === want : s => s.toLowerCase().includes(want.toLowerCase());
  return within(root, r => [...r.querySelectorAll('[' + attr + ']')].filter(e => m(e.getAttribute(attr))));
};

const part = (root, [k, v, x, named]) => {
  switch (k) {
    case 'css': return css(root, v);
    case 'xpath': return xpath(root, v);
    case 'text': return byText(root, v, x);
    case 'role': return byRole(root, v, named, x);
    case 'label': return byLabel(root, v, x);
    default: return byAttr(root, k, v, x);
  }
};
const chain = (root, parts) => {
  let set = [root];
  for (const p of parts) {
    if (p[0] === 'nth') { const e = set.at(p[1]); set = e ? [e] : []; continue; }
    if (set.length === 1) { set = part(set[0], p); continue; }
    const out = new Set();
    for (const r of set) for (const e of part(r, p)) out.add(e);
    set = [...out];
  }
  return set;
};
const inFrame = fe => {
  if (!('contentDocument' in fe)) throw new Refuse('bad-target', name(fe) + ' is no frame');
  if (!fe.contentDocument) throw new Refuse('frame', 'a frame of another origin: ' + name(fe));
  return fe.contentDocument;
};
// only is the one match of a scope: of several the one that is visible.
const only = (all, i) => {
  if (all.length === 1) return all[0];
  const vis = all.filter(visible);
  if (vis.length === 1) return vis[0];
  throw new Refuse(all.length ? 'scope-several' : 'scope-missing', '', { n: all.length, vis: vis.length, l: listing(all), i });
};
const find = q => {
  texts = new Map();
  let root = D;
  for (const f of q.f || []) {
    const fe = chain(root, f)[0];
    if (!fe) return [];
    root = inFrame(fe);
  }
  (q.c || []).forEach(([frame, parts], i) => {
    const el = only(chain(root, parts), i);
    root = frame ? inFrame(el) : el;
    // While a frame is parsed its scripts have yet to run: a press would reach a page that does not react.
    if (frame && root.readyState === 'loading') throw new Refuse('scope-missing', 'loading', { n: 1, i });
  });
  const out = q.p.length ? chain(root, q.p) : [root];
  texts = new Map();
  return out;
};
