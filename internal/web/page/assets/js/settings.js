// @ts-check
// The settings of this phone, and actions on it.
import { h, sheet, toast, patch, icon, toggle } from './dom.js';
import { t, languages, loadTexts, lang, boardName } from './i18n.js';
import { notePaired, prefs, setPref } from './prefs.js';
import { api } from './api.js';
import { store, canDecide, tell } from './store.js';
import { frame } from './frame.js';
import { play, buzz, stayAwake, canStayAwake } from './signal.js';

/** @param {string} label @param {[string, string][]} options @param {string} chosen @param {(v: string) => void} f */
function select(label, options, chosen, f) {
  const id = 'x' + Math.random().toString(36).slice(2, 8);
  return h(
    'div',
    { class: 'row' },
    h('label', { class: 'grow', for: id }, h('strong', { text: label })),
    h(
      'select',
      { id, onchange: (/** @type {any} */ e) => f(e.target.value) },
      options.map(([v, x]) => h('option', { value: v, selected: v === chosen }, x)),
    ),
  );
}

/** @param {string} label @param {string} help @param {string} href */
const link = (label, help, href) =>
  h(
    'a',
    { class: 'row link', href },
    h('span', { class: 'grow' }, h('strong', { text: label }), help ? h('span', { class: 'muted', text: help }) : null),
  );

/** @param {string} label @param {string} help @param {() => void} f */
const action = (label, help, f) =>
  h(
    'button',
    { type: 'button', class: 'row link', onclick: f },
    h('span', { class: 'grow' }, h('strong', { text: label }), help ? h('span', { class: 'muted', text: help }) : null),
  );

/** @type {any} */ let installPrompt = null;
addEventListener('beforeinstallprompt', (e) => {
  e.preventDefault();
  installPrompt = e;
});

export function settings() {
  const f = frame(t('settings.title'), '#/', '', 'settings');
  f.bar.remove();
  const group = (/** @type {string} */ title, /** @type {any[]} */ ...rows) =>
    h('section', { class: 'group' }, h('h2', { text: title }), h('div', { class: 'rows' }, rows));
  const sections = h('div');
  f.main.append(sections);

  async function language(/** @type {string} */ code) {
    try {
      await loadTexts(code);
      localStorage.setItem('bw.lang', code);
      dispatchEvent(new Event('bw-again'));
    } catch {
      toast(t('error.noanswer'), true);
    }
  }

  function draw() {
    const s = store.session;
    if (!s) return;
    const secure = window.isSecureContext;
    patch(sections, [s.device, s.secure, s.push, secure, prefs, lang, Notification_()], () => [
      group(
        t('settings.attention'),
        toggle(t('settings.sound'), t('settings.soundhelp'), prefs.sound, (v) => setPref('sound', v)),
        action(t('settings.test'), t('settings.testhelp'), () => {
          if (!play('now')) toast(t('settings.nosound'), true);
          if (prefs.vibrate) buzz('now');
        }),
        toggle(t('settings.repeat'), t('settings.repeathelp'), prefs.repeat, (v) => setPref('repeat', v)),
        toggle(
          t('settings.vibrate'),
          'vibrate' in navigator ? '' : t('settings.novibrate'),
          prefs.vibrate && 'vibrate' in navigator,
          (v) => {
            setPref('vibrate', v);
            if (v) buzz('advise');
          },
          !('vibrate' in navigator),
        ),
        toggle(
          t('settings.awake'),
          canStayAwake() ? t('settings.awakehelp') : secure ? t('settings.noawake') : t('settings.awakesecure'),
          prefs.awake && canStayAwake(),
          (v) => {
            setPref('awake', v);
            stayAwake();
          },
          !canStayAwake(),
        ),
        notifications(s, secure),
      ),
      group(
        t('settings.boards'),
        action(
          t('settings.mine'),
          s.device.boards && s.device.boards.length ? s.device.boards.map(boardName).join(', ') : t('settings.mineall'),
          async () => (await import('./mine.js')).chooseBoards(draw),
        ),
        link(t('settings.quiet'), t('settings.quiethelp'), '#/quiet'),
      ),
      group(t('nav.round'), link(t('nav.round'), t('nav.roundhelp'), '#/round')),
      group(t('rounds.title'), link(t('rounds.report') + ', ' + t('rounds.games') + ', ' + t('rounds.zip'), '', '#/rounds')),
      group(
        t('settings.look'),
        select(t('settings.language'), Object.entries(languages), lang, language),
        select(
          t('settings.theme'),
          [
            ['auto', t('theme.auto')],
            ['light', t('theme.light')],
            ['dark', t('theme.dark')],
          ],
          prefs.theme,
          (v) => setPref('theme', v),
        ),
        select(
          t('settings.size'),
          [
            ['s', t('size.s')],
            ['m', t('size.m')],
            ['l', t('size.l')],
            ['xl', t('size.xl')],
          ],
          prefs.size,
          (v) => setPref('size', v),
        ),
        toggle(t('settings.keys'), t('settings.keyshelp'), prefs.keys, (v) => setPref('keys', v)),
      ),
      group(
        t('settings.connection'),
        s.secure ? link(t('secure.title'), secure ? t('secure.is') : t('secure.short'), '#/secure') : null,
        installPrompt
          ? action(t('settings.install'), '', () => {
              installPrompt.prompt();
              installPrompt = null;
            })
          : h('p', { class: 'row muted', text: secure ? t('settings.installhow') : t('settings.installsecure') }),
        link(t('heads.title'), t('heads.short'), '#/heads'),
        canDecide() ? link(t('devices.title'), t('devices.short'), '#/devices') : null,
        link(t('boards.computers'), t('settings.computers'), '#/computers'),
        link(t('settings.tables'), t('settings.tablesshort'), '#/tables'),
        action(t('settings.name'), s.device.name + ' · ' + t('role.' + s.device.role), () => rename(draw)),
        action(t('settings.unpair'), t('settings.unpairhelp'), unpair),
      ),
      group(t('about.title'), link(t('about.title'), s.version || '', '#/about')),
    ]);
  }

  draw();
  return {
    el: f.el,
    title: f.title,
    name: t('settings.title'),
    update(/** @type {Set<string>} */ topics) {
      if (topics.has('session') || topics.has('devices')) draw();
    },
  };
}

const Notification_ = () => ('Notification' in window ? Notification.permission : 'none');

/** @param {Session} s the session @param {boolean} secure */
function notifications(s, secure) {
  const can = secure && s.push && 'serviceWorker' in navigator && 'PushManager' in window;
  if (!can)
    return h(
      'div',
      { class: 'row' },
      h(
        'span',
        { class: 'grow' },
        h('strong', { text: t('push.title') }),
        h('span', { class: 'muted', text: !s.push ? t('push.off') : secure ? t('push.no') : t('push.secure') }),
      ),
    );
  if (Notification.permission === 'denied')
    return h(
      'div',
      { class: 'row' },
      h(
        'span',
        { class: 'grow' },
        h('strong', { text: t('push.title') }),
        h('span', { class: 'muted', text: t('push.denied') }),
      ),
    );
  return toggle(
    t('push.title'),
    t('push.help'),
    localStorage.getItem('bw.push') === '1' && Notification.permission === 'granted',
    (v) => (v ? subscribe(/** @type {{key: string}} */ (s.push).key) : unsubscribe()),
  );
}

/** @param {string} key base64url */
async function subscribe(key) {
  try {
    if ((await Notification.requestPermission()) !== 'granted') {
      toast(t('push.denied'), true);
      tell('session');
      return;
    }
    const reg = await navigator.serviceWorker.ready;
    const raw = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const old = await reg.pushManager.getSubscription();
    if (old) await old.unsubscribe();
    const sub = await reg.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: raw });
    const { endpoint, keys } = /** @type {any} */ (sub.toJSON());
    await api('PUT', '/push', { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } });
    localStorage.setItem('bw.push', '1');
    toast(t('push.done'));
  } catch (e) {
    toast(t('push.failed') + ' ' + /** @type {Refused} */ (e).message, true);
  }
  tell('session');
}

async function unsubscribe() {
  localStorage.removeItem('bw.push');
  try {
    const reg = await navigator.serviceWorker.ready;
    const sub = await reg.pushManager.getSubscription();
    if (sub) await sub.unsubscribe();
    await api('DELETE', '/push');
  } catch {
    toast(t('error.noanswer'), true);
  }
  tell('session');
}

/** @param {() => void} done */
function rename(done) {
  const { device } = /** @type {Session} */ (store.session);
  sheet(t('settings.name'), t('close'), (close) => {
    const input = /** @type {HTMLInputElement} */ (
      h('input', { id: 'devname', value: device.name, maxlength: 40, required: true, autocomplete: 'off' })
    );
    return [
      h(
        'form',
        {
          class: 'form',
          onsubmit: async (/** @type {Event} */ e) => {
            e.preventDefault();
            try {
              await api('PATCH', '/session', { name: input.value.trim() });
              device.name = input.value.trim();
              tell('session');
              close();
              done();
            } catch (x) {
              toast(/** @type {any} */ (x).message, true);
            }
          },
        },
        h('label', { for: 'devname', text: t('pair.name') }),
        input,
        h('button', { type: 'submit', class: 'button primary' }, t('save')),
      ),
    ];
  });
}

function unpair() {
  sheet(t('settings.unpair'), t('close'), () => [
    h('p', { text: t('settings.unpairsure') }),
    h(
      'button',
      {
        type: 'button',
        class: 'button danger wide',
        onclick: async () => {
          try {
            await api('DELETE', '/session');
            notePaired(false);
            location.hash = '#/pair';
            location.reload();
          } catch {
            toast(t('error.noanswer'), true);
          }
        },
      },
      t('settings.unpair'),
    ),
  ]);
}

export function about() {
  const f = frame(t('about.title'), '#/settings', '', 'settings');
  f.bar.remove();
  const s = /** @type {Partial<Session>} */ (store.session || {});
  f.main.append(
    h(
      'section',
      { class: 'prose' },
      h('h2', { text: 'boardwatchd ' + (s.version || '') }),
      h('p', { text: t('about.what') }),
      h('p', { text: t('about.never') }),
      h('p', { text: t('about.licence') }),
      h('h2', { text: t('about.keys') }),
      h(
        'dl',
        { class: 'keys' },
        [
          ['Esc', 'back'],
          ['a', 'alert'],
          ['h', 'boards'],
          ['s', 'settings'],
          ['f', 'flip'],
        ].map(([k, v]) => [h('dt', null, h('kbd', { text: k })), h('dd', { text: t('keys.' + v) })]),
      ),
      h('h2', { text: t('about.marks') }),
      h('p', null, icon('look'), ' ' + t('about.look')),
      h('p', null, icon('eye'), ' ' + t('about.seen')),
    ),
  );
  return { el: f.el, title: f.title, name: t('about.title'), update() {} };
}
