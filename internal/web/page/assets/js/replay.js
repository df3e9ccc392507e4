// @ts-check
// The replay of a board's journal, on the page.
import { h, patch } from './dom.js';
import { t, has, answerText, moreTexts, boardTitle } from './i18n.js';
import { api } from './api.js';
import { store, openBoard } from './store.js';
import { frame, linkTo } from './frame.js';
import { theatre } from './theatre.js';

const profiles = [
  'fide-standard', 'fide-rapid', 'fide-rapid-supervised', 'fide-blitz', 'fide-blitz-supervised', 'ffe-youth-rapid', 'caa-2strike', 'caa-3strike',
  'uscf-regular', 'uscf-blitz', 'wbca-blitz', 'rc-2017-draft',
];

/** The style of the replay is loaded when it is first opened. */
function style() {
  if (document.getElementById('replay-style')) return Promise.resolve();
  return new Promise((done) => {
    const link = h('link', { rel: 'stylesheet', href: '/replay.css', id: 'replay-style', onload: done, onerror: done });
    document.head.append(link);
  });
}

/** @param {string} name of the board */
export async function replayScreen(name) {
  await Promise.all([moreTexts('replay'), style()]);
  const f = frame(t('replay.title') + ' · ' + boardTitle(name), linkTo(name), linkTo(name), 'replay');
  const path = '/boards/' + encodeURIComponent(name) + '/replay';
  /** @type {ReturnType<typeof theatre>|null} */ let shown = null;
  let closed = false;

  async function load() {
    f.main.replaceChildren(h('p', { class: 'empty', role: 'status', text: t('alert.loading') }));
    try {
      const rec = /** @type {Recording} */ (await api('GET', path, undefined, 60000));
      if (closed) return;
      const games = /** @type {ReplayGame[]} */ (rec.games);
      const b = store.boards.get(name);
      shown = theatre([rec], (_, k) => games[k], (b && b.rate) || 1, [0, games.length - 1]);
      f.main.replaceChildren(shown.el, asked(rec, shown));
    } catch (e) {
      failed(e);
    }
  }

  /** @param {any} e */
  function failed(e) {
    if (closed) return;
    f.main.replaceChildren(
      h('p', { class: 'note warn', role: 'alert', text: e.code ? answerText(e) : String(e) }),
      h('button', { type: 'button', class: 'button', onclick: load }, t('replay.again')),
    );
  }

  /** What if: other rules. @param {Recording} rec @param {NonNullable<typeof shown>} it */
  function asked(rec, it) {
    const choose = /** @type {HTMLSelectElement} */ (
      h('select', { id: 'whatif' }, profiles.map((p) => h('option', { value: p, text: has('profile.' + p) ? t('profile.' + p) : p })))
    );
    const say = h('p', { class: 'muted', role: 'status' });
    const ask = h('button', { type: 'submit', class: 'button' }, t('replay.compare'));
    const go = async (/** @type {Event} */ e) => {
      e.preventDefault();
      ask.setAttribute('disabled', '');
      say.textContent = t('alert.loading');
      try {
        const other = /** @type {Recording} */ (await api('GET', path + '?profile=' + encodeURIComponent(choose.value), undefined, 120000));
        rec.what_if = other.what_if;
        it.compared(other.what_if, it.game().rec.games[it.game().k].game);
        say.textContent = '';
      } catch (e) {
        say.textContent = answerText(/** @type {any} */ (e));
      }
      ask.removeAttribute('disabled');
    };
    return h('form', { class: 'form rp-ask', onsubmit: go }, h('label', { for: 'whatif', text: t('replay.other') }), choose, ask, say);
  }

  openBoard(name);
  patch(f.bar, 0, () => null);
  load();
  return {
    el: f.el,
    title: f.title,
    name: t('replay.title'),
    update() {},
    close() {
      closed = true;
      if (shown) shown.close();
    },
  };
}
