'use strict';
// The account: dialogs that ask, and say what came of it.
const note = document.getElementById('status');

document.getElementById('rename').addEventListener('click', async () => {
  const shown = document.getElementById('nickname');
  const nickname = prompt('What shall we call you?', shown.textContent);
  if (nickname === null) return;
  const r = await fetch('/api/nickname', { method: 'PUT', body: JSON.stringify({ nickname }) });
  const answer = await r.json();
  if (!r.ok) return alert(answer.error);
  shown.textContent = answer.nickname;
  note.textContent = 'Hello, ' + answer.nickname + '.';
});

document.getElementById('close').addEventListener('click', () => {
  if (!confirm('Close the account for good?')) {
    note.textContent = 'We are glad you stay.';
    return;
  }
  alert('Accounts close on weekdays only.');
  note.textContent = 'Please come back on a weekday.';
});
