'use strict';
// What the third party serves.
document.getElementById('reviews').innerHTML = '<p id="stars">4.8 of 5 by 212 drinkers</p><blockquote>It holds tea.</blockquote>';
