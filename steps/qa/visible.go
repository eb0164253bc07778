package qa

import (
	"encoding/json"
	"strings"
)

// shownScript is true if the page shows a text: in one block of text whose elements are all visible, or as the value of
// a visible control. White space counts as one space (CONTRACT R51).
const shownScript = `(() => {
  const flat = s => String(s ?? '').replace(/\s+/g, ' ').trim(), want = flat(TEXT);
  const skip = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'SVG']), seen = new Map(), blocks = new Map();
  const visible = e => {
    if (!e) return true;
    if (seen.has(e)) return seen.get(e);
    const s = getComputedStyle(e);
    const yes = !skip.has(e.tagName.toUpperCase()) && s.display !== 'none' && s.visibility !== 'hidden' && s.visibility !== 'collapse' &&
      Number(s.opacity) !== 0 && (s.display === 'contents' || e.getClientRects().length > 0) && visible(e.parentElement);
    seen.set(e, yes);
    return yes;
  };
  const block = e => { while (e.parentElement && /^(inline|contents|ruby)/.test(getComputedStyle(e).display)) e = e.parentElement; return e };
  const root = document.body ?? document.documentElement, walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let n, i = 0; i < 6000 && (n = walk.nextNode()); i++) {
    if (!n.data || !n.parentElement || !visible(n.parentElement)) continue;
    const b = block(n.parentElement);
    blocks.set(b, (blocks.get(b) ?? '') + n.data);
  }
  for (const text of blocks.values()) if (flat(text).includes(want)) return true;
  let i = 0;
  for (const e of root.querySelectorAll('input, textarea, select, button, output, meter, progress, li, option')) {
    if (i++ >= 3000) break;
    if (e.type !== 'password' && 'value' in e && visible(e) && flat(e.value).includes(want)) return true;
  }
  return false;
})()`

// Shows gives the script for a text: it is true if the page shows it.
func Shows(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil { // a string always marshals
		quoted = []byte(`""`)
	}
	return strings.Replace(shownScript, "TEXT)", string(quoted)+")", 1)
}
