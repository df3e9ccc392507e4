// @ts-check
// The way to a secure page: the event's own certificate authority on this phone, step by step, and a test.
import { h, patch } from './dom.js';
import { t } from './i18n.js';
import { store } from './store.js';
import { frame } from './frame.js';

const platforms = ['android', 'iphone', 'desktop'];

export function secure() {
  const f = frame(t('secure.title'), '#/settings', '', 'settings');
  f.bar.remove();
  const s = store.session && store.session.secure;
  const box = h('section', { class: 'prose' });
  f.main.append(box);
  const ua = navigator.userAgent;
  let platform = /iPhone|iPad/.test(ua) ? 'iphone' : /Android/.test(ua) ? 'android' : 'desktop';
  let state = '';

  async function test() {
    state = 'testing';
    draw();
    try {
      await fetch(/** @type {{url: string}} */ (s).url.replace(/\/$/, '') + '/healthz', { mode: 'no-cors', cache: 'no-store' });
      state = 'works';
    } catch {
      state = 'fails';
    }
    draw();
  }

  function draw() {
    patch(box, [platform, state, s], () => {
      if (window.isSecureContext) return h('p', { class: 'note done', text: t('secure.is') });
      if (!s) return h('p', { text: t('secure.off') });
      return [
        h('p', { text: t('secure.why') }),
        h('p', { class: 'muted', text: t('secure.trust') }),
        h(
          'fieldset',
          { class: 'choose inline' },
          h('legend', { text: t('secure.which') }),
          h(
            'div',
            { class: 'options' },
            platforms.map((p) =>
              h(
                'label',
                { class: 'option' },
                h('input', {
                  type: 'radio',
                  name: 'platform',
                  value: p,
                  checked: p === platform,
                  'data-k': p,
                  onchange: () => {
                    platform = p;
                    draw();
                  },
                }),
                h('span', { text: t('secure.' + p) }),
              ),
            ),
          ),
        ),
        h(
          'ol',
          { class: 'guide' },
          h(
            'li',
            null,
            h(
              'a',
              {
                class: 'button',
                href: platform === 'iphone' ? '/ca.mobileconfig' : s.ca,
                download: platform === 'iphone' ? null : 'boardwatchd-ca.crt',
              },
              t('secure.get'),
            ),
          ),
          [1, 2, 3].map((n) => h('li', { text: t('secure.' + platform + n) })),
        ),
        h(
          'button',
          {
            type: 'button',
            class: 'button primary wide',
            'data-k': 'test',
            onclick: test,
            disabled: state === 'testing',
          },
          t(state === 'testing' ? 'secure.testing' : 'secure.test'),
        ),
        state === 'works'
          ? h(
              'p',
              { class: 'note done', role: 'status' },
              h('a', { class: 'button primary', href: s.url }, t('secure.open')),
            )
          : null,
        state === 'fails' ? h('p', { class: 'note warn', role: 'status', text: t('secure.fails') }) : null,
        h('p', { class: 'muted', text: t('secure.after') }),
      ];
    });
  }

  draw();
  return { el: f.el, title: f.title, name: t('secure.title'), update() {} };
}
