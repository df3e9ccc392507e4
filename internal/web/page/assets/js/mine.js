// @ts-check
// Which boards are those of this device: by ranges of numbers, by sections, by a search, or one by one.
import { h, show, setText, sheet, toast } from './dom.js';
import { t, byName, boardName } from './i18n.js';
import { api } from './api.js';
import { widen } from './feed.js';
import { store, tell, boardKey, inRanges, found } from './store.js';

/** From this many boards on there is a field to search. */
const manyBoards = 9;

/** Numbers as people write them: 1-50, 201-250, 7. @param {Iterable<string>} boards */
function ranges(boards) {
  const names = [...boards].map((b) => boardKey(boardName(b))).sort(byName);
  /** @type {string[][]} */ const runs = [];
  for (const name of names) {
    const last = runs[runs.length - 1];
    const follows = last && /^\d+$/.test(name) && Number(last[last.length - 1]) + 1 === Number(name);
    if (follows) last.push(name);
    else if (!last || last[last.length - 1] !== name) runs.push([name]);
  }
  return runs.flatMap((r) => (r.length > 2 ? r[0] + '-' + r[r.length - 1] : r)).join(', ');
}

/** @param {() => void} done */
export function chooseBoards(done) {
  widen(); // names of players are searched
  const { device, sections } = /** @type {Session} */ (store.session);
  const all = [...store.boards.keys()].sort((a, b) => byName(boardName(a), boardName(b)));
  const chosen = new Set((device.boards || []).filter((b) => store.boards.has(b)));
  /** @type {Map<string, {label: HTMLElement, input: HTMLInputElement}>} */ const boxes = new Map();
  const field = /** @type {HTMLInputElement} */ (
    h('input', { id: 'mr', autocomplete: 'off', value: ranges(chosen), placeholder: '1-50, 201-250', 'aria-describedby': 'mu', oninput: () => typed() })
  );
  const unknown = h('p', { id: 'mu', class: 'notice', role: 'status', hidden: true });
  const search = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'search',
      placeholder: t('boards.search'),
      'aria-label': t('boards.search'),
      autocomplete: 'off',
      hidden: all.length < manyBoards,
      oninput: () => {
        for (const [b, box] of boxes) show(box.label, found(b, search.value));
      },
    })
  );

  /** The field decides: its boards are chosen, and no others. */
  function typed() {
    const { has, missing } = inRanges(field.value, all);
    chosen.clear();
    for (const [b, box] of boxes) if ((box.input.checked = has(b))) chosen.add(b);
    show(unknown, missing.length > 0);
    setText(unknown, t('mine.unknown', missing.join(', ')));
  }

  /** @param {string[]} boards @param {boolean} on */
  function choose(boards, on) {
    for (const b of boards) {
      if (on) chosen.add(b);
      else chosen.delete(b);
      /** @type {any} */ (boxes.get(b)).input.checked = on;
    }
    field.value = ranges(chosen);
    show(unknown, false);
  }

  for (const b of all) {
    const input = /** @type {HTMLInputElement} */ (
      h('input', { type: 'checkbox', checked: chosen.has(b), onchange: () => choose([b], input.checked) })
    );
    boxes.set(b, { input, label: h('label', { class: 'boxed', 'data-board': b }, input, h('span', { text: boardName(b) })) });
  }
  sheet(t('settings.mine'), t('close'), (close) => [
    h('p', { class: 'muted', text: t('settings.minehelp') }),
    h('div', { class: 'form' }, h('label', { for: 'mr', text: t('mine.ranges') }), field, unknown),
    sections.length
      ? h(
          'div',
          { class: 'sections' },
          sections.map((s) => {
            const { has } = inRanges(s.boards, all);
            const its = all.filter(has);
            return h('button', { type: 'button', class: 'button', onclick: () => choose(its, !its.every((b) => chosen.has(b))) }, s.name);
          }),
        )
      : null,
    search,
    h('div', { class: 'boxes' }, [...boxes.values()].map((b) => b.label)),
    h(
      'button',
      {
        type: 'button',
        class: 'button primary wide',
        onclick: async () => {
          try {
            const boards = [...chosen].sort(byName);
            await api('PATCH', '/session', { boards });
            device.boards = boards;
            tell('session');
            close();
            done();
          } catch (e) {
            toast(/** @type {Refused} */ (e).status ? /** @type {Refused} */ (e).message : t('error.noanswer'), true);
          }
        },
      },
      t('save'),
    ),
  ]);
}
