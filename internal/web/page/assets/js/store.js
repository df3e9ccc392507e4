// @ts-check
// The state from the server, and what follows from it. It does not touch the document.
import { api } from './api.js';
import { byName, boardName, whenCalled } from './i18n.js';

/** @typedef {{state: 'connecting'|'live'|'lost', since: number, counted: number, ended: number}} Conn counted: performance.now() when it was live last, ended: Date.now() then */

export const store = {
  /** @type {Session|null} */ session: null,
  /** @type {Conn} */ conn: { state: 'connecting', since: Date.now(), counted: 0, ended: Date.now() },
  offset: 0, // of the server's clock, ms
  epoch: '',
  last: '', // id of the last event
  loaded: false,
  rows: -1, // what is asked for of hundreds of boards: -1 whole summaries, 0 rows, N rows of the first N
  /** @type {Map<string, Summary>} */ boards: new Map(),
  /** @type {Map<string, Alert>} */ alerts: new Map(),
  /** @type {Notice[]} */ notices: [],
  openName: '',
  /** @type {State|null} */ open: null, // of the open board
  openError: '',
};

whenCalled((board, b = store.boards.get(board)) => b?.table || b?.name || board);

/** @type {Set<(topic: string) => void>} */
const listeners = new Set();
/** @param {(topic: string) => void} f topics: conn, boards, alerts, open, session, devices, notices, pending, heads */
export function listen(f) {
  listeners.add(f);
  return () => listeners.delete(f);
}
/** @param {string} topic */
export function tell(topic) {
  for (const f of listeners) f(topic);
}

/** @type {(a: Alert, before: Alert|undefined) => void} */
let onAlert = () => {};
/** @param {(a: Alert, before: Alert|undefined) => void} f */
export function whenAlert(f) {
  onAlert = f;
}

export const serverNow = () => Date.now() + store.offset;
export const canDecide = () => !!store.session && store.session.device.role === 'arbiter';

/** @param {number|undefined} ms */
export function serverTime(ms) {
  if (typeof ms === 'number') store.offset = ms - Date.now();
}

/** Whether a board's clock has run without a stop since then. @param {string} board @param {number} ms */
export const ranSince = (board, ms) => (store.boards.get(board)?.stood_ms ?? ms) < ms;

/** In the address of a request for all boards. */
export const rowsAsked = () => (store.rows < 0 ? '' : 'rows=' + store.rows);

/** What a row leaves out. @type {Omit<Summary, 'board'>} */
const usual = {
  watching: true,
  health: 'ok',
  health_what: '',
  health_detail: '',
  link: 'up',
  journal: 'ok',
  game: 0,
  round: null,
  playing: false,
  paused: false,
  stood_ms: 0,
  result: null,
  signed: false,
  ply: 0,
  turn: null,
  last: null,
  last_uci: null,
  fen: null,
  placement: null,
  reversed: false,
  chess960: false,
  clock: null,
  names: null,
  profile: null,
  strikes: { white: 0, black: 0 },
  strikes_to_lose: 0,
  finish: null,
  open: 0,
  scan: null,
  t: 0,
  wall_ms: 0,
  rate: 1,
  received: 0,
};

/** @param {Summary} b or a row @param {number} [received] performance.now() when it came */
function keepBoard(b, received = performance.now()) {
  store.boards.set(b.board, { ...usual, ...b, received });
}

/** @param {Alert} a @param {boolean} [fresh] from a snapshot, which replaces */
function keepAlert(a, fresh) {
  const before = store.alerts.get(a.id);
  if (!fresh && before && before.version > a.version) return;
  store.alerts.set(a.id, a);
  onAlert(a, before);
}

/** Fetches everything anew. @returns {Promise<string>} the id of the last event in it */
export async function loadAll() {
  const all = await api('GET', '/boards' + (store.rows < 0 ? '' : '?' + rowsAsked()));
  store.epoch = all.epoch;
  store.boards = new Map();
  for (const b of all.boards) keepBoard(b);
  const seen = new Set(all.alerts.map((/** @type {Alert} */ a) => a.id));
  for (const [id] of store.alerts) if (!seen.has(id)) store.alerts.delete(id);
  for (const a of all.alerts) keepAlert(a, true);
  store.notices = all.notices || [];
  store.loaded = true;
  tell('boards');
  tell('alerts');
  tell('notices');
  if (store.openName)
    await loadOpen().catch((e) => {
      if (!e.status || e.status === 401) throw e; // other errors concern this board only
    });
  return all.last || '';
}

let opening = 0;

/** @param {string} name "" closes */
export async function openBoard(name) {
  if (store.openName === name && (store.open || !name)) return;
  store.openName = name;
  store.open = null;
  store.openError = '';
  if (name) await loadOpen().catch(() => {});
  else tell('open');
}

export async function loadOpen() {
  const name = store.openName;
  const mine = ++opening;
  try {
    const state = await api('GET', '/boards/' + encodeURIComponent(name));
    if (mine !== opening || store.openName !== name) return;
    store.open = state;
    store.openError = '';
    keepBoard(state.board);
    for (const item of state.findings) if (item.alert) keepAlert(item.alert);
  } catch (e) {
    if (mine !== opening || store.openName !== name) return;
    const gone = /** @type {Refused} */ (e).status === 404;
    store.openError = gone ? 'no_board' : 'no_answer';
    if (gone) store.open = null;
    else refreshSoon(3000);
    tell('open');
    throw e;
  }
  tell('open');
}

let due = 0;
/** Fetches the open board anew. @param {number} [ms] */
function refreshSoon(ms = 250) {
  if (due) return;
  due = window.setTimeout(() => {
    due = 0;
    if (store.openName) loadOpen().catch(() => {});
  }, ms);
}

/** @param {string} board @param {string} finding @returns {Item|null} */
export function itemOf(board, finding) {
  if (!store.open || store.openName !== board) return null;
  return store.open.findings.find((i) => i.finding.id === finding) || null;
}

/** Applies the item in the answer to a decision. @param {string} board @param {Item} item */
export function keepItem(board, item) {
  if (item.alert) keepAlert(item.alert);
  if (!store.open || store.openName !== board) return;
  const list = store.open.findings;
  const at = list.findIndex((i) => i.finding.id === item.finding.id);
  if (at < 0) list.unshift(item);
  else list[at] = item;
  tell('open');
}

/** Applies one event. @param {string} name @param {any} d @param {number} [at] performance.now() when it came */
export function apply(name, d, at) {
  switch (name) {
    case 'boards':
      for (const b of d.boards) {
        keepBoard(b, at);
        if (b.board === store.openName && store.openError === 'no_board') refreshSoon(1000); // it is found after all
      }
      tell('boards');
      break;
    case 'alert':
      keepAlert(d);
      tell('alerts');
      break;
    case 'notice':
      store.notices = d.notices || [];
      tell('notices');
      break;
    case 'round':
    case 'tables':
      tell(name);
      break;
    case 'devices':
      tell('devices');
      break;
    case 'waiting':
      if (!store.open || d.board !== store.openName) break;
      store.open.waiting = d.waiting;
      tell('open');
      break;
    default:
      if (store.open && d.board === store.openName) onOpen(name, d);
  }
}

/** @param {string} name @param {any} d */
function onOpen(name, d) {
  const o = /** @type {State} */ (store.open);
  switch (name) {
    case 'game':
      o.moves = [];
      o.game = d;
      refreshSoon();
      break;
    case 'move':
      o.moves = d.corrects ? o.moves.map((m) => (m.ply === d.ply ? d : m)) : [...o.moves.filter((m) => m.ply < d.ply), d];
      break;
    case 'takeback':
      o.moves = o.moves.filter((m) => m.ply <= d.ply);
      break;
    case 'health':
      o.health = [...o.health.filter((x) => !(x.seq === d.seq && x.what === d.what)), d].slice(-20);
      if (d.what === 'not_known' || d.what === 'filled') refreshSoon();
      break;
    case 'finding':
    case 'ruling': {
      const id = name === 'finding' ? d.id : d.finding;
      let item = o.findings.find((i) => i.finding.id === id);
      if (!item && name === 'finding') {
        item = { finding: d, ruling: null, decisions: [], alert: null, timeline: [], clock_at: null };
        o.findings.unshift(item);
      } else if (item && item[name] && item[name].seq > d.seq) return; // a missed one, repeated
      if (item) item[name] = d;
      refreshSoon();
      break;
    }
    case 'decision':
    case 'result':
      refreshSoon();
      break;
    default:
      return;
  }
  tell('open');
}

/** Whether the card of a finished game already shows an alert. @param {Alert} a */
export const isCalm = (a) =>
  /^end\.(checkmate|stalemate|dead|fivefold|move75)/.test(a.kind) && !!store.boards.get(a.board)?.finish;

/** The open alerts, the most pressing first. @returns {Alert[]} */
export function openAlerts() {
  const rank = (/** @type {Alert} */ a) => (a.level === 'now' ? 0 : 2) + (a.state === 'open' ? 0 : 1);
  return [...store.alerts.values()]
    .filter((a) => (a.state === 'open' || a.state === 'seen') && !isCalm(a))
    .sort((a, b) => rank(a) - rank(b) || b.raised_ms - a.raised_ms || byName(a.board, b.board));
}

/** @param {string} board */
export function isMine(board) {
  const mine = store.session ? store.session.device.boards : null;
  return !mine || !mine.length || mine.includes(board);
}

/** The same for all names of one board: the server compares so as well (pairing.BoardKey). @param {string} name */
export const boardKey = (name) =>
  name
    .trim()
    .toLowerCase()
    .replace(/^board[-_. #]*(?=[^-_. #])/, '')
    .replace(/^0+(?=.)/, '');

/**
 * Boards as people write them: 1-50, 201-250, 7. @param {string} text @param {string[]} boards
 * @returns {{has: (board: string) => boolean, missing: string[]}} missing: what no board is called
 */
export function inRanges(text, boards) {
  const keys = new Map(boards.map((b) => [b, boardKey(boardName(b))]));
  /** @type {Set<string>} */ const hit = new Set();
  const missing = text
    .replace(/(\d)\s*[-–—]\s*(?=\d)/g, '$1-')
    .split(/[,;\s]+/)
    .filter((part) => {
      const [, from, to] = /^(\d+)-(\d+)$/.exec(part) || [];
      const its = boards.filter((b) => {
        const key = /** @type {string} */ (keys.get(b));
        return key === boardKey(part) || (to && /^\d+$/.test(key) && Number(key) >= Number(from) && Number(key) <= Number(to));
      });
      for (const b of its) hit.add(b);
      return part && !its.length;
    });
  return { has: (b) => hit.has(b), missing };
}

/** @param {string} s without accents and capitals */
const plain = (s) => s.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** Whether a board or one of its players matches a search. @param {string} b @param {string} wanted */
export function found(b, wanted) {
  if (!wanted) return true;
  const { names } = /** @type {Summary} */ (store.boards.get(b));
  return [b, boardName(b), names && names.white, names && names.black].some((x) => x && plain(x).includes(plain(wanted)));
}

/** A time of the board's own line as the wall's, ms. @param {Summary|undefined} b @param {number} sec */
export const wallOf = (b, sec) => (b ? b.wall_ms + ((sec - b.t) * 1000) / (b.rate || 1) : serverNow());

/**
* The display of a clock in s, or null. Without a connection it stays at the last value, and clockAge is its age.
 * @param {Summary} b @param {'white'|'black'} side
 */
export function clockNow(b, side) {
  const c = b.clock;
  if (!c) return null;
  if (c.running !== side || b.link !== 'up') return c[side];
  const now = store.conn.state === 'live' ? performance.now() : store.conn.counted;
  return Math.max(0, c[side] - c.age - (Math.max(0, now - b.received) / 1000) * (b.rate || 1));
}

/** The age of the shown clock times, in seconds; 0: they are live. @param {Summary} b */
export function clockAge(b) {
  const { state, ended } = store.conn;
  const unheard = state === 'live' ? 0 : Math.max(1, (Date.now() - ended) / 1000);
  if (b.link === 'up' && b.watching) return unheard;
  return Math.max(1, unheard, b.clock ? (serverNow() - wallOf(b, b.t - b.clock.age)) / 1000 : 0);
}
