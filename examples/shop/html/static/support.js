'use strict';
// The support chat of a supplier; ?fault=chat loads it. Its configuration has no team, which it does not expect.
const support = { shop: 'tea', hours: '9-17' };

function greeting(config) {
  return 'Ask ' + config.team.agents[0];
}

document.body.insertAdjacentHTML('beforeend', '<aside id="support" aria-label="Support"></aside>');
document.getElementById('support').textContent = greeting(support);
