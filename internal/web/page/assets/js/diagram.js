// @ts-check
// A position as SVG: squares, pieces, marks. A diagram changes only what differs from what it shows.
import { s, h, setAttr } from './dom.js';
import { outlines, eye } from './pieces.js';
import { t, pieceName, sideName } from './i18n.js';

/** The squares of a FEN or of its first field, a8 first. @param {string|null|undefined} fen @returns {string[]} */
export function squaresOf(fen) {
  /** @type {string[]} */
  const out = [];
  for (const c of (fen || '').split(' ')[0]) {
    if (c >= '1' && c <= '8') for (let i = 0; i < +c; i++) out.push('');
    else if (c !== '/') out.push(c);
  }
  while (out.length < 64) out.push('');
  return out.slice(0, 64);
}

/** @param {number} i @returns {string} */
export const squareName = (i) => 'abcdefgh'[i % 8] + (8 - (i >> 3));
/** @param {string} name @returns {number} */
export const squareIndex = (name) => (8 - +name[1]) * 8 + 'abcdefgh'.indexOf(name[0]);

/** Where two positions differ. @param {string|null|undefined} a @param {string|null|undefined} b @returns {string[]} */
export function differing(a, b) {
  if (!a || !b) return [];
  const x = squaresOf(a),
    y = squaresOf(b);
  return x.map((p, i) => (p === y[i] ? '' : squareName(i))).filter(Boolean);
}

/** Whether there is one position and no press to compare: the game is over, a flag has fallen, a draw was claimed. @param {Finding} f */
export const onePosition = (f) => /^(end|draw|clock)\./.test(f.kind) && !!f.fen_at && !differing(f.fen_before, f.fen_at).length;

/** @typedef {{fen?: string|null, pieces?: string[], diff?: string[], ring?: string[], flip?: boolean, quick?: boolean}} Shown quick: another follows at once: no words for it */

export const side = 105; // of a square, around a piece's box of 100

/** The bodies, the lines in them and the knights' eyes of all pieces of a colour. */
const paths = () => ['pc-body', 'pc-lines', 'pc-eye'].map((c) => s('path', { class: c }));

/* Few elements, none with a transformation of its own: in a list the browser lays out and paints dozens. */
export class Diagram {
  /** @param {string} name for people who do not see it @param {string} [cls] @param {boolean} [coordinates] */
  constructor(name, cls, coordinates) {
    this.name = name;
    this.coordinates = !!coordinates;
    this.flip = false;
    this.stale = false; // its label does not describe what it shows
    /** @type {string[]} */ this.pieces = Array(64).fill('');
    this.marks = '';
    this.white = paths();
    this.black = paths();
    this.below = s('g'); // the marks
    this.above = s('g');
    this.labels = s('g', { class: 'dg-labels' });
    const box = coordinates ? '-36 0 876 876' : '0 0 840 840'; // the coordinates stand beside the squares
    const dark = [...Array(64).keys()].filter((i) => (i + (i >> 3)) % 2);
    this.el = s(
      'svg',
      { viewBox: box, class: 'diagram ' + (cls || ''), role: 'img', 'aria-label': name },
      s('path', { class: 'dg-light', d: 'M0 0h840v840H0z' }),
      s('path', { class: 'dg-dark', d: dark.map((i) => this.at(i, 0, 0) + 'h105v105h-105z').join('') }),
      this.below,
      s('g', { class: 'pc-white' }, ...this.white),
      s('g', { class: 'pc-black' }, ...this.black),
      this.above,
      this.labels,
    );
    this.label();
  }

  /** A point of a square, to begin a path. @param {number} i @param {number} x @param {number} y */
  at(i, x, y) {
    const n = this.flip ? 63 - i : i;
    return 'M' + ((n % 8) * side + x) + ' ' + ((n >> 3) * side + y);
  }

  label() {
    this.labels.textContent = '';
    if (!this.coordinates) return;
    for (let i = 0; i < 8; i++) {
      const file = s('text', { x: i * side + 52, y: 865, 'text-anchor': 'middle' });
      file.textContent = 'abcdefgh'[this.flip ? 7 - i : i];
      const rank = s('text', { x: -20, y: i * side + 63, 'text-anchor': 'middle' });
      rank.textContent = String(this.flip ? i + 1 : 8 - i);
      this.labels.append(file, rank);
    }
  }

  /** @param {Shown} shown */
  show(shown) {
    const want = shown.pieces || squaresOf(shown.fen);
    const diff = new Set(shown.diff),
      ring = new Set(shown.ring);
    const turned = !!shown.flip !== this.flip;
    this.flip = !!shown.flip;
    if (turned) this.label();
    const moved = want.some((p, i) => p !== this.pieces[i]);
    this.pieces = [...want];
    if (turned || moved) this.draw();
    const marks = [...diff, '', ...ring].join();
    const marked = marks !== this.marks;
    this.marks = marks;
    if (turned || marked) this.mark(diff, ring);
    this.stale ||= moved || marked;
    if (this.stale && !shown.quick) this.describe(diff, ring);
  }

  draw() {
    const d = { white: ['', '', ''], black: ['', '', ''] };
    this.pieces.forEach((p, i) => {
      if (!p) return;
      const kind = p.toLowerCase();
      const of = p < 'a' ? d.white : d.black,
        from = this.at(i, 2.5, 1);
      of[0] += from + outlines[kind][0];
      of[1] += from + outlines[kind][1];
      if (kind === 'n') of[2] += from + eye;
    });
    this.white.forEach((path, i) => setAttr(path, 'd', d.white[i]));
    this.black.forEach((path, i) => setAttr(path, 'd', d.black[i]));
  }

  /** @param {Set<string>} diff @param {Set<string>} ring */
  mark(diff, ring) {
    this.below.replaceChildren(...[...diff].map((q) => s('path', { class: 'dg-diff', d: this.at(squareIndex(q), 5, 5) + 'h95v95h-95z' })));
    this.above.replaceChildren(...[...ring].map((q) => s('path', { class: 'dg-ring', d: this.at(squareIndex(q), 5, 52.5) + 'a47.5 47.5 0 1 0 95 0 47.5 47.5 0 1 0-95 0z' })));
  }

  /** @param {Set<string>} diff @param {Set<string>} ring */
  describe(diff, ring) {
    this.stale = false;
    const list = (/** @type {boolean} */ white) =>
      this.pieces
        .map((p, i) => (p && p < 'a' === white ? t('pieceshort.' + p.toLowerCase()) + ' ' + squareName(i) : ''))
        .filter(Boolean)
        .join(', ');
    const marked = [...new Set([...diff, ...ring])].join(', ');
    const said = [this.name, sideName('white') + ': ' + list(true), sideName('black') + ': ' + list(false), marked && t('board.marked', marked)];
    setAttr(this.el, 'aria-label', said.filter(Boolean).join('. '));
  }
}

/**
* The pieces to move to make `to` out of `from`: "h5: empty", "f3: white knight".
 * @param {string|null|undefined} from @param {string|null|undefined} to @returns {string[]}
 */
export function changes(from, to) {
  const want = squaresOf(to);
  return differing(from, to).map((q) => {
    const p = want[squareIndex(q)];
    return q + ': ' + (p ? pieceName(p) : t('piece.none'));
  });
}

/** @param {Diagram} d @param {...any} below */
export const figure = (d, ...below) => h('figure', { class: 'diagram-box' }, d.el, ...below);
