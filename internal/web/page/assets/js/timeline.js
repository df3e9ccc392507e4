// @ts-check
// Lifts, places and the press as a vertical list, with times relative to the press. A report says only that something
// happened between two scans of the board: that is the ±.
import { h } from './dom.js';
import { t, signed, pieceName, sideName } from './i18n.js';

/** @param {any} i @returns {any} */
export function timeline(i) {
  const events = i.timeline;
  if (!events.length) return null;
  const presses = events.filter((/** @type {any} */ e) => e.what === 'press');
  const zero = (
    presses.find((/** @type {any} */ e) => e.judged === i.finding.kind) ||
    presses[presses.length - 1] ||
    events[events.length - 1]
  ).t;
  return [
    h('h2', { text: t('line.title') }),
    h(
      'ol',
      { class: 'timeline' },
      events.map((/** @type {any} */ e) => row(e, zero)),
    ),
  ];
}

/** @param {any} e @param {number} zero */
function row(e, zero) {
  const lo = typeof e.lo === 'number' && e.lo < e.t ? e.lo : e.t;
  const mid = (lo + e.t) / 2 - zero,
    half = (e.t - lo) / 2;
  const digits = Math.abs(mid) < 10 ? 2 : 1;
  return h(
    'li',
    { class: 'tl ' + e.what + (e.t === zero && e.what === 'press' ? ' zero' : '') },
    h(
      'span',
      { class: 'when' },
      e.what === 'press' ? signed(e.t - zero, 2) + ' s' : signed(mid, digits) + ' s',
      half >= 0.005 && e.what !== 'press' ? h('small', { text: ' ± ' + signed(half, 2).replace('+', '') }) : null,
    ),
    h('i', { 'aria-hidden': 'true' }),
    h('span', { class: 'did', text: words(e) }),
  );
}

/** @param {any} e */
function words(e) {
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
