// @ts-check
// The check numbers of the records: the heads of journals that this phone keeps, to compare, to copy and to hand on.
import { h, patch, sheet, toast } from './dom.js';
import { t, dayTime, byName, boardTitle } from './i18n.js';
import { api } from './api.js';
import { store, serverNow } from './store.js';
import { frame, barButton } from './frame.js';
import { records, newest, keepHeads } from './heads.js';

/** @param {number} ms */
const isToday = (ms) => new Date(ms).toDateString() === new Date(serverNow()).toDateString();
/** @param {number} ms */
const moment = (ms) => (isToday(ms) ? '' : new Date(ms).toLocaleDateString() + ' ') + dayTime(ms, true);
/** @param {number} n digits in groups of three, with narrow spaces in every language */
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');

/** The lines of a file for boardwatchd verify --head, the newest of each journal first. */
function lines() {
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const stamp = (/** @type {Date} */ d) =>
    `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
  return sorted()
    .flatMap((r) =>
      [...r.heads].reverse().map((k) => `${k.seq}:${k.chain} ${r.journal} # ${r.board.replace(/\s+/g, ' ')}, ${stamp(new Date(k.at))}`),
    )
    .join('\n');
}

const sorted = () => records().sort((a, b) => byName(a.board, b.board) || newest(b).at - newest(a).at);

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('heads.copied'));
    return;
  } catch {
    /* a page over plain HTTP has no clipboard */
  }
  const area = /** @type {HTMLTextAreaElement} */ (h('textarea', { class: 'digits', rows: 8, readonly: true, 'aria-label': t('heads.title') }));
  area.value = text;
  const dialog = sheet(t('heads.title'), t('close'), () => [h('p', { text: t('heads.byhand') }), area]);
  area.focus();
  area.select();
  if (!document.execCommand('copy')) return;
  dialog.close();
  toast(t('heads.copied'));
}

/** @param {string} text */
async function share(text) {
  try {
    await navigator.share({ title: 'boardwatchd', text });
  } catch {
    /* the person has changed their mind */
  }
}

export function headList() {
  const f = frame(t('heads.title'), '#/settings', '', 'settings');
  const box = h('div', { class: 'rows', role: 'list' }),
    none = h('p', { class: 'empty', role: 'status', text: t('heads.none') });
  f.main.append(h('p', { class: 'muted pad', text: t('heads.explain') }), none, box);
  f.bar.append(barButton('copy', t('heads.copy'), () => copy(lines()), 'primary'));
  if ('share' in navigator) f.bar.append(barButton('up', t('heads.share'), () => share(lines())));

  /** @param {import('./heads.js').Record} r */
  function row(r) {
    const k = newest(r);
    const b = store.boards.get(r.board);
    const unsaved = b && b.journal === 'degraded' ? t('health.journal_degraded') : '';
    const parts = [moment(k.at), r.heads.length > 1 ? t('heads.earlier', r.heads.length - 1) : '', unsaved];
    return h(
      'div',
      { class: 'row', role: 'listitem' },
      h(
        'div',
        { class: 'grow' },
        h('strong', { text: boardTitle(r.board) }),
        h('span', { class: 'muted', text: parts.filter(Boolean).join(' · ') }),
        h('span', { class: 'muted break', text: r.journal }),
        h(
          'div',
          { class: 'digits' },
          h('b', { text: grouped(k.seq) + ' :' }),
          (k.chain.match(/.{4}/g) || []).map((g) => h('span', { text: g + ' ' })),
        ),
      ),
    );
  }

  function draw() {
    const list = sorted();
    none.hidden = list.length > 0;
    f.bar.hidden = list.length === 0;
    patch(box, [list, list.map((r) => store.boards.get(r.board)?.journal)], () => list.map(row));
  }

  draw();
  api('GET', '/heads').then(
    (a) => keepHeads(a.heads, false),
    () => {}, // the kept ones are shown
  );
  return {
    el: f.el,
    title: f.title,
    name: t('heads.title'),
    update(/** @type {Set<string>} */ topics) {
      if (topics.has('heads') || topics.has('boards')) draw();
    },
  };
}
