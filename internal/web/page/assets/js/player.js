// @ts-check
// The replay of one game: squares and record, clocks, time lines, what happened in words, and the keys. The page and a file show
// the same.
import { h, s, icon, setText, setClass, setAttr, show, patch, announce } from './dom.js';
import { t, has, clockTime, dayTime, moveText, kindName, word, saying, resultText, pieceName, sanText } from './i18n.js';
import { Diagram, figure, side as unit, squareIndex } from './diagram.js';
import { Track, differs, quiet, upTo } from './track.js';
import { overview, near } from './scrub.js';
import { words } from './timeline.js';
import { prefs } from './prefs.js';

const sides = /** @type {Side[]} */ (['white', 'black']);
const rows = 7; // events that are shown in words
const nothing = Array(64).fill('');
const speeds = [1, 2, 3, 5, 8, 10, 15, 20];

/**
 * @param {ReplayGame} game @param {Recording} rec @param {number} rate how many times faster than life the board's time line ran
 * @returns {{el: HTMLElement, close: () => void, go: (t: number) => void, track: Track}}
 */
export function player(game, rec, rate) {
  const track = new Track(game);
  let at = game.positions.length ? game.positions[0][1] : track.from, // where something stands on the board
    playing = false,
    speed = 1,
    flip = false,
    framed = false,
    lines = false, // the time lines were drawn last, and not the boards: while somebody scrubs each is drawn in every other frame
    last = 0,
    settle = 0;
  /** @type {[number, number]} */ const shown = [NaN, NaN]; // the moments of the boards and of the time lines
  /** @type {'board'|'record'|'both'} */ let view = matchMedia('(min-width: 46rem)').matches ? 'both' : 'board';

  const live = new Diagram(t('replay.board'), 'live', true),
    record = new Diagram(t('replay.record'), '', true);
  const arrows = [new Arrow(live), new Arrow(record)];
  /** @type {Record<string, HTMLElement>} */ const digits = {};
  /** @type {Record<string, HTMLElement>} */ const bars = {};
  for (const side of sides) {
    digits[side] = h('b');
    const who = game[side] || t('side.' + side);
    bars[side] = h('div', { class: 'sidebar' }, h('i', { class: 'man ' + side, 'aria-hidden': 'true' }), h('span', { class: 'grow' }, h('span', { class: 'who', text: who })), digits[side]);
  }
  const pair = h(
    'div',
    { class: 'rp-pair ' + view },
    figure(live, h('figcaption', { text: t('replay.board') })),
    figure(record, h('figcaption', { text: t('replay.record') })),
  );
  const boards = h('div', { class: 'live-board' }, bars.black, pair, bars.white);
  const views = h(
    'div',
    { class: 'rp-views', role: 'group', 'aria-label': t('replay.view') },
    /** @type {const} */ (['board', 'record', 'both']).map((v) =>
      h('button', { type: 'button', class: 'button', 'aria-pressed': String(v === view), 'data-view': v, onclick: () => turnTo(v) }, t(v === 'board' ? 'board.word' : v === 'record' ? 'replay.rec' : 'replay.both')),
    ),
  );
  const turn = h('button', { type: 'button', class: 'icon-button flip', 'aria-label': t('board.flip'), 'data-flip': '', onclick: () => ((flip = !flip), draw()) }, icon('flip'));
  const read = h('p', { class: 'muted rp-diff' });
  const when = h('p', { class: 'rp-when' });
  const list = eventList();
  const found = h('section', { class: 'rp-found' });
  const moves = moveList();
  const all = overview(track, go),
    lane = near(track, go);
  const play = h('button', { type: 'button', class: 'act primary', 'aria-label': t('replay.play'), onclick: toggle }, icon('play'));
  const faster = /** @type {HTMLSelectElement} */ (
    h('select', { class: 'rp-speed', 'aria-label': t('replay.speed'), onchange: () => (speed = +faster.value) }, speeds.map((n) => h('option', { value: n, text: '× ' + n })))
  );
  const jump = (/** @type {Glyph} */ glyph, /** @type {string} */ name, /** @type {() => void} */ f, /** @type {string} */ cls) =>
    h('button', { type: 'button', class: 'act ' + cls, 'aria-label': t(name), title: t(name), onclick: f }, icon(glyph));
  const bar = h(
    'div',
    { class: 'rp-bar', role: 'group', 'aria-label': t('replay.controls') },
    when,
    lane.el,
    all.el,
    h(
      'div',
      { class: 'rp-keys' },
      jump('look', 'replay.prevfinding', () => toFinding(-1), 'prev'),
      jump('back', 'replay.prev', () => step(-1), ''),
      play,
      jump('back', 'replay.next', () => step(1), 'turned'),
      jump('look', 'replay.nextfinding', () => toFinding(1), 'next'),
      faster,
    ),
  );
  const el = h(
    'div',
    { class: 'rp' },
    h('div', { class: 'rp-left' }, boards, h('div', { class: 'under' }, views, turn), read),
    h('div', { class: 'rp-right' }, found, list.el, moves.el, findingList(track, go)),
    bar,
  );

  /** @param {'board'|'record'|'both'} v */
  function turnTo(v) {
    view = v;
    setClass(pair, 'rp-pair ' + v);
    for (const b of views.children) setAttr(b, 'aria-pressed', String(/** @type {HTMLElement} */ (b).dataset.view === v));
    draw();
  }

  /** @param {number} to */
  function go(to) {
    at = Math.min(track.to, Math.max(track.from, to));
    ask();
  }

  function ask() {
    if (framed) return;
    framed = true;
    requestAnimationFrame(frame);
  }

  /** @param {number} now */
  function frame(now) {
    framed = false;
    if (playing) {
      at = Math.min(track.to, at + (now - last) * speed);
      last = now;
      if (at >= track.to) toggle();
      else ask();
    }
    all.show(at);
    lines = !lines;
    if (lines) drawLines(true);
    else drawBoards(true);
    shown[+lines] = at;
    if (shown[+!lines] !== at) ask();
    clearTimeout(settle);
    settle = window.setTimeout(draw, 150);
  }

  function toggle() {
    playing = !playing;
    if (playing && at >= track.to) at = track.from;
    last = performance.now();
    setAttr(play, 'aria-label', t(playing ? 'replay.pause' : 'replay.play'));
    play.replaceChildren(icon(playing ? 'pause' : 'play'));
    if (playing) ask();
  }

  /** To the event before or after. @param {number} way */
  function step(way) {
    const times = track.stopTimes;
    const i = way > 0 ? upTo(times, at) : upTo(times, at - 0.5) - 1;
    go(i < 0 ? track.from : i >= times.length ? track.to : times[i]);
  }

  /** To the move before or after. @param {number} way */
  function toMove(way) {
    const times = track.line.map((m) => m.t * 1000);
    const next = way > 0 ? times.find((x) => x > at + 0.5) : times.findLast((x) => x < at - 0.5);
    go(next === undefined ? (way > 0 ? track.to : track.from) : next);
  }

  /** @param {number} way */
  function toFinding(way) {
    const marks = track.marks();
    const f = way > 0 ? marks.find((m) => m.t > at + 0.5) : marks.findLast((m) => m.t < at - 0.5);
    if (!f) {
      announce(t(way > 0 ? 'replay.nomore' : 'replay.nobefore'));
      return;
    }
    go(f.t);
    announce(kindName(f.finding.kind) + '. ' + saying(f.finding.say, f.finding.reason).text);
  }

  /** Draws everything of the moment. */
  function draw() {
    clearTimeout(settle);
    all.show(at);
    drawBoards();
    drawLines();
    told();
  }

  /** @param {boolean} [quick] another moment follows */
  function drawBoards(quick) {
    const pieces = track.piecesAt(at),
      { fen, pieces: recorded } = track.recordAt(at);
    const known = !!fen && pieces.some(Boolean);
    const diff = known ? differs(pieces, recorded) : [];
    const f = track.foundAt(at);
    const move = track.moveAt(at);
    const ring = f ? f.finding.squares : [];
    if (view !== 'record') live.show({ pieces, diff, ring, flip, quick });
    if (view !== 'board') record.show({ pieces: fen ? recorded : nothing, diff, ring, flip, quick });
    for (const a of arrows) a.show(move && move.uci, f && f.finding.uci, flip);
    setClass(boards, 'live-board' + (flip ? ' flipped' : ''));
    setText(read, diff.length ? diffText(diff, pieces, recorded) : '');
    const clock = track.clockAt(at);
    for (const side of sides) {
      setText(digits[side], clock ? clockTime(clock[side]) : '–');
      setClass(bars[side], 'sidebar' + (clock && clock.running === side ? ' runs' : '') + (fen && turnOf(fen) === side ? ' turn' : ''));
    }
  }

  /** @param {boolean} [quick] another moment follows */
  function drawLines(quick) {
    const f = track.foundAt(at);
    const move = track.moveAt(at);
    setText(when, timeText() + (move ? ' · ' + moveText(move.ply, move.san || '--') : ''));
    lane.show(at);
    if (quick && !playing) return; // the rest is not read while the moment is dragged
    list.show(at);
    patch(found, f && [f.finding.id, rec.journal], () => (f ? card(f) : null));
  }

  /** Called when the moment has not changed for a while. */
  function told() {
    all.say(at, when.textContent || '');
    moves.show(track.moveAt(at));
  }

  function timeText() {
    const wall = wallAt(rec, at, rate);
    return clockTime((at - track.from) / 1000) + (wall ? ' · ' + dayTime(wall, true) : '');
  }

  function eventList() {
    const lines = Array.from({ length: rows }, () => {
      const time = h('span', { class: 'when' }),
        what = h('span', { class: 'grow' }),
        no = h('small');
      /** @type {Stop|undefined} */ let stop;
      const button = h('button', { type: 'button', class: 'rp-event', onclick: () => stop && go(stop.t) }, time, what, no);
      return {
        button,
        /** @param {Stop|undefined} s @param {boolean} now */
        show(s, now) {
          if (s !== stop) {
            stop = s;
            setText(time, s ? clockTime((s.t - track.from) / 1000) : '');
            setText(what, s ? eventText(s) : '');
            setText(no, s ? '#' + s.seq : '');
            setClass(button, 'rp-event' + (s ? ' ' + s.what : ''));
            show(button, !!s);
          }
          setAttr(button, 'aria-current', now ? 'true' : null);
        },
      };
    });
    return {
      el: h('section', { class: 'rp-events' }, h('h2', { text: t('replay.events') }), h('ol', null, lines.map((l) => h('li', null, l.button)))),
      /** @param {number} at */
      show(at) {
        const now = upTo(track.stopTimes, at) - 1;
        lines.forEach((l, k) => l.show(track.stops[now - (rows >> 1) + k], k === rows >> 1));
      },
    };
  }

  function moveList() {
    /** @type {HTMLElement|null} */ let shown = null;
    /** @type {Map<Move, HTMLElement>} */ const buttons = new Map();
    const ol = h('ol', { class: 'rp-moves', tabindex: '0', 'aria-label': t('replay.moves') });
    /** @type {HTMLElement|null} */ let row = null;
    track.line.forEach((m, i) => {
      const kind = (m.finding || '').split(':')[1];
      const b = h('button', { type: 'button', class: kind ? 'odd' : '', onclick: () => go(m.t * 1000) }, sanText(m.san || '--'));
      buttons.set(m, b);
      const gap = i > 0 && m.ply > track.line[i - 1].ply + 1; // plies that are not known
      if (gap) ol.append(h('li', null, h('span', { class: 'no', text: '…' })));
      if (m.ply % 2 || !i || gap) {
        row = h('li', null, h('span', { class: 'no', text: Math.ceil(m.ply / 2) + (m.ply % 2 ? '.' : '…') }));
        ol.append(row);
      }
      /** @type {HTMLElement} */ (row).append(b);
    });
    return {
      el: track.line.length ? h('section', null, h('h2', { text: t('replay.moves') }), ol) : h('section'),
      /** @param {Move|null} m */
      show(m) {
        const b = (m && (buttons.get(m) || [...buttons].find(([x]) => x.ply === m.ply)?.[1])) || null;
        if (b === shown) return;
        if (shown) setAttr(shown, 'aria-current', null);
        shown = b;
        if (!b) return;
        setAttr(b, 'aria-current', 'true');
        const line = /** @type {HTMLElement} */ (b.parentElement);
        ol.scrollTop = line.offsetTop - ol.offsetTop - ol.clientHeight / 2;
      },
    };
  }

  /** @param {KeyboardEvent} e */
  function key(e) {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return;
    const target = /** @type {HTMLElement} */ (e.target);
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
    if (e.key === ' ' && /^(BUTTON|SUMMARY|A)$/.test(target.tagName)) return;
    if (!prefs.keys && /^[a-z]$/.test(e.key)) return;
    const does = keys[e.key];
    if (!does) return;
    e.preventDefault();
    does();
  }

  /** @type {Record<string, () => void>} */
  const keys = {
    ' ': toggle,
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ArrowUp: () => toMove(-1),
    ArrowDown: () => toMove(1),
    PageUp: () => go(at - 60000),
    PageDown: () => go(at + 60000),
    Home: () => go(track.from),
    End: () => go(track.to),
    n: () => toFinding(1),
    p: () => toFinding(-1),
    '+': () => pace(1),
    '-': () => pace(-1),
  };

  /** @param {number} way */
  function pace(way) {
    const i = Math.min(speeds.length - 1, Math.max(0, speeds.indexOf(speed) + way));
    speed = speeds[i];
    faster.value = String(speed);
    announce('× ' + speed);
  }

  const repaint = () => {
    all.paint();
    lane.paint();
  };
  const theme = new MutationObserver(repaint);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  document.addEventListener('keydown', key);
  const sized = new ResizeObserver(ask);
  sized.observe(all.el);
  draw();
  return {
    el,
    go,
    track,
    close() {
      playing = false;
      clearTimeout(settle);
      document.removeEventListener('keydown', key);
      for (const x of [theme, sized]) x.disconnect();
      all.end();
      lane.end();
    },
  };
}

/** @typedef {import('./track.js').Stop} Stop */

/** @param {string} fen @returns {Side} */
const turnOf = (fen) => (fen.split(' ')[1] === 'b' ? 'black' : 'white');

/** The time of day of a moment; 0: not known. @param {Recording} rec @param {number} at @param {number} rate */
function wallAt(rec, at, rate) {
  let best = null;
  for (const w of rec.wall) if (w[0] <= at) best = w;
  return best ? best[1] + (at - best[0]) / rate : 0;
}

/** @param {string[]} diff @param {string[]} pieces @param {string[]} recorded */
function diffText(diff, pieces, recorded) {
  const name = (/** @type {string} */ p) => (p ? pieceName(p) : t('piece.none'));
  const some = diff.slice(0, 4).map((q) => t('board.compare', q, name(pieces[squareIndex(q)]), name(recorded[squareIndex(q)])));
  return some.join('; ') + (diff.length > 4 ? ' … (' + diff.length + ')' : '');
}

/** An event in words. @param {Stop} s */
function eventText(s) {
  if (s.touch)
    return s.what === 'board' ? t('replay.dump') : words({ what: s.what, square: s.touch.square, was: s.touch.was, is: s.touch.is, side: '' });
  if (s.press) {
    const judged = s.press.judged.replace('+reply', '');
    return words({ what: 'press', square: '', was: '', is: '', side: s.press.side }) + (has(judged) ? ' · ' + kindName(judged) : '');
  }
  if (s.move) return moveText(s.move.ply, s.move.san || '--') + (s.move.corrects ? ' · ' + t('replay.corrected') : '');
  if (s.found) return kindName(s.found.finding.kind);
  if (s.note) return s.note.type === 'takeback' ? t('replay.takeback') : word('health', s.note.what);
  return t('step.result', resultText(s.result || '?'));
}

/** The finding, its evidence, and the decision. @param {Found} f */
function card(f) {
  const { finding, ruling, after } = f;
  const state = finding.decided ? t('decided.' + finding.decided) : t('findingstate.' + finding.state);
  const timeOf = (/** @type {number} */ ms) => clockTime(ms / 1000);
  return h(
    'div',
    { class: 'rp-card' + (quiet(f) ? ' calm' : '') },
    h('h2', { text: kindName(finding.kind) + ' · ' + state }),
    h('p', { ...saying(finding.say, finding.reason) }),
    ruling && ruling.text && finding.state !== 'withdrawn' ? h('p', { class: 'muted', ...saying(ruling.say, ruling.text) }) : null,
    after && after.text ? h('p', { class: 'muted', ...saying(after.say, after.text) }) : null,
    h('p', { class: 'muted break', text: [finding.articles.length ? t('alert.articles', finding.articles.join(', ')) : '', t('replay.records', finding.evidence.map((n) => '#' + n).join(' '))].filter(Boolean).join(' · ') }),
    f.decisions.map((d) => h('p', { class: 'muted', text: [t('decided.' + d.decision), d.by, d.wall_ms ? dayTime(d.wall_ms) : timeOf(d.t), d.note].filter(Boolean).join(' · ') + ' #' + d.seq })),
  );
}

/** All findings, as links to their moments. @param {Track} track @param {(t: number) => void} go */
function findingList(track, go) {
  const row = (/** @type {Found} */ f) =>
    h(
      'li',
      null,
      h(
        'button',
        { type: 'button', class: 'row link', onclick: () => go(f.t) },
        h('span', { class: 'grow' }, h('strong', { text: kindName(f.finding.kind) }), h('span', { class: 'muted', text: f.finding.decided ? t('decided.' + f.finding.decided) : t('findingstate.' + f.finding.state) })),
        h('span', { class: 'muted', text: clockTime((f.t - track.from) / 1000) }),
      ),
    );
  const loud = track.findings.filter((f) => !quiet(f)),
    rest = track.findings.filter(quiet);
  return h(
    'section',
    null,
    h('h2', { text: t('board.findings') }),
    loud.length ? h('ul', { class: 'rows' }, loud.map(row)) : h('p', { class: 'muted', text: t('board.nofindings') }),
    rest.length ? h('details', null, h('summary', { text: t('board.quiet', rest.length) }), h('ul', { class: 'rows' }, rest.map(row))) : null,
  );
}

/** Two arrows over a diagram: the last move of the record, and the move of the finding. */
class Arrow {
  /** @param {Diagram} d */
  constructor(d) {
    this.move = s('path', { class: 'rp-arrow' });
    this.found = s('path', { class: 'rp-arrow found' });
    d.el.append(this.move, this.found);
  }

  /** @param {string|null} move @param {string|null} found @param {boolean} flip */
  show(move, found, flip) {
    setAttr(this.move, 'd', arrow(move, flip));
    setAttr(this.found, 'd', arrow(found, flip));
  }
}

/** The outline of an arrow from one square to another, in the diagram's units. @param {string|null} uci @param {boolean} flip */
function arrow(uci, flip) {
  if (!uci || uci.length < 4) return '';
  const middle = (/** @type {string} */ q) => {
    const i = flip ? 63 - squareIndex(q) : squareIndex(q);
    return [(i % 8) * unit + unit / 2, (i >> 3) * unit + unit / 2];
  };
  const [[x, y], [tx, ty]] = [middle(uci.slice(0, 2)), middle(uci.slice(2, 4))];
  const long = Math.hypot(tx - x, ty - y);
  if (!(long > 0)) return '';
  const [ux, uy] = [(tx - x) / long, (ty - y) / long];
  /** @type {(along: number, across: number) => string} */
  const p = (along, across) => (x + ux * along - uy * across).toFixed(1) + ' ' + (y + uy * along + ux * across).toFixed(1);
  const neck = long - 47;
  return 'M' + [p(21, -8.4), p(neck, -8.4), p(neck, -23), p(long - 5, 0), p(neck, 23), p(neck, 8.4), p(21, 8.4)].join('L') + 'z';
}
