// @ts-check
// The proposed ruling as steps in the order of action, from the fields of the ruling, in the page's language.
import { h } from './dom.js';
import { t, sideName, clockTime, changeTime, sanText, resultText } from './i18n.js';
import { changes } from './diagram.js';

const sides = /** @type {('white'|'black')[]} */ (['white', 'black']);

/** The clocks at the press, now and as they are to be set. @param {any} i */
export function clockRows(i) {
  const r = i.ruling || {};
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
        h('th', { scope: 'col', text: t('clocks.now') }),
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
          h('td', { 'data-now': s }),
          set ? h('td', { class: 'set', text: clockTime(set[s]) }) : null,
        ),
      ),
    ),
  );
}

/** @param {any} i @returns {any} */
export function steps(i) {
  const r = i.ruling;
  if (!r) return h('p', { class: 'muted', text: t('steps.noruling') });
  const title = h('h2', { text: t('steps.title') });
  const kind = h('p', { class: 'rulingkind', text: t('ruling.' + r.kind) });
  if (i.finding.state === 'expired' || r.until === 'closed') return [title, h('p', { text: t('steps.closed') })];
  const list = rulingSteps(i.finding, r);
  if (!list.length) return [title, kind, h('p', { lang: 'en', text: r.text })];
  return [
    title,
    kind,
    h(
      'ol',
      null,
      list.map((x) => h('li', null, x)),
    ),
  ];
}

/** @param {any} f a finding @param {any} r a ruling @returns {any[][]} */
function rulingSteps(f, r) {
  /** @type {any[][]} */ const list = [];
  const over = r.result && r.result !== '?';
  const acts = r.position === 'restore' || r.clocks_to_set || r.position === 'queen' || over;
  if (acts && r.kind !== 'none') list.push([h('b', { text: t('step.stop') })]);
  if (over) {
    list.push([
      h('b', { text: t('step.result', resultText(r.result)) }),
      h('div', { class: 'muted', text: t('step.resultcheck') }),
    ]);
    return list;
  }
  if (
    r.kind === 'illegal_move' &&
    !r.result &&
    r.strikes_to_lose &&
    Math.max(r.strikes_after.white, r.strikes_after.black) >= r.strikes_to_lose
  ) {
    list.push([h('b', { text: t('step.needslook') })]);
  }
  const place = position(f, r);
  if (place) list.push(place);
  if (r.clocks_to_set) list.push(clocks(r));
  if (r.run_clock && acts) list.push([h('b', { text: t('step.run.' + r.run_clock) })]);
  if (r.must_play.length) {
    list.push([
      h('b', { text: t('step.must', sideName(r.run_clock || f.side)) }),
      h('div', { class: 'moves', text: r.must_play.map(sanText).join('  ') }),
    ]);
  } else if (r.kind === 'illegal_move' && r.position === 'restore') list.push([t('step.any')]);
  return list;
}

/** @param {any} f @param {any} r @returns {any[]|null} */
function position(f, r) {
  if (!r.position) return null;
  const todo = changes(f.fen_at, r.position_fen);
  if (r.position === 'stands') return [t('step.stands')];
  if (!todo.length && r.position === 'restore') return [t('step.asis')];
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

/** @param {any} r @returns {any[]} */
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
          h('b', { class: 'big', text: clockTime(r.clocks_to_set[s]) }),
          h('span', { class: 'muted', text: why.join(', ') }),
        );
      }),
    ),
  ];
}
