// @ts-check
// The events of one game in order, and the state at any moment: squares, record, clocks, the last move. It draws nothing.
import { squaresOf, squareIndex, squareName } from './diagram.js';

/** @typedef {{t: number, seq: number, what: 'lift'|'place'|'replace'|'board'|'press'|'move'|'note'|'finding'|'result', touch?: Touch, press?: Press, move?: Move, note?: ReplayGame['notes'][0], found?: Found, result?: string}} Stop */
/** @typedef {{t: number, lo: number, seq: number, square: string, was: string, is: string, whole: [string[], string[]]|null}} Touch */
/** @typedef {{t: number, lo: number, seq: number, side: Side|'', judged: string}} Press */

/** The number of times in a row that are not after t. @param {ArrayLike<number>} times @param {number} t */
export function upTo(times, t) {
  let lo = 0,
    hi = times.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (times[mid] <= t) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/** Whether a finding needs no attention: it was withdrawn, or is in the record only. @param {Found} f */
export const quiet = (f) => !f.finding.decided && (f.finding.state === 'withdrawn' || f.alert === 'log' || f.alert === 'none');

export class Track {
  /** @param {ReplayGame} g */
  constructor(g) {
    this.game = g;
    this.from = g.from;
    this.to = Math.max(g.to, g.from + 1000);
    /** @type {Touch[]} */
    this.touches = g.touches.map(([seq, t, width, square, was, is]) => {
      const whole = /** @type {[string[], string[]]|null} */ (square ? null : [squaresOf(was), squaresOf(is)]);
      return { t, lo: t - width, seq, square, was, is, whole };
    });
    this.touchTimes = this.touches.map((x) => x.t);
    /** @type {Press[]} */ this.presses = g.presses.map(([seq, t, width, side, judged]) => ({ t, lo: t - width, seq, side, judged }));
    this.findings = g.findings.filter((f) => f.finding.state !== 'suspected');
    this.pieces = squaresOf(g.placement);
    this.applied = 0; // touches that are in pieces
    this.positionTimes = [g.from, ...g.positions.map((p) => p[1])];
    this.fens = [g.fen, ...g.positions.map((p) => p[2])];
    /** @type {(string[]|undefined)[]} */ this.squares = [];
    const n = g.clock.length / 5;
    this.clockTimes = new Float64Array(n);
    this.clocks = new Int32Array(3 * n);
    /** @type {number[]} */ this.saidTimes = [];
    /** @type {(Move|null)[]} */ this.lasts = []; // the last move after each one that was said
    this.readClock(n);
    this.line = this.readMoves();
    this.stops = this.readStops();
    this.stopTimes = this.stops.map((x) => x.t);
  }

  /** @param {number} n of readings */
  readClock(n) {
    let [t, white, black, running] = [0, 0, 0, 0];
    for (let i = 0; i < n; i++) {
      const at = 5 * i;
      t += this.game.clock[at + 1];
      white += this.game.clock[at + 2];
      black += this.game.clock[at + 3];
      running += this.game.clock[at + 4];
      this.clockTimes[i] = t;
      this.clocks.set([white, black, running], 3 * i);
    }
  }

  /** The moves as they are at the end. */
  readMoves() {
    const said = [...this.game.moves, ...this.game.notes.filter((n) => n.type === 'takeback')].sort((a, b) => a.t - b.t || a.seq - b.seq);
    /** @type {Move[]} */ let line = [];
    for (const o of said) {
      const move = /** @type {Move} */ (o);
      const ply = /** @type {number} */ (o.ply);
      const i = line.findIndex((m) => m.ply === ply);
      if (!('san' in o)) line = line.filter((m) => m.ply <= ply);
      else if (move.corrects && i >= 0) line[i] = { ...move, t: line[i].t };
      else line = [...line.filter((m) => m.ply < ply), move];
      this.saidTimes.push(o.t * 1000);
      this.lasts.push(line[line.length - 1] || null);
    }
    return line;
  }

  readStops() {
    /** @type {Stop[]} */
    const all = [
      ...this.touches.map((touch) => ({ t: touch.t, seq: touch.seq, what: whatOf(touch), touch })),
      ...this.presses.map((press) => ({ t: press.t, seq: press.seq, what: /** @type {const} */ ('press'), press })),
      ...this.game.moves.map((move) => ({ t: move.t * 1000, seq: move.seq, what: /** @type {const} */ ('move'), move })),
      ...this.game.notes.map((note) => ({ t: note.t * 1000, seq: note.seq, what: /** @type {const} */ ('note'), note })),
      ...this.findings.map((found) => ({ t: found.t, seq: found.states[0][0], what: /** @type {const} */ ('finding'), found })),
      ...this.game.results.map((r) => ({ t: r.t * 1000, seq: r.seq, what: /** @type {const} */ ('result'), result: r.state === 'withdrawn' ? '–' : r.result })),
    ];
    return all.sort((a, b) => a.t - b.t || a.seq - b.seq);
  }

  /** The squares at a moment; the array belongs to the track. @param {number} t */
  piecesAt(t) {
    const want = upTo(this.touchTimes, t);
    while (this.applied < want) this.apply(this.touches[this.applied++], false);
    while (this.applied > want) this.apply(this.touches[--this.applied], true);
    return this.pieces;
  }

  /** @param {Touch} x @param {boolean} back */
  apply(x, back) {
    if (x.whole) this.pieces = [...x.whole[back ? 0 : 1]];
    else this.pieces[squareIndex(x.square)] = back ? x.was : x.is;
  }

  /** The position of the record at a moment, and whether it is known. @param {number} t */
  recordAt(t) {
    const i = upTo(this.positionTimes, t) - 1;
    const fen = this.fens[Math.max(i, 0)];
    return { fen, pieces: (this.squares[i] ||= squaresOf(fen)) };
  }

  /** The last reading of the clocks; null: unknown. @param {number} t */
  clockAt(t) {
    const i = upTo(this.clockTimes, t) - 1;
    if (i < 0 || this.clocks[3 * i] < 0) return null;
    const [white, black, running] = this.clocks.subarray(3 * i, 3 * i + 3);
    return { white, black, running: /** @type {Side|null} */ ([null, 'white', 'black'][running]) };
  }

  /** The last reported move. @param {number} t */
  moveAt(t) {
    return this.lasts[upTo(this.saidTimes, t) - 1] || null;
  }

  /** The finding of a moment. @param {number} t */
  foundAt(t) {
    let best = null;
    for (const f of this.findings) if (f.finding.window.lo * 1000 <= t && t <= f.t + 4000) best = f;
    return best;
  }

  /** The findings with a link: those that need attention, or all if there are none. */
  marks() {
    const loud = this.findings.filter((f) => !quiet(f));
    return loud.length ? loud : this.findings;
  }
}

/** @param {Touch} x @returns {Stop['what']} */
const whatOf = (x) => (x.whole ? 'board' : !x.is ? 'lift' : !x.was ? 'place' : 'replace');

/** Squares on which two boards differ. @param {string[]} a @param {string[]} b */
export function differs(a, b) {
  const out = [];
  for (let i = 0; i < 64; i++) if (a[i] !== b[i]) out.push(squareName(i));
  return out;
}
