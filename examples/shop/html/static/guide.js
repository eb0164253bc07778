'use strict';
// The tea guide: a list and a page for each product, without loading the page again.
const view = document.getElementById('view');

function link(path, text) {
  const a = document.createElement('a');
  a.href = path;
  a.textContent = text;
  a.addEventListener('click', e => {
    if (e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    history.pushState(null, '', path);
    show();
  });
  return a;
}

function page(title, ...content) {
  document.title = title + ' · The tea shop';
  const h1 = document.createElement('h1');
  h1.tabIndex = -1;
  h1.textContent = title;
  view.replaceChildren(h1, ...content);
  if (drawn) h1.focus(); // after the first page, so that a screen reader says where one is
  drawn = true;
}
let drawn = false;

async function list() {
  const all = await (await fetch('/api/products')).json();
  const ul = document.createElement('ul');
  ul.id = 'guide';
  for (const p of all) {
    const li = document.createElement('li');
    li.append(link('/guide/' + p.id, p.name));
    ul.append(li);
  }
  page('Tea guide', ul);
}

async function detail(id) {
  const r = await fetch('/api/products/' + encodeURIComponent(id));
  const p = document.createElement('p');
  p.id = 'text';
  const found = r.ok ? await r.json() : { name: 'Not found', text: 'The guide does not know this.' };
  p.textContent = found.text;
  page(found.name, p, link('/guide', 'All of the guide'));
}

function show() {
  const id = location.pathname.split('/')[2];
  return id ? detail(decodeURIComponent(id)) : list();
}

addEventListener('popstate', show);
show();
