// @ts-check
// What a person tells: a report, a claim, a pause, a result.
import { h, sheet, toast } from './dom.js';
import { t } from './i18n.js';
import { store } from './store.js';
import { post } from './outbox.js';
import { api, requestID } from './api.js';

const reports = [
  'two-hands',
  'other-hand',
  'press-before-release',
  'foreign-press',
  'displaced',
  'clock-setting-wrong',
  'colours-reversed',
  'draw-offer',
  'found',
  'queen-brought',
  'assistant',
];
/** About somebody's hands: these need a side. */
const hands = ['two-hands', 'other-hand', 'press-before-release', 'foreign-press'];
const claims = ['illegal', 'two-hands', 'touch', 'flag', 'draw3', 'draw50'];

/** @param {string} board */
const path = (board) => '/boards/' + encodeURIComponent(board);

/**
 * A choice of one. @param {string} legend @param {string} name @param {[string, string][]} options value and text @param {string} [chosen] @param {string} [cls]
 */
function choose(legend, name, options, chosen, cls) {
  return h(
    'fieldset',
    { class: 'choose ' + (cls || '') },
    h('legend', { text: legend }),
    h(
      'div',
      { class: 'options' },
      options.map(([value, text]) =>
        h(
          'label',
          { class: 'option' },
          h('input', { type: 'radio', name, value, required: true, checked: value === chosen }),
          h('span', { text }),
        ),
      ),
    ),
  );
}

const sideOptions = () =>
  /** @type {[string, string][]} */ ([
    ['white', t('side.white')],
    ['black', t('side.black')],
  ]);

/** @param {HTMLFormElement} form @param {string} name @returns {string} */
const value = (form, name) => String(new FormData(form).get(name) || '').trim();

/** @param {string} board */
export function reportSheet(board) {
  const dialog = sheet(t('report.title') + ' · ' + t('board.title', board), t('close'), (close) => {
    const squares = h(
      'div',
      { hidden: true },
      h('label', { for: 'squares', text: t('report.squares') }),
      h('input', {
        id: 'squares',
        name: 'squares',
        maxlength: 40,
        autocapitalize: 'none',
        autocomplete: 'off',
        placeholder: 'd2-d3',
      }),
    );
    const form = /** @type {HTMLFormElement} */ (
      h(
        'form',
        { class: 'form', onsubmit: send },
        h('p', { class: 'muted', text: t('report.explain') }),
        choose(
          t('report.what'),
          'what',
          reports.map((r) => [r, t('report.' + r)]),
        ),
        choose(t('report.side'), 'side', [...sideOptions(), ['', t('report.noside')]], undefined, 'inline'),
        squares,
        h('label', { for: 'move', text: t('report.move') }),
        h('input', {
          id: 'move',
          name: 'move',
          inputmode: 'numeric',
          pattern: '[0-9]{0,3}',
          maxlength: 3,
          class: 'short',
          autocomplete: 'off',
        }),
        h('label', { for: 'rnote', text: t('alert.note') }),
        h('textarea', { id: 'rnote', name: 'note', rows: 2, maxlength: 400 }),
        h('button', { type: 'submit', class: 'button primary' }, t('report.send')),
      )
    );
    form.addEventListener('change', () => {
      const what = value(form, 'what');
      squares.hidden = what !== 'displaced';
      form.querySelector('#move')?.toggleAttribute('required', what === 'found');
      for (const r of form.querySelectorAll('input[name=side][value=""]'))
        r.toggleAttribute('disabled', hands.includes(what));
    });
    /** @param {Event} e */
    function send(e) {
      e.preventDefault();
      /** @type {Record<string, any>} */ const body = { what: value(form, 'what') };
      if (value(form, 'side')) body.side = value(form, 'side');
      if (value(form, 'move')) body.move = Number(value(form, 'move'));
      if (!squares.hidden && value(form, 'squares')) body.squares = value(form, 'squares');
      if (value(form, 'note')) body.note = value(form, 'note');
      post(path(board) + '/reports', body, board, '');
      close();
    }
    return [form];
  });
  return dialog;
}

/** @param {string} board */
export function claimSheet(board) {
  sheet(t('claim.title') + ' · ' + t('board.title', board), t('close'), (close) => {
    const form = /** @type {HTMLFormElement} */ (
      h(
        'form',
        {
          class: 'form',
          onsubmit: (/** @type {Event} */ e) => {
            e.preventDefault();
            tellNow(board, '/claims', { what: value(form, 'what'), side: value(form, 'side') }, close);
          },
        },
        h('p', { class: 'muted', text: t('claim.explain') }),
        choose(t('claim.by'), 'side', sideOptions(), undefined, 'inline'),
        choose(
          t('claim.what'),
          'what',
          claims.map((c) => [c, t('claim.' + c)]),
        ),
        h('button', { type: 'submit', class: 'button primary' }, t('claim.send')),
      )
    );
    return [form];
  });
}

/** @param {string} board */
export function pauseSheet(board) {
  const act = (/** @type {string} */ todo, /** @type {() => void} */ close) =>
    h(
      'button',
      { type: 'button', class: 'choice', onclick: () => tellNow(board, '/instructions', { do: todo }, close) },
      h('strong', { text: t('do.' + todo) }),
      h('span', { class: 'muted', text: t('explaindo.' + todo) }),
    );
  sheet(t('pause.title') + ' · ' + t('board.title', board), t('close'), (close) =>
    [store.boards.get(board)?.paused ? 'resume' : 'pause', 'restore'].map((x) => act(x, close)),
  );
}

/** @param {string} board */
export function resultSheet(board) {
  const b = store.boards.get(board);
  sheet(t('result.title') + ' · ' + t('board.title', board), t('close'), (close) => {
    const strikes = b && b.strikes ? b.strikes : { white: 0, black: 0 };
    const number = (/** @type {'white'|'black'} */ side) =>
      h(
        'div',
        null,
        h('label', { for: 'strikes-' + side, text: t('side.' + side) }),
        h('input', {
          id: 'strikes-' + side,
          name: side,
          type: 'number',
          min: 0,
          max: 9,
          value: strikes[side],
          class: 'short',
        }),
      );
    const ledger = /** @type {HTMLFormElement} */ (
      h(
        'form',
        {
          class: 'form',
          onsubmit: (/** @type {Event} */ e) => {
            e.preventDefault();
            tellNow(
              board,
              '/instructions',
              { do: 'strikes', white: Number(value(ledger, 'white')), black: Number(value(ledger, 'black')) },
              close,
            );
          },
        },
        h('p', { class: 'muted', text: t('explaindo.strikes') }),
        h('div', { class: 'two' }, number('white'), number('black')),
        h('button', { type: 'submit', class: 'button' }, t('do.strikes')),
      )
    );
    return [
      h(
        'div',
        { class: 'results' },
        ['1-0', '1/2-1/2', '0-1'].map((r) =>
          h(
            'button',
            {
              type: 'button',
              class: 'button',
              onclick: () => tellNow(board, '/instructions', { do: 'result', result: r }, close),
            },
            r === '1/2-1/2' ? '½–½' : r.replace('-', '–'),
          ),
        ),
      ),
      h('p', { class: 'muted', text: t('explaindo.result') }),
      h(
        'button',
        { type: 'button', class: 'choice', onclick: () => tellNow(board, '/instructions', { do: 'sign' }, close) },
        h('strong', { text: t('do.sign') }),
        h('span', { class: 'muted', text: t('explaindo.sign') }),
      ),
      h('details', null, h('summary', { text: t('do.strikes') }), ledger),
    ];
  });
}

/**
 * Tells what makes sense now only: it is not kept for later. @param {string} board @param {string} where @param {any} body @param {() => void} close
 */
async function tellNow(board, where, body, close) {
  try {
    await api('POST', path(board) + where, { request: requestID(), ...body });
    close();
    toast(t('saved'));
  } catch (e) {
    const err = /** @type {any} */ (e);
    toast(err.status ? t('error.refused', err.message + ' ' + err.remedy) : t('error.noanswer'), true);
  }
}
