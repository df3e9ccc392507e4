// @ts-check
// What the timing says about two hands: when each square changed, drawn as bars on one line of time, whether the pieces were in
// the air together, and what else it can have been.
import { h, s as svg } from './dom.js';
import { t, pieceName, saying } from './i18n.js';

const width = 320,
  row = 18;

/** @param {Finding} f a finding @returns {any} */
export function handsLine(f) {
  const list = f.timeline;
  if (!list || !list.length) return f.timing ? h('p', saying(f.timing_say, f.timing)) : null;
  const zero = Math.min(...list.map((w) => w.lo));
  const end = Math.max(...list.map((w) => w.hi));
  const at = (/** @type {number} */ s) => ((s - zero) / Math.max(end - zero, 0.001)) * width;
  return [
    h('h2', { text: t('hands.title') }),
    h(
      'table',
      { class: 'hands' },
      h('caption', { text: t('hands.caption') }),
      h(
        'tbody',
        null,
        list.map((w) =>
          h(
            'tr',
            { class: w.lift ? 'lift' : 'place' },
            h('th', { scope: 'row', text: what(w) }),
            h('td', { text: span(w, zero) }),
            h('td', { 'aria-hidden': 'true' }, bar(at(w.lo), at(w.hi))),
          ),
        ),
      ),
    ),
    f.in_air ? h('p', { text: t('hands.air.' + f.in_air.replace(/ /g, '_')) }) : null,
    f.timing ? h('p', saying(f.timing_say, f.timing)) : null,
    h('p', { text: t('hands.other.' + deed(f)) }),
    isSuspicion(f) ? h('p', { class: 'muted', text: t('hands.look') }) : null,
  ];
}

/** Whether the timing is its only evidence. @param {Finding} f a finding */
export const isSuspicion = (f) => f.kind.startsWith('suspect.');

/** The weight of the timing, as the word in the record's sentence. A figure would not be justified (docs/hands.md).
 * @param {Finding} f */
export function weight(f) {
  const said = /\b(weak|moderate|strong) evidence\b/i.exec(f.reason);
  return t('hands.weight.' + (f.proof === 'strong' ? 'strong' : said ? said[1].toLowerCase() : 'weak'));
}

/** The action in question: a person's report names it otherwise than a suspicion. @param {Finding} f */
function deed(f) {
  if (isSuspicion(f)) return f.kind.replace('suspect.two_hands_', '');
  if (f.uci && f.uci.length > 4) return 'promotion';
  const pieces = (/** @type {Span[]} */ (f.timeline)).map((w) => w.piece);
  const both = (/** @type {string} */ king, /** @type {string} */ rook) => pieces.includes(king) && pieces.includes(rook);
  return both('K', 'R') || both('k', 'r') ? 'castling' : 'capture';
}

/** @param {Span} w */
function what(w) {
  const piece = w.piece ? pieceName(w.piece) : t('piece.any');
  const text = w.lift ? t('line.lift', piece, w.square) : t('line.place', piece, w.square);
  return w.seen ? text : text + ' ' + t('hands.hidden');
}

/** @param {Span} w @param {number} zero */
const span = (w, zero) => (w.lo - zero).toFixed(2) + '–' + (w.hi - zero).toFixed(2) + ' s';

/** @param {number} from @param {number} to */
const bar = (from, to) =>
  svg(
    'svg',
    { viewBox: '0 0 ' + width + ' ' + row, preserveAspectRatio: 'none', width: '100%', height: row },
    svg('rect', { x: from.toFixed(1), y: 3, width: Math.max(to - from, 2).toFixed(1), height: row - 6, rx: 3 }),
  );
