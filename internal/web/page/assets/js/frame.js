// @ts-check
// What every screen has: the head with the state of the connection, what is not saved yet, alerts of other boards, the
// content and the actions at the bottom.
import { h, icon, setText, setClass, show, patch, sheet } from './dom.js';
import { t, dayTime, since, byName, answerText, boardTitle, boardName } from './i18n.js';
import { store, openAlerts } from './store.js';
import { pending, cancel, refusals } from './outbox.js';

/** @typedef {{el: HTMLElement, main: HTMLElement, bar: HTMLElement, title: HTMLElement}} Frame */

/** @typedef {{pill: HTMLElement, text: HTMLElement, waits: HTMLElement, others: HTMLElement, here: string}} Head */
/** @type {WeakMap<HTMLElement, Head>} by the element of the frame */ const heads = new WeakMap();
/** @type {Head|undefined} */ let current;

/** Where an alert's screen is. @param {string} board @param {string} [finding] */
export const linkTo = (board, finding) =>
  '#/b/' + encodeURIComponent(board) + (finding ? '/' + encodeURIComponent(finding) : '');

/**
 * @param {string} title @param {string|null} back the route before it; null: there is none @param {string} [here] the
 * link of the alert or of the board that is open, or boards @param {string} [cls]
 * @returns {Frame}
 */
export function frame(title, back, here, cls) {
  const text = h('span');
  const pill = h('span', { class: 'conn' }, h('i', { 'aria-hidden': 'true' }), text);
  const waits = h('section', { class: 'waits', 'aria-label': t('pending.title'), hidden: true });
  const others = h('section', { class: 'others', 'aria-label': t('boards.look'), hidden: true });
  const head = h('h1', { text: title, tabindex: '-1' });
  const main = h('main', { id: 'main' });
  const bar = h('nav', { class: 'bar', 'aria-label': t('nav.actions') });
  const el = h(
    'div',
    { class: 'frame ' + (cls || '') },
    h(
      'div',
      { class: 'top' },
      h(
        'header',
        { class: 'head' },
        back === null ? null : h('a', { class: 'icon-button', href: back, 'aria-label': t('nav.back') }, icon('back')),
        head,
        pill,
      ),
      waits,
      others,
    ),
    main,
    bar,
  );
  heads.set(el, { pill, text, waits, others, here: here || '' });
  return { el, main, bar, title: head };
}

/** The connection in words. */
export function connText() {
  const c = store.conn;
  if (c.state === 'live') return t('conn.live');
  if (c.state === 'lost') return t('conn.lost', dayTime(c.since));
  return t('conn.connecting', Math.max(0, Math.round((Date.now() - c.since) / 1000)));
}

/** Makes this screen the shown one, even if another was made later. @param {HTMLElement} el */
export function showFrame(el) {
  current = heads.get(el);
  updateFrame();
}

export function updateFrame() {
  if (!current) return;
  const { pill, text, waits, others, here } = current;
  setText(text, connText());
  setClass(pill, 'conn ' + store.conn.state);
  const list = pending().filter((p) => store.conn.state !== 'live' || Date.now() - p.at > 1500);
  const no = new Map(refusals().map((p) => [linkTo(p.board, p.finding), p.board]));
  no.delete(here);
  show(waits, list.length + no.size > 0);
  if (list.length + no.size) {
    patch(waits, [list.length, [...no]], () => [
      list.length
        ? h(
            'button',
            { type: 'button', class: 'banner', onclick: showPending },
            icon('clock'),
            h('span', { text: t('pending.banner', list.length) }),
          )
        : null,
      [...no].map(([href, b]) =>
        h(
          'a',
          { class: 'banner', href },
          icon('cross'),
          h('span', { text: boardTitle(b) + ' · ' + t('changed.refused') }),
        ),
      ),
    ]);
  }
  const open =
    here === 'boards'
      ? []
      : openAlerts().filter((a) => a.state === 'open' && ![linkTo(a.board, a.finding), linkTo(a.board)].includes(here));
  show(others, open.length > 0);
  if (open.length) {
    patch(
      others,
      open.map((a) => a.id),
      () =>
        h(
          'a',
          { class: 'banner look', href: linkTo(open[0].board, open[0].finding) },
          icon('look'),
          h('span', { text: t('alert.look', boardsOf(open)) }),
        ),
    );
  }
}

const named = 6; // boards that the banner has room for

/** The boards of the alerts in order, and the number of further ones: "1, 3, 4 +2". @param {Alert[]} alerts */
function boardsOf(alerts) {
  const all = [...new Set(alerts.map((a) => boardName(a.board)))].sort(byName);
  const shown = all.length > named ? named - 2 : all.length;
  return all.slice(0, shown).join(', ') + (all.length > shown ? ' +' + (all.length - shown) : '');
}

function showPending() {
  sheet(t('pending.title'), t('close'), () => {
    const box = h('div', { class: 'rows' });
    const draw = () =>
      patch(box, [pending(), pending().map(whyWaits)], () =>
        pending().map((p) =>
          h(
            'div',
            { class: 'row waiting' },
            h(
              'div',
              { class: 'grow' },
              h('strong', { text: boardTitle(p.board) + ' · ' + t('decide.' + p.body.decision) }),
              h('div', {
                class: 'muted',
                text: [t('pending.since', dayTime(p.at, true)), whyWaits(p)].filter(Boolean).join(' · '),
              }),
            ),
            h(
              'button',
              {
                type: 'button',
                class: 'button',
                onclick: () => {
                  cancel(p.request);
                  draw();
                },
              },
              t('pending.cancel'),
            ),
          ),
        ),
      );
    draw();
    return [h('p', { text: t('pending.explain') }), box];
  });
}

/** Why something is not saved yet; "" if unknown. @param {import('./outbox.js').Pending} p */
export const whyWaits = (p) => (p.problem ? answerText(p.problem) + ' ' + t('pending.again') : '');

/** An alert in a list: its kind, without a player's name. @param {Alert} a @param {(kind: string) => string} name */
export const alertName = (a, name) => (a.kind ? name(a.kind) : t('boards.look'));

/** @param {Alert} a */
export const alertAge = (a) => since(Math.max(0, (Date.now() + store.offset - a.raised_ms) / 1000));

/** A button of the bar. @param {Glyph} glyph @param {string} label @param {() => void} f @param {string} [cls] */
export const barButton = (glyph, label, f, cls) =>
  h(
    'button',
    { type: 'button', class: 'act ' + (cls || ''), onclick: f, 'data-k': label },
    glyph ? icon(glyph) : null,
    h('span', { text: label }),
  );

/** @param {Glyph} glyph @param {string} label @param {string} href @param {string} [cls] */
export const barLink = (glyph, label, href, cls) =>
  h('a', { class: 'act ' + (cls || ''), href, 'data-k': label }, icon(glyph), h('span', { text: label }));
