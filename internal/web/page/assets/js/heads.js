// @ts-check
// The heads of the boards' journals that the server has named: number and link of the chain of the newest record on its
// disk. They are kept here, outside that computer, so that a journal which is changed or cut later can be told.
import { tell, serverNow } from './store.js';

/**
 * @typedef {{seq: number, chain: string, at: number, told: boolean}} Kept told: it came with the answer to a person's input
 * @typedef {{board: string, journal: string, heads: Kept[]}} Record oldest first
 */

const key = 'bw.heads';
const perJournal = 12,
  journals = 100,
  hour = 3600e3,
  longest = 60 * 24 * hour;
/** @type {Record[]} */ let held = []; // without storage on the phone: while the page is open

/** @param {any} k */
const sound = (k) => k && k.seq > 0 && /^[0-9a-f]{32}$/.test(k.chain) && k.at > 0;

/** @returns {Record[]} the last written first */
export function records() {
  let list = held;
  try {
    list = JSON.parse(localStorage.getItem(key) || '[]');
  } catch {
    /* as they are held */
  }
  if (!Array.isArray(list)) return [];
  return list.filter((r) => r && r.board && r.journal && Array.isArray(r.heads) && r.heads.length > 0 && r.heads.every(sound));
}

/** @param {Record} r */
export const newest = (r) => r.heads[r.heads.length - 1];

/**
* Keeps heads from the server: of each journal the first one, the newest, those in answers, and one an hour.
 * Newer ones do not replace all older ones, because a computer with a changed journal would name new ones as well.
 * @param {BoardHead[]} list @param {boolean} told
 */
export function keepHeads(list, told) {
  const all = records();
  const at = serverNow();
  for (const h of list) {
    if (!h || !h.board || !h.journal) continue;
    const next = { seq: h.seq, chain: h.chain, at, told };
    if (!sound(next)) continue;
    const i = all.findIndex((r) => r.board === h.board && r.journal === h.journal);
    const r = i < 0 ? { board: h.board, journal: h.journal, heads: [] } : all.splice(i, 1)[0];
    all.unshift(r);
    add(r.heads, next);
  }
  held = all.filter((r) => newest(r).at > at - longest).slice(0, journals);
  try {
    localStorage.setItem(key, JSON.stringify(held));
  } catch {
    /* they are held while the page is open */
  }
  tell('heads');
}

/** @param {Kept[]} heads @param {Kept} next */
function add(heads, next) {
  const [before, last] = heads.slice(-2);
  const same = heads.find((k) => k.chain === next.chain);
  if (same) {
    same.told = same.told || next.told;
    return;
  }
  if (last && !last.told && last.at - before.at < hour) heads.pop();
  heads.push(next);
  while (heads.length > perJournal) heads.splice(1, 1);
}
