'use strict';
// An order: with ?live the page follows its state by itself.
if (new URLSearchParams(location.search).has('live')) {
  const state = document.getElementById('state');
  const follow = setInterval(async () => {
    const r = await fetch('/api/orders/' + state.dataset.id);
    state.textContent = (await r.json()).state;
    if (state.textContent === 'shipped') clearInterval(follow);
  }, 300);
}
