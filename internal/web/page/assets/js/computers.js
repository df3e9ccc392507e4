// @ts-check
// The operator's list: every computer and board, the worst first, each with what to do; and who wants to join the hall.
import { h, patch, sheet, toast, setText, setClass, show, arrange } from './dom.js';
import { t, has, saying, moreTexts, dayTime, answerText, signed, boardTitle, kindName } from './i18n.js';
import { api, requestID } from './api.js';
import { canDecide, serverNow } from './store.js';
import { frame, barButton, linkTo } from './frame.js';
import { membership } from './membership.js';

/** @typedef {{what: string, level: string, text: string, say: Sentence, detail?: string, detail_say?: Sentence, do: string, do_say: Sentence}} Problem */
/** @typedef {{computer: string, board: string, own?: boolean, no_board?: boolean, level: 'bad'|'warn'|'note'|'ok', problems: Problem[], here: boolean, seen_ms: number,
 *   version?: string, host?: string, ahead_ms?: number, free_mb?: number, boards?: number, link?: string, clock?: string, clock_battery?: string,
 *   battery?: string, scan_ms?: number, journal?: string, late_s: number, serial?: string}} Row */
/** @typedef {{code: string, host: string, name: string, asked_ms: number}} Newcomer */
/** @typedef {{computer: string, board: string, finding: string, decision: string, by: string, request: string, wall_ms: number}} Stranded */
/** @typedef {{hall: boolean, now_ms: number, rows: Row[], newcomers: Newcomer[], stranded: Stranded[], member?: import('./membership.js').Member}} List */

/** How often the list is fetched while it is shown. */
const again = 5000;

/** @param {number} ms */
const moment = (ms) =>
  Math.abs(serverNow() - ms) < 12 * 3600e3 ? dayTime(ms, true) : new Date(ms).toLocaleDateString() + ' ' + dayTime(ms);

/** The facts about a computer or a board, in short. @param {Row} r */
function facts(r) {
  /** @type {(string|false|undefined)[]} */
  const list = r.board
    ? [
        r.computer,
        r.link && (r.link === 'up' ? t('hall.f.up') : t((has('link.' + r.link) ? 'link.' : 'health.') + (r.link === 'unknown' ? 'not_connected' : r.link))),
        r.clock && t('hall.f.' + r.clock),
        r.clock_battery && t('hall.f.clockbattery'),
        r.battery && t('hall.f.battery'),
        !!r.scan_ms && t('hall.f.scan', r.scan_ms),
        r.journal && t(r.journal === 'ok' ? 'hall.f.saved' : 'health.journal_degraded'),
        r.late_s > 0 && t('hall.f.late', r.late_s),
        r.serial && t('hall.f.serial', r.serial),
      ]
    : [
        r.own && t('hall.own'),
        r.boards !== undefined && t('boards.boards', r.boards),
        r.version && t('hall.f.version', r.version),
        !r.own && r.ahead_ms !== undefined && t('hall.f.ahead', signed(r.ahead_ms / 1000, 1)),
        r.free_mb !== undefined && t('hall.f.free', r.free_mb),
      ];
  if (!r.here && r.seen_ms) list.push(t('hall.f.seen', moment(r.seen_ms)));
  return list.filter(Boolean).join(' · ');
}

/** A sentence of the list, with its language. @param {Sentence} s @param {string} english @param {string} cls */
function sentence(s, english, cls) {
  const x = saying(s, english);
  return h('span', { class: cls, lang: x.lang, text: x.text });
}

/** @param {Row} r @param {() => void} reload */
function row(r, reload) {
  const name = r.board ? boardTitle(r.board) : t('hall.computer', r.computer);
  return [
    h('span', { class: 'level', text: t('hall.level.' + r.level) }),
    h(
      'div',
      { class: 'grow' },
      r.board ? h('a', { class: 'name', href: r.no_board ? '#/round' : linkTo(r.board), text: name, 'data-k': r.computer + '/' + r.board }) : h('strong', { class: 'name', text: name }),
      r.problems.map((p) =>
        h(
          'div',
          { class: 'problem is-' + p.level },
          sentence(p.say, p.text, 'so'),
          p.detail ? sentence(p.detail_say || '', p.detail, 'muted') : null,
          sentence(p.do_say, p.do, 'do'),
          p.what === 'moved' && canDecide()
            ? h('button', { type: 'button', class: 'button', 'data-k': 'b' + r.board, onclick: () => tell('POST', '/computers/boards/' + encodeURIComponent(r.board), {}, reload) }, t('hall.belongs'))
            : null,
        ),
      ),
      h('div', { class: 'muted facts', text: facts(r) }),
    ),
  ];
}

/** @param {string} method @param {string} path @param {object|undefined} body @param {() => void} done */
async function tell(method, path, body, done) {
  try {
    await api(method, path, body);
    toast(t('saved'));
    done();
  } catch (e) {
    toast(/** @type {Refused} */ (e).status ? answerText(/** @type {any} */ (e)) : t('error.noanswer'), true);
  }
}

/** @param {Newcomer} n @param {() => void} reload */
function newcomer(n, reload) {
  const id = 'n' + n.code;
  const name = /** @type {HTMLInputElement} */ (h('input', { id, value: n.name, maxlength: 40, autocomplete: 'off', 'data-k': id }));
  const path = '/computers/newcomers/' + encodeURIComponent(n.code);
  return h(
    'form',
    {
      class: 'row form newcomer',
      onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        tell('POST', path, { name: name.value.trim() }, reload);
      },
    },
    h('strong', { class: 'bigcode', text: n.code }),
    h('span', { class: 'muted', text: [n.host, moment(n.asked_ms)].filter(Boolean).join(' · ') }),
    canDecide()
      ? [
          h('label', { for: id, text: t('hall.name') }),
          name,
          h(
            'div',
            { class: 'two' },
            h('button', { type: 'submit', class: 'button primary', 'data-k': id + 'a' }, t('hall.accept')),
            h('button', { type: 'button', class: 'button danger', 'data-k': id + 'r', onclick: () => tell('DELETE', path, undefined, reload) }, t('hall.refuse')),
          ),
        ]
      : null,
  );
}

/** A decision that no board can get. @param {Stranded} d @param {() => void} reload */
function stranded(d, reload) {
  const path = '/boards/' + encodeURIComponent(d.board) + '/waiting/' + encodeURIComponent(d.request) + '/takeback';
  const kind = d.finding.slice(d.finding.indexOf(':') + 1);
  return h(
    'div',
    { class: 'row' },
    h(
      'div',
      { class: 'grow' },
      h('strong', { text: [boardTitle(d.board), d.computer].join(' · ') }),
      h('div', { text: [kindName(kind), d.decision && t('decide.' + d.decision)].filter(Boolean).join(': ') }),
      h('div', { class: 'muted', text: [d.by, d.wall_ms && moment(d.wall_ms)].filter(Boolean).join(' · ') }),
    ),
    canDecide()
      ? h('button', { type: 'button', class: 'button', 'data-k': 's' + d.request, onclick: () => tell('POST', path, { request: requestID() }, reload) }, t('waits.takeback'))
      : null,
  );
}

function invite() {
  sheet(t('hall.invite'), t('close'), () => {
    const out = h('div', { class: 'invite', 'aria-live': 'polite' });
    const name = /** @type {HTMLInputElement} */ (h('input', { id: 'cn', maxlength: 40, autocomplete: 'off' }));
    const ask = async () => {
      try {
        const p = await api('POST', '/computers/invitations', { name: name.value.trim() });
        patch(out, p, () => [
          p.svg ? h('img', { class: 'qr', alt: t('hall.qr'), src: 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(p.svg) }) : null,
          h('p', { class: 'break token', text: p.token }),
          h('a', { class: 'button wide', download: 'boardwatchd-join', href: 'data:text/plain;charset=utf-8,' + encodeURIComponent(p.token + '\n') }, t('hall.file')),
          h('p', { class: 'muted', text: t('hall.filehow', moment(p.expires_ms)) }),
        ]);
      } catch (e) {
        toast(/** @type {Refused} */ (e).status ? answerText(/** @type {any} */ (e)) : t('error.noanswer'), true);
      }
    };
    return [
      h('p', { text: t('hall.invitehow') }),
      h(
        'form',
        {
          class: 'form',
          onsubmit: (/** @type {Event} */ e) => {
            e.preventDefault();
            ask();
          },
        },
        h('label', { for: 'cn', text: t('hall.name') }),
        name,
        h('button', { type: 'submit', class: 'button primary' }, t('hall.token')),
      ),
      out,
    ];
  });
}

function style() {
  if (document.getElementById('computers-style')) return Promise.resolve();
  return new Promise((done) => {
    document.head.append(h('link', { rel: 'stylesheet', href: '/computers.css', id: 'computers-style', onload: done, onerror: done }));
  });
}

export async function computers() {
  await Promise.all([moreTexts('hall'), moreTexts('round'), style()]); // the round's texts have the causes of a failed write
  const f = frame(t('hall.title'), '#/', '', 'computers');
  const sub = h('p', { class: 'sub', role: 'status', text: t('alert.loading') });
  const asking = h('section', { class: 'group', hidden: true, 'aria-label': t('hall.newcomers') });
  const nobodys = h('section', { class: 'group', hidden: true, 'aria-label': t('hall.stranded') });
  const box = h('div', { class: 'rows', role: 'list', 'aria-label': t('hall.title') });
  const own = h('section', { class: 'group', hidden: true, 'aria-label': t('hall.belongsto') });
  f.main.append(h('p', { class: 'muted pad', text: t('hall.explain') }), sub, asking, nobodys, box, own);
  /** @type {Map<string, HTMLElement>} */ const kept = new Map();
  let timer = 0,
    over = false;

  /** @param {List} l */
  function draw(l) {
    const bad = l.rows.filter((r) => r.level === 'bad' || r.level === 'warn').length;
    setText(sub, t('hall.count', bad, l.rows.length) + ' · ' + moment(l.now_ms));
    show(own, !!l.member);
    if (l.member) membership(own, l.member, canDecide(), load);
    show(asking, l.newcomers.length > 0);
    patch(asking, l.newcomers, () => [
      h('h2', { text: t('hall.newcomers') }),
      h('p', { class: 'muted pad', text: t('hall.codehow') }),
      h('div', { class: 'rows' }, l.newcomers.map((n) => newcomer(n, load))),
    ]);
    show(nobodys, l.stranded.length > 0);
    patch(nobodys, [l.stranded, canDecide()], () => [
      h('h2', { text: t('hall.stranded') }),
      h('p', { class: 'muted pad', text: t('hall.strandedhow') }),
      h('div', { class: 'rows' }, l.stranded.map((d) => stranded(d, load))),
    ]);
    const key = (/** @type {Row} */ r) => r.computer + '/' + r.board;
    const byKey = new Map(l.rows.map((r) => [key(r), r]));
    arrange(box, kept, [...byKey.keys()], () => h('div', { role: 'listitem' }), (n) => n);
    for (const [k, r] of byKey) {
      const el = /** @type {HTMLElement} */ (kept.get(k));
      setClass(el, 'row unit is-' + r.level + (r.board ? '' : ' computer'));
      patch(el, { ...r, seen_ms: r.here ? 0 : r.seen_ms, ahead_ms: r.ahead_ms && Math.round(r.ahead_ms / 100), free_mb: r.free_mb && Math.round(r.free_mb / 50) }, () => row(r, load));
    }
    patch(f.bar, [l.hall, canDecide()], () => [
      l.hall && canDecide() ? barButton('link', t('hall.invite'), invite, 'primary') : null,
      barButton('copy', t('hall.print'), () => print()),
    ]);
  }

  async function load() {
    clearTimeout(timer);
    try {
      draw(await api('GET', '/computers'));
    } catch (e) {
      setText(sub, /** @type {Refused} */ (e).status ? /** @type {Refused} */ (e).message : t('error.noanswer'));
    }
    if (!over) timer = window.setTimeout(() => (document.hidden ? later() : load()), again);
  }
  function later() {
    timer = window.setTimeout(() => (document.hidden ? later() : load()), again);
  }

  load();
  return {
    el: f.el,
    title: f.title,
    name: t('hall.title'),
    update() {},
    close() {
      over = true;
      clearTimeout(timer);
    },
  };
}
