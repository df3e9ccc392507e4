// @ts-check
// The proposed ruling as steps in the order of action, from the fields of the ruling, in the page's language.
import { h, setText } from './dom.js';
import { t, has, sideName, clockTime, changeTime, sanText, moveText, resultText, saying } from './i18n.js';
import { changes } from './diagram.js';
import { settledAs, timesRun } from './decided.js';

const sides = /** @type {('white'|'black')[]} */ (['white', 'black']);

/**
* The clock times at the press, now, and to be set.
 * @param {Item} i @param {boolean} running whether that game is still at the board @param {string} move how far it has
 * gone on, if it has
 */
export function clockRows(i, running, move) {
  const r = /** @type {Partial<Ruling>} */ (i.ruling || {});
  if (!i.clock_at && !r.clocks_to_set) return null;
  const set = r.clocks_to_set;
  return h(
    'table',
    { class: 'clocktable' },
    h('caption', { class: 'sr', text: t('clocks.title') }),
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        h('td'),
        h('th', { scope: 'col', text: t('clocks.press') }),
        running
          ? h('th', { scope: 'col' }, h('span', { 'data-when': '' }), move ? h('div', { text: t('alert.move', move) }) : null)
          : null,
        set ? h('th', { scope: 'col', class: 'set', text: t('clocks.set') }) : null,
      ),
    ),
    h(
      'tbody',
      null,
      sides.map((s) =>
        h(
          'tr',
          null,
          h('th', { scope: 'row' }, h('i', { class: 'man ' + s, 'aria-hidden': 'true' }), sideName(s)),
          h('td', { text: i.clock_at ? clockTime(i.clock_at[s]) : '–' }),
          running ? h('td', { 'data-now': s }) : null,
          set ? h('td', { class: 'set', 'data-set': s, text: clockTime(set[s]) }) : null,
        ),
      ),
    ),
  );
}

/**
 * Shows the time to set. @param {HTMLElement[]} parts @param {Item} i @param {string} board @param {'white'|'black'} side @param {number|null} now seconds on a clock that runs
 */
export function showTimeToSet(parts, i, board, side, now) {
  const r = i.ruling;
  if (!r || !r.clocks_to_set) return;
  const set =
    now === null || !timesRun(i, board) ? r.clocks_to_set[side] : Math.max(0, now - (r.take_back_increment[side] || 0) + (r.bonus[side] || 0));
  for (const at of parts) setText(at.querySelector('[data-set=' + side + ']'), clockTime(set));
}

/** Whose strikes the ruling adds to. @param {Ruling} r */
const struck = (r) => sides.filter((s) => r.strikes_after[s] > r.strikes_before[s]);

/** Decisions after which nothing follows from the finding. */
const dismissed = ['reject', 'sensor', 'unseen'];

/** The strikes as they would be, or after the decision as they are. @param {Item} i @returns {any} */
export function strikes(i) {
  const r = i.ruling;
  if (!r || !r.strikes_before) return null;
  const word = settledAs(i),
    n = r.strikes_to_lose,
    before = r.strikes_before;
  const rows = struck(r);
  if (!rows.length) {
    if (!n || (!word && r.kind === 'none')) return null;
    return h('p', { class: 'muted', text: t(word ? 'strikes.same' : 'strikes.none', before.white, before.black, n) });
  }
  return [
    h('h2', { text: t('strikes.title') }),
    ...rows.map((s) =>
      h(
        'p',
        { class: 'strike' },
        h('b', { text: sideName(s) + ' ' + before[s] + ' → ' + r.strikes_after[s] }),
        (n ? ' ' + t('strikes.of', n) : '') + (word ? '' : ' ' + t('strikes.if')),
      ),
    ),
  ];
}

/** @param {Item} i @param {string|null} stands what stands on the board now @param {Side|null} turn who is to move, where the game has gone on @returns {any} */
export function steps(i, stands, turn) {
  const r = i.ruling;
  if (!r) return h('p', { class: 'muted', text: t('steps.noruling') });
  const word = settledAs(i);
  const over = !word && (i.finding.state === 'expired' || r.until === 'closed');
  const title = h('h2', { text: t(word || over || i.finding.state === 'withdrawn' ? 'steps.ruling' : 'steps.title') });
  if (over) return [title, h('p', { text: t(r.advice === 'wait' ? 'step.wait' : 'steps.closed') })];
  if (dismissed.includes(word)) return [title, rulingKind('none'), h('p', { text: t('explain.' + word) })];
  const why = word === 'accident' ? h('p', { text: t('explain.accident') }) : null;
  if (why && r.kind === 'illegal_move') return [title, why]; // the ruling about the accident is still to come
  const kind = rulingKind(r.kind);
  const list = rulingSteps(i.finding, r, !word, stands, turn);
  if (!list.length) return [title, kind, why || h('p', saying(r.say, r.text)), mate(r.mate)];
  return [
    title,
    kind,
    why,
    h(
      'ol',
      null,
      list.map((x) => h('li', null, x)),
    ),
    mate(r.mate),
  ];
}

/** Whether the side that would win can ever mate, and by which moves or why not. @param {Mate|null} m @returns {any} */
function mate(m) {
  if (!m) return null;
  const because = m.verdict === 'never' && has('mate.' + m.reason) ? ' ' + t('mate.' + m.reason) : '';
  return h(
    'div',
    { class: 'mate' },
    h('h3', { text: t('mate.title', sideName(m.side)) }),
    h('p', { text: t('mate.' + m.verdict) + because }),
    m.line.length ? h('p', { class: 'moves', text: numbered(m.line, m.fen) }) : null,
  );
}

/** "1… Kb7 2. Kf8". @param {string[]} line @param {string} fen where it begins */
function numbered(line, fen) {
  const [, turn, , , , move] = fen.split(' ');
  const first = 2 * Number(move) - (turn === 'b' ? 0 : 1);
  return line.map((san, n) => ((first + n) % 2 || !n ? moveText(first + n, san).replace(' ', '\u00a0') : sanText(san))).join(' ');
}

/** @param {string} kind */
const rulingKind = (kind) => h('p', { class: 'rulingkind', text: t('ruling.' + kind) });

/** @param {Finding} f a finding @param {Ruling} r a ruling @param {boolean} open nothing is decided @param {string|null} stands @param {Side|null} turn @returns {any[][]} */
function rulingSteps(f, r, open, stands, turn) {
  /** @type {any[][]} */ const list = [];
  const over = r.result && r.result !== '?';
  const acts = r.position === 'restore' || r.clocks_to_set || r.position === 'queen' || over;
  if (open && r.advice === 'look_first') list.push([h('b', { text: t('step.lookfirst') })]);
  if (r.advice === 'wait') list.push([t('step.wait')]);
  if (acts && r.kind !== 'none' && !f.kind.startsWith('end.')) list.push([h('b', { text: t('step.stop') })]);
  const place = position(r, stands);
  if (over) {
    if (place && r.position === 'queen') list.push(place);
    list.push([
      h('b', { text: t('step.result', resultText(/** @type {string} */ (r.result))) }),
      h('div', { class: 'muted', text: t('step.resultcheck') }),
    ]);
    return list;
  }
  const unknown = r.strikes_to_lose > 0 && struck(r).some((s) => r.strikes_after[s] >= r.strikes_to_lose);
  if (unknown) list.push([h('b', { text: t('step.needslook') })]);
  if (place) list.push(place);
  if (r.clocks_to_set) list.push(clocks(r));
  const run = (r.position === 'stands' && turn) || r.run_clock;
  if (r.run_clock && acts) list.push([h('b', { text: t('step.run.' + run) })]);
  if (r.must_play.length) {
    list.push([
      h('b', { text: t('step.must', sideName(r.run_clock || f.side)) }),
      h('div', { class: 'moves', text: r.must_play.map(sanText).join('  ') }),
    ]);
  } else if (r.kind === 'illegal_move' && r.position === 'restore' && !unknown) list.push([t('step.any')]);
  return list;
}

/** @param {Ruling} r @param {string|null} stands @returns {any[]|null} */
function position(r, stands) {
  if (!r.position) return null;
  const todo = changes(stands, r.position_fen);
  if (r.position === 'stands') return [t('step.stands')];
  if (!todo.length && r.position === 'restore' && r.position_fen) return [t('step.asis')];
  return [
    h('b', { text: r.position === 'queen' ? t('step.queen') : t('step.restore') }),
    todo.length
      ? h(
          'ul',
          { class: 'puts' },
          todo.map((x) => h('li', { text: x })),
        )
      : null,
  ];
}

/** @param {Ruling} r @returns {any[]} */
function clocks(r) {
  return [
    h('b', { text: t('step.clocks') }),
    h(
      'div',
      { class: 'typein' },
      sides.map((s) => {
        const why = [
          r.bonus[s] ? changeTime(r.bonus[s]) : '',
          r.take_back_increment[s] ? changeTime(-r.take_back_increment[s]) + ' ' + t('step.increment') : '',
        ].filter(Boolean);
        return h(
          'div',
          null,
          h('span', { text: sideName(s) }),
          h('b', { class: 'big', 'data-set': s, text: clockTime((/** @type {Sides} */ (r.clocks_to_set))[s]) }),
          h('span', { class: 'muted', text: why.join(', ') }),
        );
      }),
    ),
  ];
}
