// @ts-check
// Decisions for a board that the hall cannot reach: they are on the hall's disk, and can be taken back.
import { api, requestID } from './api.js';
import { h, icon, toast } from './dom.js';
import { t, dayTime, answerText } from './i18n.js';
import { store, canDecide, loadOpen } from './store.js';

/** The waiting decisions about a finding. @param {string} board @param {string} id @returns {Waiting[]} */
export const waitingFor = (board, id) =>
  store.open && store.openName === board ? (store.open.waiting || []).filter((w) => w.finding === id) : [];

/** The last waiting decision about a finding that the board will get. @param {string} board @param {string} id */
const lastWaiting = (board, id) =>
  waitingFor(board, id)
    .filter((w) => !w.failed)
    .pop();

/** The part of a decision that names the waiting one which the person has seen. @param {string} board @param {string} id */
export function knownWait(board, id) {
  const w = lastWaiting(board, id);
  return w ? { waiting: w.request } : {};
}

/** The waiting decision that the person had not seen before deciding. @param {import('./outbox.js').Pending} p */
export function unseenWait(p) {
  const w = lastWaiting(p.board, p.finding);
  return w && w.request !== p.body.waiting ? w : undefined;
}

/** @param {string} board @param {Waiting} w @param {string} [what] the finding, where the screen is not about it */
export function waitingBox(board, w, what) {
  return h(
    'div',
    { class: w.failed ? 'note warn' : 'note pend', role: 'status' },
    icon('clock'),
    h(
      'div',
      { class: 'grow' },
      what ? h('div', { text: what }) : null,
      h('strong', { text: t('waits.title', t('decide.' + w.decision)) }),
      h('div', {
        text: w.failed ? t('changed.refused') + ': ' + w.failed : t(w.asked ? 'answer.on_its_way' : 'waits.text'),
      }),
      h('div', { class: 'muted', text: [w.by, dayTime(w.wall_ms, true)].join(' · ') }),
    ),
    canDecide() && !w.asked
      ? h(
          'button',
          { type: 'button', class: 'button', 'data-k': 'takeback', onclick: () => takeBack(board, w) },
          t('waits.takeback'),
        )
      : null,
  );
}

/** @param {string} board @param {Waiting} w */
function takeBack(board, w) {
  const path = '/boards/' + encodeURIComponent(board) + '/waiting/' + encodeURIComponent(w.request) + '/takeback';
  api('POST', path, { request: requestID() }).then(loadOpen, (e) => toast(answerText(e), true));
}
