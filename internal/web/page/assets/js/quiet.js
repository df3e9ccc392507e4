// @ts-check
// A screen for the arbiters' table that can be read from three metres: the round, the time, how many boards are in play,
// whether everything works, and which boards ask for somebody. Nothing on it can be touched but the way out.
import { h, icon, setText, setClass, show, patch } from './dom.js';
import { t, boardTitle, boardName, byName, dayTime, saying, textsOf, moreTexts, lang } from './i18n.js';
import { store, openAlerts, serverNow } from './store.js';
import { connText } from './frame.js';
import { healthText, sentencesOf } from './boards.js';
import { refreshSession, widen } from './feed.js';

function style() {
  if (document.getElementById('quiet-style')) return Promise.resolve();
  return new Promise((done) => {
    document.head.append(h('link', { rel: 'stylesheet', href: '/quiet.css', id: 'quiet-style', onload: done, onerror: done }));
  });
}

/** @typedef {{lang: string, text: string}} Said */

/** What does not work, the worst first. @param {Summary[]} boards @returns {Said[]} */
function troubles(boards) {
  const sick = boards
    .filter((b) => healthText(b))
    .sort((a, b) => Number(a.health !== 'bad') - Number(b.health !== 'bad') || byName(boardName(a.board), boardName(b.board)));
  const lost = store.conn.state === 'lost';
  return [
    ...(store.conn.state === 'live' ? [] : [{ lang, text: connText() + (lost ? ' · ' + t('quiet.goround') : '') }]),
    ...store.notices.filter((n) => !n.level).map((n) => saying(n.say, n.text)),
    ...sick.map((b) => ({ lang, text: boardTitle(b.board) + ': ' + healthText(b) })),
  ].filter((x) => x.text);
}

/** The most pressing alert of each board, in the order of the list. */
function matters() {
  /** @type {Map<string, Alert>} */ const of = new Map();
  for (const a of openAlerts()) if (!of.has(a.board)) of.set(a.board, a);
  return [...of.values()];
}

/** What to do first. @param {Alert} a */
const first = (a) => t(a.state === 'seen' ? 'alert.isseen' : a.level === 'now' ? 'quiet.now' : 'quiet.look');

/** More rows than this have room on no screen. */
const mostRows = 40;

export async function quiet() {
  widen();
  await Promise.all([moreTexts('quiet'), style()]);
  const title = h('h1', { tabindex: '-1' });
  const time = h('p', { class: 'time' });
  const leave = h('a', { class: 'icon-button', href: '#/', 'aria-label': t('quiet.leave') }, icon('cross'));
  /** @param {string} key */
  const count = (key) => {
    const number = h('dd');
    return { number, el: h('div', {}, h('dt', { text: t(key) }), number) };
  };
  const watched = count('quiet.watched'),
    playing = count('quiet.playing'),
    over = count('quiet.over');
  const counts = h('dl', {}, watched.el, playing.el, over.el);
  const works = h('p');
  const rows = h('ol');
  const none = h('p', { class: 'none' });
  const more = h('p', { class: 'more', hidden: true });
  const el = h('div', { class: 'quiet' }, h('header', { class: 'head' }, title, time, leave), h('main', { id: 'main' }, counts, works, rows, none, more));

  let asked = 0; // rows, with those that have no room
  /** Hides the rows that have no room, and says how many they are. */
  function fit() {
    const drawn = /** @type {HTMLElement[]} */ ([...rows.children]);
    for (const row of drawn) show(row, true);
    show(more, asked > drawn.length);
    let shown = drawn.length;
    while (shown > 1 && rows.scrollHeight > rows.clientHeight) {
      show(drawn[--shown], false);
      show(more, true); // it needs room as well
    }
    setText(more, t('quiet.more', asked - shown));
  }
  const room = new ResizeObserver(fit);
  room.observe(rows);

  function update(/** @type {Set<string>} */ topics = new Set()) {
    if (topics.has('conn') && store.conn.state === 'live') refreshSession(); // of the event of another round none may have come
    const boards = [...store.boards.values()].filter((b) => !b.gone);
    const seen = boards.filter((b) => b.watching).length;
    const { round, event } = store.session || { round: '', event: '' };
    setText(title, round ? t('boards.round', round) : event || t('boards.title'));
    setClass(el, 'quiet' + (store.conn.state === 'live' ? '' : ' stale'));
    show(counts, store.loaded);
    setText(watched.number, seen === boards.length ? seen : t('quiet.of', seen, boards.length));
    setText(playing.number, boards.filter((b) => b.game && !b.result && (b.ply > 0 || b.playing)).length);
    setText(over.number, boards.filter((b) => b.result).length);
    const list = troubles(boards);
    patch(works, [store.loaded, list[0], list.length], () =>
      list.length
        ? [icon('look'), h('span', list[0]), list.length > 1 ? h('b', { text: t('quiet.more', list.length - 1) }) : null]
        : store.loaded && [icon('check'), h('span', { text: t('quiet.works') })],
    );
    setClass(works, 'works ' + (list.length ? 'not' : 'all'));
    const asking = matters();
    show(none, !asking.length && store.conn.state !== 'lost');
    show(rows, asking.length > 0);
    setText(none, store.loaded ? t('quiet.nothing') : t('boards.waiting'));
    asked = asking.length;
    const drawn = patch(rows, asking.map((a) => [boardTitle(a.board), a.level, a.state, a.raised_ms]), () =>
      asking.slice(0, mostRows).map((a) =>
        h(
          'li',
          { class: a.state === 'seen' ? 'seen' : a.level },
          h('strong', { text: boardTitle(a.board) }),
          h('span', { class: 'first', text: first(a) }),
          h('span', { class: 'since', text: t('pending.since', dayTime(a.raised_ms)) }),
        ),
      ),
    );
    if (drawn) fit();
    textsOf([...store.notices.map((n) => ({ say: n.say, english: n.text })), ...boards.flatMap(sentencesOf)], update);
    setText(time, dayTime(serverNow()));
  }

  update();
  return {
    el,
    title,
    name: t('settings.quiet'),
    quiet: true,
    update,
    tick() {
      if (store.conn.state === 'connecting') update(); // it counts the seconds
      setText(time, dayTime(serverNow()));
      return false;
    },
    close() {
      room.disconnect();
    },
  };
}
