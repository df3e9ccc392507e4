// @ts-check
// The page was loaded and its program was not: the connection was lost between the two. Without this the first text would
// stay for ever. It tries every twenty seconds, until the program can be loaded, and then reloads the page.
setTimeout(async function again() {
  if (!document.querySelector('#app > .starting')) return;
  if ((await fetch('/js/app.js', { cache: 'reload' }).catch(() => null))?.ok) location.reload();
  else setTimeout(again, 20000);
}, 20000);
