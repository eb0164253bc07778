'use strict';
// The card form: confirms the card and tells the page around it.
const alertBox = document.querySelector('.alert');
const done = document.getElementById('done');

document.getElementById('card').addEventListener('submit', async e => {
  e.preventDefault();
  const r = await fetch('/api/cards', { method: 'POST', body: JSON.stringify(Object.fromEntries(new FormData(e.target))) });
  const answer = await r.json();
  alertBox.hidden = r.ok;
  alertBox.textContent = r.ok ? '' : answer.error;
  done.textContent = r.ok ? 'Card ending in ' + answer.last + ' confirmed.' : '';
  if (r.ok) parent.postMessage({ token: answer.token }, document.body.dataset.parent);
});
