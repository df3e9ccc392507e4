// @ts-check
// Elements, and patches that touch only what has changed. Everything from outside is set as text.

/** @typedef {Node|string|number|null|undefined|false|any[]} Child */

/**
 * Makes an element. Keys of props: class, text, on<event>, data-…, aria-…; a value of null or false is left out.
 * @param {string} tag
 * @param {Record<string, any>|null} [props]
 * @param {...(Child|Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  for (const [k, v] of Object.entries(props || {})) {
    if (v === null || v === undefined || v === false) continue;
    if (k.startsWith('on')) el.addEventListener(k.slice(2), v);
    else if (k === 'text') el.textContent = String(v);
    else if (k === 'class') el.className = v;
    else if (k === 'value') /** @type {any} */ (el).value = v;
    else el.setAttribute(k, v === true ? '' : String(v));
  }
  add(el, children);
  return el;
}

/** @param {Node} el @param {any[]} children */
function add(el, children) {
  for (const c of children) {
    if (Array.isArray(c)) add(el, c);
    else if (c !== null && c !== undefined && c !== false)
      el.appendChild(c instanceof Node ? c : document.createTextNode(String(c)));
  }
}

/** @param {Node|null|undefined} el @param {string|number} text */
export function setText(el, text) {
  const s = String(text);
  if (!el) return;
  const only = el.firstChild;
  if (only instanceof Text && only === el.lastChild) {
    if (only.data !== s) only.data = s; // cheaper than another node
  } else if (el.textContent !== s) el.textContent = s;
}

/** @param {Element} el @param {string} cls */
export function setClass(el, cls) {
  if (el.getAttribute('class') !== cls) el.setAttribute('class', cls);
}

/** @param {Element} el @param {string} name @param {string|null} value */
export function setAttr(el, name, value) {
  if (value === null) {
    if (el.hasAttribute(name)) el.removeAttribute(name);
  } else if (el.getAttribute(name) !== value) el.setAttribute(name, value);
}

/** @param {HTMLElement} el @param {boolean} shown */
export function show(el, shown) {
  if (el.hidden === shown) el.hidden = !shown;
}

const drawn = new WeakMap();

/**
 * Builds the content of el anew if what it is made from differs from the last time. The focus stays on the element with
 * the same data-k.
 * @param {HTMLElement} el @param {any} from @param {() => (Child|Child[])} build
 * @returns {boolean} whether it was built
 */
export function patch(el, from, build) {
  const key = JSON.stringify(from);
  if (drawn.get(el) === key) return false;
  drawn.set(el, key);
  const active = document.activeElement;
  const focus = active instanceof HTMLElement && el.contains(active) ? active.dataset.k : undefined;
  el.textContent = '';
  add(el, [build()]);
  if (focus) {
    for (const c of el.querySelectorAll('[data-k]')) {
      if (c instanceof HTMLElement && c.dataset.k === focus) {
        c.focus({ preventScroll: true });
        break;
      }
    }
  }
  return true;
}

/**
 * Brings the children of el into the order of keys, making what is new and removing what is gone.
 * @template T
 * @param {HTMLElement} el @param {Map<string, T>} kept what make returned, by key
 * @param {string[]} keys @param {(key: string) => T} make @param {(t: T) => Element} node
 */
export function arrange(el, kept, keys, make, node) {
  const want = new Set(keys);
  for (const [k, t] of kept)
    if (!want.has(k)) {
      node(t).remove();
      kept.delete(k);
    }
  let at = el.firstElementChild;
  for (const k of keys) {
    let t = kept.get(k);
    if (t === undefined) {
      t = make(k);
      kept.set(k, t);
    }
    const n = node(t);
    if (n === at) at = at.nextElementSibling;
    else {
      const hadFocus = n.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
      el.insertBefore(n, at);
      if (hadFocus && document.activeElement !== hadFocus) hadFocus.focus({ preventScroll: true });
    }
  }
}

const svgNS = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag @param {Record<string, any>} [props] @param {...Element} children
 * @returns {SVGElement}
 */
export function s(tag, props, ...children) {
  const el = document.createElementNS(svgNS, tag);
  for (const [k, v] of Object.entries(props || {})) if (v !== null && v !== undefined) el.setAttribute(k, String(v));
  for (const c of children) el.appendChild(c);
  return el;
}

/** Line icons in a box of 24, drawn for this program. */
const icons = {
  back: 'M14.5 5.5 8 12l6.5 6.5',
  gear: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 4.5v5M9 14.5v5',
  look: 'M12 4.5 21 19.5H3zM12 10v4.5M12 17v.2',
  eye: 'M2.5 12c2.5-4.5 6-6.5 9.5-6.5s7 2 9.5 6.5c-2.5 4.5-6 6.5-9.5 6.5S5 16.5 2.5 12zM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z',
  unseen:
    'M3.5 3.5l17 17M6 7.5c-1.4 1.1-2.6 2.6-3.5 4.5 2.5 4.5 6 6.5 9.5 6.5 1.5 0 3-.4 4.4-1.1M10 5.7c4.4-1 8.7 1.2 11.5 6.3-.6 1.1-1.3 2-2 2.8',
  check: 'M4.5 12.5l5 5 10-11',
  cross: 'M6 6l12 12M18 6L6 18',
  more: 'M5 11.5h.1v1H5zM12 11.5h.1v1H12zM19 11.5h.1v1H19z',
  undo: 'M8.5 5 4 9.5 8.5 14M4.5 9.5H14a5 5 0 0 1 0 10h-4',
  flip: 'M7 4v15M3.5 7.5 7 4l3.5 3.5M17 20V5M13.5 16.5 17 20l3.5-3.5',
  pen: 'M5 19l1-4L16.5 4.5l3 3L9 18zM14 7l3 3',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4.5v15l12-7.5z',
  flag: 'M6 21V4h11l-2.5 4L17 12H6',
  hand: 'M7 12V6.5a1.5 1.5 0 0 1 3 0V11V4.8a1.5 1.5 0 0 1 3 0V11V6a1.5 1.5 0 0 1 3 0v6V9a1.5 1.5 0 0 1 3 0v5.5c0 4-2.5 6.5-6 6.5-3.2 0-4.8-1.5-6.3-4.2L4.5 13.5a1.5 1.5 0 0 1 2.5-1.5z',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  swap: 'M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4',
  clock: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4.5l3 2',
  grid: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  link: 'M9.5 14.5l5-5M11 7l1.5-1.5a4 4 0 0 1 6 6L17 13M13 17l-1.5 1.5a4 4 0 0 1-6-6L7 11',
  zoom: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20.5 20.5M8 10.5h5M10.5 8v5',
  copy: 'M9 8.5h11v11.5H9zM6 15.5H4.5V4H15.5v1.5',
  phone: 'M7.5 3h9a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
};

/** @param {keyof typeof icons} name @param {string} [cls] */
export function icon(name, cls) {
  return s(
    'svg',
    { viewBox: '0 0 24 24', class: 'icon' + (cls ? ' ' + cls : ''), 'aria-hidden': 'true' },
    s('path', { d: icons[name] }),
  );
}

/** A switch with its label. @param {string} label @param {string} help @param {boolean} on @param {(on: boolean) => void} f @param {boolean} [off] cannot be changed */
export function toggle(label, help, on, f, off) {
  const id = 's' + label.replace(/\W/g, '').slice(0, 12) + Math.random().toString(36).slice(2, 6);
  return h(
    'label',
    { class: 'row switch', for: id },
    h('span', { class: 'grow' }, h('strong', { text: label }), help ? h('span', { class: 'muted', text: help }) : null),
    h('input', {
      id,
      type: 'checkbox',
      role: 'switch',
      checked: on,
      disabled: off,
      onchange: (/** @type {any} */ e) => f(e.target.checked),
    }),
  );
}

/**
 * A sheet from the bottom of the screen. It closes with Escape, with a touch beside it and with its button.
 * @param {string} title @param {string} closeName @param {(close: () => void) => Child[]} build
 */
export function sheet(title, closeName, build) {
  const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { class: 'sheet', 'aria-label': title }));
  const close = () => dialog.close();
  dialog.append(
    h(
      'div',
      { class: 'sheet-in' },
      h(
        'header',
        { class: 'sheet-head' },
        h('h2', { text: title, tabindex: '-1', autofocus: true }),
        h('button', { class: 'icon-button', type: 'button', 'aria-label': closeName, onclick: close }, icon('cross')),
      ),
      h('div', { class: 'sheet-body' }, build(close)),
    ),
  );
  dialog.addEventListener('click', (e) => {
    if (e.target === dialog) close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Closes every open sheet: a route leads elsewhere. */
export function closeSheets() {
  for (const d of document.querySelectorAll('dialog')) /** @type {HTMLDialogElement} */ (d).close();
}

/** @param {string} text @param {boolean} [urgent] for screen readers */
export function announce(text, urgent) {
  const el = document.getElementById(urgent ? 'shout' : 'say');
  if (!el) return;
  el.textContent = '';
  setTimeout(() => {
    el.textContent = text;
  }, 60);
}

/** A short message at the bottom of the screen that disappears by itself. @param {string} text @param {boolean} [bad] */
export function toast(text, bad) {
  for (const old of document.querySelectorAll('.toast')) old.remove();
  const el = h('div', { class: 'toast' + (bad ? ' bad' : ''), text, 'aria-hidden': 'true' });
  (document.querySelector('dialog[open]') || document.body).append(el);
  announce(text, bad);
  setTimeout(() => el.remove(), bad ? 7000 : 2500);
}
