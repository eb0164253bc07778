// Roles and accessible names, after ARIA, HTML-AAM and AccName as the driver reads them. It answers exactly or not at
// all: what is rare and intricate (aria-owns, generated content beyond a string, roles that presentation takes away)
// is left to the driver's own engine.
const words = s => new Set(s.split(' '));
const ROLES = words('alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img insertion link list listbox listitem log main mark marquee math meter menu menubar menuitem menuitemcheckbox menuitemradio navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem');
const TAGS = { article: 'article', aside: 'complementary', blockquote: 'blockquote', button: 'button', caption: 'caption', code: 'code', datalist: 'listbox', dd: 'definition', del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dt: 'term', em: 'emphasis', fieldset: 'group', figure: 'figure', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', hr: 'separator', html: 'document', ins: 'insertion', li: 'listitem', main: 'main', mark: 'mark', math: 'math', menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', optgroup: 'group', option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar', search: 'search', strong: 'strong', sub: 'subscript', sup: 'superscript', svg: 'img', table: 'table', tbody: 'rowgroup', textarea: 'textbox', tfoot: 'rowgroup', th: 'columnheader', thead: 'rowgroup', time: 'time', tr: 'row', ul: 'list' };
const TYPES = { button: 'button', checkbox: 'checkbox', file: 'button', hidden: '', image: 'button', number: 'spinbutton', radio: 'radio', range: 'slider', reset: 'button', submit: 'button' };
const NAMED = e => e.hasAttribute('aria-label') || e.hasAttribute('aria-labelledby');
const LANDMARK = 'article:not([role]),aside:not([role]),main:not([role]),nav:not([role]),section:not([role]),[role=article],[role=complementary],[role=main],[role=navigation],[role=region]';
const COMPUTED = {
  a: e => e.hasAttribute('href') ? 'link' : '', area: e => e.hasAttribute('href') ? 'link' : '',
  footer: e => climb(e, LANDMARK) ? '' : 'contentinfo', header: e => climb(e, LANDMARK) ? '' : 'banner',
  form: e => NAMED(e) ? 'form' : '', section: e => NAMED(e) ? 'region' : '',
  img: e => e.getAttribute('alt') === '' && !e.getAttribute('title') && !e.hasAttribute('tabindex') && ![...e.attributes].some(a => a.name.startsWith('aria-')) ? 'presentation' : 'img',
  select: e => e.multiple || e.size > 1 ? 'listbox' : 'combobox',
  td: e => /^(tree)?grid$/.test(spoken(e.closest('table') || e)) ? 'gridcell' : 'cell',
  input: e => {
    if (e.type in TYPES) return TYPES[e.type];
    if (!/^(email|search|tel|text|url)$/.test(e.type)) return 'textbox';
    return e.list && e.hasAttribute('list') ? 'combobox' : e.type === 'search' ? 'searchbox' : 'textbox';
  },
};
const WHERE = { button: 'input', link: 'a,area', textbox: 'input', searchbox: 'input', checkbox: 'input', radio: 'input', slider: 'input', spinbutton: 'input', combobox: 'select,input', listbox: 'select', img: 'img', cell: 'td', gridcell: 'td', form: 'form', region: 'section', contentinfo: 'footer', banner: 'header', presentation: 'img' };
for (const t in TAGS) WHERE[TAGS[t]] = (WHERE[TAGS[t]] ? WHERE[TAGS[t]] + ',' : '') + t;
const PARTS = { dd: 'dl,div', dt: 'dl,div', li: 'ol,ul', tbody: 'table', thead: 'table', tfoot: 'table', td: 'tr', th: 'tr', tr: 'thead,tbody,tfoot,table' };

const unsure = d => { throw new Refuse('frame', 'left to the driver: ' + d); };
const spoken = e => (e.getAttribute('role') || '').split(' ').map(s => s.trim()).find(s => ROLES.has(s)) || '';
const silent = s => s === 'none' || s === 'presentation';
const implied = e => {
  const tag = e.localName, r = COMPUTED[tag] ? COMPUTED[tag](e) : TAGS[tag] || '';
  for (let n = e; r && PARTS[n.localName]; n = n.parentElement) {
    if (!n.parentElement || !n.parentElement.matches(PARTS[n.localName])) break;
    if (silent(spoken(n.parentElement))) unsure('a part of what has the role none');
  }
  return r;
};
const role = e => {
  const s = spoken(e);
  if (!s) return implied(e);
  if (silent(s) && implied(e) && (e.hasAttribute('tabindex') || e.matches('button,details,a[href],area[href],' + FIELDS) || [...e.attributes].some(a => a.name.startsWith('aria-')))) unsure('the role none on what has more to say');
  return s;
};

const ignored = e => /^(style|script|noscript|template)$/i.test(e.localName);
const ariaHidden = e => {
  if (ignored(e)) return true;
  const st = styleOf(e), slot = e.localName === 'slot', option = e.localName === 'option' && !!e.closest('select');
  if (st.display === 'contents' && !slot) {
    for (let c = e.firstChild; c; c = c.nextSibling) if ((c.nodeType === 1 && !ariaHidden(c)) || (c.nodeType === 3 && textShown(c))) return false;
    return true;
  }
  if (!slot && !option && !shown(e, st)) return true;
  for (let n = e; n; n = parentOf(n)) {
    if (n.parentElement && n.parentElement.shadowRoot && !n.assignedSlot) return true;
    if ((n.getAttribute('aria-hidden') || '').toLowerCase() === 'true' || ((slot || option) && styleOf(n).display === 'none')) return true;
  }
  return false;
};

const refs = (e, attr) => {
  const v = e.getAttribute(attr), root = e.getRootNode();
  if (v === null || !root.getElementById) return null;
  const out = [...new Set(v.split(' ').filter(Boolean).map(i => root.getElementById(i)).filter(Boolean))];
  return out.length ? out : null;
};
const child = c => c.self ? { ...c, self: false, desc: true } : c;
const byLabels = (ls, c, seen) => [...ls].map(l => alt(l, { label: true, hid: ariaHidden(l) }, seen)).filter(Boolean).join(' ');
const CONTENT = words('button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem');
const BELOW = words('caption code contentinfo definition deletion emphasis insertion list listitem mark none paragraph presentation region row rowgroup section strong subscript superscript table term time').add('');
const NAMELESS = words('caption code definition deletion emphasis generic insertion mark paragraph presentation strong subscript suggestion superscript term time');

// native is the name that HTML gives by itself; undefined if it gives none.
const native = (e, c, seen, labelled) => {
  const tag = e.localName, attr = n => e.getAttribute(n) || '', labels = e.labels || [];
  const first = name => { const x = [...e.children].find(k => k.localName === name); return x && alt(x, { ...child(c), native: true, hid: c.hid || ariaHidden(x) }, seen); };
  if (tag === 'input' && /^(button|submit|reset)$/.test(e.type)) return e.value.trim() ? e.value : { submit: 'Submit', reset: 'Reset' }[e.type] || attr('title');
  if (tag === 'input' && /^(file|image)$/.test(e.type)) {
    if (labels.length && !c.ref) return byLabels(labels, c, seen);
    return e.type === 'file' ? 'Choose File' : attr('alt').trim() ? attr('alt') : attr('title').trim() ? attr('title') : 'Submit';
  }
  if (!labelled) {
    if (tag === 'button' && labels.length) return byLabels(labels, c, seen);
    if (tag === 'output') return labels.length ? byLabels(labels, c, seen) : attr('title');
    if (/^(textarea|select|input|meter|progress)$/.test(tag)) {
      if (labels.length) return byLabels(labels, c, seen);
      const hint = tag === 'textarea' || (tag === 'input' && TYPED.test(e.type));
      return hint && !attr('title') ? attr('placeholder') : attr('title');
    }
    if (tag === 'fieldset' || tag === 'figure') return first(tag === 'fieldset' ? 'legend' : 'figcaption') ?? attr('title');
  }
  if (tag === 'img' || tag === 'area') return attr('alt').trim() ? attr('alt') : attr('title');
  if (tag === 'table') return first('caption') ?? (attr('summary') || undefined);
  if (tag === 'svg' || e.ownerSVGElement) {
    const t = [...e.children].find(k => k.localName === 'title' && k.ownerSVGElement);
    if (t) return alt(t, { ...child(c), ref: true, hid: c.hid || ariaHidden(t) }, seen);
    if (tag === 'a' && e.hasAttribute('xlink:title')) unsure('xlink:title');
  }
  return undefined;
};

// alt is the text alternative of an element; c says in what it is embedded.
const alt = (e, c, seen) => {
  if (seen.has(e)) return '';
  if (ignored(e) || (!c.hid && ariaHidden(e))) { seen.add(e); return ''; }
  const by = refs(e, 'aria-labelledby');
  if (!c.ref && by) {
    const t = by.map(r => alt(r, { ref: true, hid: ariaHidden(r) }, seen)).join(' ');
    if (t) return t;
  }
  const r = role(e), tag = e.localName;
  if ((c.label || c.ref || c.desc) && !(by || []).includes(e)) {
    if (r === 'textbox' || r === 'searchbox') { seen.add(e); return e.matches('input,textarea') ? e.value : e.textContent; }
    if (r === 'combobox' || r === 'listbox') {
      seen.add(e);
      if (tag === 'input') return e.value;
      if (tag !== 'select') unsure('a list inside a name');
      const os = e.selectedOptions.length ? [...e.selectedOptions] : [...e.options].slice(0, 1);
      return os.map(o => alt(o, child(c), seen)).join(' ');
    }
    if (/^(progressbar|scrollbar|slider|spinbutton|meter)$/.test(r)) { seen.add(e); return e.getAttribute('aria-valuetext') ?? e.getAttribute('aria-valuenow') ?? e.getAttribute('value') ?? ''; }
    if (r === 'menu') { seen.add(e); return ''; }
  }
  const label = e.getAttribute('aria-label') || '';
  if (label.trim()) { seen.add(e); return label; }
  if (!silent(r)) {
    const marked = /^(input|output|textarea|select|meter|progress|fieldset|figure|img|table|area|button|svg)$/.test(tag) || !!e.ownerSVGElement;
    if (marked) { seen.add(e); const t = native(e, c, seen, !!by); if (t !== undefined) return t; }
  }
  if (CONTENT.has(r) || (c.desc && BELOW.has(r)) || (tag === 'summary' && !silent(r)) || c.ref || c.label || c.native) {
    seen.add(e);
    const t = content(e, child(c), seen);
    if (c.self ? t.trim() : t) return t;
  }
  seen.add(e);
  const title = e.getAttribute('title') || '';
  return (!silent(r) || /^i?frame$/.test(tag)) && title.trim() ? title : '';
};
const generated = (e, pseudo) => {
  const st = view(e).getComputedStyle(e, pseudo), v = st.content;
  if (!v || v === 'none' || v === 'normal' || v === '""' || st.display === 'none' || st.visibility === 'hidden') return '';
  const m = /^"([^"\\]*)"$/.exec(v);
  if (!m) unsure('generated content');
  return st.display === 'inline' ? m[1] : ' ' + m[1] + ' ';
};
const content = (e, c, seen) => {
  const own = styleOf(e).content;
  if (e.hasAttribute('aria-owns') || (own && own !== 'none' && own !== 'normal')) unsure('aria-owns or replaced content');
  let out = generated(e, '::before');
  const visit = (n, light) => {
    if (light && n.assignedSlot) return;
    if (n.nodeType === 3) out += n.nodeValue;
    if (n.nodeType !== 1) return;
    const t = alt(n, c, seen);
    out += styleOf(n).display !== 'inline' || n.localName === 'br' ? ' ' + t + ' ' : t;
  };
  const slotted = e.localName === 'slot' ? e.assignedNodes() : [];
  for (const n of slotted) visit(n, false);
  if (!slotted.length) {
    for (let n = e.firstChild; n; n = n.nextSibling) visit(n, true);
    if (e.shadowRoot) for (let n = e.shadowRoot.firstChild; n; n = n.nextSibling) visit(n, true);
  }
  return out + generated(e, '::after');
};

const byRole = (root, want, named, exact) => {
  const m = named === null ? null : matcher(named, exact), sel = (WHERE[want] ? WHERE[want] + ',' : '') + '[role]';
  return within(root, r => [...r.querySelectorAll(sel)].filter(e => role(e) === want && !ariaHidden(e) &&
    (!m || m(NAMELESS.has(want) ? '' : squash(alt(e, { self: true }, new Set()))))));
};
