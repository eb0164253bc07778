'use strict';
// The catalogue: asks the API, draws the list, adds to the cart without leaving the page.
const list = document.getElementById('products');
const note = document.getElementById('status');
const form = document.getElementById('search');

const noAlt = (document.documentElement.dataset.fault ?? '').includes('alt'); // a planted fault

const euro = cents => '€' + (cents % 100 ? (cents / 100).toFixed(2) : cents / 100);

// here is the place of its caller, "static/shop.js:12".
const here = () => /(static\/[\w.]+:\d+):\d+\)?$/.exec(new Error().stack.split('\n')[2])?.[1] ?? '';

function card(p) {
  const li = document.createElement('li');
  li.dataset.id = p.id;
  li.innerHTML = '<img width="120" height="80"><h2></h2><p class="price"></p><p class="stock"></p><label>Quantity <input type="number" min="1" max="99" value="1"></label> <button>Add to cart</button>';
  const img = li.querySelector('img');
  if (!noAlt) img.alt = p.name;
  img.dataset.source = here(); // as development builds of web frameworks leave it
  img.src = '/static/img/' + p.kind + '.svg';
  li.querySelector('h2').textContent = p.name;
  li.querySelector('.price').textContent = euro(p.price);
  li.querySelector('.stock').textContent = p.stock ? p.stock + ' in stock' : 'sold out';
  const button = li.querySelector('button');
  button.disabled = !p.stock;
  button.addEventListener('click', async () => {
    const r = await fetch('/api/cart', { method: 'POST', body: JSON.stringify({ id: p.id, quantity: Number(li.querySelector('input').value) }) });
    const body = await r.json();
    note.textContent = r.ok ? p.name + ' is in your cart.' : body.error;
    if (r.ok) document.getElementById('cart-count').textContent = body.count;
  });
  return li;
}

async function load() {
  const wanted = new FormData(form);
  note.textContent = 'Loading …';
  const r = await fetch('/api/products?q=' + encodeURIComponent(wanted.get('q')));
  if (!r.ok) {
    list.replaceChildren();
    note.textContent = 'The catalogue cannot be shown.';
    return;
  }
  const found = (await r.json()).filter(p => !wanted.get('kind') || p.kind === wanted.get('kind'));
  list.replaceChildren(...found.map(card));
  note.textContent = found.length === 1 ? '1 product' : found.length + ' products';
}

form.addEventListener('submit', e => { e.preventDefault(); load(); });
form.elements.kind.addEventListener('change', load);
load();
