// What can be asked of an element, and done with it.
const boxOf = el => {
  let r = el.getBoundingClientRect(), x = r.x, y = r.y;
  for (let w = view(el); w !== w.parent; w = w.parent) {
    let fe = null;
    try { fe = w.frameElement; } catch { /* another origin */ }
    if (!fe) break;
    const f = fe.getBoundingClientRect(), st = styleOf(fe);
    x += f.x + fe.clientLeft + parseFloat(st.paddingLeft);
    y += f.y + fe.clientTop + parseFloat(st.paddingTop);
  }
  return { x, y, width: r.width, height: r.height };
};
const focused = el => el.getRootNode().activeElement === el && el.ownerDocument.hasFocus();
const editable = el => {
  if (!el.matches(FIELDS) && !el.isContentEditable && !el.hasAttribute('aria-readonly')) throw new Refuse('not-this', name(el) + ' is no field and not editable');
  return !disabled(el) && !readonly(el);
};
const needBox = el => { if (!checkable(el)) throw new Refuse('not-this', name(el) + ' is no checkbox or radio button'); return el; };
const STATES = {
  visible, hidden: e => !visible(e), attached: () => true, detached: () => false,
  enabled: e => !disabled(e), disabled,
  checked: e => checked(needBox(control(e))), unchecked: e => !checked(needBox(control(e))),
  editable: e => editable(control(e)), focused,
};
const USUAL = ['display', 'visibility', 'opacity', 'color', 'background-color', 'font-size', 'font-weight', 'font-family', 'width', 'height', 'margin', 'padding', 'border', 'position', 'z-index'];

const PAGE = { title: () => D.title, url: () => location.href, state: () => D.readyState, text: () => D.body ? D.body.innerText : '' };
const READS = {
  page: (el, o) => ({ v: PAGE[o.a]() }),
  text: el => ({ v: (shown(el) ? el.innerText ?? el.textContent : el.innerText || el.textContent) || '' }),
  value: el => {
    const c = control(el);
    if (!c.matches(FIELDS + ',option,button,meter,progress,output,data,li')) throw new Refuse('not-this', name(el) + ' has no value');
    return { v: String(c.value), f: fieldOf(c) };
  },
  attr: (el, o) => { const v = el.getAttribute(o.a); return v === null ? { z: true } : { v, f: o.a === 'value' ? fieldOf(el) : '' }; },
  href: el => { const l = el.closest('a[href],area[href]'); return l ? { v: String(l.href.baseVal ?? l.href) } : { z: true }; },
  html: (el, o) => {
    let v = o.g ? el.outerHTML : el.innerHTML;
    if (o.a) while ((el = el.parentElement || el.getRootNode().host)) v += '\0' + el.cloneNode(false).outerHTML;
    return { v };
  },
  box: el => visible(el) ? { box: boxOf(el) } : { z: true },
  styles: (el, o) => { const st = styleOf(el), out = {}; for (const n of o.as && o.as.length ? o.as : USUAL) out[n] = st.getPropertyValue(n); return { st: out }; },
  is: (el, o) => ({ b: !!STATES[o.a](el) }),
};

const TYPED = /^(email|number|password|search|tel|text|url)$/, SET = /^(color|date|time|datetime-local|month|range|week)$/;
const announce = el => {
  el.dispatchEvent(new (view(el).Event)('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new (view(el).Event)('change', { bubbles: true }));
};
const selectAll = el => {
  if (el.localName === 'input') { el.select(); el.focus(); return; }
  if (el.localName === 'textarea') { el.selectionStart = 0; el.selectionEnd = el.value.length; el.focus(); return; }
  el.focus();
  const r = el.ownerDocument.createRange(), s = view(el).getSelection();
  r.selectNodeContents(el);
  s.removeAllRanges();
  s.addRange(r);
};
const held = el => el.matches(FIELDS) ? el.value : el.innerText;
// usable is what a change needs beside visibility: null, or the reason it cannot be made.
const usable = (el, c) => {
  if (disabled(c)) return { s: 'disabled' };
  if (!visible(el)) return { s: 'invisible' };
  return null;
};
const fill = (el, o) => {
  const c = control(el), f = fieldOf(c);
  let v = o.a || '';
  if (f === 'select' || !f || (c.localName === 'input' && !TYPED.test(f) && !SET.test(f))) return { s: 'not-this', d: name(el) + (f ? ' of type ' + f : '') + ' cannot be filled' };
  const no = usable(el, c);
  if (no) return no;
  if (readonly(c)) return { s: 'readonly', f };
  if (f === 'number' || SET.test(f)) v = v.trim();
  if (f === 'number' && isNaN(Number(v))) return { s: 'malformed', d: 'a number field takes no ' + JSON.stringify(v), f };
  if (c.localName === 'input' && SET.test(f)) {
    if (f === 'color') v = v.toLowerCase();
    const old = c.value;
    c.focus();
    c.value = v;
    if (c.value !== v) { const got = c.value; c.value = old; return { s: 'malformed', d: 'a field of type ' + f + ' takes no ' + JSON.stringify(v) + (got ? ', it made ' + JSON.stringify(got) + ' of it' : ''), f }; }
    announce(c);
    return { v: c.value, f };
  }
  selectAll(c);
  const act = c.getRootNode().activeElement;
  if (act !== c) return { s: 'unfocused', d: act ? 'the focus went to ' + name(act) : 'it does not take the focus', f };
  // An editor must see the browser's own beforeinput with its ranges: the caller sends the text over the protocol.
  if (v && f === 'contenteditable') return { s: 'type', f };
  insert(c, v);
  return { v: held(c), f };
};
// insert types over the selection. A script's insertText sends no beforeinput, which editors and masks listen to: it is
// sent here, and who prevents it has done the insertion.
const insert = (c, v) => {
  const inputType = v ? 'insertText' : 'deleteContentBackward';
  if (!v && !held(c)) return;
  if (!c.dispatchEvent(new (view(c).InputEvent)('beforeinput', { bubbles: true, cancelable: true, composed: true, inputType, data: v || null }))) return;
  c.ownerDocument.execCommand(v ? 'insertText' : 'delete', false, v);
};
const choose = (el, o) => {
  const c = control(el);
  if (c.localName !== 'select') return { s: 'not-this', d: name(el) + ' is no select' };
  const no = usable(el, c);
  if (no) return no;
  let want = o.as.slice();
  const picked = [];
  for (const p of c.options) {
    const is = w => w === p.value || w === p.label || squash(w) === squash(p.label);
    if (!want.some(is)) continue;
    if (p.matches(':disabled') || p.closest('optgroup:disabled')) return { s: 'disabled', d: 'the option ' + JSON.stringify(squash(p.label)) };
    picked.push(p);
    if (!c.multiple) { want = []; break; }
    want = want.filter(w => !is(w));
  }
  if (want.length) return { s: 'no-option', d: want[0], l: [...c.options].slice(0, 20).map(p => squash(p.label) + (p.value === p.label ? '' : ' = ' + p.value)) };
  c.value = undefined;
  for (const p of picked) p.selected = true;
  announce(c);
  return { vs: picked.map(p => p.value), v: c.value, f: 'select' };
};
const focus = el => {
  const no = usable(el, el);
  if (no) return no;
  el.focus();
  return { b: el.getRootNode().activeElement === el, f: fieldOf(el) };
};
// intoView is what only Chromium and Safari have: nothing moves that can be seen already.
const intoView = el => {
  const r = el.getBoundingClientRect(), w = view(el);
  if (r.top >= 0 && r.left >= 0 && r.bottom <= w.innerHeight && r.right <= w.innerWidth) return;
  el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
};
const CHANGES = {
  fill, focus, select: choose, arm, point: arm,
  selectall: el => { const c = control(el), no = usable(el, c); if (no) return no; selectAll(c); return { f: fieldOf(c) }; },
  scroll: el => { if (!el.isConnected) return { s: 'missing' }; el.scrollIntoViewIfNeeded ? el.scrollIntoViewIfNeeded() : intoView(el); return {}; },
  scrollby: (el, o) => { el.scrollBy({ left: +o.as[0], top: +o.as[1], behavior: 'instant' }); return { v: el.scrollLeft + ' ' + el.scrollTop }; },
};
