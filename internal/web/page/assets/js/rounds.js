// @ts-check
// After the round: the report, the games and the journals of this round and earlier ones, and a search for a player or a board.
import { h, patch, setText, show, icon } from './dom.js';
import { t, lang, byName, boardName } from './i18n.js';
import { api } from './api.js';
import { frame } from './frame.js';

/** @typedef {{id: string, round: string, boards: string[], wall_ms: number, bytes: number}} Round */
/** @typedef {{board: string, game: number, white: string, black: string, result: string, plies: number, wall_ms: number}} Game */

const patience = 120_000; // a hundred journals take some seconds, and others may ask at the same time

/** @param {number} n */
const size = (n) => (n < 1e6 ? Math.max(1, Math.round(n / 1e3)) + ' kB' : (n / 1e6).toFixed(1) + ' MB');

/** @param {Round} r */
const title = (r) =>
  [r.round ? t('boards.round', r.round) : '', new Date(r.wall_ms).toLocaleDateString()].filter(Boolean).join(' · ');

/** @param {Round} r @param {string} file */
const address = (r, file) => '/api/v1/rounds/' + encodeURIComponent(r.id) + '/' + file;

/** @param {Round} r @param {string} file @param {string} name @param {Parameters<typeof icon>[0]} sign @param {string} [more] @param {boolean} [open] in the browser */
function link(r, file, name, sign, more, open) {
  return h(
    'a',
    {
      class: 'row link',
      href: address(r, file) + (open ? '?lang=' + lang : ''),
      target: open ? '_blank' : null,
      rel: open ? 'noopener' : null,
      download: open ? null : true,
      'data-k': r.id + file,
    },
    icon(sign),
    h('span', { class: 'grow' }, h('strong', { text: name }), more ? h('span', { class: 'muted', text: more }) : null),
  );
}

/** @param {Game} g @param {string} [round] */
function gameRow(g, round) {
  const players = (g.white || '–') + ' – ' + (g.black || '–');
  const parts = [round || '', t('board.title', g.board), t('fill.game', g.game)];
  return h(
    'div',
    { class: 'row', role: 'listitem' },
    h('span', { class: 'grow' }, h('strong', { dir: 'auto', text: players }), h('span', { class: 'muted', text: parts.filter(Boolean).join(' · ') })),
    h('strong', { text: g.result || '–' }),
  );
}

/** @param {Game} g @param {string} words in lower case */
const matches = (g, words) =>
  words.split(/\s+/).every((w) => (g.white + ' ' + g.black).toLowerCase().includes(w)) || g.board.toLowerCase() === words;

/** @param {any} e */
const problem = (e) => (e.status ? e.message : t('error.noanswer'));

/** @param {string} [wanted] the board whose games are looked for at first: its screen has led here */
export function rounds(wanted) {
  const f = frame(t('rounds.title'), wanted ? '#/b/' + encodeURIComponent(wanted) : '#/settings', '', 'settings');
  f.bar.remove();
  /** @type {Round[]} */ let list = [];
  /** @type {Map<string, Promise<Game[]>>} */ const read = new Map();
  const status = h('p', { class: 'empty', role: 'status', text: t('alert.loading') });
  const search = /** @type {HTMLInputElement} */ (
    h('input', { id: 'find', type: 'search', autocomplete: 'off', maxlength: 80, value: wanted ? boardName(wanted) : '', oninput: () => soon() })
  );
  const form = h('form', { class: 'form', role: 'search', onsubmit: (/** @type {Event} */ e) => e.preventDefault() });
  form.append(h('label', { for: 'find', text: t('rounds.search') }), search);
  const found = h('div', { class: 'rows', role: 'list', hidden: true, 'aria-label': t('rounds.games') });
  const box = h('div');
  f.main.append(h('p', { class: 'muted pad', text: t('rounds.explain') }), form, status, found, box);

  /** The games of a round, read once. @param {Round} r @returns {Promise<Game[]>} */
  function games(r) {
    let p = read.get(r.id);
    if (!p) {
      p = api('GET', '/rounds/' + encodeURIComponent(r.id) + '/games', undefined, patience).then((a) => a.games);
      p.catch(() => read.delete(r.id)); // asked again the next time
      read.set(r.id, p);
    }
    return p;
  }

  /** @param {Round} r */
  function group(r) {
    const rows = h('div', { class: 'rows', role: 'list', 'aria-label': t('rounds.games') + ', ' + title(r), hidden: true });
    const note = h('p', { class: 'row muted', role: 'status', hidden: true });
    const open = h(
      'button',
      {
        type: 'button',
        class: 'row link',
        'aria-expanded': 'false',
        'data-k': r.id + 'games',
        onclick: async () => {
          const shown = rows.hidden;
          show(rows, shown);
          show(note, shown);
          open.setAttribute('aria-expanded', String(shown));
          if (!shown) return;
          setText(note, t('alert.loading'));
          try {
            const all = await games(r);
            setText(note, all.length ? '' : t('rounds.nothing'));
            show(note, !all.length);
            patch(rows, all, () => all.map((g) => gameRow(g)));
          } catch (e) {
            setText(note, problem(e));
          }
        },
      },
      icon('grid'),
      h(
        'span',
        { class: 'grow' },
        h('strong', { text: t('rounds.games') }),
        h('span', { class: 'muted', text: t('boards.boards', [...r.boards].sort(byName).join(', ')) }),
      ),
    );
    return h(
      'section',
      { class: 'group' },
      h('h2', { text: title(r) }),
      h(
        'div',
        { class: 'rows' },
        link(r, 'report.html', t('rounds.report'), 'pen', '', true),
        link(r, 'report.json', t('rounds.report') + ' (JSON)', 'down'),
        link(r, 'games.pgn', t('rounds.games') + ' (PGN)', 'down'),
        link(r, 'results.csv', t('rounds.results') + ' (CSV)', 'down'),
        link(r, 'journals.zip', t('rounds.zip') + ' (ZIP)', 'down', size(r.bytes)),
        open,
      ),
      note,
      rows,
    );
  }

  let timer = 0,
    turn = 0;
  function soon() {
    clearTimeout(timer);
    timer = window.setTimeout(find, 300);
  }

  async function find() {
    const mine = ++turn;
    const words = search.value.trim().toLowerCase();
    show(box, !words);
    show(found, false);
    show(status, !!words || !list.length);
    if (!words) {
      setText(status, t('rounds.nothing'));
      return;
    }
    /** @type {HTMLElement[]} */ const rows = [];
    setText(status, t('alert.loading'));
    try {
      for (const r of list) {
        const all = await games(r);
        if (mine !== turn) return;
        for (const g of all) if (matches(g, words)) rows.push(gameRow(g, title(r)));
        found.replaceChildren(...rows);
        show(found, rows.length > 0);
      }
      setText(status, rows.length ? t('rounds.games') + ': ' + rows.length : t('rounds.nothing'));
    } catch (e) {
      if (mine === turn) setText(status, problem(e));
    }
  }

  async function load() {
    try {
      list = (await api('GET', '/rounds')).rounds;
      patch(box, list, () => list.map(group));
      find();
    } catch (e) {
      show(status, true);
      setText(status, problem(e));
    }
  }

  load();
  return { el: f.el, title: f.title, name: t('rounds.title'), update() {}, close: () => clearTimeout(timer) };
}
