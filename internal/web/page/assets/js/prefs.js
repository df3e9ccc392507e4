// @ts-check
// The settings of this phone. They stay on the phone.

const defaults = {
  sound: true,
  repeat: true,
  vibrate: true,
  awake: true,
  keys: true,
  theme: 'auto',
  size: 'm',
  layout: 'auto',
  mine: false,
  section: '', // of the hall; empty: all
  flip: /** @type {Record<string, boolean>} */ ({}),
};

/** @returns {typeof defaults} */
function read() {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem('bw.prefs') || '{}') };
  } catch {
    return { ...defaults };
  }
}

export const prefs = read();

/** @template {keyof typeof defaults} K @param {K} key @param {(typeof defaults)[K]} value */
export function setPref(key, value) {
  prefs[key] = value;
  try {
    localStorage.setItem('bw.prefs', JSON.stringify(prefs));
  } catch {
    /* private mode: it holds until the page is closed */
  }
  if (key === 'theme' || key === 'size') dress();
}

/** Notes that this device is paired, or that its owner has given that back. @param {boolean} on */
export function notePaired(on) {
  try {
    if (on) localStorage.setItem('bw.paired', '1');
    else localStorage.removeItem('bw.paired');
  } catch {
    /* private mode: the page cannot say that it was paired */
  }
}

/** Whether this device was paired, and nobody has given that back here. */
export function wasPaired() {
  try {
    return !!localStorage.getItem('bw.paired');
  } catch {
    return false;
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Applies theme and text size to the page. */
export function dress() {
  const root = document.documentElement;
  const theme = prefs.theme === 'auto' ? (dark.matches ? 'dark' : 'light') : prefs.theme;
  root.dataset.theme = theme;
  root.dataset.size = prefs.size;
  for (const m of document.querySelectorAll('meta[name=theme-color]'))
    m.setAttribute('content', theme === 'dark' ? '#12161b' : '#f4f3ef');
}
dark.addEventListener('change', dress);
