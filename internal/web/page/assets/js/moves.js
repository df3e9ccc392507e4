// @ts-check
// The moves of the open game: what was played, what is not known, and what a person has filled in from a scoresheet.
import { h } from './dom.js';
import { t, clockTime, kindName, sanText, sanTyped } from './i18n.js';
import { canDecide } from './store.js';
import { Diagram, figure, differing } from './diagram.js';

/** @typedef {{ply: number, move?: Move, san?: string}} Ply without both: not known */

/**
* The plies in their order. If more were filled in than were counted, the later ones get higher numbers.
 * @param {State} o @param {UnknownPlies[]} spans of this game @returns {Ply[]}
 */
function plies(o, spans) {
  /** @type {Ply[]} */ const out = [];
  const open = [...spans];
  let more = 0;
  const put = (/** @type {UnknownPlies} */ s, /** @type {number} */ next) => {
    const n = (s.ply_to || next - 1) - s.ply_from + 1;
    const known = s.moves.length;
    for (let i = 0; i < (known || n); i++)
      out.push(known ? { ply: s.ply_from + more + i, san: s.moves[i].san } : { ply: s.ply_from + more + i });
    if (known) more += known - n;
  };
  for (const m of [...o.moves].sort((a, b) => a.ply - b.ply)) {
    while (open.length && open[0].ply_from <= m.ply) put(/** @type {UnknownPlies} */ (open.shift()), m.ply);
    out.push({ ply: m.ply + more, move: m });
  }
  for (const s of open) put(s, s.ply_from + 1);
  return out;
}

/** @param {Ply|null} p */
function cell(p) {
  const m = p && p.move;
  if (p && p.san) return h('span', { class: 'mv filled' }, h('b', { text: sanText(p.san) }));
  if (!m) return h('span', { class: 'mv', text: '…' });
  const kind = (m.finding || '').split(':')[1];
  return h('span', { class: 'mv' }, [
    h('b', { text: sanText(m.san || '--') }),
    kind && h('small', { text: kindName(kind) }),
    m.clock && h('small', { text: clockTime(m.clock[m.side]) }),
  ]);
}

/** The moves, two columns, the last ones in sight, and what can be filled in. @param {string} name @param {State|null} o @param {number} game */
export function moves(name, o, game) {
  if (!o) return null;
  const list = plies(
    o,
    o.spans.filter((s) => s.game === game),
  );
  /** @type {Map<number, (Ply|null)[]>} */ const rows = new Map();
  for (const p of list) {
    const n = Math.ceil(p.ply / 2);
    const row = rows.get(n) || [null, null];
    row[p.ply % 2 ? 0 : 1] = p;
    rows.set(n, row);
  }
  const [first, last] = [Math.min(...rows.keys()), Math.max(...rows.keys())];
  for (let n = first; n < last; n++) if (!rows.has(n)) rows.set(n, [null, null]); // unknown plies
  const all = [...rows].sort((a, b) => a[0] - b[0]);
  const draw = (/** @type {typeof all} */ list) =>
    h(
      'ol',
      { class: 'movelist' },
      list.map(([n, pair]) => h('li', null, h('span', { class: 'no', text: n + '.' }), pair.map(cell))),
    );
  const gaps = o.spans.map((s) => gap(name, s, game));
  if (!all.length && !gaps.length) return null;
  return [
    h('h2', { text: t('board.moves') }),
    all.length ? draw(all.slice(-6)) : null,
    all.length > 6
      ? h('details', { 'data-k': 'moves' }, h('summary', { text: t('board.allmoves', all.length) }), draw(all.slice(0, -6)))
      : null,
    gaps.length ? h('ul', { class: 'rows gaps' }, gaps) : null,
  ];
}

/** @param {number} ply */
const number = (ply) => Math.ceil(ply / 2) + (ply % 2 ? '.' : '…');

/** The plies of a span: 5.–6…, or 5.– if their number is unknown. @param {UnknownPlies} s @param {number} game the one that is played */
function nameOf(s, game) {
  const to = s.ply_to ? (s.ply_to === s.ply_from ? '' : '–' + number(s.ply_to)) : '–?';
  return number(s.ply_from) + to + (s.game === game ? '' : ' (' + t('fill.game', s.game) + ')');
}

/** @param {string} name @param {UnknownPlies} s @param {number} game */
function gap(name, s, game) {
  const done = s.moves.length > 0;
  const what = h(
    'span',
    { class: 'grow' },
    h('strong', { text: nameOf(s, game) }),
    h('span', { class: 'muted', text: t(!done ? 'health.not_known' : s.by === 'log' ? 'fill.log' : 'fill.done') }),
  );
  if (!canDecide()) return h('li', { class: 'row' }, what);
  const fill = () => fillSheet(name, s, game);
  return h(
    'li',
    { class: 'row' },
    what,
    h('button', { type: 'button', class: 'button', 'data-k': 'fill' + s.game + '.' + s.ply_from, onclick: fill }, t(done ? 'fill.change' : 'fill.button')),
  );
}

/** @param {string} board @param {UnknownPlies} s @param {number} game */
async function fillSheet(board, s, game) {
  const [{ sender }, { sheet }] = await Promise.all([import('./report.js'), import('./dom.js')]);
  sheet(t('fill.title') + ' · ' + nameOf(s, game), t('close'), (close) => {
    const wrong = h('p', { class: 'note warn', role: 'alert', hidden: true });
    const say = sender(board, close, (text) => {
      wrong.textContent = text;
      wrong.hidden = false;
    });
    const send = (/** @type {string} */ moves) => say('/instructions', { do: 'fill', game: s.game, ply: s.ply_from, moves });
    const diff = differing(s.fen_before, s.fen);
    const shown = (/** @type {string} */ title, /** @type {string} */ fen) => {
      const d = new Diagram(t(title), '', true);
      d.show({ fen, diff });
      return figure(d, h('figcaption', { text: t(title) }));
    };
    const field = /** @type {HTMLTextAreaElement} */ (
      h('textarea', {
        id: 'fill', name: 'moves', rows: 2, maxlength: 8000, required: true, autocapitalize: 'none', autocomplete: 'off', spellcheck: 'false',
      })
    );
    field.value = s.moves.map((m) => sanText(m.san)).join(' ');
    const submit = (/** @type {Event} */ e) => {
      e.preventDefault();
      send(sanTyped(field.value.trim()));
    };
    return [
      h('p', { class: 'muted', text: t('fill.explain') }),
      h('div', { class: 'pair' }, shown('alert.before', s.fen_before), s.fen ? shown('fill.after', s.fen) : null),
      s.rows.length ? h('h3', { text: t('fill.which') }) : null,
      h(
        'div',
        { class: 'choices' },
        s.rows.map((row) => h('button', { type: 'button', class: 'button', onclick: () => send(row.join(' ')) }, numbered(s.ply_from, row))),
      ),
      h(
        'form',
        { class: 'form', onsubmit: submit },
        h('label', { for: 'fill', text: t('fill.moves') }),
        field,
        wrong,
        h('button', { type: 'submit', class: 'button primary' }, t('fill.send')),
      ),
      s.moves.length ? h('button', { type: 'button', class: 'button', onclick: () => send('') }, t('fill.back')) : null,
    ];
  });
}

/** "1. d4 d5 2. Nf3" @param {number} ply @param {string[]} row */
const numbered = (ply, row) =>
  row.map((san, i) => ((ply + i) % 2 || !i ? number(ply + i) + ' ' : '') + sanText(san)).join(' ');
