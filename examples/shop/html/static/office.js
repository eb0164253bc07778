'use strict';
// The back office: asks for a number and sends it.
const note = document.getElementById('status');

async function put(button, what, question) {
  const row = button.closest('tr');
  const given = prompt(question);
  if (given === null) return;
  const value = what === 'price' ? Math.round(Number(given) * 100) : Number(given);
  const r = await fetch('/api/products/' + row.dataset.id + '/' + what, { method: 'PUT', body: JSON.stringify({ value }) });
  const answer = await r.json();
  note.textContent = r.ok ? answer.name + ' saved.' : answer.error;
  if (r.ok) setTimeout(() => location.reload(), 400);
}

for (const b of document.querySelectorAll('.count')) b.addEventListener('click', () => put(b, 'stock', 'How many are there?'));
for (const b of document.querySelectorAll('.reprice')) b.addEventListener('click', () => put(b, 'price', 'New price in euros?'));
