// @ts-check
// The round on one page: players, time control and rules; a pairing from a file, and changes meanwhile.
import { h, icon, patch, setText, show, sheet, toast } from './dom.js';
import { t, saying, moreTexts, dayTime, byName, boardName } from './i18n.js';
import { api, requestID } from './api.js';
import { canDecide, boardKey } from './store.js';
import { frame, linkTo } from './frame.js';

/** @typedef {{board: string, white: string, black: string}} Seat */
/** @typedef {{board: string, player: string}} Alone a player without an opponent */
/** @typedef {{event: string, round: string, time_control: string, profile: string, local: string, seats: Seat[], alone: Alone[]}} Settings */
/** @typedef {Settings & {as_of: string, here: string, by: string, wall_ms: number, boards: {seat: string, board: string, state: string, round: string, mistake?: string, other?: string}[], away: string[], profiles: string[]}} Round */
/** @typedef {{line: number, column: number, text: string, note?: boolean, say?: string[]}} Problem */

/** Number of boards that a line names. */
const most = 12;

const patience = 30_000; // a pairing of thousands of players

/** @param {any} e */
const problem = (e) => (e.status ? [e.message, e.remedy].filter(Boolean).join(' ') : t('error.noanswer'));

/** The next round: 4 after 3; "" if rounds have no numbers. @param {string} round */
const following = (round) => (/^\d+$/.test(round) ? String(Number(round) + 1) : '');

/** @param {Blob} file @returns {Promise<string>} */
const base64 = (file) =>
  new Promise((done, fail) => {
    const r = new FileReader();
    r.onload = () => done(String(r.result).replace(/^[^,]*,/, ''));
    r.onerror = () => fail(r.error);
    r.readAsDataURL(file);
  });

export async function round() {
  await moreTexts('round');
  const f = frame(t('round.title'), '#/', '', 'settings round');
  const may = canDecide();
  /** @type {Round|null} */ let now = null;
  const status = h('p', { class: 'empty', role: 'status', text: t('alert.loading') });
  const head = h('div');
  const seats = h('div');
  const forms = h('div');
  f.main.append(status, head, seats, forms);
  f.bar.remove();

  async function load() {
    try {
      now = /** @type {Round} */ (await api('GET', '/round'));
      draw();
    } catch (e) {
      show(status, true);
      setText(status, problem(e));
    }
  }

  function draw() {
    const r = now;
    if (!r) return;
    show(status, false);
    const mine = may && r.here === 'here';
    patch(head, [r.round, r.time_control, r.profile, r.local, r.by, r.wall_ms, r.here, r.away, mine], () => [
      h('p', {
        class: 'sub',
        text: [r.round ? t('boards.round', r.round) : t('round.noround'), r.time_control, profileName(r.profile), r.local ? t('round.local') : '']
          .filter(Boolean)
          .join(' · '),
      }),
      r.wall_ms ? h('p', { class: 'muted pad', text: t('round.setby', r.by, new Date(r.wall_ms).toLocaleDateString() + ' ' + dayTime(r.wall_ms)) }) : null,
      r.here === 'here' ? null : h('p', { class: 'notice', text: t('round.hall') }),
      r.away.length ? h('p', { class: 'notice', role: 'status', text: t('round.away', r.away.join(', ')) }) : null,
      mine
        ? h('div', { class: 'buttons' }, [
            h('button', { type: 'button', class: 'button primary', 'data-k': 'next', onclick: () => set(true) }, t('round.next')),
            h('button', { type: 'button', class: 'button', 'data-k': 'set', onclick: () => set(false) }, t('round.change')),
            h('button', { type: 'button', class: 'button', 'data-k': 'add', onclick: () => edit(null) }, t('round.add')),
          ])
        : null,
    ]);
    const waits = r.boards.filter((b) => b.state === 'next');
    const mistakes = r.boards.filter((b) => b.mistake).length;
    patch(seats, [r.seats, r.boards, mine], () => [
      waits.length && mine
        ? h(
            'div',
            { class: 'notice' },
            h('span', { class: 'grow', text: t('round.waits', waits.map((b) => boardName(b.board)).sort(byName).join(', ')) }),
            h('button', { type: 'button', class: 'button', 'data-k': 'now', onclick: () => send(settings(r), r.as_of, 'now') }, t('round.playnow')),
          )
        : null,
      mistakes ? h('p', { class: 'notice', role: 'status' }, icon('look'), t('round.mistakes', mistakes)) : null,
      r.boards.length ? table(r, mine) : h('p', { class: 'empty', text: t('round.nobody') }),
    ]);
  }

  /** @param {Round} r @param {boolean} mine */
  function table(r, mine) {
    const names = new Map(r.seats.map((s) => [s.board, s]));
    const list = [...r.boards].sort((a, b) => Number(!!b.mistake) - Number(!!a.mistake) || byName(a.seat || boardName(a.board), b.seat || boardName(b.board)));
    return h(
      'table',
      { class: 'seats' },
      h('thead', null, h('tr', null, ['board.word', 'side.white', 'side.black', 'round.state'].map((k) => h('th', { scope: 'col', text: t(k) })))),
      h(
        'tbody',
        null,
        list.map((b) => {
          const s = names.get(b.seat);
          const state = b.mistake ? t('round.m.' + b.mistake, b.other || '') : t('round.' + (b.state === 'next' ? 'after' : b.state === 'away' ? 'gone' : b.state)) + (b.state === 'next' && b.round && b.round !== r.round ? ' (' + t('boards.round', b.round) + ')' : '');
          const alike = b.seat && list.filter((o) => o.seat === b.seat).length > 1; // boards of two computers
          const name = alike ? b.seat + ' · ' + b.board : b.seat || boardName(b.board);
          return h(
            'tr',
            { class: b.state + (b.mistake ? ' mistaken' : '') },
            h(
              'th',
              { scope: 'row' },
              mine
                ? h('button', { type: 'button', class: 'button', 'data-k': 'b' + name, 'aria-label': t('round.edit', name), onclick: () => edit(s || { board: b.seat || boardName(b.board), white: b.mistake === 'alone' ? b.other || '' : '', black: '' }) }, name)
                : b.board
                  ? h('a', { href: linkTo(b.board), text: name })
                  : name,
            ),
            h('td', { dir: 'auto', text: s ? s.white : '–' }),
            h('td', { dir: 'auto', text: s ? s.black : '–' }),
            h('td', { class: 'state' }, b.mistake ? icon('look') : b.state === 'set' ? icon('check') : b.state === 'free' ? null : icon(b.state === 'away' ? 'look' : 'clock'), h('span', { text: state })),
          );
        }),
      ),
    );
  }

  /** @param {Settings} r @returns {Settings} */
  const settings = (r) => ({ event: r.event, round: r.round, time_control: r.time_control, profile: r.profile, local: r.local, seats: r.seats, alone: r.alone });

  /** @param {string} word */
  const profileName = (word) => (word === 'auto' ? t('round.auto') : word || t('round.configured'));

  /**
  * Sends the round. If it concerns games in progress, the person is asked what happens to them.
   * @param {Settings} next @param {string} asOf the state that the person has looked at @param {string} [playing] @param {string} [request] @param {boolean} [sure] the number of the round is meant
   * @returns {Promise<boolean>}
   */
  async function send(next, asOf, playing, request, sure) {
    const id = request || requestID();
    try {
      now = /** @type {Round} */ (
        await api('PUT', '/round', { request: id, as_of: asOf, playing: playing || '', sure: !!sure, ...next }, patience)
      );
      toast(t('saved'));
      draw();
      return true;
    } catch (e) {
      const no = /** @type {any} */ (e);
      const args = no.body?.error?.args || [''];
      if (no.code === 'playing') return ask(t('round.playing'), t('round.playingat', args[0]), [
        [t('round.playnext'), () => send(next, asOf, 'next', id, sure)],
        [t('round.playnow'), () => send(next, asOf, 'now', id, sure)],
      ], t('round.playinghelp'));
      if (no.code === 'unusual_round') return ask(t('round.title'), t('round.u.' + args[0], args[1], args[2]), [
        [t('round.anyway', args[1]), () => send(next, asOf, playing, id, true)],
      ], '');
      if (no.code === 'changed') load();
      toast(problem(no), true);
      return false;
    }
  }

  /** @param {string} title @param {string} text @param {[string, () => Promise<boolean>][]} answers @param {string} help @returns {Promise<boolean>} */
  function ask(title, text, answers, help) {
    return new Promise((done) => {
      let said = false;
      const dialog = sheet(title, t('close'), (close) => [
        h('p', { text }),
        answers.map(([label, f], i) =>
          h('button', {
            type: 'button',
            class: 'button wide' + (i ? '' : ' primary'),
            onclick: async () => {
              said = true;
              close();
              done(await f());
            },
          }, label),
        ),
        help ? h('p', { class: 'muted', text: help }) : null,
      ]);
      dialog.addEventListener('close', () => {
        if (!said) done(false);
      });
    });
  }

  /** One board: its players, a swap with another one, or out of the round. @param {Seat|null} seat null: a new one */
  function edit(seat) {
    const r = /** @type {Round} */ (now);
    const there = seat ? r.seats.findIndex((s) => s.board === seat.board) : -1;
    const alone = seat && r.alone.find((a) => boardKey(a.board) === boardKey(seat.board));
    sheet(seat ? t('board.title', seat.board) : t('round.add'), t('close'), (close) => {
      const input = (/** @type {string} */ id, /** @type {string} */ value, /** @type {number} */ most) =>
        /** @type {HTMLInputElement} */ (h('input', { id, value, maxlength: most, required: true, autocomplete: 'off', dir: 'auto' }));
      const board = input('rb', seat ? seat.board : '', 32),
        white = input('rw', seat ? seat.white : '', 100),
        black = input('rk', seat ? seat.black : '', 100);
      if (there >= 0) board.disabled = true;
      const swap = /** @type {HTMLSelectElement} */ (
        h('select', { id: 'rs' }, h('option', { value: '' }, '–'), r.seats.filter((s) => !seat || s.board !== seat.board).map((s) => h('option', { value: s.board }, s.board + ' · ' + s.white + ' – ' + s.black)))
      );
      const apply = async (/** @type {Seat[]} */ list, alone = r.alone) => {
        close();
        await send({ ...settings(r), seats: list, alone }, r.as_of);
      };
      return [
        h(
          'form',
          {
            class: 'form',
            onsubmit: (/** @type {Event} */ e) => {
              e.preventDefault();
              const s = { board: board.value.trim(), white: white.value.trim(), black: black.value.trim() };
              apply(there >= 0 ? r.seats.map((o, i) => (i === there ? s : o)) : [...r.seats, s]);
            },
          },
          h('label', { for: 'rb', text: t('board.word') }),
          board,
          h('label', { for: 'rw', text: t('side.white') }),
          white,
          h('button', {
            type: 'button',
            class: 'button',
            onclick: () => {
              [white.value, black.value] = [black.value, white.value];
            },
          }, icon('swap'), t('round.colours')),
          h('label', { for: 'rk', text: t('side.black') }),
          black,
          h('button', { type: 'submit', class: 'button primary' }, t('save')),
        ),
        there >= 0 && r.seats.length > 1
          ? h(
              'div',
              { class: 'form' },
              h('label', { for: 'rs', text: t('round.swap') }),
              swap,
              h(
                'button',
                {
                  type: 'button',
                  class: 'button',
                  onclick: () => {
                    const o = r.seats.find((s) => s.board === swap.value);
                    if (!o || !seat) return;
                    apply(r.seats.map((s) => (s.board === seat.board ? { ...o, board: seat.board } : s.board === o.board ? { ...seat, board: o.board } : s)));
                  },
                },
                icon('swap'),
                t('round.doswap'),
              ),
            )
          : null,
        there >= 0 || alone
          ? h('button', { type: 'button', class: 'button danger wide', onclick: () => apply(r.seats.filter((_, i) => i !== there), r.alone.filter((a) => a !== alone)) }, t('round.remove'))
          : null,
      ];
    });
  }

  /** The whole round: a pairing from a file or pasted, and the settings. @param {boolean} next the one after this one */
  function set(next) {
    const r = /** @type {Round} */ (now);
    const s = sheet(next ? t('round.next') : t('round.change'), t('close'), (close) => {
      /** @type {Seat[]|null} */ let read = null;
      /** @type {Alone[]} */ let without = [];
      let event = '';
      const field = (/** @type {string} */ id, /** @type {string} */ value, /** @type {number} */ most) =>
        /** @type {HTMLInputElement} */ (h('input', { id, value, maxlength: most, autocomplete: 'off' }));
      const name = field('rn', next ? following(r.round) : r.round, 20),
        control = field('rt', r.time_control, 60);
      const profile = /** @type {HTMLSelectElement} */ (
        h('select', { id: 'rp' }, h('option', { value: '', selected: !r.profile }, t('round.configured')), r.profiles.map((p) => h('option', { value: p, selected: p === r.profile }, profileName(p))))
      );
      const local = /** @type {HTMLTextAreaElement} */ (h('textarea', { id: 'rl', rows: 3, maxlength: 4000, placeholder: 'strikes_to_lose: 3', value: r.local, spellcheck: 'false' }));
      const file = /** @type {HTMLInputElement} */ (h('input', { id: 'rf', type: 'file', accept: '.pgn,.csv,.txt,.trf,.trfx,.tsv,text/*', onchange: () => look() }));
      const paste = /** @type {HTMLTextAreaElement} */ (h('textarea', { id: 'rx', rows: 4, spellcheck: 'false', placeholder: 'board,white,black' }));
      const seen = h('div', { class: 'seen', role: 'group', 'aria-label': t('round.file'), 'aria-live': 'polite' });
      const go = h('button', { type: 'submit', class: 'button primary wide' }, next ? t('round.begin') : t('save'));

      async function look() {
        const blob = file.files && file.files[0] ? file.files[0] : paste.value.trim() ? new Blob([paste.value]) : null;
        if (!blob) return;
        try {
          const wanted = /^\d+$/.test(name.value) && next ? Number(name.value) : 0;
          const data = await base64(blob);
          let a = await api('POST', '/round/read', { round: wanted, data }, patience);
          if (!a.seats.length && wanted) {
            const any = await api('POST', '/round/read', { round: 0, data }, patience); // the latest round, which has another number there
            if (any.seats.length) a = any;
          }
          read = a.seats.length ? a.seats : null;
          without = a.alone;
          event = a.event;
          if (a.round && read) name.value = a.round;
          patch(seen, a, () => preview(a));
          seen.tabIndex = 0; // a long pairing is scrolled in it
        } catch (e) {
          read = null;
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
              const list = read || (next ? [] : r.seats);
              const done = await send({ event: r.event || event, round: name.value.trim(), time_control: control.value.trim(), profile: profile.value, local: local.value, seats: list, alone: read ? without : next ? [] : r.alone }, r.as_of);
              if (done) close();
            },
          },
          h('label', { for: 'rf', text: t('round.file') }),
          h('p', { class: 'muted', text: t('round.kinds') }),
          file,
          h('details', null, h('summary', { text: t('round.paste') }), h('label', { for: 'rx', class: 'sr', text: t('round.paste') }), paste, h('button', { type: 'button', class: 'button', onclick: () => { file.value = ''; look(); } }, t('round.read'))),
          seen,
          h('div', { class: 'two' }, h('div', null, h('label', { for: 'rn', text: t('round.number') }), name), h('div', null, h('label', { for: 'rt', text: t('round.control') }), control)),
          h('label', { for: 'rp', text: t('round.profile') }),
          profile,
          h('details', null, h('summary', { text: t('round.local') }), h('label', { for: 'rl', class: 'muted', text: t('round.localhelp') }), local),
          go,
        ),
      ];
    });
    s.classList.add('wide');
  }

  /** Lines of the file under one heading. @param {string} heading @param {Problem[]} list */
  const named = (heading, list) =>
    list.length
      ? h(
          'div',
          { class: 'note warn' },
          h('strong', { text: t(heading, list.length) }),
          h('ul', null, list.map((p) => h('li', { text: t('round.problem', p.line, saying(p.say, p.text).text) }))),
        )
      : null;

  /** The first of some boards, and how many more there are. @param {string} what @param {string[]} list */
  const some = (what, list) =>
    list.length
      ? h('p', { class: 'note warn', text: t(what) + ' (' + list.length + '): ' + list.slice(0, most).join(', ') + (list.length > most ? ' +' + (list.length - most) : '') })
      : null;

  /** The readable and the unreadable parts of a pairing, and how it fits the boards. @param {{seats: Seat[], alone: Alone[], problems: Problem[], worked_out: boolean, round: string, missing: string[], free: string[]}} a */
  const preview = (a) => [
    named('round.left', a.problems.filter((p) => !p.note)),
    named('round.lookat', a.problems.filter((p) => p.note)),
    a.worked_out ? h('p', { class: 'notice', text: t('round.worked') }) : null,
    a.seats.length ? [some('round.none', a.missing), some('round.free', a.free)] : null,
    a.seats.length
      ? h(
          'table',
          { class: 'seats' },
          h('caption', { text: [a.round ? t('boards.round', a.round) : '', t('round.understood', a.seats.length)].filter(Boolean).join(' · ') }),
          h('thead', null, h('tr', null, ['board.word', 'side.white', 'side.black'].map((k) => h('th', { scope: 'col', text: t(k) })))),
          h('tbody', null, a.seats.map((s) => h('tr', null, h('th', { scope: 'row', text: s.board }), h('td', { dir: 'auto', text: s.white }), h('td', { dir: 'auto', text: s.black })))),
        )
      : null,
  ];

  load();
  let due = 0;
  return {
    el: f.el,
    title: f.title,
    name: t('round.title'),
    update(/** @type {Set<string>} */ topics) {
      if (!topics.has('boards') && !topics.has('round')) return;
      if (!due)
        due = window.setTimeout(() => {
          due = 0;
          load();
        }, topics.has('round') ? 100 : 2000);
    },
    close: () => clearTimeout(due),
  };
}
