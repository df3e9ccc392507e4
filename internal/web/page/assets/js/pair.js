// @ts-check
// Pairing: a code from the QR or typed in, and a name for this phone.
import { h, setText, show } from './dom.js';
import { t, languages, loadTexts, lang } from './i18n.js';
import { api } from './api.js';
import { store } from './store.js';
import { wasPaired } from './prefs.js';

/** @param {string} code from the address, or "" @param {() => void} done */
export function pairing(code, done) {
  const title = h('h1', { text: t('pair.title'), tabindex: '-1' });
  const error = h('p', { class: 'note warn', role: 'alert', hidden: true });
  const codeIn = /** @type {HTMLInputElement} */ (
    h('input', {
      id: 'code',
      name: 'code',
      required: !code,
      maxlength: 20,
      class: 'code',
      autocomplete: 'one-time-code',
      autocapitalize: 'characters',
      spellcheck: 'false',
      placeholder: 'ABCD-EFGH',
      'aria-describedby': 'codehelp',
    })
  );
  const nameIn = /** @type {HTMLInputElement} */ (
    h('input', {
      id: 'name',
      name: 'name',
      required: true,
      maxlength: 40,
      autocomplete: 'name',
      'aria-describedby': 'namehelp',
    })
  );
  const button = /** @type {HTMLButtonElement} */ (
    h('button', { type: 'submit', class: 'button primary wide' }, t('pair.go'))
  );
  const tongues = h(
    'select',
    {
      id: 'lang',
      onchange: async (/** @type {any} */ e) => {
        localStorage.setItem('bw.lang', e.target.value);
        await loadTexts(e.target.value).catch(() => {});
        dispatchEvent(new Event('bw-again'));
      },
    },
    Object.entries(languages).map(([k, v]) => h('option', { value: k, selected: k === lang, lang: k }, v)),
  );
  const typed = h(
    'div',
    { class: 'form', hidden: !!code },
    h('label', { for: 'code', text: t('pair.code') }),
    codeIn,
    h('p', { class: 'muted', id: 'codehelp', text: t('pair.codehelp') }),
  );
  const form = h(
    'form',
    { class: 'form pairing', onsubmit: send },
    !code && !store.session && wasPaired() ? h('p', { class: 'note warn', role: 'status', text: t('pair.over') }) : null,
    h('p', { text: code ? t('pair.scanned') : t('pair.explain') }),
    error,
    typed,
    h('label', { for: 'name', text: t('pair.you') }),
    nameIn,
    h('p', { class: 'muted', id: 'namehelp', text: t('pair.namehelp') }),
    button,
    store.session ? h('a', { class: 'button', href: '#/', text: t('pair.already', store.session.device.name) }) : null,
    h('label', { for: 'lang', text: t('settings.language') }),
    tongues,
  );
  const el = h(
    'div',
    { class: 'frame plainpage' },
    h('header', { class: 'head' }, title),
    h('main', { id: 'main' }, form),
  );
  let until = 0;

  /** @param {Event} e */
  async function send(e) {
    e.preventDefault();
    button.disabled = true;
    say('');
    try {
      await api('POST', '/pair', { code: codeIn.value.trim() || code, name: nameIn.value.trim() });
      done();
    } catch (x) {
      fail(/** @type {any} */ (x));
    }
  }

  /** @param {any} x */
  function fail(x) {
    button.disabled = false;
    if (x.status === 429) {
      until = Date.now() + Math.max(1, x.retry || 60) * 1000;
      button.disabled = true;
      tick();
      return;
    }
    if (x.code === 'wrong_code') {
      say(t('pair.wrong'));
      typed.hidden = false;
      codeIn.required = true;
      codeIn.setAttribute('aria-invalid', 'true');
      codeIn.focus();
      codeIn.select();
      return;
    }
    say(x.status === 0 ? t('pair.noanswer') : x.message + ' ' + x.remedy);
  }

  /** @param {string} text */
  function say(text) {
    show(error, !!text);
    setText(error, text);
  }

  function tick() {
    if (!until) return false;
    const left = Math.ceil((until - Date.now()) / 1000);
    if (left <= 0) {
      until = 0;
      button.disabled = false;
      say('');
    } else {
      show(error, true);
      error.setAttribute('aria-live', 'off');
      setText(error, t('pair.toomany', left));
    }
    return false;
  }

  setTimeout(() => (code ? nameIn : codeIn).focus(), 50);
  return { el, title, name: t('pair.title'), update() {}, tick };
}
