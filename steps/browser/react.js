// The hook that React looks for when it starts. It is there before the page's scripts, keeps the roots, and counts renders
// while somebody wants to know. Everything else is read from the fibers when a row asks.
(() => {
  if (window.__REACT_DEVTOOLS_GLOBAL_HOOK__) return;
  const roots = new Set(), renderers = new Map(), ids = new WeakMap();
  let last = 0, run = 0, counting = null;
  const KINDS = { 0: 'function', 1: 'class', 2: 'function', 11: 'forward-ref', 13: 'suspense', 14: 'memo', 15: 'memo', 16: 'lazy' };
  const nameOf = t => !t ? '' : typeof t === 'string' ? t : typeof t === 'function' ? t.displayName || t.name || 'Anonymous'
    : t.displayName || nameOf(t.render || t.type) || 'Anonymous';
  const nameFor = f => f.tag === 13 ? 'Suspense' : nameOf(f.type || f.elementType);
  // A fiber and its alternate are the same component.
  const idOf = f => {
    let id = ids.get(f) || (f.alternate && ids.get(f.alternate));
    if (!id) id = ++last;
    ids.set(f, id);
    return id;
  };
  const walk = (f, parent, see) => {
    for (; f; f = f.sibling) {
      const here = f.tag in KINDS;
      if (here) see(f, parent);
      walk(f.child, here ? f : parent, see);
    }
  };
  const each = see => {
    if (!renderers.size) throw new Error('no-react');
    for (const r of roots) walk(r.current.child, null, see);
  };
  const cut = (s, n) => s.length > n ? s.slice(0, n - 1) + '…' : s;
  // plain says a value in JSON: what JSON has no words for is named.
  const plain = (v, deep = 0, seen = []) => {
    switch (typeof v) {
      case 'string': return cut(v, 500);
      case 'number': return isFinite(v) ? v : String(v);
      case 'boolean': return v;
      case 'function': return '[function ' + (v.name || 'anonymous') + ']';
      case 'object': break;
      default: return v === undefined ? null : String(v);
    }
    if (v === null) return null;
    if (v.$$typeof) return '<' + (nameOf(v.type) || 'element') + '>';
    if (v instanceof Node) return '[' + v.nodeName.toLowerCase() + ']';
    if (deep > 4 || seen.includes(v)) return Array.isArray(v) ? '[list]' : '[object]';
    const next = seen.concat([v]);
    if (Array.isArray(v)) return v.slice(0, 50).map(x => plain(x, deep + 1, next));
    const out = {};
    try { for (const k of Object.keys(v).slice(0, 50)) out[k] = plain(v[k], deep + 1, next); } catch { return '[object]'; }
    return out;
  };
  const stateOf = f => {
    if (f.tag === 1) return plain(f.memoizedState);
    if (f.tag === 13) return null;
    const list = [];
    for (let h = f.memoizedState, n = 0; h && typeof h === 'object' && 'next' in h && n < 50; h = h.next, n++) {
      const m = h.memoizedState;
      if (h.queue) list.push(plain(m));
      else if (m && typeof m === 'object' && Object.keys(m).length === 1 && 'current' in m) list.push({ ref: plain(m.current) });
    }
    return list.length ? list : null;
  };
  // Where the element of a component is written: React up to 18 is told by the build, later ones keep the stack. Its first
  // frame is React's own, whatever the file is called; others of React lie in files named after it, or among packages.
  const library = /\/node_modules\/|\/(react|scheduler)([-_.][\w.-]*)?\.m?js(\?|$)/;
  const sourceOf = f => {
    const s = f._debugSource;
    if (s) return { file: s.fileName, line: s.lineNumber, column: s.columnNumber || null };
    const stack = f._debugStack && String(f._debugStack.stack || '').split('\n').filter(l => /^\s*at /.test(l)).slice(1);
    for (const l of stack || []) {
      const m = /\(?((?:https?|file|webpack(?:-internal)?):[^\s()]*?):(\d+):(\d+)\)?$/.exec(l);
      if (m && !library.test(m[1])) return { file: m[1], line: +m[2], column: +m[3] };
    }
    return null;
  };
  const ownerOf = f => f._debugOwner && f._debugOwner.tag !== undefined ? nameFor(f._debugOwner) : null;
  // A component rendered if it did work in this commit. Below one whose children stayed the same objects nothing happened.
  const worked = f => (f.flags === undefined ? f.effectTag : f.flags) & 1;
  const visit = (f, old) => {
    if (f.tag in KINDS && (!old || worked(f))) {
      const n = nameFor(f), c = counting.by[n] || (counting.by[n] = { name: n, renders: 0, mounts: 0, ms: 0 });
      if (old) c.renders++; else c.mounts++;
      c.ms += f.actualDuration || 0;
    }
    if (old && old.child === f.child) return;
    for (let c = f.child; c; c = c.sibling) visit(c, old ? c.alternate : null);
  };
  const count = root => {
    counting.commits++;
    visit(root.current, root.current.alternate);
  };
  const api = {
    tree() {
      const nodes = [], depth = new Map(), lines = [];
      each((f, p) => {
        const d = p ? depth.get(idOf(p)) + 1 : 0, id = idOf(f);
        depth.set(id, d);
        nodes.push({ id, name: nameFor(f), key: f.key, type: KINDS[f.tag], parent: p ? idOf(p) : null, source: sourceOf(f) });
        lines.push('  '.repeat(d) + nameFor(f) + (f.key ? ' key=' + JSON.stringify(f.key) : '') + ' #' + id);
      });
      return { nodes, tree: lines.join('\n') };
    },
    inspect(id) {
      let out = null;
      each(f => {
        if (out || idOf(f) !== id) return;
        const props = plain(f.memoizedProps || {}), state = stateOf(f);
        out = { id, name: nameFor(f), key: f.key, type: KINDS[f.tag], props, state, owner: ownerOf(f), source: sourceOf(f) };
        const source = out.source ? '\nsource: ' + out.source.file + ':' + out.source.line : '';
        out.text = out.name + ' #' + id + '\nprops: ' + JSON.stringify(props) + (state === null ? '' : '\nstate: ' + JSON.stringify(state)) + source;
      });
      return out;
    },
    suspense() {
      const boundaries = [];
      each((f, p) => {
        if (f.tag === 13) boundaries.push({ id: idOf(f), name: 'Suspense', status: f.memoizedState === null ? 'resolved' : 'suspended', owner: ownerOf(f) || (p && nameFor(p)) });
      });
      return { boundaries, suspended: boundaries.filter(b => b.status === 'suspended').length };
    },
    start() {
      if (!renderers.size) throw new Error('no-react');
      counting = { commits: 0, by: {} };
      return { recording: true, identifier: ++run };
    },
    stop() {
      if (!counting) return null;
      const c = counting;
      counting = null;
      const report = Object.values(c.by).map(x => Object.assign(x, { ms: Math.round(x.ms * 100) / 100 }));
      report.sort((a, b) => b.renders + b.mounts - a.renders - a.mounts || (a.name < b.name ? -1 : 1));
      return { report, commits: c.commits };
    },
  };
  const hook = {
    renderers, supportsFiber: true, isDisabled: false, checkDCE() {}, onCommitFiberUnmount() {}, onPostCommitFiberRoot() {},
    onScheduleFiberRoot() {}, setStrictMode() {},
    inject(r) { const id = renderers.size + 1; renderers.set(id, r); return id; },
    onCommitFiberRoot(_, root) {
      try {
        if (root.current.child) roots.add(root); else roots.delete(root);
        if (counting) count(root);
      } catch { /* the page must not notice */ }
    },
  };
  Object.defineProperty(hook, 'checkrow', { value: api });
  Object.defineProperty(window, '__REACT_DEVTOOLS_GLOBAL_HOOK__', { value: hook, configurable: true, writable: true });
})();
