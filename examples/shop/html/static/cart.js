'use strict';
// The cart: each change is a call to the API, then the page is read again.
const alertBox = document.querySelector('.alert');

async function post(url, body) {
  const r = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const answer = await r.json();
  if (r.ok) return location.reload();
  alertBox.textContent = answer.error;
  alertBox.hidden = false;
}

for (const b of document.querySelectorAll('.remove')) b.addEventListener('click', () => post('/api/cart/remove', { id: b.closest('tr').dataset.id }));
document.getElementById('coupon')?.addEventListener('submit', e => { e.preventDefault(); post('/api/coupon', { code: new FormData(e.target).get('code') }); });
document.querySelector('#gift input')?.addEventListener('change', e => post('/api/gift', { gift: e.target.checked }));
document.getElementById('empty')?.addEventListener('click', async () => {
  if (!confirm('Empty the cart?')) return;
  await fetch('/api/cart', { method: 'DELETE' });
  location.reload();
});
