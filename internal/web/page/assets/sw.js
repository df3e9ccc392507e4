// @ts-check
// The service worker: push notifications, and the page's own files when there is no connection. It runs in secure
// contexts only. Nothing of the API is kept.
const shell = 'shell-1';
const files = ['/', '/style.css', '/icon.svg', '/js/app.js'];
const sw = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

sw.addEventListener('install', (e) => {
  e.waitUntil(
    caches
      .open(shell)
      .then((c) => c.addAll(files))
      .then(() => sw.skipWaiting()),
  );
});

sw.addEventListener('activate', (e) => {
  e.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((n) => n !== shell).map((n) => caches.delete(n))))
      .then(() => sw.clients.claim()),
  );
});

sw.addEventListener('fetch', (e) => {
  const url = new URL(e.request.url);
  const ours =
    e.request.method === 'GET' &&
    url.origin === location.origin &&
    (url.pathname === '/' || /^\/(js|texts)\/|^\/(style\.css|icon[^/]*|manifest\.webmanifest)$/.test(url.pathname));
  if (ours) e.respondWith(fresh(e.request));
});

/** From the server; from the cache if it does not answer in three seconds. @param {Request} request */
async function fresh(request) {
  const cache = await caches.open(shell);
  const kept = await cache.match(request, { ignoreSearch: true });
  const stop = new AbortController();
  const timer = kept ? setTimeout(() => stop.abort(), 3000) : 0;
  try {
    const answer = await fetch(request, { signal: stop.signal });
    if (answer.ok) cache.put(request, answer.clone());
    return answer.ok || !kept ? answer : kept;
  } catch (x) {
    if (kept) return kept;
    throw x;
  } finally {
    clearTimeout(timer);
  }
}

sw.addEventListener('push', (e) => {
  let m = { id: '', title: 'boardwatchd', body: '', url: '/', closed: false, quiet: false };
  try {
    m = { ...m, .../** @type {PushMessageData} */ (e.data).json() };
  } catch {
    /* an empty push: the page knows more */
  }
  e.waitUntil(
    m.closed
      ? close(m)
      : sw.registration.showNotification(
          m.title,
          /** @type {NotificationOptions & {renotify: boolean}} */ ({
            body: m.body,
            tag: m.id || undefined,
            requireInteraction: true,
            silent: m.quiet,
            renotify: !m.quiet && !!m.id, // only what has a tag can be shown again with a sound
            icon: '/icon-192.png',
            badge: '/icon-192.png',
            data: { url: m.url },
          }),
        ),
  );
});

/** Removes the notification. On iOS, where each push must show one, it shows that the matter is closed. @param {{id: string, title: string, body: string, url: string}} m */
async function close(m) {
  const shown = await sw.registration.getNotifications({ tag: m.id });
  for (const n of shown) n.close();
  if (!shown.length || /iPhone|iPad/.test(navigator.userAgent)) {
    await sw.registration.showNotification(m.title, {
      body: m.body,
      tag: m.id || undefined,
      silent: true,
      icon: '/icon-192.png',
      data: { url: m.url },
    });
  }
}

sw.addEventListener('notificationclick', (e) => {
  e.notification.close();
  e.waitUntil(open(new URL((e.notification.data || {}).url || '/', location.origin)));
});

/** @param {URL} url */
async function open(url) {
  if (url.origin !== location.origin) url = new URL('/' + url.hash, location.origin);
  for (const c of await sw.clients.matchAll({ type: 'window', includeUncontrolled: true })) {
    await c.focus().catch(() => {});
    c.postMessage({ open: url.hash || '#/' });
    return;
  }
  await sw.clients.openWindow(url.href);
}
