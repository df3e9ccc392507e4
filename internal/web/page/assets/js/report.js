// @ts-check
// The sheets on which a person enters something: a report, a claim, a pause, what is judged, a result. With texts/tell.
import { h, sheet, toast, toggle } from './dom.js';
import { t, has, answerText, boardTitle, moreTexts, saying } from './i18n.js';
import { store, listen } from './store.js';
import { linkTo } from './frame.js';
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
];
/** Reports about a player's hands, which need a side. */
const hands = ['two-hands', 'other-hand', 'press-before-release', 'foreign-press'];
/** The claims, with the findings that answer them. @type {Record<string, RegExp>} */
const claims = {
  illegal: /^(illegal\.(?!two_hands)|irreg\.(displaced|out_of_turn|double_move)|sensor\.)/,
  'two-hands': /two_hands/,
  touch: /^irreg\.(touch_move|rook_first|released_piece_moved|promo_piece_changed)/,
  flag: /^clock\.(flag|both_flags)/,
  draw3: /^(draw|end)\./,
  draw50: /^(draw|end)\./,
};

/** Rules that can be switched off at a board, with the findings that are then suppressed. */
const switches = /** @type {const} */ ([
  ['appendix_d', 'tell.hands'],
  ['assistant', 'tell.hands'],
  ['no_touch', 'tell.touch'],
]);

/** The switches that are on at a board. @param {Summary} b */
export const switched = (b) => switches.map(([name]) => name).filter((name) => b[name]);

/** Whether the texts of the sheets are loaded; without connection no input could be sent either. */
async function ready() {
  await moreTexts('tell').catch(() => {});
  if (!has('tell.title')) toast(t('error.notsent'), true);
  return has('tell.title');
}

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
export async function reportSheet(board) {
  if (!(await ready())) return;
  sheet(t('report.title') + ' · ' + boardTitle(board), t('close'), (close) => {
    const say = sender(board, close);
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
      say('/reports', body);
    }
    return [form];
  });
}

/** @param {string} board */
export async function claimSheet(board) {
  if (!(await ready())) return;
  sheet(t('claim.title') + ' · ' + boardTitle(board), t('close'), (close) => {
    const say = sender(board, close);
    const form = /** @type {HTMLFormElement} */ (
      h(
        'form',
        {
          class: 'form',
          onsubmit: (/** @type {Event} */ e) => {
            e.preventDefault();
            say('/claims', { what: value(form, 'what'), side: value(form, 'side') });
          },
        },
        h('p', { class: 'muted', text: t('claim.explain') }),
        choose(t('claim.by'), 'side', sideOptions(), undefined, 'inline'),
        choose(
          t('claim.what'),
          'what',
          Object.keys(claims).map((c) => [c, t('claim.' + c)]),
        ),
        h('button', { type: 'submit', class: 'button primary' }, t('claim.send')),
      )
    );
    return [form];
  });
}

/** @param {string} board */
export async function pauseSheet(board) {
  if (!(await ready())) return;
  const act = (/** @type {string} */ todo, /** @type {ReturnType<typeof sender>} */ say) =>
    h(
      'button',
      { type: 'button', class: 'choice', onclick: () => say('/instructions', { do: todo }) },
      h('strong', { text: t('do.' + todo) }),
      h('span', { class: 'muted', text: t('explaindo.' + todo) }),
    );
  sheet(t('pause.title') + ' · ' + boardTitle(board), t('close'), (close) => {
    const say = sender(board, close);
    const b = store.boards.get(board);
    const on = b ? switched(b) : [];
    const set = sender(board, close, (text) => {
      close(); // opened again, it shows how it is
      toast(text, true);
    });
    return [
      ...[b?.paused ? 'resume' : 'pause', 'restore'].map((x) => act(x, say)),
      h(
        'details',
        { open: on.length > 0 },
        h('summary', { text: t('tell.title') }),
        h('p', { class: 'muted', text: t('tell.explain') }),
        switches.map(([name, off]) => toggle(t('tell.' + name), t(off), on.includes(name), (v) => set('/instructions', { do: 'flag', name, on: v }))),
      ),
    ];
  });
}

/** @param {string} board */
export async function resultSheet(board) {
  if (!(await ready())) return;
  const b = store.boards.get(board);
  sheet(t('result.title') + ' · ' + boardTitle(board), t('close'), (close) => {
    const say = sender(board, close);
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
            say('/instructions', {
              do: 'strikes',
              white: Number(value(ledger, 'white')),
              black: Number(value(ledger, 'black')),
            });
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
              onclick: () => say('/instructions', { do: 'result', result: r }),
            },
            r === '1/2-1/2' ? '½–½' : r.replace('-', '–'),
          ),
        ),
      ),
      h('p', { class: 'muted', text: t('explaindo.result') }),
      b && !b.playing && b.ply > 0 &&
        h(
          'button',
          { type: 'button', class: 'choice', onclick: () => say('/instructions', { do: 'result', result: '*' }) },
          h('strong', { text: t('do.goes_on') }),
          h('span', { class: 'muted', text: t('explaindo.goes_on') }),
        ),
      h(
        'button',
        { type: 'button', class: 'choice', onclick: () => say('/instructions', { do: 'sign' }) },
        h('strong', { text: t('do.sign') }),
        h('span', { class: 'muted', text: t('explaindo.sign') }),
      ),
      h('details', null, h('summary', { text: t('do.strikes') }), ledger),
    ];
  });
}

const patience = 5000; // ms

/** Sends a result from the board's own card. @param {string} board @param {string} result */
export const tellResult = (board, result) => sender(board, () => {})('/instructions', { do: 'result', result });

const answerMS = 2500; // by then the program has answered, or will not

/** Health lines that answer an input. */
const answering = ['hands_timing', 'instruction_refused', 'report_noted'];

/**
* Shows the program's answer to an input, on the screen that sent it: a finding, a sentence, or that there is none.
* A claim is always answered, and the answer stays until it is read. Another finding, whose ruling is only
* computed again at that moment, is no answer to it, nor is one of an earlier game or about the claimant's own action.
 * @param {string} board @param {number} seq of the record @param {string} claimed what was claimed @param {string} by the claimant
 */
function answerOf(board, seq, claimed, by) {
  const here = location.hash;
  const open = () => (store.open && store.openName === board ? store.open : null);
  /** @param {boolean} before also one that was open before it was claimed */
  const finding = (before) =>
    open()?.findings.find(({ finding: f, ruling: r }) => {
      if (!['now', 'advise', 'on_claim'].includes(f.alert) || f.state === 'suspected') return false;
      const again = (r && r.seq === seq) || (before && f.state === 'confirmed' && !f.decided);
      return f.seq === seq || (again && (!claimed || (claims[claimed].test(f.kind) && mayAnswer(f))));
    });
  /** @param {Finding} f */
  const mayAnswer = (f) => f.game === open()?.board.game && (f.side !== by || /^(draw|end|sensor)\./.test(f.kind));
  const line = () => open()?.health.find((e) => e.seq === seq && answering.includes(e.what));
  let over = false;
  const look = () => {
    const i = over ? null : finding(false);
    const said = i || over ? null : line();
    if (!i && !said) return;
    done();
    if (location.hash !== here) return;
    if (i) location.hash = linkTo(board, i.finding.id);
    else if (said) tell(saying(said.say, said.detail).text, said.what === 'instruction_refused');
  };
  /** @param {string} text @param {boolean} [refused] */
  function tell(text, refused) {
    if (!claimed) return toast(text, refused);
    sheet(t('claim.title') + ' · ' + t('claim.' + claimed), t('close'), () => [h('p', { text })]);
  }
  const stop = listen((topic) => topic === 'open' && look());
  const late = setTimeout(() => {
    done();
    if (claimed && location.hash !== here) return;
    const i = claimed ? finding(true) : null;
    if (i) location.hash = linkTo(board, i.finding.id);
    else tell(t(claimed === 'two-hands' ? 'claim.nothing.hands' : claimed ? 'claim.nothing' : 'saved'));
  }, seq ? answerMS : 0);
  function done() {
    over = true;
    stop();
    clearTimeout(late);
  }
  look();
}

/**
 * Returns a function that sends a report or an instruction at once. Nothing is kept for later, when it would be about
 * another move. After a lost answer, the same text sent again from the same sheet has the same request id and counts once.
 * @param {string} board @param {() => void} close the sheet @param {(text: string) => void} [refused] shows why it was not taken
 */
export function sender(board, close, refused = (text) => toast(text, true)) {
  /** @type {Map<string, string>} request ids by what was sent */ const requests = new Map();
  return async (/** @type {string} */ where, /** @type {any} */ body) => {
    const key = where + JSON.stringify(body);
    const request = requests.get(key) || requestID();
    requests.set(key, request);
    try {
      const saved = await api('POST', path(board) + where, { request, ...body }, patience);
      close();
      answerOf(board, saved.seq, where === '/claims' ? body.what : '', body.side);
    } catch (e) {
      const err = /** @type {any} */ (e);
      const again = err.status >= 500 || err.code === 'late' ? ' ' + t('error.tellagain') : '';
      const text = err.status ? t('error.refused', answerText(err)) : t(again ? 'error.noanswer' : 'error.notsent');
      refused(text + again);
    }
  };
}
