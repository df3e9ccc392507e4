// @ts-check
// What the arbiter has decided about a finding, and what has changed since it was looked at.
import { t, kindName } from './i18n.js';
import { serverNow, store, ranSince } from './store.js';

/** @typedef {Pick<Item, 'finding'|'ruling'|'decisions'>} Decided */

/** The arbiter's decision; "" if there is none, or it was taken back. @param {Decided} i @returns {string} */
export function decidedOf(i) {
  if (i.finding.decided !== undefined) return i.finding.decided || '';
  const d = i.decisions[i.decisions.length - 1];
  return d && d.decision !== 'undo' ? d.decision : '';
}

/** The decision, unless it only postpones. @param {Item} i */
export const settledAs = (i) => (decidedOf(i) === 'later' ? '' : decidedOf(i));

/**
* Whether the board accepts no decision about it any more: another game has begun, or it was decided and the players have signed.
 * @param {Item} i @param {Summary|undefined} b
 */
export const isPast = (i, b) => !!b && (b.game > i.finding.game || (b.signed && !!decidedOf(i)));

/** What a refusal denies: an offence, or a fact. @param {string} kind */
export const rejectName = (kind) => t(kind === 'end.result_contradicted' ? 'decide.insist' : /^(illegal|irreg|suspect)\./.test(kind) ? 'decide.reject' : 'decide.notso');

/** Whether it matters that the alert was not seen. @param {Item} i */
export const mayBeUnseen = (i) =>
  !!i.ruling && i.ruling.advice === 'look_first' && i.finding.state === 'confirmed' && !settledAs(i);

/** @param {Decided} i */
export const lastDecision = (i) => i.decisions[i.decisions.length - 1] || { by: '', wall_ms: serverNow() };

/**
* What has changed since the arbiter looked.
 * @param {Decided|null|undefined} was @param {Item} is @param {Waiting} [waits] a decision that waits for the board since then
 * @returns {string[]}
 */
export function whatChanged(was, is, waits) {
  if (!was) return [t('changed.something')];
  /** @type {string[]} */ const list = waits ? [t('changed.decided', t('decide.' + waits.decision), waits.by || '?')] : [];
  const a = was.finding,
    b = is.finding,
    p = /** @type {Partial<Ruling>} */ (was.ruling || {}),
    q = /** @type {Partial<Ruling>} */ (is.ruling || {});
  const differ = (/** @type {(keyof Ruling)[]} */ ...keys) => keys.some((k) => JSON.stringify(p[k]) !== JSON.stringify(q[k]));
  const word = decidedOf(is);
  if (decidedOf(was) !== word)
    list.push(word ? t('changed.decided', t('decide.' + word), lastDecision(is).by || '?') : t('decided.undo'));
  if (a.state !== b.state) list.push(t('changed.state', t('findingstate.' + b.state)));
  if (a.kind !== b.kind) list.push(t('changed.kind', kindName(b.kind)));
  if (differ('until', 'until_side')) list.push(q.until === 'closed' ? t('until.closed') : t('changed.window'));
  if (differ('clocks_to_set')) list.push(t('changed.clocks'));
  if (differ('kind', 'position', 'position_fen', 'result', 'must_play')) list.push(t('changed.ruling'));
  return list.length ? list : [t('changed.something')];
}

/**
* Whether the times to set follow the clock, because they start from its display in the stop in which they are set. After a
 * decision that stop is the next one, unless it was made in one. @param {Item} i @param {string} board
 */
export function timesRun(i, board) {
  const word = settledAs(i);
  const last = i.decisions[i.decisions.length - 1];
  return !word || (['confirm', 'accident'].includes(word) && !!last && ranSince(board, last.wall_ms));
}

/**
 * Whether an illegal move is a ply of the record of its board: the game was not taken back to before it.
 * @param {Finding} f @param {string} board
 */
export const inRecord = (f, board) =>
  store.openName === board && !!store.open && store.open.moves.some((m) => m.illegal && m.finding === f.id);
