// @ts-check
// Two time lines: the whole game, and the seconds around the moment that is shown, with the window of each touch and press. Both are
// drawn on canvases, because a game has thousands of marks; everything in them is also said in words beside them (player.js).
import { h, setAttr } from './dom.js';
import { t, sanText, sideName } from './i18n.js';
import { quiet, upTo } from './track.js';

/** @typedef {import('./track.js').Track} Track */

const perSecond = 22; // pixels of the near time line
const wide = 3000; // ms: no window is wider

/** @param {string} p of a FEN */
const pieceLetter = (p) => (p === 'p' || p === 'P' ? '' : sanText(p.toUpperCase()));

/** A canvas as large as its box. @param {(c: CanvasRenderingContext2D, width: number, height: number) => void} draw */
function canvas(draw) {
  const el = /** @type {HTMLCanvasElement} */ (h('canvas', { 'aria-hidden': 'true' }));
  const c = /** @type {CanvasRenderingContext2D} */ (el.getContext('2d'));
  const size = { width: 0, height: 0 };
  const paint = () => {
    if (!size.width) return;
    c.clearRect(0, 0, size.width, size.height);
    draw(c, size.width, size.height);
  };
  const watch = new ResizeObserver(() => {
    const box = el.getBoundingClientRect();
    const scale = Math.min(devicePixelRatio || 1, 2);
    size.width = box.width;
    size.height = box.height;
    el.width = Math.round(box.width * scale);
    el.height = Math.round(box.height * scale);
    c.setTransform(scale, 0, 0, scale, 0, 0);
    paint();
  });
  watch.observe(el);
  return { el, paint, size, end: () => watch.disconnect() };
}

/** The colours of the page, read again when they have changed. */
function colours() {
  let theme = '';
  /** @type {Record<string, string>} */ let all = {};
  return () => {
    const now = document.documentElement.dataset.theme || '';
    if (now !== theme || !all.ink) {
      theme = now;
      const style = getComputedStyle(document.documentElement);
      all = {};
      for (const n of ['ink', 'soft', 'line', 'accent', 'look', 'look-line', 'bad', 'card', 'press']) all[n] = style.getPropertyValue('--' + n).trim();
    }
    return all;
  };
}

/**
 * The whole game. It is a slider: a finger, the mouse and the keys of the player move it.
 * @param {Track} track @param {(t: number) => void} go
 */
export function overview(track, go) {
  const colour = colours();
  const x = (/** @type {number} */ at, /** @type {number} */ width) => ((at - track.from) / (track.to - track.from)) * width;
  const { el, paint, size, end } = canvas((c, width, height) => {
    const k = colour();
    c.fillStyle = k.press;
    c.fillRect(0, height * 0.3, width, height * 0.7);
    c.fillStyle = k.line;
    for (const [a, b] of track.game.away) c.fillRect(x(a, width), 0, Math.max(1.5, x(b, width) - x(a, width)), height);
    const bins = new Uint16Array(Math.ceil(width) + 1);
    for (const touch of track.touches) bins[Math.floor(x(touch.t, width))]++;
    const most = Math.max(1, ...bins);
    c.fillStyle = k.soft;
    for (let i = 0; i < bins.length; i++)
      if (bins[i]) {
        const tall = (0.25 + 0.75 * (bins[i] / most)) * height * 0.66;
        c.fillRect(i, height - tall, 1, tall);
      }
    for (const f of [...track.findings].sort((a, b) => +quiet(b) - +quiet(a))) {
      const at = Math.min(width - 6, Math.max(6, x(f.t, width)));
      c.fillStyle = quiet(f) ? k.soft : k.look;
      c.strokeStyle = quiet(f) ? k.soft : k['look-line'];
      c.beginPath();
      const half = quiet(f) ? 3 : 5.5;
      c.moveTo(at - half, 0.5);
      c.lineTo(at + half, 0.5);
      c.lineTo(at, 2 * half - 0.5);
      c.closePath();
      c.fill();
      c.stroke();
    }
  });
  const head = h('i', { class: 'rp-head', 'aria-hidden': 'true' });
  const slider = h(
    'div',
    { class: 'rp-all', role: 'slider', tabindex: '0', 'aria-label': t('replay.line'), 'aria-valuemin': 0, 'aria-valuemax': Math.round((track.to - track.from) / 1000), 'aria-valuenow': 0 },
    el,
    head,
  );
  dragged(slider, (e) => go(track.from + ((e.clientX - slider.getBoundingClientRect().left) / Math.max(1, size.width)) * (track.to - track.from)));
  return {
    el: slider,
    paint,
    end,
    /** @param {number} at */
    show(at) {
      head.style.transform = 'translateX(' + x(at, size.width) + 'px)';
    },
    /** The text for a screen reader, once the moment has not changed for a while. @param {number} at @param {string} text */
    say(at, text) {
      setAttr(slider, 'aria-valuenow', String(Math.round((at - track.from) / 1000)));
      setAttr(slider, 'aria-valuetext', text);
    },
  };
}

/** The seconds around a moment. @param {Track} track @param {(t: number) => void} go */
export function near(track, go) {
  const colour = colours();
  let at = track.from;
  const { el, paint, end } = canvas((c, width, height) => {
    const k = colour();
    const mid = width / 2;
    const x = (/** @type {number} */ t) => mid + ((t - at) / 1000) * perSecond;
    const from = at - (mid / perSecond) * 1000,
      to = at + (mid / perSecond) * 1000;
    c.font = '600 11px system-ui, sans-serif';
    c.textBaseline = 'middle';
    c.fillStyle = k.line;
    for (const [a, b] of track.game.away) if (b >= from && a <= to) c.fillRect(x(a), 0, x(b) - x(a), height);
    for (let s = Math.ceil((from - track.from) / 1000); track.from + s * 1000 <= to; s++)
      if (s >= 0) c.fillRect(x(track.from + s * 1000), 0, 1, s % 10 ? 4 : height);
    for (const f of track.findings) {
      const lo = f.finding.window.lo * 1000;
      if (f.t < from || lo > to) continue;
      c.globalAlpha = quiet(f) ? 0.25 : 0.55;
      c.fillStyle = quiet(f) ? k.soft : k.look;
      c.fillRect(x(lo), 0, Math.max(3, x(f.t) - x(lo)), height);
      c.globalAlpha = 1;
    }
    const third = height / 3;
    /** The end of the last word in each row, so that words do not overlap. @type {number[]} */ const ends = [-99, -99, -99];
    const write = (/** @type {number} */ row, /** @type {string} */ word, /** @type {number} */ left) => {
      if (left < ends[row]) return;
      ends[row] = left + c.measureText(word).width + 3;
      c.fillStyle = k.ink;
      c.fillText(word, left, third * (row + 0.5));
    };
    for (let i = upTo(track.touchTimes, from - 100); i < track.touches.length && track.touches[i].lo <= to; i++) {
      const e = track.touches[i];
      if (e.whole) continue;
      const y = e.is ? 2 : 1; // a piece is put below, lifted above
      const w = Math.max(4, x(e.t) - x(Math.max(e.lo, e.t - wide)));
      c.fillStyle = c.strokeStyle = e.is ? k.accent : k.soft;
      if (e.is) c.fillRect(x(e.t) - w, third * y + 2, w, third - 5);
      else c.strokeRect(x(e.t) - w + 0.5, third * y + 2.5, w - 1, third - 6);
      write(y, pieceLetter(e.is || e.was) + e.square, x(e.t) + 3);
    }
    for (const p of track.presses) {
      if (p.t < from - 100 || p.lo > to) continue;
      c.fillStyle = k.accent;
      c.globalAlpha = 0.3;
      c.fillRect(x(p.lo), third * 0.28, x(p.t) - x(p.lo), third * 0.55);
      c.globalAlpha = 1;
      c.fillRect(x(p.t) - 2, third * 0.12, 3, third * 0.86);
      if (p.side) write(0, sideName(p.side), x(p.t) + 4);
    }
    c.fillStyle = k.ink;
    c.fillRect(mid - 1, 0, 2, height);
  });
  const box = h('div', { class: 'rp-near', 'aria-hidden': 'true' }, el);
  let before = 0;
  dragged(
    box,
    (e) => go(at - ((e.clientX - before) / perSecond) * 1000),
    (e) => (before = e.clientX),
  );
  return {
    el: box,
    paint,
    end,
    /** @param {number} t */
    show(t) {
      at = t;
      paint();
    },
  };
}

/** Calls move while a finger or the mouse drags, then done. @param {HTMLElement} el @param {(e: PointerEvent) => void} move @param {(e: PointerEvent) => void} [done] also at the beginning, when move is not called then */
function dragged(el, move, done) {
  let down = false;
  el.addEventListener('pointerdown', (e) => {
    if (e.button) return;
    down = true;
    el.setPointerCapture(e.pointerId);
    if (done) done(e);
    else move(e);
  });
  el.addEventListener('pointermove', (e) => {
    if (!down) return;
    move(e);
    if (done) done(e);
  });
  for (const end of ['pointerup', 'pointercancel']) el.addEventListener(end, () => (down = false));
}
