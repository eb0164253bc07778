'use strict';
// Planted faults: ?fault=A,B turns them on, ?n= says how many where there are many.
{
  const asked = new URLSearchParams(location.search);
  const fault = name => document.documentElement.dataset.fault.split(' ').includes(name);
  const many = otherwise => Number(asked.get('n') || otherwise);

  if (fault('console')) console.error('checkout widget: no merchant id');
  if (fault('latecookie')) {
    addEventListener('load', () => setTimeout(() => document.body.append(document.getElementById('late-banner').content.cloneNode(true)), 300));
  }
  if (fault('api401')) fetch('/api/me', { headers: { Authorization: 'Bearer expired' } });
  if (fault('late')) addEventListener('load', () => setTimeout(() => fetch('/api/products/late'), 600));
  if (fault('flood')) for (let i = 0; i < many(1500); i++) console.warn('tasting note ' + i);
  if (fault('burst')) {
    // A few at a time: a browser gives up on some of thousands at once.
    let next = 0;
    const lane = async () => { while (next < many(2500)) await fetch('/healthz?burst=' + next++); };
    for (let i = 0; i < 20; i++) lane();
  }
  if (fault('shift')) {
    setTimeout(() => {
      const offer = document.createElement('p');
      offer.id = 'offer';
      offer.textContent = 'Today only: the tea is hot.';
      offer.style.cssText = 'margin: 0; padding: 6rem 1.5rem; background: #e7c9a9';
      document.body.prepend(offer);
    }, 400);
  }
}
