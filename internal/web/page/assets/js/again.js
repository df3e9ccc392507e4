// @ts-check
// The page has arrived and its program has not: the network went away between the two. Without this the person would look at
// the first text for ever. Every twenty seconds, until the program can be had and the page is loaded once more.
setTimeout(async function again() {
  if (!document.querySelector('#app > .starting')) return;
  if ((await fetch('/js/app.js', { cache: 'reload' }).catch(() => null))?.ok) location.reload();
  else setTimeout(again, 20000);
}, 20000);
