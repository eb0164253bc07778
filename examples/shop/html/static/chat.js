'use strict';
// The chat: listens to the room, and says things. The room is ?room=NAME.
const room = new URLSearchParams(location.search).get('room') || 'lobby';
const log = document.getElementById('log');
const note = document.getElementById('status');

const stream = new EventSource('/api/chat?room=' + encodeURIComponent(room));
stream.onopen = () => { log.replaceChildren(); note.textContent = 'Connected to ' + room; };
stream.onerror = () => { note.textContent = 'Connecting …'; };
stream.onmessage = e => {
  const said = JSON.parse(e.data);
  const line = document.createElement('p');
  line.className = said.from === log.dataset.me ? 'message mine' : 'message';
  const from = document.createElement('strong');
  from.textContent = said.from + ': ';
  line.append(from, said.text);
  log.append(line);
  log.scrollTop = log.scrollHeight;
};

document.getElementById('say').addEventListener('submit', async e => {
  e.preventDefault();
  const box = e.target.elements.text;
  const r = await fetch('/api/chat', { method: 'POST', body: JSON.stringify({ room, text: box.value }) });
  if (r.ok) box.value = '';
  else note.textContent = (await r.json()).error;
});
