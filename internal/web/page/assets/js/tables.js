// @ts-check
// The boards' tables: learnt from presses of clocks, from a list, or by port; and the sheet to print.
import { h, patch, setText, show, sheet, toast, announce } from './dom.js';
import { t, lang, moreTexts, byName } from './i18n.js';
import { api } from './api.js';
import { canDecide } from './store.js';
import { frame, linkTo } from './frame.js';

/** @typedef {{table: string, board: string, computer: string, serial: string, port: string, by: string, here: boolean, found: boolean, elsewhere: boolean}} Row */
/** @typedef {{here: string, rows: Row[], finding: boolean, ask: string, waits: boolean, told: {what: string, board: string, table: string}}} Tables */

/** @param {any} e */
const problem = (e) => (e.status ? [e.message, e.remedy].filter(Boolean).join(' ') : t('error.noanswer'));

/** @param {Blob} file @returns {Promise<string>} */
const base64 = (file) =>
  new Promise((done, fail) => {
    const r = new FileReader();
    r.onload = () => done(String(r.result).replace(/^[^,]*,/, ''));
    r.onerror = () => fail(r.error);
    r.readAsDataURL(file);
  });

const sheetLink = (/** @type {boolean} */ cards) => '/api/v1/tables/sheet.html?lang=' + lang + (cards ? '&cards' : '');

export async function tableScreen() {
  await Promise.all([moreTexts('tables'), moreTexts('round')]); // the round's texts have the causes of a failed write
  const f = frame(t('tables.title'), '#/settings', '', 'settings round tables');
  f.bar.remove();
  const status = h('p', { class: 'empty', role: 'status', text: t('alert.loading') });
  const finder = h('section', { class: 'finder', 'aria-label': t('tables.find'), hidden: true });
  const big = h('p', { class: 'ask' });
  const told = h('p', { class: 'told', role: 'status' });
  const keys = h('div', { class: 'buttons' });
  const head = h('div'),
    list = h('div');
  finder.append(big, told, keys);
  f.main.append(status, finder, head, list);
  let over = false,
    timer = 0,
    said = '';
  /** @type {Tables|null} */ let now = null;

  async function load() {
    clearTimeout(timer);
    try {
      draw(await api('GET', '/tables'));
    } catch (e) {
      show(status, true);
      setText(status, problem(e));
    }
    if (!over && now && now.finding) timer = window.setTimeout(load, 2000);
  }

  /** Sends a change; asks first if a round is in progress. @param {string} what @param {object} [more] @returns {Promise<boolean>} */
  async function tell(what, more) {
    try {
      draw(await api('POST', '/tables', { do: what, ...more }));
      if (now && now.finding) load();
      return true;
    } catch (e) {
      const x = /** @type {any} */ (e);
      if (x.code === 'sure') return ask(what, more);
      toast(problem(e), true);
      return false;
    }
  }

  /** @param {string} what @param {object} [more] @returns {Promise<boolean>} */
  const ask = (what, more) =>
    new Promise((done) => {
      let sure = false;
      const s = sheet(t('tables.sure'), t('close'), (close) => [
        h('p', { text: t('tables.surehelp') }),
        h(
          'button',
          {
            type: 'button',
            class: 'button danger wide',
            onclick: async () => {
              sure = true;
              close();
              done(await tell(what, { ...more, sure: true }));
            },
          },
          t('tables.surely'),
        ),
      ]);
      s.addEventListener('close', () => sure || done(false));
    });

  /** @param {Tables} s */
  function draw(s) {
    now = s;
    show(status, false);
    const mine = canDecide() && s.here === 'here';
    const found = s.rows.filter((r) => r.found).length;
    patch(head, [s.here, mine, s.finding, found], () => [
      s.here === 'here' ? h('p', { class: 'muted pad', text: t('tables.explain') }) : h('p', { class: 'notice', text: t('tables.hall') }),
      found
        ? h(
            'div',
            { class: 'notice' },
            h('span', { class: 'grow', text: t('tables.found', found) }),
            mine
              ? [
                  h('button', { type: 'button', class: 'button primary', 'data-k': 'use', onclick: () => tell('use').then((ok) => ok && toast(t('saved'))) }, t('tables.use')),
                  h('button', { type: 'button', class: 'button', 'data-k': 'drop', onclick: () => tell('drop') }, t('tables.drop')),
                ]
              : null,
          )
        : null,
      h('div', { class: 'buttons' }, [
        mine && !s.finding ? h('button', { type: 'button', class: 'button primary', 'data-k': 'find', onclick: begin }, t('tables.find')) : null,
        mine ? h('button', { type: 'button', class: 'button', 'data-k': 'list', onclick: fromList }, t('tables.list')) : null,
        h('a', { class: 'button', href: sheetLink(false), target: '_blank' }, t('tables.sheet')),
        h('a', { class: 'button', href: sheetLink(true), target: '_blank' }, t('tables.cards')),
      ]),
    ]);
    drawFinder(s, mine, found);
    patch(list, [s.rows, mine], () => (s.rows.length ? table(s.rows, mine) : h('p', { class: 'empty', text: t('tables.none') })));
  }

  /** @param {Tables} s @param {boolean} mine @param {number} found */
  function drawFinder(s, mine, found) {
    show(finder, s.finding);
    if (!s.finding) {
      said = '';
      return;
    }
    const what = t('tables.press', s.ask);
    setText(big, s.waits ? t('tables.moved') : what);
    const news = s.told.what ? t('tables.told.' + s.told.what, s.told.board, s.told.table) : '';
    setText(told, news);
    if (said && said !== what) announce(what, false);
    said = what;
    patch(keys, [mine, found > 0, s.ask], () =>
      mine
        ? [
            found ? h('button', { type: 'button', class: 'button', 'data-k': 'undo', onclick: () => tell('undo') }, t('tables.undo')) : null,
            h('button', { type: 'button', class: 'button', 'data-k': 'other', onclick: begin }, t('tables.other')),
            h('button', { type: 'button', class: 'button', 'data-k': 'stop', onclick: () => tell('stop') }, t('tables.stop')),
          ]
        : null,
    );
  }

  /** The table whose clock is pressed first, or next. */
  function begin() {
    const free = now && now.ask;
    sheet(t('tables.find'), t('close'), (close) => {
      const first = /** @type {HTMLInputElement} */ (h('input', { id: 'tn', value: free || firstFree(), maxlength: 20, required: true, autocomplete: 'off' }));
      return [
        h('p', { text: t('tables.findhow') }),
        h(
          'form',
          {
            class: 'form',
            onsubmit: async (/** @type {Event} */ e) => {
              e.preventDefault();
              if (await tell('find', { table: first.value.trim() })) close();
            },
          },
          h('label', { for: 'tn', text: t('tables.first') }),
          first,
          h('button', { type: 'submit', class: 'button primary wide' }, t('tables.go')),
        ),
      ];
    });
  }

  /** The least number without a board. */
  function firstFree() {
    const taken = new Set((now ? now.rows : []).map((r) => r.table));
    let n = 1;
    while (taken.has(String(n))) n++;
    return String(n);
  }

  function fromList() {
    const s = sheet(t('tables.list'), t('close'), (close) => {
      const file = /** @type {HTMLInputElement} */ (h('input', { id: 'tf', type: 'file', accept: '.csv,.txt,.tsv,text/*', onchange: () => look() }));
      const paste = /** @type {HTMLTextAreaElement} */ (h('textarea', { id: 'tx', rows: 6, spellcheck: 'false', placeholder: '02718,7\nhall-1,/dev/dgt/port-1,8' }));
      const seen = h('div', { class: 'seen', 'aria-live': 'polite' });
      const go = /** @type {HTMLButtonElement} */ (h('button', { type: 'submit', class: 'button primary wide', disabled: true }, t('tables.set')));
      let data = '';
      async function look() {
        const blob = file.files && file.files[0] ? file.files[0] : paste.value.trim() ? new Blob([paste.value]) : null;
        if (!blob) return;
        try {
          data = await base64(blob);
          const a = await api('POST', '/tables/read', { data });
          go.disabled = !a.entries.length;
          patch(seen, a, () => [
            a.problems.length
              ? h(
                  'div',
                  { class: 'note warn' },
                  h('strong', { text: t('tables.left', a.problems.length) }),
                  h('ul', null, a.problems.map((/** @type {any} */ p) => h('li', { text: t('tables.problem', p.line, p.text) }))),
                )
              : null,
            h('p', { text: t('tables.understood', a.entries.length) }),
          ]);
        } catch (e) {
          go.disabled = true;
          patch(seen, problem(e), () => h('p', { class: 'notice', text: problem(e) }));
        }
      }
      return [
        h(
          'form',
          {
            class: 'form',
            onsubmit: async (/** @type {Event} */ e) => {
              e.preventDefault();
              close();
              if (await tell('set', { data })) toast(t('saved'));
            },
          },
          h('label', { for: 'tf', text: t('tables.file') }),
          h('p', { class: 'muted', text: t('tables.kinds') }),
          file,
          h('label', { for: 'tx', text: t('tables.paste') }),
          paste,
          h('button', { type: 'button', class: 'button', onclick: () => { file.value = ''; look(); } }, t('tables.read')),
          seen,
          go,
        ),
      ];
    });
    s.classList.add('wide');
  }

  /** @param {Row[]} rows @param {boolean} mine */
  function table(rows, mine) {
    const sorted = [...rows].sort((a, b) => Number(!a.table) - Number(!b.table) || byName(a.table || a.board, b.table || b.board));
    return h(
      'table',
      { class: 'seats' },
      h('thead', null, h('tr', null, ['tables.table', 'board.word', 'tables.where', 'tables.state'].map((k) => h('th', { scope: 'col', text: t(k) })))),
      h(
        'tbody',
        null,
        sorted.map((r) =>
          h(
            'tr',
            { class: r.found ? 'next' : r.board && r.here ? 'set' : 'none' },
            h(
              'th',
              { scope: 'row' },
              mine ? h('button', { type: 'button', class: 'button', 'data-k': 'e' + r.table + '/' + r.board, 'aria-label': r.table ? t('tables.edit', r.table) : t('tables.give', r.board), onclick: () => edit(r) }, r.table || '–') : r.table || '–',
            ),
            h('td', null, r.board ? h('a', { href: linkTo(r.board), text: r.board }) : '–'),
            h('td', { text: [r.computer, r.serial && t('tables.serial', r.serial), r.port].filter(Boolean).join(' · ') }),
            h('td', { class: 'state', text: state(r) }),
          ),
        ),
      ),
    );
  }

  /** @param {Row} r */
  const state = (r) =>
    r.found ? t('tables.is.found') : r.elsewhere ? t('tables.is.elsewhere') : !r.board ? t('tables.is.unseen') : !r.here ? t('tables.is.away') : r.table ? t('tables.is.' + r.by) : t('tables.is.free');

  /** One board by hand: its number, or its port. @param {Row} r */
  function edit(r) {
    sheet(r.table ? t('tables.edit', r.table) : t('tables.give', r.board), t('close'), (close) => {
      const name = /** @type {HTMLInputElement} */ (h('input', { id: 'tt', value: r.table, maxlength: 20, required: true, autocomplete: 'off' }));
      const by = /** @type {HTMLSelectElement} */ (
        h('select', { id: 'tb' }, [
          r.serial ? h('option', { value: r.serial + ',', selected: r.by !== 'port' }, t('tables.byserial', r.serial)) : null,
          r.port ? h('option', { value: r.computer + ',' + r.port + ',', selected: r.by === 'port' }, t('tables.byport', r.port)) : null,
        ])
      );
      return [
        r.serial || r.port
          ? h(
              'form',
              {
                class: 'form',
                onsubmit: async (/** @type {Event} */ e) => {
                  e.preventDefault();
                  close();
                  if (await tell('set', { data: await base64(new Blob([by.value + name.value.trim()])) })) toast(t('saved'));
                },
              },
              h('label', { for: 'tt', text: t('tables.table') }),
              name,
              h('label', { for: 'tb', text: t('tables.by') }),
              by,
              h('button', { type: 'submit', class: 'button primary' }, t('save')),
            )
          : h('p', { text: t('tables.silent') }),
        r.table
          ? h('button', { type: 'button', class: 'button danger wide', onclick: () => { close(); tell('free', { table: r.table }); } }, t('tables.free'))
          : null,
      ];
    });
  }

  load();
  return {
    el: f.el,
    title: f.title,
    name: t('tables.title'),
    update(/** @type {Set<string>} */ topics) {
      if (topics.has('tables')) load();
    },
    close() {
      over = true;
      clearTimeout(timer);
    },
  };
}
