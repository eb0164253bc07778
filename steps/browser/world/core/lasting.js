// Naming an element so that the name lasts: by role and name, by label, by test id, then CSS. A name counts only if it finds
// this element and no other that can be seen, by the same code that will look for it.
const quote = s => '"' + s.replace(/[\\"]/g, '\\$&') + '"';
const plain = s => !/^["']|>>/.test(s);
const spell = (s, exact) => exact || !plain(s) ? quote(s) : s;
const finds = (el, parts) => {
  texts = new Map();
  try {
    const all = chain(D, parts), vis = all.filter(visible);
    return vis.length === 1 ? vis[0] === el : !vis.length && all.length === 1 && all[0] === el;
  } catch { return false; } finally { texts = new Map(); }
};
const maybe = (f, or) => { try { return f(); } catch { return or; } };
const LONG = 80, DULL = words('generic none presentation paragraph document group');
const roleName = el => {
  const r = maybe(() => role(el), ''), n = r ? maybe(() => squash(alt(el, { self: true }, new Set())), '') : '';
  return DULL.has(r) || NAMELESS.has(r) ? ['', ''] : [r, n.length <= LONG ? n : ''];
};
// made tells an id or class that a program has numbered: it will be another one tomorrow.
const made = s => /\d{3,}|[0-9a-f]{8}|^[\d:]|:|\d+$/i.test(s) || s.length > 40;
const ident = s => CSS.escape(s);

// ways lists how an element may be named, the best first: [text of the target, its part].
const ways = el => {
  const out = [], [r, n] = roleName(el);
  const both = (before, k, v, named) => {
    for (const x of [false, true]) {
      if (!x && !plain(named ?? v)) continue;
      out.push([before + spell(named ?? v, x), named === undefined ? [k, v, x] : [k, v, x, named]]);
    }
  };
  if (r && n) both('role=' + r + ' ', 'role', r, n);
  if (el.matches(FIELDS)) for (const l of labelsOf(el)) if (l && l.length <= LONG) both('label=', 'label', l);
  const id = el.getAttribute('data-testid');
  if (id) out.push(['testid=' + spell(id, false), ['data-testid', id, true]]);
  if (el.id && !made(el.id)) out.push(['#' + ident(el.id), ['css', '#' + ident(el.id)]]);
  const tag = el.localName;
  for (const a of ['data-test', 'data-qa', 'name', 'placeholder', 'href', 'title', 'alt']) {
    const v = el.getAttribute(a);
    if (!v || v.length > LONG || /["\\\n]/.test(v) || (a === 'href' && made(v))) continue;
    const s = tag + '[' + a + '="' + v + '"]';
    out.push([s, ['css', s]]);
  }
  return out;
};

// within: an ancestor that is one of a kind, or that a text in it tells apart.
const marks = a => {
  const out = [], id = a.getAttribute('data-testid'), [r, n] = roleName(a), tag = a.localName;
  if (id) out.push(['testid=' + spell(id, true), ['data-testid', id, true]]);
  if (a.id && !made(a.id)) out.push(['#' + ident(a.id), ['css', '#' + ident(a.id)]]);
  if (n && (a.hasAttribute('aria-label') || a.hasAttribute('aria-labelledby'))) out.push(['role=' + r + ' ' + spell(n, true), ['role', r, true, n]]);
  if (/^(li|tr|article|section|fieldset|dialog|form|details)$/.test(tag) || a.hasAttribute('role')) {
    for (const h of a.querySelectorAll('h1,h2,h3,h4,h5,h6,legend,summary,th,td,strong,b,a,span,p')) {
      const t = squash(h.textContent);
      if (!t || t.length > 40 || /["\\]/.test(t) || !visible(h)) continue;
      const s = tag + ':has-text("' + t + '")';
      out.push([s, ['css', s]]);
      if (out.length > 8) break;
    }
  }
  return out;
};
const path = el => {
  const out = [];
  for (let n = el; n && n !== D.documentElement; n = n.parentElement) {
    if (n.id && !made(n.id)) { out.unshift('#' + ident(n.id)); break; }
    const same = n.parentElement ? [...n.parentElement.children].filter(c => c.localName === n.localName) : [n];
    out.unshift(n.localName + (same.length > 1 ? ':nth-of-type(' + (same.indexOf(n) + 1) + ')' : ''));
  }
  return out.join(' > ');
};

// lasting is the best name of an element; '' if there is none.
const lasting = el => {
  const list = ways(el);
  for (const [s, p] of list) if (finds(el, [p])) return s;
  for (let a = up(el); a && a !== D.body && a !== D.documentElement; a = up(a)) {
    for (const [s, p] of marks(a)) {
      for (const [t, q] of list) if (finds(el, [p, q])) return s + ' >> ' + t;
    }
  }
  const s = path(el);
  return finds(el, [['css', s]]) ? s : '';
};
