// @ts-check
// Lifts, places and the press as a vertical list, with times relative to the press. A report says only that something
// happened between two scans of the board: that is the ±.
import { h } from './dom.js';
import { t, signed, pieceName, sideName } from './i18n.js';

/** @param {Item} i @returns {any} */
export function timeline(i) {
  const events = i.timeline;
  if (!events.length) return null;
  const presses = events.filter((e) => e.what === 'press');
  const zero = (
    presses.find((e) => e.judged === i.finding.kind) ||
    presses[presses.length - 1] ||
    events[events.length - 1]
  ).t;
  const ordered = [...events].sort((a, b) => middle(a) - middle(b) || +(b.what === 'lift') - +(a.what === 'lift'));
  return [
    h('h2', { text: t('line.title') }),
    h(
      'ol',
      { class: 'timeline' },
      ordered.map((e) => row(e, zero)),
    ),
    i.timeline_complete === false ? h('p', { class: 'muted', text: t('line.incomplete') }) : null,
  ];
}

/** The middle of the window of a moment, or its time without one. @param {Moment} e */
const middle = (e) => (e.what !== 'press' && e.lo < e.t ? (e.lo + e.t) / 2 : e.t);

/** @param {Moment} e @param {number} zero */
function row(e, zero) {
  const lo = typeof e.lo === 'number' && e.lo < e.t ? e.lo : e.t;
  const mid = middle(e) - zero,
    half = (e.t - lo) / 2;
  const digits = Math.abs(mid) < 10 ? 2 : 1;
  return h(
    'li',
    { class: 'tl ' + e.what + (e.t === zero && e.what === 'press' ? ' zero' : '') },
    h(
      'span',
      { class: 'when' },
      signed(mid, e.what === 'press' ? 2 : digits) + ' s',
      half >= 0.005 && e.what !== 'press' ? h('small', { text: ' ± ' + signed(half, 2).replace('+', '') }) : null,
    ),
    h('i', { 'aria-hidden': 'true' }),
    h('span', { class: 'did', text: words(e) }),
  );
}

/** @param {Pick<Moment, 'what'|'square'|'was'|'is'|'side'>} e */
export function words(e) {
  switch (e.what) {
    case 'lift':
      return t('line.lift', e.was ? pieceName(e.was) : t('piece.any'), e.square);
    case 'place':
      return t('line.place', e.is ? pieceName(e.is) : t('piece.any'), e.square);
    case 'replace':
      return t(
        'line.replace',
        e.square,
        e.was ? pieceName(e.was) : t('piece.none'),
        e.is ? pieceName(e.is) : t('piece.none'),
      );
    case 'press':
      return e.side ? t('line.press', sideName(e.side)) : t('line.presses');
  }
  return [e.what, e.square].filter(Boolean).join(' ');
}
