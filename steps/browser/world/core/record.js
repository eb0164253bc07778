// What a person does, told through a binding that the page does not see. Only events that the browser itself has made count.
const ACTS = 'a[href],area[href],button,summary,label,option,[onclick],[role=button],[role=link],[role=tab],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=option],[role=switch],[role=checkbox],[role=radio],[role=treeitem],' + FIELDS;
const PRESSED = /^(button|submit|reset|image)$/;
// What the page said before a deed is told before it, for what it says after it is a consequence.
const tell = d => {
  if (G.top !== G) {
    d.f = maybe(way);
    if (!d.f || !d.f.every(Boolean)) return RECORD('{"k":"frame"}');
    maybe(() => G.top.__crlook());
  } else if (d.k !== 'seen') maybe(look);
  RECORD(JSON.stringify(d));
};
// way names the frames around this document. Those of one site share this world, and each names its own elements; another
// site's cannot be asked.
G.__crname = el => maybe(() => lasting(el), '');
const way = () => {
  const out = [];
  for (let w = G; w !== w.top; w = w.parent) out.unshift(w.parent.__crname(w.frameElement));
  return out;
};
const targetOf = e => { const t = e.composedPath()[0]; return t && t.nodeType === 1 ? t : (t && t.parentElement) || null; };
// actor is the element that a click on t is meant for; null if nothing reacts there.
const actor = t => {
  const a = t && climb(t, ACTS);
  if (a || !t) return a;
  if (t.localName === 'canvas') return t;
  let out = null;
  for (let n = t; n && styleOf(n).cursor === 'pointer'; n = up(n)) out = n;
  return out;
};
const names = new WeakMap(), secrets = new WeakSet();
const called = el => { let n = names.get(el); if (n === undefined) names.set(el, n = maybe(() => lasting(el), '')); return n; };
const secret = el => {
  if (el.type === 'password' || /password|one-time-code|^cc-/.test(el.autocomplete || '')) secrets.add(el);
  return secrets.has(el);
};
const on = (type, f) => G.addEventListener(type, e => { if (e.isTrusted) maybe(() => f(e)); }, true);

let down = null, key = null;
on('pointerdown', e => { const t = actor(targetOf(e)); down = t && { t, n: maybe(() => lasting(t), '') }; });
// typed tells a field whose own events tell what happens in it.
const typed = t => t.isContentEditable || (t.matches(FIELDS) && !(t.localName === 'input' && PRESSED.test(t.type))) || t.localName === 'option';
on('click', e => {
  const t = actor(targetOf(e));
  if (!t || e.button !== 0 || typed(t) || (t.localName === 'label' && t.control && typed(t.control))) return;
  if (e.detail === 0 && !(key && key.t === t && now() - key.at < 1000)) return; // a form is submitted by its field
  tell({ k: 'click', t: down && down.t === t && e.detail ? down.n : lasting(t) });
});
on('dblclick', e => {
  const t = actor(targetOf(e));
  if (t && !typed(t)) tell({ k: 'dblclick', t: down && down.t === t ? down.n : lasting(t) });
});
on('input', e => {
  const t = targetOf(e);
  if (!t || !(t.isContentEditable || t.localName === 'textarea' || (t.localName === 'input' && !/^(checkbox|radio|file)$/.test(t.type)))) return;
  const label = t.matches(FIELDS) && maybe(() => labelsOf(t)[0], '');
  tell({ k: 'fill', t: called(t), v: [t.matches(FIELDS) ? t.value : t.innerText], s: secret(t), n: label || t.getAttribute('name') || t.id || '' });
});
on('change', e => {
  const t = targetOf(e);
  if (!t) return;
  const is = t.localName === 'input' ? t.type : '';
  if (is === 'checkbox' || is === 'radio') tell({ k: t.checked ? 'check' : 'uncheck', t: called(t) });
  else if (is === 'file') tell({ k: 'upload', t: called(t), v: [...t.files].map(f => f.name) });
  else if (t.localName === 'select') {
    const all = [...t.options], said = o => { const l = squash(o.label); return l && all.filter(x => squash(x.label) === l).length === 1 ? l : o.value; };
    tell({ k: 'select', t: called(t), v: all.filter(o => o.selected).map(said) });
  }
});
on('keydown', e => {
  const t = targetOf(e);
  if (!t || e.isComposing || e.ctrlKey || e.altKey || e.metaKey) return;
  key = { t, at: now() };
  if (e.key !== 'Enter' && e.key !== 'Escape') return;
  if (e.key === 'Enter' && climb(t, 'button,a[href],summary,select')) return; // it clicks
  const say = () => tell({ k: 'press', t: typed(t) ? called(t) : '', v: [e.key] });
  if (e.key === 'Enter' && (t.localName === 'textarea' || t.isContentEditable)) setTimeout(() => { if (e.defaultPrevented) say(); });
  else say();
});

// What the page says of itself: its heading, an alert, a status.
let told = '', due = 0;
const look = () => {
  due = 0;
  const out = [];
  for (const [q, s] of [['h1', 'h1'], ['role=alert', '[role=alert]'], ['role=status', '[role=status]']]) {
    const all = [...D.querySelectorAll(s)].filter(visible), t = all.length === 1 ? squash(all[0].innerText) : '';
    if (t && t.length <= LONG) out.push(q, t);
  }
  if (told === (told = JSON.stringify(out))) return;
  tell({ k: 'seen', v: out });
};
if (G.top === G) {
  G.__crlook = look;
  new MutationObserver(() => { due = due || setTimeout(() => maybe(look), 120); }).observe(D, { subtree: true, childList: true, characterData: true, attributes: true });
}
