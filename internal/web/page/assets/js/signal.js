// @ts-check
// Sound, vibration, the title and the screen lock. Sound is for the arbiter's phone only; it never leaves it.
import { prefs } from './prefs.js';
import { store, openAlerts, isMine } from './store.js';

/** @type {AudioContext|null} */
let audio = null;

/** Browsers allow sound only after a touch. */
function unlock() {
  const AC = window.AudioContext || /** @type {any} */ (window).webkitAudioContext;
  if (!audio && AC) {
    try {
      audio = new AC();
    } catch {
      return;
    }
  }
  if (audio && audio.state === 'suspended') audio.resume().catch(() => {});
}
addEventListener('pointerdown', unlock, { passive: true });
addEventListener('keydown', unlock);

export const soundReady = () => !!audio && audio.state === 'running';

/** Two short tones: rising and clear for now, low and soft for advise. @param {'now'|'advise'} level */
export function play(level) {
  if (!audio || audio.state !== 'running') return false;
  const tones =
    level === 'now'
      ? [
          [660, 0, 0.16],
          [990, 0.18, 0.26],
        ]
      : [
          [440, 0, 0.14],
          [392, 0.16, 0.2],
        ];
  for (const [pitch, at, long] of tones) {
    const o = audio.createOscillator(),
      g = audio.createGain();
    const start = audio.currentTime + at;
    o.type = level === 'now' ? 'triangle' : 'sine';
    o.frequency.value = pitch;
    g.gain.setValueAtTime(0, start);
    g.gain.linearRampToValueAtTime(level === 'now' ? 0.5 : 0.12, start + 0.015);
    g.gain.exponentialRampToValueAtTime(0.001, start + long);
    o.connect(g).connect(audio.destination);
    o.start(start);
    o.stop(start + long + 0.05);
  }
  return true;
}

/** @param {'now'|'advise'} level */
export function buzz(level) {
  const touched = /** @type {any} */ (navigator).userActivation; // before the first touch browsers refuse, and complain
  if (navigator.vibrate && (!touched || touched.hasBeenActive))
    navigator.vibrate(level === 'now' ? [180, 90, 180, 90, 320] : [60]);
}

let signalled = 0; // time of the last sound of level now

/** @param {Alert} a */
export function signal(a) {
  if (prefs.sound) play(a.level);
  if (prefs.vibrate) buzz(a.level);
  if (a.level === 'now') signalled = Date.now();
}

/** Whether this phone is to signal: the board is one of its own, or the alert was escalated. @param {Alert} a */
export const concerns = (a) => isMine(a.board) || a.step > 1;

/** Called once a second: unseen alerts of level now are signalled again every 20 s. */
export function remind() {
  if (!prefs.repeat || !signalled || Date.now() - signalled < 20000) return;
  const a = openAlerts().find((x) => x.level === 'now' && x.state === 'open' && concerns(x));
  if (a) signal(a);
  else signalled = 0;
}

/** @param {string} name of the page */
export function badge(name) {
  const n = openAlerts().filter((a) => a.state === 'open').length;
  const title = (n ? '(' + n + ') ' : '') + name;
  if (document.title !== title) document.title = title;
  const nav = /** @type {any} */ (navigator);
  if (nav.setAppBadge) (n ? nav.setAppBadge(n) : nav.clearAppBadge()).catch(() => {});
}

/** @type {any} */
let lock = null;
export const canStayAwake = () => 'wakeLock' in navigator;

/** Keeps the screen on while the page is visible, if that is set and possible. */
export async function stayAwake() {
  const want = prefs.awake && !!store.session && !document.hidden && canStayAwake();
  if (!want) {
    if (lock) {
      lock.release().catch(() => {});
      lock = null;
    }
    return;
  }
  if (lock) return;
  try {
    lock = await /** @type {any} */ (navigator).wakeLock.request('screen');
    lock.addEventListener('release', () => {
      lock = null;
    });
  } catch {
    lock = null; /* battery saver: the phone decides */
  }
}
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) stayAwake();
});
