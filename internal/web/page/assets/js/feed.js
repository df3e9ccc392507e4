// @ts-check
// The event stream. A stream that is silent for 12 s is lost, even if the browser reports no error: there is none after
// sleep of the phone, or on a half-open connection.
import { store, tell, listen, apply, loadAll, serverTime, rowsAsked } from './store.js';
import { api } from './api.js';

const names = [
  'game',
  'move',
  'press',
  'finding',
  'ruling',
  'result',
  'takeback',
  'health',
  'decision',
  'alert',
  'boards',
  'devices',
  'round',
  'tables',
  'notice',
  'waiting',
];
/** Events that only the screen of their board shows. The stream has those of the board that was open at its beginning. */
const ofOne = new Set(['game', 'move', 'press', 'finding', 'ruling', 'result', 'takeback', 'health', 'decision', 'waiting']);
const silentMS = 12000,
  helloMS = 8000,
  lostMS = 15000;

/** @type {EventSource|null} */ let stream = null;
let heard = 0; // time of the last event
let wait = 0; // the timer of the next attempt
let tries = 0;
let running = false;
/** @type {string|null} */ let streamed = null; // the board of which the stream has everything; null: of none, or not all was taken
/** @type {{name: string, data: any, id: string, at: number}[]|null} */ let held = null; // while everything is fetched anew

/* While a phone sleeps performance.now(), by which clocks are counted on, stands still in some browsers, and nothing is sent of a
   clock that runs as foreseen: then everything is fetched anew. */
const apart = () => Date.now() - performance.now();
let fetchedApart = apart();
const slept = () => Math.abs(apart() - fetchedApart) > 1000;

/** @type {() => void} */ let onLive = () => {};
/** @param {() => void} f called when the stream is live again */
export function whenLive(f) {
  onLive = f;
}

/** @type {(list: BoardHead[]) => void} */ let onHeads = () => {};
/** @param {(list: BoardHead[]) => void} f called with the heads of all journals, now and then */
export function whenHeads(f) {
  onHeads = f;
}

/** @param {'connecting'|'live'|'lost'} state */
function say(state) {
  if (store.conn.state === state) return;
  const now = Date.now();
  const since = state === 'lost' ? heard || store.conn.since : now;
  const { counted, ended } = store.conn;
  store.conn = store.conn.state === 'live'
    ? { state, since, counted: performance.now(), ended: Math.min(now, heard + silentMS) } // after that the phone was asleep
    : { state, since, counted, ended };
  tell('conn');
}

export function startFeed() {
  running = true;
  tries = 0;
  connect();
}

export function stopFeed() {
  running = false;
  drop();
  clearTimeout(wait);
  wait = 0;
}

function drop() {
  if (stream) stream.close();
  stream = null;
  held = null;
}

function connect() {
  drop();
  clearTimeout(wait);
  wait = 0;
  if (!running) return;
  heard = Date.now();
  streamed = store.openName;
  const seen = store.open; // its events of the board continue after that state, if it is the older one
  const last = seen && store.last && numberOf(seen.last) < numberOf(store.last) ? seen.last : store.last;
  const asked = ['open=' + encodeURIComponent(store.openName), last && 'after=' + encodeURIComponent(last), rowsAsked()];
  const es = new EventSource('/api/v1/events?' + asked.filter(Boolean).join('&'));
  stream = es;
  let greeted = false;
  const on = (/** @type {string} */ name, /** @type {(d: any, id: string) => void} */ f) =>
    es.addEventListener(name, (e) => {
      if (stream !== es) return;
      heard = Date.now();
      if (ofOne.has(name) && !store.open) {
        streamed = null; // the stream begins anew after the board's state
        return;
      }
      let data;
      try {
        data = JSON.parse(/** @type {MessageEvent} */ (e).data);
      } catch {
        return;
      }
      f(data, /** @type {MessageEvent} */ (e).lastEventId);
    });
  on('hello', (d) => {
    greeted = true;
    serverTime(d.now_ms);
    if (store.loaded && d.resumed && d.epoch === store.epoch && !slept()) live();
    else resync(es);
  });
  on('ping', (d) => serverTime(d.now_ms));
  on('heads', (d) => onHeads(d.heads));
  for (const name of names) on(name, (data, id) => (held ? held.push({ name, data, id, at: performance.now() }) : take(name, data, id)));
  es.onerror = () => {
    if (stream === es) fail();
  };
  setTimeout(() => {
    if (stream === es && !greeted) fail();
  }, helloMS);
}

/** @param {string} name @param {any} data @param {string} id @param {number} [at] performance.now() when it came */
function take(name, data, id, at) {
  if (id && numberOf(id) > numberOf(store.last)) store.last = id;
  if (id && ofOne.has(name) && store.open && numberOf(id) <= numberOf(store.open.last)) return; // the state has it
  apply(name, data, at);
  if (store.open && streamed === store.openName && numberOf(id) > numberOf(store.open.last)) store.open.last = id; // nothing of it was left out
}

/** Another board was opened, or none is open: the stream must have all events of that board, from its state on. */
function follow() {
  if (running && stream && !held && streamed !== store.openName && (store.open || !store.openName)) connect();
}
listen((topic) => {
  if (topic === 'open') follow();
});

/** From this many boards on rows are sent (internal/web/rows.go). */
const rowsFrom = 100;

/** Of hundreds of boards the first answer has no more than the first screen shows. This fetches the rest, or (-1) the positions too: the
    stream that continues an earlier one begins with all boards. @param {number} [rows] */
export function widen(rows = 0) {
  if (rows ? store.rows < 0 : store.rows <= 0) return;
  store.rows = rows;
  if (running && (!store.loaded || store.boards.size >= rowsFrom)) connect();
}

/** @param {EventSource} es */
async function resync(es) {
  held = [];
  const begun = apart();
  try {
    const last = await loadAll();
    if (stream !== es) return;
    fetchedApart = begun;
    const later = held || [];
    held = null;
    store.last = last;
    for (const e of later) // summaries may be later than the event whose id they have
      if (e.name === 'boards' || !(e.id && numberOf(e.id) <= numberOf(last))) take(e.name, e.data, e.id, e.at);
    live();
    follow();
  } catch {
    if (stream === es) fail();
  }
}

/** @param {string} id EPOCH-N */
const numberOf = (id) => Number(id.slice(id.lastIndexOf('-') + 1)) || 0;

function live() {
  tries = 0;
  say('live');
  onLive();
}

/** Fetches what is known of this device and of the round. */
export function refreshSession() {
  api('GET', '/session', undefined, 5000).then(
    (s) => {
      store.session = s;
      tell('session');
    },
    () => {},
  );
}

function fail() {
  drop();
  if (!running || wait) return;
  if (store.conn.state === 'live') say('connecting');
  const delay = Math.min(8, 1 << tries) * 1000 * (0.75 + Math.random() * 0.5);
  tries = Math.min(tries + 1, 3);
  wait = window.setTimeout(connect, delay);
  refreshSession(); // a stream reports neither a 401 nor another role
}

/** Once a second. */
export function watchFeed() {
  if (!running) return;
  const silent = Date.now() - heard;
  if (stream && store.conn.state === 'live' && silent > silentMS) fail();
  else if (store.conn.state === 'live' && slept()) kick(true);
  store.conn.since = Math.min(store.conn.since, Date.now()); // the time of day may have been set back
  if (store.conn.state === 'connecting' && Date.now() - store.conn.since > lostMS) say('lost');
}

/** The phone is active again: checks at once whether the stream still is. @param {boolean} [sure] that it is not */
export function kick(sure) {
  if (!running) return;
  if (!sure && stream && store.conn.state === 'live' && Date.now() - heard < 6000) return;
  tries = 0;
  if (store.conn.state === 'live') say('connecting');
  connect();
}

addEventListener('online', () => kick(true));
addEventListener('offline', () => {
  if (running) fail();
});
addEventListener('pageshow', (e) => {
  if (e.persisted) kick(true);
});
addEventListener('pagehide', () => drop());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) kick();
});
