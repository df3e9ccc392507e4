// @ts-check
// A position as SVG: 64 squares, pieces, marks. A diagram changes only what differs from what it shows.
import { s, h, setAttr, setClass } from './dom.js';
import { installPieces } from './pieces.js';
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

/** @typedef {{fen?: string|null, pieces?: string[], diff?: string[], ring?: string[], flip?: boolean, quick?: boolean}} Shown quick: another one follows at once, so that it is not put into words */

export class Diagram {
  /** @param {string} name for people who do not see it @param {string} [cls] @param {boolean} [coordinates] */
  constructor(name, cls, coordinates) {
    installPieces();
    this.name = name;
    this.coordinates = !!coordinates;
    this.flip = false;
    this.stale = false; // its name does not say what it shows
    /** @type {string[]} */ this.pieces = Array(64).fill('');
    /** @type {string[]} */ this.marks = Array(64).fill('');
    /** @type {SVGElement[]} */ this.cells = [];
    this.labels = s('g', { class: 'dg-labels' });
    const box = coordinates ? '-3.4 0 83.4 83.4' : '0 0 80 80'; // the coordinates stand beside the squares
    this.el = s('svg', { viewBox: box, class: 'diagram ' + (cls || ''), role: 'img', 'aria-label': name });
    for (let i = 0; i < 64; i++) {
      const cell = s(
        'g',
        {},
        s('rect', { width: 10, height: 10, class: (i + (i >> 3)) % 2 ? 'dg-dark' : 'dg-light' }),
        s('path', { class: 'dg-diff', d: 'M.45.45h9.1v9.1h-9.1z' }),
        s('use', { x: 0.25, y: 0.1, width: 9.5, height: 9.5 }),
        s('circle', { class: 'dg-ring', cx: 5, cy: 5, r: 4.5 }),
      );
      this.cells.push(cell);
      this.el.appendChild(cell);
    }
    this.el.appendChild(this.labels);
    this.place();
  }

  place() {
    for (let i = 0; i < 64; i++) {
      const at = this.flip ? 63 - i : i;
      this.cells[i].setAttribute('transform', 'translate(' + (at % 8) * 10 + ' ' + (at >> 3) * 10 + ')');
    }
    this.labels.textContent = '';
    if (!this.coordinates) return;
    for (let i = 0; i < 8; i++) {
      const file = s('text', { x: i * 10 + 5, y: 82.4, 'text-anchor': 'middle' });
      file.textContent = 'abcdefgh'[this.flip ? 7 - i : i];
      const rank = s('text', { x: -1.9, y: i * 10 + 6, 'text-anchor': 'middle' });
      rank.textContent = String(this.flip ? i + 1 : 8 - i);
      this.labels.append(file, rank);
    }
  }

  /** @param {Shown} shown */
  show(shown) {
    if (!!shown.flip !== this.flip) {
      this.flip = !!shown.flip;
      this.place();
    }
    const want = shown.pieces || squaresOf(shown.fen);
    const diff = new Set(shown.diff),
      ring = new Set(shown.ring);
    let changed = false;
    for (let i = 0; i < 64; i++) {
      if (want[i] !== this.pieces[i]) {
        const use = this.cells[i].children[2];
        setAttr(use, 'href', want[i] ? '#pc-' + want[i].toLowerCase() : null);
        setClass(use, want[i] ? (want[i] < 'a' ? 'pc-white' : 'pc-black') : '');
        this.pieces[i] = want[i];
        changed = true;
      }
      const name = squareName(i);
      const mark = (diff.has(name) ? 'has-diff ' : '') + (ring.has(name) ? 'has-ring' : '');
      if (mark !== this.marks[i]) {
        setClass(this.cells[i], mark);
        this.marks[i] = mark;
        changed = true;
      }
    }
    this.stale ||= changed;
    if (this.stale && !shown.quick) this.describe(diff, ring);
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
    setAttr(
      this.el,
      'aria-label',
      this.name +
        '. ' +
        sideName('white') +
        ': ' +
        list(true) +
        '. ' +
        sideName('black') +
        ': ' +
        list(false) +
        (marked ? '. ' + t('board.marked', marked) : ''),
    );
  }
}

/**
 * What has to be put where, to make `to` out of `from`: "h5: empty", "f3: white knight".
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
