// @ts-check
// The replay as a file: everything is in it, and it makes no request.
import { h } from './dom.js';
import { t, setTexts, preferred, languages } from './i18n.js';
import { dress, prefs } from './prefs.js';
import { theatre } from './theatre.js';

/** @param {string} id @returns {any} */
function block(id) {
  const el = document.getElementById(id);
  return el && JSON.parse(el.textContent || 'null');
}

const recordings = /** @type {Recording[]} */ (block('index'));
const app = /** @type {HTMLElement} */ (document.getElementById('app'));
/** @type {ReturnType<typeof theatre>|null} */ let shown = null;

/** @param {string} lang @param {[number, number]} first */
function open(lang, first) {
  setTexts(lang, Object.assign({}, ...block('texts-' + lang)));
  if (shown) shown.close();
  shown = theatre(recordings, (i, k) => block('game-' + i + '-' + k), 1, first);
  const theatreNow = shown;
  const choose = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      {
        class: 'rp-lang',
        'aria-label': t('settings.language'),
        onchange: () => {
          const { i, k } = theatreNow.game();
          open(choose.value, [i, k]);
          /** @type {HTMLElement} */ (document.querySelector('.rp-lang')).focus();
        },
      },
      Object.entries(languages).map(([code, name]) => h('option', { value: code, text: name, lang: code })),
    )
  );
  choose.value = lang;
  const rec = recordings[0];
  const about = [...new Set([rec.event, rec.round && t('boards.round', rec.round)])].filter(Boolean).join(' · ');
  const title = t('replay.title') + (recordings.length === 1 ? ' · ' + t('board.title', rec.board) : '');
  app.replaceChildren(
    h(
      'div',
      { class: 'frame replay file' },
      h('header', { class: 'head' }, h('h1', null, h('span', { text: title }), about ? h('small', { text: '  ' + about }) : null), choose),
      h('main', { id: 'main' }, shown.el, h('p', { class: 'muted rp-source', text: recordings.map((r) => t('replay.source', r.journal, r.seq, r.core)).join('; ') })),
    ),
  );
}

function language() {
  try {
    return preferred();
  } catch {
    return 'en'; // a browser without storage for files
  }
}

dress();
open(language(), [0, 0]);
addEventListener('keydown', (e) => {
  if (e.key !== 'f' || e.ctrlKey || e.metaKey || e.altKey || !prefs.keys || (e.target instanceof HTMLElement && e.target.tagName === 'SELECT')) return;
  const flip = document.querySelector('[data-flip]');
  if (flip instanceof HTMLElement) flip.click();
});
