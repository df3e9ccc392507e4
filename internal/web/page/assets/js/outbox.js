// @ts-check
// The arbiter's decisions that the server has not answered "saved" to. Each is kept on the phone under its own request
// id, so that two tabs cannot overwrite each other's, and sent until it is answered: the same id twice is one decision.
import { api, requestID } from './api.js';
import { tell, keepItem, itemOf } from './store.js';

/**
 * @typedef {{status: number, code: string, message: string, remedy: string}} Answer
 * @typedef {{request: string, path: string, body: any, board: string, finding: string, at: number, quiet?: boolean, was?: any, refused?: Answer, problem?: Answer, kept?: boolean}} Pending
 * was: what the arbiter looked at; refused: it was not taken, and the arbiter does not know yet; problem: why it waits;
 * kept: it is in the phone's storage
 */

const prefix = 'bw.pending.';
/** @type {Map<string, Pending>} by request */ const list = new Map();
/** @type {Set<string>} what this page has the answer "saved" to */ const saved = new Set();

/** @param {string|null} text */
function take(text) {
  try {
    const p = JSON.parse(text || '');
    if (p.request && p.path && p.body) list.set(p.request, Object.assign(list.get(p.request) || {}, p, { kept: true }));
  } catch {
    /* not ours */
  }
}

try {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) take(localStorage.getItem(key));
} catch {
  /* no storage: it is still kept while the page is open */
}

/** @param {Pending} p */
function keep(p) {
  list.set(p.request, p);
  const { problem, kept, ...rest } = p;
  try {
    localStorage.setItem(prefix + p.request, JSON.stringify(rest));
    p.kept = true;
  } catch {
    /* it is still kept while the page is open */
  }
  tell('pending');
}

/** Removes a decision that the arbiter has dropped, or that is finished. @param {string} request */
export function cancel(request) {
  list.delete(request);
  try {
    localStorage.removeItem(prefix + request);
  } catch {
    /* it was not there */
  }
  tell('pending');
}

/** Whether another tab has finished it. @param {Pending} p */
function ended(p) {
  try {
    return !!p.kept && localStorage.getItem(prefix + p.request) === null;
  } catch {
    return false;
  }
}

const inOrder = () => [...list.values()].sort((a, b) => a.at - b.at);
/** @param {string} board @param {string} finding */
const about = (board, finding) => inOrder().filter((p) => p.board === board && p.finding === finding && !p.quiet);

export const pending = () => inOrder().filter((p) => !p.quiet && !p.refused);
/** @param {string} board @param {string} finding */
export const pendingFor = (board, finding) =>
  about(board, finding)
    .filter((p) => !p.refused)
    .pop() || null;

/** Decisions that were refused. */
export const refusals = () => inOrder().filter((p) => p.refused);
/** @param {string} board @param {string} finding */
export const refusedFor = (board, finding) =>
  about(board, finding)
    .filter((p) => p.refused)
    .pop() || null;

/** Notes that the arbiter has seen the refusal. @param {string} board @param {string} finding */
export function understood(board, finding) {
  for (const p of about(board, finding)) if (p.refused) cancel(p.request);
}

/** Whether this page has the answer that a decision is saved. @param {string|undefined} request */
export const isSaved = (request) => !!request && saved.has(request);

/**
 * @param {string} path @param {any} body without request @param {string} board @param {string} finding @param {boolean} [quiet]
 */
export function post(path, body, board, finding, quiet) {
  const request = requestID();
  const at = Math.max(Date.now(), ...[...list.values()].map((p) => p.at + 1));
  if (!quiet) understood(board, finding);
  const was = body.decision ? lookedAt(itemOf(board, finding)) : undefined;
  const p = { request, path, body: { request, ...body }, board, finding, at, quiet, was };
  keep(p);
  send(queueOf(p));
}

/** The present state of an item on which a decision rests. @param {Item|null} i */
const lookedAt = (i) =>
  i && structuredClone({ finding: i.finding, ruling: i.ruling, decisions: i.decisions, alert: null, timeline: [] });

/** @type {(p: Pending, e: any, waits: boolean) => void} */
let onSettled = () => {};
/** @param {(p: Pending, e: any, waits: boolean) => void} f called when something was saved (waits: at the hall), or refused: then e is the error */
export function whenSettled(f) {
  onSettled = f;
}

/* A queue for every board, so that none waits for another; and one for what no person waits for. */
/** @type {Map<string, {busy: boolean, wait: number, pause: number}>} */ const queues = new Map();
/** @param {Pending} p */
const queueOf = (p) => (p.quiet ? 'quiet\n' : '') + p.board;
const shortest = 1000,
  longest = 8000;

/** Sends the waiting decisions when there is a connection. */
export function flush() {
  for (const q of queues.values()) q.pause = shortest;
  for (const key of new Set(
    inOrder()
      .filter((p) => !p.refused)
      .map(queueOf),
  ))
    send(key);
}

/** Sends the waiting decisions of one board, in order. @param {string} key */
async function send(key) {
  const q = queues.get(key) || { busy: false, wait: 0, pause: shortest };
  queues.set(key, q);
  if (q.busy) return;
  clearTimeout(q.wait);
  q.busy = true;
  try {
    for (;;) {
      const p = inOrder().find((x) => !x.refused && queueOf(x) === key);
      if (!p) return;
      if (ended(p)) {
        list.delete(p.request);
        tell('pending');
        continue;
      }
      let answer = null,
        no = null;
      try {
        answer = await api('POST', p.path, p.body);
      } catch (e) {
        no = /** @type {any} */ (e);
      }
      if (no && passes(p, no)) {
        if (no.status !== 401) q.wait = window.setTimeout(send, Math.max(q.pause, no.retry * 1000), key);
        q.pause = Math.min(q.pause * 2, longest);
        return;
      }
      q.pause = shortest;
      settle(p, answer, no);
    }
  } finally {
    q.busy = false;
  }
}

/** Whether an error is no answer to the request, which is then sent again. @param {Pending} p @param {Refused} e */
function passes(p, e) {
  const unknown = e.status === 404 && e.code !== 'no_such_finding'; // of a board: it may not be found yet
  if (!(e.status === 0 || e.status >= 500 || [401, 408, 421, 425, 429].includes(e.status) || (unknown && !p.quiet)))
    return false;
  const before = p.problem && p.problem.code;
  p.problem = e.status === 0 ? undefined : asAnswer(e);
  if (before !== (p.problem && p.problem.code)) tell('pending');
  return true;
}

/** @param {Refused} e @returns {Answer} */
const asAnswer = (e) => ({ status: e.status, code: e.code, message: e.message, remedy: e.remedy });

/** @param {Pending} p @param {any} answer @param {Refused|null} e */
function settle(p, answer, e) {
  const item = e ? e.body && e.body.item : answer && answer.item;
  if (!e && !answer.waits) saved.add(p.request);
  if (e && !p.quiet && list.has(p.request)) {
    p.refused = asAnswer(e);
    keep(p);
  } else cancel(p.request);
  if (item) keepItem(p.board, item);
  onSettled(p, e, !!answer && !!answer.waits);
}

addEventListener('storage', (e) => {
  if (!e.key || !e.key.startsWith(prefix)) return;
  if (e.newValue === null) list.delete(e.key.slice(prefix.length));
  else {
    take(e.newValue);
    setTimeout(flush, 5000); // the other tab sends it; this one if that tab is gone
  }
  tell('pending');
});
