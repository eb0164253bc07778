// Walking the tree. Elements may belong to the document of a same-origin frame: no instanceof, no global document.
const G = globalThis, D = document;
const hostOf = p => (p && p.nodeType === 11 && p.host) || null;
const parentOf = n => n.parentElement || hostOf(n.parentNode);
const up = n => n.assignedSlot || parentOf(n);
const climb = (n, sel) => { for (; n; n = up(n)) if (n.matches && n.matches(sel)) return n; return null; };
const inside = (h, t) => { for (; h; h = up(h)) if (h === t) return true; return false; };
const view = el => el.ownerDocument.defaultView;
const styleOf = el => view(el).getComputedStyle(el);
const squash = s => s.replace(/[\u200b\u00ad]/g, '').trim().replace(/\s+/g, ' ');
const cut = (s, n) => s.length > n ? s.slice(0, n - 1) + '…' : s;
const now = () => performance.now();

// deep is the innermost element at a point, through open shadow roots.
const deep = (doc, x, y) => {
  let h = doc.elementFromPoint(x, y);
  while (h && h.shadowRoot) {
    const i = h.shadowRoot.elementFromPoint(x, y);
    if (!i || i === h) break;
    h = i;
  }
  return h;
};

const name = el => {
  if (!el || el.nodeType !== 1) return el ? el.nodeName : '';
  let s = el.localName;
  if (el.id) s += '#' + cut(el.id, 40);
  for (const c of [...el.classList].slice(0, 3)) s += '.' + cut(c, 30);
  const big = el.localName === 'select' || el.getElementsByTagName('*').length > 200;
  const t = squash(el.getAttribute('aria-label') || (big ? '' : el.innerText || el.textContent) || el.getAttribute('placeholder') || el.getAttribute('name') || '');
  return t ? s + ' ' + JSON.stringify(cut(t, 40)) : s;
};

const shown = (el, st = styleOf(el)) => el.checkVisibility() && st.visibility === 'visible';

const textShown = c => {
  const r = c.ownerDocument.createRange();
  r.selectNode(c);
  const b = r.getBoundingClientRect();
  return b.width > 0 && b.height > 0;
};
const visible = el => {
  const st = styleOf(el);
  if (st.display === 'contents') {
    for (let c = el.firstChild; c; c = c.nextSibling) if ((c.nodeType === 1 && visible(c)) || (c.nodeType === 3 && textShown(c))) return true;
    return false;
  }
  if (!shown(el, st)) return false;
  const r = el.getBoundingClientRect();
  return r.width > 0 && r.height > 0;
};

const FIELDS = 'input,textarea,select';
// control is the form control that an element stands for: a label's, else itself.
const control = el => {
  if (!el.matches(FIELDS) && !el.isContentEditable) el = el.closest('button,[role=button],[role=checkbox],[role=radio]') || el;
  if (!el.matches('a,button,' + FIELDS + ',[role=link],[role=button],[role=checkbox],[role=radio]') && !el.isContentEditable) {
    const l = el.closest('label');
    if (l && l.control) el = l.control;
  }
  return el;
};
// pressed is the element that a press on el must reach: the button or link around it.
const pressed = el => el.matches(FIELDS) || el.isContentEditable ? el : el.closest('button,[role=button],a,[role=link]') || el;

const disabled = el => {
  if (climb(el, ':disabled:not(fieldset)')) return true;
  const c = control(el);
  if (c.matches(':disabled:not(fieldset)')) return true;
  if (!c.matches('button,a[href],area[href],option,optgroup,fieldset,details,[role],' + FIELDS)) return false;
  const a = climb(c, '[aria-disabled=true],[aria-disabled=false]');
  return !!a && a.getAttribute('aria-disabled') === 'true';
};

const fieldOf = el => el.localName === 'input' ? el.type : el.matches('textarea,select') ? el.localName : el.isContentEditable ? 'contenteditable' : '';
const checkable = el => (el.localName === 'input' && (el.type === 'checkbox' || el.type === 'radio')) || el.matches('[role=checkbox],[role=radio],[role=switch],[role=menuitemcheckbox],[role=menuitemradio],[role=option],[role=treeitem]');
const checked = el => el.localName === 'input' && (el.type === 'checkbox' || el.type === 'radio') ? el.checked : el.getAttribute('aria-checked') === 'true';
const readonly = el => el.matches(FIELDS) ? el.hasAttribute('readonly') : el.getAttribute('aria-readonly') === 'true';
