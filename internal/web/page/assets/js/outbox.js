// @ts-check
// What the arbiter has said and the server has not answered "saved" to. It is kept on the phone, with its request id, and
// sent until it is answered: the same id twice is one decision.
import { api, requestID } from './api.js';
import { store, tell, keepItem } from './store.js';

/**
 * @typedef {{request: string, path: string, body: any, board: string, finding: string, at: number, problem?: string, quiet?: boolean}} Pending
 */

/** @returns {Pending[]} */
function read() {
  try {
    return JSON.parse(localStorage.getItem('bw.pending') || '[]');
  } catch {
    return [];
  }
}
let list = read();

/** Decisions that were not taken, because the matter had changed; by board and finding. @type {Map<string, {was: any, error: any}>} */
export const refused = new Map();
/** @param {string} board @param {string} finding */
export const keyOf = (board, finding) => board + '\n' + finding;

function write() {
  try {
    localStorage.setItem('bw.pending', JSON.stringify(list));
  } catch {
    /* it is still kept while the page is open */
  }
  tell('pending');
}

export const pending = () => list.filter((p) => !p.quiet);
/** @param {string} board @param {string} finding */
export const pendingFor = (board, finding) =>
  list.filter((p) => p.board === board && p.finding === finding && !p.quiet).pop() || null;

/**
 * @param {string} path @param {any} body without request @param {string} board @param {string} finding @param {boolean} [quiet]
 */
export function post(path, body, board, finding, quiet) {
  const request = requestID();
  refused.delete(keyOf(board, finding));
  list.push({ request, path, body: { request, ...body }, board, finding, at: Date.now(), quiet });
  write();
  flush();
}

/** @param {string} request */
export function cancel(request) {
  list = list.filter((p) => p.request !== request);
  write();
}

/** @type {(p: Pending, e: any) => void} */
let onSettled = () => {};
/** @param {(p: Pending, e: any) => void} f called when something was saved, or refused: then e is the error */
export function whenSettled(f) {
  onSettled = f;
}

let busy = false,
  wait = 0,
  pause = 1000;

/** Sends what waits, in order. */
export async function flush() {
  if (busy) return;
  clearTimeout(wait);
  wait = 0;
  busy = true;
  try {
    while (list.length) {
      const p = list[0];
      try {
        const answer = await api('POST', p.path, p.body);
        pause = 1000;
        cancel(p.request);
        if (answer && answer.item) keepItem(p.board, answer.item);
        onSettled(p, null);
      } catch (e) {
        if (!settle(p, /** @type {any} */ (e))) return;
      }
    }
  } finally {
    busy = false;
  }
}

/** @param {Pending} p @param {any} e an ApiError @returns {boolean} whether p is done with */
function settle(p, e) {
  const retry = e.status === 0 || e.status === 401 || e.status === 408 || e.status === 429 || e.status >= 500;
  if (retry) {
    const problem = e.status === 0 ? '' : e.message;
    if (p.problem !== problem) {
      p.problem = problem;
      write();
    }
    if (e.status !== 401) wait = window.setTimeout(flush, Math.max(pause, e.retry * 1000));
    pause = Math.min(pause * 2, 8000);
    return false;
  }
  const item = e.body && e.body.item;
  if (!p.quiet) {
    const now =
      store.open && store.openName === p.board
        ? store.open.findings.find((/** @type {any} */ i) => i.finding.id === p.finding)
        : null;
    refused.set(keyOf(p.board, p.finding), { was: now ? structuredClone(now) : null, error: e });
  }
  cancel(p.request);
  if (item) keepItem(p.board, item);
  onSettled(p, e);
  return true;
}
