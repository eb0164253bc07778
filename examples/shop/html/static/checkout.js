'use strict';
// Payment by card: the form of the card stands in an iframe and sends a token when the card is confirmed.
{
  const place = document.getElementById('pay');
  const form = document.querySelector('form.card');

  for (const radio of form.elements.payment) {
    radio.addEventListener('change', () => {
      place.hidden = form.elements.payment.value !== 'card';
      if (place.hidden || place.firstChild) return;
      const frame = document.createElement('iframe');
      frame.id = 'payment';
      frame.title = 'Card payment';
      frame.src = place.dataset.from + '/pay/frame?parent=' + encodeURIComponent(location.origin);
      place.append(frame);
    });
  }
  addEventListener('message', e => {
    if (e.source !== place.firstChild?.contentWindow || !e.data.token) return;
    form.elements.card.value = e.data.token;
  });
}
