// @ts-check
// The paired devices: who they are, what they may, and a code for a new one.
import { h, patch, sheet, toast, setText, show, icon } from './dom.js';
import { t, dayTime } from './i18n.js';
import { api } from './api.js';
import { store, canDecide, serverNow } from './store.js';
import { frame, barButton } from './frame.js';

export function devices() {
  const f = frame(t('devices.title'), '#/settings', '', 'settings');
  const box = h('div', { class: 'rows' }),
    problem = h('p', { class: 'empty', role: 'status', text: t('alert.loading') });
  f.main.append(h('p', { class: 'muted pad', text: t('devices.explain') }), problem, box);
  if (canDecide()) f.bar.append(barButton('phone', t('devices.add'), () => invite(), 'primary'));
  else f.bar.remove();

  async function load() {
    try {
      const answer = await api('GET', '/devices');
      const list = Array.isArray(answer) ? answer : answer.devices;
      show(problem, false);
      patch(box, list, () => list.map(row));
    } catch (e) {
      show(problem, true);
      setText(problem, /** @type {Refused} */ (e).status ? /** @type {Refused} */ (e).message : t('error.noanswer'));
    }
  }

  /** @param {Paired} d */
  function row(d) {
    const me = store.session && d.id === store.session.device.id;
    const seen = d.seen_ms
      ? t(
          'devices.seen',
          new Date(d.seen_ms).toLocaleDateString() === new Date(serverNow()).toLocaleDateString()
            ? dayTime(d.seen_ms)
            : new Date(d.seen_ms).toLocaleDateString(),
        )
      : '';
    return h(
      'button',
      { type: 'button', class: 'row link', 'data-k': d.id, onclick: () => edit(d, me) },
      icon('phone'),
      h(
        'span',
        { class: 'grow' },
        h('strong', { text: d.name + (me ? ' · ' + t('devices.this') : '') }),
        h('span', { class: 'muted', text: [t('role.' + d.role), seen].filter(Boolean).join(' · ') }),
      ),
    );
  }

  /** @param {Paired} d @param {boolean|null} me */
  function edit(d, me) {
    sheet(d.name, t('close'), (close) => {
      const name = /** @type {HTMLInputElement} */ (
        h('input', { id: 'dn', value: d.name, maxlength: 40, required: true, autocomplete: 'off' })
      );
      const role = /** @type {HTMLSelectElement} */ (
        h(
          'select',
          { id: 'dr' },
          ['arbiter', 'viewer'].map((r) => h('option', { value: r, selected: d.role === r }, t('role.' + r))),
        )
      );
      const run = async (/** @type {() => Promise<unknown>} */ what) => {
        try {
          await what();
          close();
          toast(t('saved'));
          load();
        } catch (e) {
          toast(/** @type {Refused} */ (e).status ? /** @type {Refused} */ (e).message : t('error.noanswer'), true);
        }
      };
      const path = '/devices/' + encodeURIComponent(d.id);
      return [
        h(
          'form',
          {
            class: 'form',
            onsubmit: (/** @type {Event} */ e) => {
              e.preventDefault();
              run(() => api('PATCH', path, { name: name.value.trim(), role: role.value }));
            },
          },
          h('label', { for: 'dn', text: t('pair.name') }),
          name,
          h('label', { for: 'dr', text: t('devices.role') }),
          role,
          h('p', { class: 'muted', text: t('devices.roles') }),
          h('button', { type: 'submit', class: 'button primary' }, t('save')),
          h(
            'button',
            { type: 'button', class: 'button danger', onclick: () => run(() => api('DELETE', path)) },
            t(me ? 'settings.unpair' : 'devices.revoke'),
          ),
        ),
      ];
    });
  }

  function invite() {
    sheet(t('devices.add'), t('close'), () => {
      const out = h('div', { class: 'invite', 'aria-live': 'polite' });
      const ask = async (/** @type {string} */ role) => {
        try {
          const p = await api('POST', '/pairings', { role });
          patch(out, p, () => [
            h('img', {
              class: 'qr',
              alt: t('devices.qr'),
              src: 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(p.svg),
            }),
            h('p', { class: 'bigcode', text: p.code }),
            h('p', { class: 'muted', text: t('devices.until', dayTime(p.expires_ms)) }),
            h('p', { class: 'muted break', text: String(p.url).split('#')[0] }),
          ]);
        } catch (e) {
          toast(/** @type {Refused} */ (e).status ? /** @type {Refused} */ (e).message : t('error.noanswer'), true);
        }
      };
      return [
        h('p', { text: t('devices.addhow') }),
        h(
          'div',
          { class: 'two' },
          ['arbiter', 'viewer'].map((r) =>
            h('button', { type: 'button', class: 'button', onclick: () => ask(r) }, t('role.' + r)),
          ),
        ),
        h('p', { class: 'muted', text: t('devices.roles') }),
        out,
      ];
    });
  }

  load();
  return {
    el: f.el,
    title: f.title,
    name: t('devices.title'),
    update(/** @type {Set<string>} */ topics) {
      if (topics.has('devices')) load();
    },
  };
}
