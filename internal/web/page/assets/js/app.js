// @ts-check
// Start, routes, timer and keys.
import { h, announce, closeSheets, toast } from './dom.js';
import { t, loadTexts, moreTexts, preferred, answerText, boardTitle, boardName } from './i18n.js';
import { dress, notePaired, prefs } from './prefs.js';
import { api, whenUnpaired, whenHead } from './api.js';
import { store, listen, whenAlert, openAlerts, serverTime, openBoard } from './store.js';
import { startFeed, stopFeed, watchFeed, refreshSession, widen, whenLive, whenHeads } from './feed.js';
import { flush, whenSettled } from './outbox.js';
import { signal, concerns, remind, badge, stayAwake } from './signal.js';
import { updateFrame, showFrame, linkTo } from './frame.js';
import { boards } from './boards.js';

/** @typedef {{el: HTMLElement, title: HTMLElement, name: string, update: (topics: Set<string>) => void, tick?: () => boolean, quiet?: boolean, crowded?: () => boolean, close?: () => void}} Screen quiet: it makes no sound, and no key but Escape does anything */

const app = /** @type {HTMLElement} */ (document.getElementById('app'));
/** @type {Screen|null} */ let screen = null;
let route = ''; // of the screen, or of the one that is being loaded

dress();
/** The code of an invitation. It leaves the address bar, and with it the history, at once. */
let code = '';
const invitation = /^#pair=(.*)$/.exec(location.hash);
if (invitation) {
  try {
    code = decodeURIComponent(invitation[1]);
  } catch {
    code = invitation[1];
  }
  history.replaceState(null, '', location.pathname + '#/pair');
}

/** @param {string} hash @returns {string[]} */
function parts(hash) {
  return hash
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .map((p) => {
      try {
        return decodeURIComponent(p);
      } catch {
        return p;
      }
    });
}

/** The screens that a phone without anything in its cache loads first have their texts already. @param {string[]} p @returns {Promise<Screen>} */
async function make(p) {
  if (!p[0]) return boards();
  if (p[0] === 'pair') return (await import('./pair.js')).pairing(code, paired);
  await moreTexts('rest');
  switch (p[0]) {
    case 'settings':
      return (await import('./settings.js')).settings();
    case 'secure':
      return (await import('./secure.js')).secure();
    case 'devices':
      return (await import('./devices.js')).devices();
    case 'heads':
      return (await import('./headlist.js')).headList();
    case 'quiet':
      return (await import('./quiet.js')).quiet();
    case 'round':
      return (await import('./round.js')).round();
    case 'rounds':
      return (await import('./rounds.js')).rounds(p[1]);
    case 'tables':
      return (await import('./tables.js')).tableScreen();
    case 'computers':
      return (await import('./computers.js')).computers();
    case 'about':
      return (await import('./settings.js')).about();
    case 'r':
      if (p[1]) return (await import('./replay.js')).replayScreen(p[1]);
      break;
    case 'b':
      if (p[2]) return (await import('./alert.js')).alertScreen(p[1], p[2]);
      if (p[1]) return (await import('./board.js')).boardScreen(p[1]);
  }
  return boards();
}

let going = 0,
  unpaired = false; // the server does not know this device: until it is paired there is one screen

async function go() {
  if (unpaired && parts(location.hash)[0] !== 'pair') {
    location.hash = '#/pair';
    return;
  }
  const mine = ++going;
  route = location.hash;
  const p = store.session || parts(location.hash)[0] === 'pair' ? parts(location.hash) : ['wait'];
  closeSheets();
  if (p[0] !== 'b' && p[0] !== 'r') openBoard('');
  else if (p[1] !== store.openName) openBoard(p[1]);
  /** @type {Screen} */ let next;
  try {
    next = p[0] === 'wait' ? waiting() : await make(p);
  } catch (e) {
    next = waiting();
    setTimeout(() => {
      if (mine === going) go();
    }, 3000);
  }
  if (mine !== going) {
    if (next.close) next.close(); // too late: another screen is open
    return;
  }
  if (screen && screen.close) screen.close();
  const first = !screen;
  screen = next;
  showFrame(next.el);
  app.replaceChildren(next.el);
  scrollTo(0, 0);
  if (!first) next.title.focus({ preventScroll: true });
  name();
}

/** The screen until the server answers. @returns {Screen} */
function waiting() {
  const title = h('h1', { tabindex: '-1', text: 'boardwatchd' });
  return {
    el: h('main', { class: 'starting' }, title, h('p', { role: 'status', text: t('boards.waiting') })),
    title,
    name: '',
    update() {},
  };
}

function name() {
  badge(screen && screen.name ? screen.name + ' · boardwatchd' : 'boardwatchd');
}

/* What has changed is drawn with the next frame; what boards show, which may be a lot, two or four times a second, and
   in a hall of hundreds with the clocks: the browser lays out the whole list for each frame, whatever has changed. */
const hundreds = 100;
/** @type {Set<string>} */ let changed = new Set();
let waits = 0,
  framed = false;
listen((topic) => {
  if (topic === 'alerts') name();
  if (topic === 'round') refreshSession(); // it names the round
  changed.add(topic);
  if (topic === 'boards' && store.boards.size > 2) {
    if (!waits && (store.boards.size < hundreds || store.openName)) waits = window.setTimeout(nextFrame, store.boards.size > 16 ? 500 : 250);
  } else nextFrame();
});

function nextFrame() {
  if (framed) return;
  framed = true;
  requestAnimationFrame(draw);
}

function draw() {
  framed = false;
  clearTimeout(waits);
  waits = 0;
  const topics = changed;
  changed = new Set();
  updateFrame();
  if (screen) screen.update(topics);
}

/* The one timer. */
let slow = 0;
function tick() {
  let fast = false;
  if (!document.hidden) {
    updateFrame();
    if (!screen?.crowded?.() || Math.round(Date.now() / 1000) % 2) {
      fast = !!screen?.tick?.();
      if (changed.size) nextFrame();
    }
  }
  if (Math.abs(Date.now() - slow) > 900) {
    slow = Date.now();
    watchFeed();
    if (!screen?.quiet) remind();
  }
  setTimeout(tick, fast ? 250 : 1000 - (Date.now() % 1000) || 1000);
}

/* New alerts are heard once, together. */
/** @type {Alert[]} */ let fresh = [];
whenAlert((a, before) => {
  if (a.state !== 'open' || !concerns(a)) return;
  if (before && before.state === 'open' && before.step >= a.step) return;
  if (!fresh.length) setTimeout(hear, 30);
  fresh.push(a);
});

function hear() {
  const list = fresh;
  fresh = [];
  const now = list.find((a) => a.level === 'now');
  if (!screen?.quiet) signal(now || list[0]);
  announce(list.map((a) => t('alert.look', boardName(a.board))).join('. '), !!now);
}

let again = 0; // the timer of a server that cannot read its list of devices yet
whenUnpaired((retry) => {
  unpaired = true;
  clearTimeout(again);
  if (retry) again = setTimeout(begin, retry * 1000);
  if (parts(location.hash)[0] === 'pair') return;
  stopFeed();
  store.session = null;
  store.loaded = false;
  store.last = '';
  store.boards.clear();
  store.alerts.clear();
  location.hash = '#/pair';
});

let tries = 0;
async function begin() {
  try {
    store.session = await api('GET', '/session');
  } catch (e) {
    if (/** @type {Refused} */ (e).status === 401) {
      unpaired = true;
      if (parts(location.hash)[0] !== 'pair') location.hash = '#/pair';
      else if (!screen) go(); // what is being typed there stays
      return;
    }
    setTimeout(begin, Math.min(8000, 1000 << tries++));
    if (!screen) go();
    return;
  }
  tries = 0;
  clearTimeout(again);
  if (unpaired && !code && parts(location.hash)[0] === 'pair') history.replaceState(null, '', location.pathname + '#/');
  unpaired = false;
  notePaired(true);
  serverTime(/** @type {Session} */ (store.session).now_ms);
  store.rows = prefs.layout === 'boards' ? -1 : Math.ceil((innerWidth * (innerHeight + 200)) / smallCard);
  startFeed();
  stayAwake();
  worker();
  go();
  setTimeout(ahead, aheadMS);
}

/** How long after the start the other screens are loaded that are opened in a hurry: the list has the network until then. */
const aheadMS = 15_000;

/** The area of the smallest card of a board, px². */
const smallCard = 10_000;

function ahead() {
  widen();
  moreTexts('rest').catch(() => {});
  import('./alert.js').catch(() => {});
  import('./board.js').catch(() => {});
}

/** Continues after pairing, or without it. */
function paired() {
  code = '';
  history.replaceState(null, '', location.pathname + '#/');
  begin();
}

async function worker() {
  if (!window.isSecureContext || !navigator.serviceWorker) return;
  navigator.serviceWorker.addEventListener('message', (e) => {
    if (e.data && typeof e.data.open === 'string') location.hash = e.data.open;
  });
  await navigator.serviceWorker.register('/sw.js').catch(() => {});
}

whenLive(() => {
  flush();
});
/** @param {BoardHead[]} list @param {boolean} told */
const keep = (list, told) =>
  import('./heads.js').then(
    (m) => m.keepHeads(list, told),
    () => {}, // more will come
  );
whenHead((board, head) => keep([{ ...head, board }], true));
whenHeads((list) => keep(list, false));
whenSettled((p, e, waits) => {
  if (p.quiet) return;
  if (e && e.status === 409) {
    toast(boardTitle(p.board) + ' · ' + t('changed.title'), true); // the alert's screen shows what has changed
    return;
  }
  toast(
    e
      ? t('error.refused', answerText(e))
      : waits
        ? t('waits.title', t('decide.' + p.body.decision))
        : p.body.decision
          ? t('decided.' + p.body.decision) + ' · ' + t('decided.saved')
          : t('saved'),
    !!e,
  );
});
addEventListener('hashchange', () => {
  if (location.hash !== route) go();
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) {
    updateFrame();
    screen?.tick?.();
  }
});

addEventListener('keydown', (e) => {
  if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return;
  const typing = e.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName);
  if (e.key === 'Escape' && !typing) {
    const back = document.querySelector('.head a.icon-button');
    if (back instanceof HTMLElement) back.click();
    return;
  }
  if (typing || !prefs.keys || !store.session || screen?.quiet) return;
  const next = openAlerts()[0];
  if (e.key === 'a' && next) location.hash = linkTo(next.board, next.finding);
  else if (e.key === 'h') location.hash = '#/';
  else if (e.key === 's') location.hash = '#/settings';
  else if (e.key === 'f') {
    const flip = document.querySelector('[data-flip]');
    if (flip instanceof HTMLElement) flip.click();
  }
});

async function start() {
  for (const l of [preferred(), 'en']) {
    try {
      await loadTexts(l);
      break;
    } catch {
      /* the next one, and without any the keys stand there */
    }
  }
  tick();
  await begin();
}

addEventListener('bw-again', () => go()); // the language has changed
start();
