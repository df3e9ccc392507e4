// @ts-check
// This computer's part in a hall, on its own page: which hall it belongs to, a form to join one with a token, and leaving.
import { h, patch, sheet, toast } from './dom.js';
import { t, answerText } from './i18n.js';
import { api } from './api.js';

/** @typedef {{computer: string, at: string[]|null, here: boolean, code: string, fixed: boolean}} Member */

/** @param {unknown} e */
const why = (e) => (/** @type {Refused} */ (e).status ? answerText(/** @type {any} */ (e)) : t('error.noanswer'));

/** The state of the membership in words. @param {Member} m @returns {string} */
const state = (m) =>
  [
    m.computer && t(m.here ? 'hall.member' : 'hall.memberaway', m.computer, (m.at || []).join(', ')),
    m.code && t('hall.waits', m.code),
    m.fixed && t('answer.hall_fixed'),
  ]
    .filter(Boolean)
    .join(' ');

/** The membership's part of the list. @param {HTMLElement} el @param {Member} m @param {boolean} may @param {() => void} reload */
export function membership(el, m, may, reload) {
  patch(el, [m, may], () => [
    h('h2', { text: t('hall.belongsto') }),
    h('p', { class: 'muted pad', text: state(m) || t('hall.alone') }),
    may && !m.fixed
      ? h(
          'div',
          { class: 'two' },
          h('button', { type: 'button', class: 'button', 'data-k': 'join', onclick: () => join(reload) }, t('hall.join')),
          m.computer || m.code
            ? h('button', { type: 'button', class: 'button danger', 'data-k': 'leave', onclick: () => leave(m, reload) }, t(m.computer ? 'hall.leave' : 'hall.asknomore'))
            : null,
        )
      : null,
  ]);
}

/** @param {() => void} reload */
function join(reload) {
  sheet(t('hall.join'), t('close'), (close) => {
    const token = /** @type {HTMLTextAreaElement} */ (h('textarea', { id: 'jt', rows: 4, maxlength: 8000, required: true, autocomplete: 'off', spellcheck: 'false' }));
    const out = h('div', { 'aria-live': 'polite' });
    const send = h('button', { type: 'submit', class: 'button primary' }, t('hall.joinnow'));
    /** @param {boolean} replace */
    const ask = async (replace) => {
      patch(out, 'asking', () => [h('p', { class: 'muted', text: t('hall.joining') })]);
      /** @type {HTMLButtonElement} */ (send).disabled = true;
      try {
        const m = await api('POST', '/membership', { token: token.value.trim(), replace });
        toast(m.computer && !m.code ? t('hall.joined', m.computer) : t('hall.waits', m.code));
        close();
        reload();
      } catch (e) {
        const other = { other_hall: 'hall.leaveandjoin', other_name: 'hall.rename' }[/** @type {any} */ (e).code + ''];
        patch(out, [why(e), other], () => [
          h('p', { class: 'note', role: 'alert', text: why(e) }),
          other ? h('button', { type: 'button', class: 'button danger wide', onclick: () => ask(true) }, t(other)) : null,
        ]);
      }
      /** @type {HTMLButtonElement} */ (send).disabled = false;
    };
    return [
      h('p', { text: t('hall.joinhow') }),
      h(
        'form',
        {
          class: 'form',
          onsubmit: (/** @type {Event} */ e) => {
            e.preventDefault();
            ask(false);
          },
        },
        h('label', { for: 'jt', text: t('hall.tokenfield') }),
        token,
        send,
      ),
      out,
    ];
  });
}

/** @param {Member} m @param {() => void} reload */
function leave(m, reload) {
  sheet(t(m.computer ? 'hall.leave' : 'hall.asknomore'), t('close'), (close) => [
    h('p', { text: m.computer ? t('hall.leavesure', m.computer) : t('hall.waits', m.code) }),
    h(
      'button',
      {
        type: 'button',
        class: 'button danger wide',
        onclick: async () => {
          try {
            const a = await api('DELETE', '/membership');
            toast(a.heard ? t('saved') : t('hall.unheardleft', m.computer), !a.heard);
            close();
            reload();
          } catch (e) {
            toast(why(e), true);
          }
        },
      },
      t(m.computer ? 'hall.leave' : 'hall.asknomore'),
    ),
  ]);
}
