// @ts-check
// All boards at a glance: those that need attention first.
import { h, icon, setText, setClass, show, patch, arrange, setAttr } from './dom.js';
import { t, boardName, boardTitle, clockTime, ago, kindName, moveText, byName, resultText, word, saying, textsOf, moreTexts } from './i18n.js';
import { store, openAlerts, isMine, inRanges, found, clockNow, clockAge, serverNow, wallOf } from './store.js';
import { widen } from './feed.js';
import { frame, linkTo, alertName, alertAge, barButton, barLink } from './frame.js';
import { prefs, setPref } from './prefs.js';

/** @typedef {{el: HTMLElement, near: boolean, update: (alerts: Alert[], pictured: boolean) => void, tick: () => boolean}} Card */

/** How the boards without alerts can be shown: small cards, cards with the position, rows. @type {Record<string, string>} by name: the text of the button that chooses it */
const layouts = { grid: 'boards.asgrid', boards: 'boards.asboards', list: 'boards.aslist' };

/** From this many boards on there is a field to search. */
const manyBoards = 9;

/** Up to this many boards the last seconds of a clock are drawn when they pass, and not up to one later. */
const manyClocks = 16;

/** More boards in sight are drawn every other second. */
const crowd = 60;

export function boards() {
  const title = t('boards.title');
  const f = frame((store.session && store.session.event) || title, null, 'boards', 'boards');
  const sub = h('p', { class: 'sub' });
  let wanted = '';
  const search = h('input', {
    type: 'search',
    class: 'search',
    hidden: true,
    placeholder: t('boards.search'),
    'aria-label': t('boards.search'),
    autocomplete: 'off',
    oninput: (/** @type {any} */ e) => {
      wanted = e.target.value.trim();
      widen();
      update();
    },
  });
  const section = /** @type {HTMLSelectElement} */ (
    h('select', {
      class: 'section',
      'aria-label': t('boards.section'),
      onchange: () => {
        setPref('section', section.value);
        update();
      },
    })
  );
  const notices = h('div', { class: 'notices', role: 'status' });
  const top = h('div', { class: 'cards list asking' }),
    list = h('div', { class: 'cards' });
  const empty = h('p', { class: 'empty', hidden: true });
  f.main.append(sub, section, search, top, notices, list, empty);
  /** @type {Map<string, Card>} */ const urgent = new Map(),
    cards = new Map();
  const both = () => [...urgent.values(), ...cards.values()];

  let named = '';
  /** @type {string[]} */ let sorted = [];
  /** In natural order; boards that are not watched any more come last. @param {string[]} names */
  function inOrder(names) {
    const now = names.map((b) => order(b) + boardName(b) + ' ' + b).join('\n'); // to sort hundreds every second costs much
    if (now !== named) sorted = [...names].sort((a, b) => order(a) - order(b) || byName(boardName(a), boardName(b)));
    named = now;
    return sorted;
  }

  /* Only cards that can be seen, or soon, are drawn and have running clocks: there may be hundreds. */
  /** @type {Map<Element, Card>} */ const byElement = new Map();
  /** @type {Map<string, Alert[]>} */ let of = new Map();
  let pictured = false,
    unfolded = false;
  /** @param {Card} c @param {string} name */
  const draw = (c, name) => c.update(of.get(name) || none, store.boards.size <= 2 || (pictured && !of.has(name)));
  const sight = new IntersectionObserver(
    (entries) => {
      for (const e of entries) {
        const c = byElement.get(e.target);
        if (!c) continue;
        c.near = e.isIntersecting;
        if (!c.near) continue;
        const name = /** @type {any} */ (e.target).dataset.board;
        if (store.boards.get(name)?.part) widen();
        draw(c, name);
      }
    },
    { rootMargin: '100px' },
  );
  /** @param {string} name */
  function seen(name) {
    const c = card(name);
    byElement.set(c.el, c);
    sight.observe(c.el);
    draw(c, name);
    return c;
  }
  /** @param {HTMLElement} el @param {Map<string, Card>} kept @param {string[]} keys */
  function place(el, kept, keys) {
    const now = [...kept.keys()];
    if (now.length === keys.length && now.every((k, i) => k === keys[i])) return;
    for (const [k, c] of kept)
      if (!keys.includes(k)) {
        sight.unobserve(c.el);
        byElement.delete(c.el);
      }
    arrange(el, kept, keys, seen, (c) => c.el);
    const ordered = keys.map((k) => /** @type {[string, Card]} */ ([k, kept.get(k)]));
    kept.clear();
    for (const [k, c] of ordered) kept.set(k, c);
  }

  function update() {
    const alerts = openAlerts();
    of = group(alerts);
    const all = [...store.boards.values()].filter((b) => !b.gone || b.open || of.has(b.board)).map((b) => b.board);
    const mine = prefs.mine && all.some((b) => isMine(b));
    const sections = store.session?.sections || [];
    const chosen = sections.find((s) => s.name === prefs.section);
    show(section, sections.length > 0);
    patch(section, [sections, chosen?.name], () => [
      h('option', { value: '', text: t('boards.sections') }),
      ...sections.map((s) => h('option', { value: s.name, text: s.name, selected: s === chosen })),
    ]);
    const inSection = chosen ? inRanges(chosen.boards, all).has : () => true;
    const shown = all.filter((b) => (!mine || isMine(b)) && inSection(b) && found(b, wanted));
    const rest = inOrder(shown.filter((b) => !of.has(b)));
    const there = new Set(shown);
    const asking = [...of.keys()].filter((b) => there.has(b));
    show(search, all.length >= manyBoards || wanted !== '');
    const layout = prefs.layout === 'auto' ? (shown.length > 8 ? 'grid' : 'list') : prefs.layout;
    const names = Object.keys(layouts);
    const next = names[(names.indexOf(layout) + 1) % names.length];
    pictured = layout === 'boards';
    setClass(list, 'cards ' + layout);
    show(top, asking.length > 0);
    show(list, rest.length > 0);
    place(top, urgent, asking);
    place(list, cards, rest);
    for (const [name, c] of [...urgent, ...cards]) if (c.near) draw(c, name);
    const d = store.session || { round: '' };
    setText(
      sub,
      [
        d.round ? t('boards.round', d.round) : '',
        t('boards.boards', all.length),
        alerts.length ? t('boards.alerts', alerts.length) : t('boards.quiet'),
      ]
        .filter(Boolean)
        .join(' · '),
    );
    show(empty, !shown.length);
    setText(empty, !store.loaded ? t('boards.waiting') : wanted ? t('boards.nohit') : t('boards.none'));
    const notes = store.notices.map((n) => ({ note: n.level, so: saying(n.say, n.text), do: saying(n.do_say, n.remedy) }));
    patch(notices, notes, () => {
      const folded = notes.filter((n) => n.note);
      return [
        ...notes.filter((n) => !n.note).map((n) => notice(n.so, n.do)),
        folded.length
          ? h(
              'details',
              { class: 'notes', open: unfolded, ontoggle: (/** @type {any} */ e) => (unfolded = e.target.open) },
              h('summary', h('span', folded[0].so), folded.length > 1 ? ' +' + (folded.length - 1) : null),
              folded.map((n) => notice(n.so, n.do)),
            )
          : null,
      ];
    });
    textsOf(
      [
        ...store.notices.flatMap((n) => [{ say: n.say, english: n.text }, { say: n.do_say, english: n.remedy }]),
        ...all.flatMap((name) => sentencesOf(/** @type {Summary} */ (store.boards.get(name)))),
      ],
      update,
    );
    const open = alerts.filter((a) => a.state === 'open');
    const first = open[0] || alerts[0];
    patch(f.bar, [first && first.id, open.length, mine, prefs.layout, layout, all.length], () => [
      first ? barLink('look', t('boards.next'), linkTo(first.board, first.finding), open.length ? 'primary' : '') : null,
      all.length > 1 ? barButton('eye', mine ? t('boards.showall') : t('boards.mine'), () => toggleMine(update)) : null,
      all.length > 2
        ? barButton('grid', t(layouts[next]), () => {
            setPref('layout', next);
            if (next === 'boards') widen(-1);
            update();
          })
        : null,
      store.session?.hall ? barLink('link', t('boards.computers'), '#/computers') : null,
      barLink('gear', t('settings.title'), '#/settings'),
    ]);
  }

  update();
  return {
    el: f.el,
    title: f.title,
    name: title,
    update,
    tick() {
      let fast = false;
      for (const c of both()) if (c.near) fast = c.tick() || fast;
      return fast && store.boards.size <= manyClocks;
    },
    crowded: () => both().filter((c) => c.near).length > crowd,
    close() {
      sight.disconnect();
    },
  };
}

/** @param {any} so what is wrong @param {any} what to do */
const notice = (so, what) =>
  h('div', { class: 'notice' }, icon('look'), h('div', {}, h('strong', so), what.text ? h('div', what) : null));

const sides = /** @type {Side[]} */ (['white', 'black']);
/** @type {Alert[]} */ const none = [];

/** @param {Alert[]} alerts @returns {Map<string, Alert[]>} by board */
function group(alerts) {
  const of = new Map();
  for (const a of alerts) of.set(a.board, [...(of.get(a.board) || []), a]);
  return of;
}

/** @param {string} b */
const order = (b) => (/** @type {Summary} */ (store.boards.get(b)).watching ? 0 : 1);

/** @param {() => void} done */
async function toggleMine(done) {
  const { device } = /** @type {Session} */ (store.session);
  if (!prefs.mine && !(device.boards && device.boards.length)) {
    const [{ chooseBoards }] = await Promise.all([import('./mine.js'), moreTexts('rest')]);
    chooseBoards(() => {
      setPref('mine', !!(/** @type {Session} */ (store.session).device.boards.length));
      done();
    });
    return;
  }
  setPref('mine', !prefs.mine);
  done();
}

/** Problems of which the whole sentence is shown. */
const inFull = /still|clock_set|slow/;

/** The board's problem in words; "" if there is none. @param {Summary} b */
export function healthText(b) {
  if (b.health_what === 'unreachable') return t('health.unreachable');
  if (!b.watching && b.health_what !== 'journal_read') return t('health.not_watched');
  if (b.link === 'down' || b.link === 'silent' || b.link === 'wrong_board') return t('link.' + b.link);
  if (b.journal === 'degraded') return t('health.journal_degraded');
  if (b.paused) return t('health.held');
  if (inFull.test(b.health_what)) return saying(b.health_say, b.health_detail).text;
  return b.health === 'ok' ? '' : word('health', b.health_what || 'look');
}

/** The sentences of a board's problem that the list shows. @param {Summary} b */
export const sentencesOf = (b) => [
  ...(b.health_do ? [{ say: b.health_do, english: '' }] : []),
  ...(b.health_say && inFull.test(b.health_what) ? [{ say: b.health_say, english: b.health_detail }] : []),
];

/** The remedy; "" if there is none, or the texts are not loaded yet. @param {Summary} b */
export const remedyText = (b) => (b.health_do ? saying(b.health_do, '').text : '');

/** A clock of unknown sides, left and right. @param {Summary} b */
export const sidesText = ({ clock_sides: c }) => (c ? '← ' + clockTime(c.left) + ' · ' + clockTime(c.right) + ' →' : '');

/** Whether to ask if the game is over, which takes a stop of more than some seconds. @param {Summary} b */
export const finishDue = (b) => !!b.finish && (!!b.finish.by || serverNow() - wallOf(b, b.finish.since) > 1e4);

/** The side to move, or the result. @param {Summary} b */
export function turnText(b) {
  if (finishDue(b)) return t('finish.title') + ' ' + resultText(b.finish?.result || '');
  if (b.result) return resultText(b.result);
  if (!b.game) return t('boards.nogame');
  if (b.turn) return t('turn.' + b.turn);
  return b.playing ? t('boards.playing') : t('boards.paused');
}

/** @param {string} name @returns {Card} */
function card(name) {
  const strip = h('div', { class: 'strips' });
  const num = h('span', { class: 'num', role: 'img' });
  const turn = h('span', { class: 'turn' }),
    last = h('span', { class: 'last' }),
    names = h('span', { class: 'names' }),
    health = h('span', { class: 'health' });
  const clock = { white: h('span', { class: 'ck' }), black: h('span', { class: 'ck' }) };
  const digits = { white: h('b'), black: h('b') };
  const tag = (/** @type {Side} */ side) => h('i', { class: 'man ' + side, role: 'img' });
  const tags = { white: tag('white'), black: tag('black') };
  for (const side of sides) clock[side].append(tags[side], ' ', digits[side]);
  const heard = h('span', { class: 'heard', hidden: true });
  const clocks = h('span', { class: 'clocks' }, clock.black, clock.white, heard);
  const picture = h('span', { class: 'picture', hidden: true });
  const body = h(
    'a',
    { class: 'card-body', href: linkTo(name) },
    num,
    h('span', { class: 'mid' }, turn, last, names, health),
    clocks,
    picture,
  );
  const el = h('article', { class: 'card', 'data-board': name }, strip, body);
  /** @type {any} */ let diagram = null;
  /** @type {{age: HTMLElement, alert: Alert}[]} */ let ages = [];
  let called = '';
  /** The board may get a table while it is shown. */
  function call() {
    if (called === boardName(name)) return;
    called = boardName(name);
    setText(num, called);
    setClass(num, 'num' + (called.length > 7 ? ' longest' : called.length > 3 ? ' long' : ''));
  }
  call();

  function tick() {
    const b = /** @type {Summary} */ (store.boards.get(name));
    let fast = false;
    for (const side of sides) {
      const sec = clockNow(b, side);
      setText(digits[side], sec === null ? '–' : clockTime(sec));
      if (sec !== null && sec < 10 && /** @type {any} */ (b.clock).running === side) fast = true;
    }
    if (!heard.hidden) setText(heard, ago(clockAge(b)));
    for (const a of ages) setText(a.age, alertAge(a.alert));
    setText(turn, turnText(b));
    return fast;
  }

  /** @type {any} */ let drawn = null;

  /** @param {Alert[]} alerts of this board @param {boolean} pictured with the position */
  function update(alerts, pictured) {
    const b = /** @type {Summary} */ (store.boards.get(name));
    const from = [b, store.conn.state, pictured, healthText(b), remedyText(b), ...alerts];
    if (drawn && drawn.length === from.length && from.every((x, i) => x === drawn[i])) return;
    drawn = from;
    call();
    const hours = b.clock && Math.max(clockNow(b, 'white') || 0, clockNow(b, 'black') || 0) >= 3600; // longer text
    setClass(el, 'card' + (alerts.length ? ' alerted' : '') + (b.game ? '' : ' unbegun') + (hours ? ' hours' : ''));
    show(clocks, !!b.game || !!b.clock);
    patch(
      strip,
      alerts.map((a) => [a.id, a.state, a.level, a.kind, a.step]),
      () => {
        ages = [];
        return alerts.map((a) => {
          const age = h('span', { class: 'age' });
          ages.push({ age, alert: a });
          return h(
            'a',
            { class: 'strip ' + a.level + ' ' + a.state, href: linkTo(name, a.finding), 'data-k': a.id },
            icon(a.state === 'seen' ? 'eye' : 'look'),
            h('span', { class: 'what', text: alertName(a, kindName) }),
            a.state === 'seen' ? h('span', { class: 'sr', text: t('alert.isseen') }) : null,
            age,
          );
        });
      },
    );
    for (const a of ages) a.alert = store.alerts.get(a.alert.id) || a.alert;
    setText(turn, turnText(b));
    setClass(turn, 'turn' + (b.turn ? ' to-' + b.turn : ''));
    setText(last, b.last ? moveText(b.ply, b.last) : sidesText(b) || (b.game ? t('boards.nomove') : ''));
    const who = b.names ? (b.names.white || '?') + ' – ' + (b.names.black || '?') : '';
    setText(names, who);
    const problem = [healthText(b), remedyText(b)].filter(Boolean).join(': ');
    patch(health, problem, () => (problem ? [icon('look'), problem] : null));
    setClass(health, 'health ' + (problem && b.health === 'bad' ? 'bad' : 'warn'));
    setAttr(num, 'aria-label', boardTitle(name) + (problem ? '' : ', ' + t('health.ok')));
    for (const side of sides) {
      const moves = b.turn === side;
      setClass(clock[side], 'ck' + (b.clock && b.clock.running === side ? ' runs' : '') + (moves ? ' to' : ''));
      setAttr(tags[side], 'aria-label', t((moves ? 'turn.' : 'side.') + side));
    }
    const unheard = b.link !== 'up' || !b.watching;
    setAttr(el, 'data-stale', unheard || store.conn.state !== 'live' ? '' : null);
    show(heard, unheard && !!b.clock); // how long there is no connection the head of the page says
    show(picture, pictured);
    if (pictured) paint(b);
    tick();
  }

  /** @param {Summary} b */
  async function paint(b) {
    if (!diagram) {
      const { Diagram } = await import('./diagram.js');
      if (!diagram) {
        diagram = new Diagram(t('board.live'));
        picture.append(diagram.el);
      }
    }
    diagram.show({ fen: b.placement || b.fen });
  }

  return { el, near: false, update, tick };
}
