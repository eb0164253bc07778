'use strict';
// Loads the reviews of a third party, which is not always there. ?widget=N&key=K makes it fail N times.
{
  const asked = new URLSearchParams(location.search);
  const again = document.getElementById('again');
  const alertBox = document.querySelector('.alert');

  const load = () => {
    const s = document.createElement('script');
    const other = location.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
    s.src = 'http://' + other + ':' + location.port + '/static/widget.js?fail=' + (asked.get('widget') || 0) + '&key=' + encodeURIComponent(asked.get('key') || '');
    s.onload = () => { again.hidden = alertBox.hidden = true; };
    s.onerror = () => {
      alertBox.textContent = 'The reviews cannot be shown.';
      again.hidden = alertBox.hidden = false;
    };
    document.head.append(s);
  };
  again.addEventListener('click', load);
  load();
}
