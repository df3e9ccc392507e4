// @ts-check
// One alert: what was observed, how well, until when something can be done, what the rules propose, and the arbiter's
// answer. Before that answer nothing here says that anybody did wrong.
import { h, icon, setText, setAttr, show, patch, sheet, announce } from './dom.js';
import { t, has, kindName, sideName, clockTime, since, ago, dayTime, answerText, pieceName, saying, lang, boardTitle } from './i18n.js';
import { store, openBoard, itemOf, canDecide, serverNow, wallOf, clockNow, clockAge, loadOpen } from './store.js';
import { frame, linkTo, barButton, barLink, whyWaits } from './frame.js';
import { post, pendingFor, cancel, refusedFor, understood, isSaved } from './outbox.js';
import { Diagram, figure, differing, onePosition, squaresOf, squareIndex } from './diagram.js';
import { timeline } from './timeline.js';
import { handsLine, isSuspicion, weight } from './hands.js';
import { steps, strikes, clockRows, showTimeToSet } from './steps.js';
import { decidedOf, settledAs, isPast, mayBeUnseen, rejectName, lastDecision, whatChanged, inRecord, timesRun } from './decided.js';
import { waitingFor, knownWait, unseenWait, waitingBox } from './waits.js';
import { prefs } from './prefs.js';

/** @param {string} board @param {string} id of the finding */
export function alertScreen(board, id) {
  const alertNow = () => [...store.alerts.values()].find((a) => a.board === board && a.finding === id) || null;
  const f = frame(boardTitle(board), linkTo(board), linkTo(board, id), 'alert');
  const box = (/** @type {string} */ cls) => h('section', { class: cls });
  const parts = {
    gone: box('state'),
    names: h('p', { class: 'names' }),
    state: box('state'),
    what: box('what'),
    window: box('window'),
    clocks: box('clocks-box'),
    steps: box('steps'),
    strikes: box('strikes'),
    boards: box('pair'),
    log: box('log'),
    rest: /** @type {HTMLDetailsElement} */ (h('details', { class: 'rest' }, h('summary', { text: t('alert.rest') }))),
  };
  const rest = { line: box('line'), unseen: box('unseen'), full: box('full') };
  parts.rest.append(...Object.values(rest));
  const before = new Diagram(t('alert.before'), 'small', true),
    at = new Diagram(t('alert.atpress'), 'small', true);
  const captions = { before: h('span', { text: t('alert.before') }), at: h('span', { text: t('alert.atpress') }) };
  const figures = { before: enlarge(before, captions.before, 'fen_before'), at: enlarge(at, captions.at, 'fen_at') };
  parts.boards.append(figures.before, figures.at);
  f.main.append(...Object.values(parts));
  const item = () => itemOf(board, id);
  let seen = false,
    unfolded = false; // a suspicion has nothing but its evidence
  /** @type {any} */ let told; // the refused decision that was shown to the arbiter

  /** @param {Diagram} d @param {HTMLElement} caption @param {'fen_before'|'fen_at'} fen */
  function enlarge(d, caption, fen) {
    return h(
      'button',
      { type: 'button', class: 'plain', 'data-k': caption.textContent, onclick: () => large(caption.textContent || '', fen) },
      figure(d, h('figcaption', null, caption, icon('zoom'))),
    );
  }

  /** @param {string} name @param {'fen_before'|'fen_at'} fen */
  function large(name, fen) {
    const i = item();
    if (!i) return; // another board is being loaded
    const g = i.finding;
    const d = new Diagram(name, 'large', true);
    d.show({ fen: g[fen], diff: differing(g.fen_before, g.fen_at), ring: g.squares, flip: flipped() });
    sheet(name, t('close'), () => [figure(d)]);
  }

  const flipped = () => !!prefs.flip[board];

  function update() {
    const i = item();
    const b = store.boards.get(board);
    const missing = !i;
    for (const [k, el] of Object.entries(parts)) if (k !== 'gone') show(el, !missing);
    show(parts.gone, missing);
    if (!i) {
      const wait = pendingFor(board, id),
        no = refusedFor(board, id);
      const text = t(store.openError === 'no_board' ? 'board.unknown' : store.open ? 'alert.gone' : 'alert.loading');
      patch(parts.gone, [text, wait && [wait.request, whyWaits(wait)], no && no.request, store.conn.state], () => [
        wait ? pendingBox(wait) : null,
        no ? changedBox(null, no) : null,
        h('p', { class: 'empty', role: 'status', text }),
      ]);
      patch(f.bar, 'none', () => barLink('grid', t('boards.title'), '#/'));
      return;
    }
    patch(parts.gone, '', () => null);
    const { finding, ruling } = i;
    const a = i.alert ? store.alerts.get(i.alert.id) || i.alert : alertNow();
    if (!seen && a && a.state === 'open') {
      seen = true;
      if (canDecide()) post('/alerts/' + a.id + '/seen', {}, board, id, true);
    }
    stateBox(i, a, b);
    head(i, b);
    patch(
      parts.what,
      [
        finding.kind,
        finding.articles,
        finding.reason,
        finding.proof,
        finding.confidence,
        finding.state,
        finding.fen_before,
        finding.edition,
      ],
      () => what(finding),
    );
    const diff = differing(finding.fen_before, finding.fen_at);
    show(parts.boards, !!(finding.fen_before || finding.fen_at));
    show(figures.before, !onePosition(finding));
    setText(captions.at, t(onePosition(finding) ? 'alert.position' : 'alert.atpress'));
    before.show({ fen: finding.fen_before, diff, ring: finding.squares, flip: flipped() });
    at.show({ fen: finding.fen_at, diff, ring: finding.squares, flip: flipped() });
    patch(parts.clocks, [i.clock_at, ruling && ruling.clocks_to_set, sameGame(i, b), goneOn(i, b) && b.ply], () =>
      clockRows(i, sameGame(i, b), goneOn(i, b) ? Math.ceil(b.ply / 2) + '' : ''),
    );
    patch(parts.strikes, [ruling, settledAs(i)], () => strikes(i));
    // The steps start from the present board until the decision, and after it while the record still has the move.
    const live = (!settledAs(i) || inRecord(finding, board)) && b && b.link === 'up' && b.game === finding.game;
    const stands = (live && b.placement) || finding.fen_at;
    const turn = timesRun(i, board) && goneOn(i, b) ? b.turn : null;
    patch(parts.steps, [ruling, finding.state, settledAs(i), stands, turn], () => steps(i, stands, turn));
    if (finding.timeline && !unfolded) parts.rest.open = unfolded = true;
    patch(rest.line, [i.timeline, i.timeline_complete, finding.timeline, finding.in_air, finding.timing], () => [
      handsLine(finding),
      timeline(i),
    ]);
    patch(rest.unseen, finding.kind, () => [
      h('h2', { text: t('alert.notseen') }),
      h('p', { class: 'muted', text: t('unseen.hands') + ' ' + t('unseen.words') }),
    ]);
    patch(rest.full, ruling && [ruling.text, ruling.deadline], () =>
      ruling && ruling.text
        ? [
            h('h2', { text: t('alert.full') }),
            h('p', { class: 'ruling', ...saying(ruling.say, ruling.text) }),
            ruling.deadline ? h('p', { class: 'muted', ...saying(ruling.deadline_say, ruling.deadline) }) : null,
            h('p', {
              class: 'muted',
              text: [finding.kind, finding.edition, ruling.profile].filter(Boolean).join(' · '),
            }),
          ]
        : null,
    );
    patch(parts.log, i.decisions, () =>
      i.decisions.length
        ? [
            h('h2', { text: t('alert.decisions') }),
            h(
              'ul',
              null,
              i.decisions.map((d) =>
                h(
                  'li',
                  null,
                  dayTime(d.wall_ms, true) +
                    ' · ' +
                    t('decide.' + d.decision) +
                    (d.by ? ' · ' + d.by : '') +
                    (d.note ? ' · ' + d.note : ''),
                ),
              ),
            ),
          ]
        : null,
    );
    bar(i, b);
    tick();
  }

  /** The head: neutral, with the players' names, which are shown only here. @param {Item} i @param {Summary|undefined} b */
  function head(i, b) {
    const round = store.session && store.session.round;
    patch(f.title, [round], () => [
      h('span', { text: boardTitle(board) }),
      round ? h('small', { text: ' · ' + t('boards.round', round) }) : null,
    ]);
    const who = b && b.names ? (b.names.white || '?') + ' – ' + (b.names.black || '?') : '';
    const profile = (i.ruling && i.ruling.profile) || (b && b.profile) || '';
    setText(parts.names, [who, profile ? profileName(profile) : ''].filter(Boolean).join(' · '));
  }

  /** The state of the finding. @param {Item} i @param {Alert|null} a @param {Summary|undefined} b */
  function stateBox(i, a, b) {
    const wait = pendingFor(board, id);
    const no = refusedFor(board, id);
    const waits = waitingFor(board, id);
    const word = decidedOf(i);
    const d = word ? lastDecision(i) : null;
    const past = canDecide() && isPast(i, b);
    patch(
      parts.state,
      [
        past,
        word,
        i.finding.state,
        a && [a.state, a.seen_by, a.step, a.level],
        wait && [wait.request, whyWaits(wait)],
        no && no.request,
        waits,
        d && [d, isSaved(d.request)],
        store.conn.state,
      ],
      () => [
        wait ? pendingBox(wait) : null,
        no ? changedBox(i, no) : null,
        ...waits.map((w) => waitingBox(board, w)),
        d && !wait && !waits.length
          ? h(
              'div',
              { class: 'note done' },
              icon('check'),
              h(
                'div',
                null,
                h('strong', { text: t('decided.' + word) }),
                h('div', {
                  text: [d.by, dayTime(d.wall_ms, true), isSaved(d.request) && t('decided.saved')]
                    .filter(Boolean)
                    .join(' · '),
                }),
              ),
            )
          : null,
        !d && !wait && !waits.length ? stateLine(i, a) : null,
        past ? h('div', { class: 'note' }, icon('clock'), h('div', { class: 'grow', text: t('answer.board_refused') })) : null,
      ],
    );
    if (no && no !== told) {
      const warning = parts.state.querySelector('.warn');
      if (warning) warning.scrollIntoView({ block: 'center' });
    }
    told = no;
  }

  /** @param {import('./outbox.js').Pending} wait */
  function pendingBox(wait) {
    return h(
      'div',
      { class: 'note pend', role: 'status' },
      icon('clock'),
      h(
        'div',
        { class: 'grow' },
        h('strong', { text: t('pending.notsaved', t('decide.' + wait.body.decision)) }),
        h('div', {
          text: whyWaits(wait) || (store.conn.state === 'live' ? t('pending.sending') : t('pending.willsend')),
        }),
      ),
      h(
        'button',
        { type: 'button', class: 'button', 'data-k': 'cancel', onclick: () => cancel(wait.request) },
        t('pending.cancel'),
      ),
    );
  }

  /** @param {Item|null} i null: it is not there any more @param {import('./outbox.js').Pending} no */
  function changedBox(i, no) {
    const error = /** @type {import('./outbox.js').Answer} */ (no.refused);
    const changed = i && error.status === 409 && error.code !== 'board_refused';
    return h(
      'div',
      { class: 'note warn' },
      icon('look'),
      h(
        'div',
        { class: 'grow' },
        h('strong', {
          text: changed ? t('changed.title') : t('changed.refused') + ': ' + t('decide.' + no.body.decision),
        }),
        changed
          ? h(
              'ul',
              null,
              whatChanged(no.was, i, unseenWait(no)).map((x) => h('li', { text: x })),
            )
          : h('div', { text: answerText(error) }),
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          'data-k': 'seen-change',
          onclick: () => understood(board, id),
        },
        t('changed.ok'),
      ),
    );
  }

  /** The actions: none that would be refused. @param {Item} i @param {Summary|undefined} b */
  function bar(i, b) {
    const wait = pendingFor(board, id);
    const decided = settledAs(i);
    const past = isPast(i, b);
    patch(f.bar, [canDecide(), decided, !!wait, past, mayBeUnseen(i), i.finding.kind], () => {
      if (!canDecide()) return [barLink('grid', t('board.open'), linkTo(board))];
      if (wait)
        return [
          barButton('cross', t('pending.cancel'), () => cancel(wait.request)),
          barLink('grid', t('board.open'), linkTo(board)),
        ];
      if (past) return [barLink('grid', t('board.open'), linkTo(board))];
      if (decided)
        return [
          barButton('undo', t('decide.undo'), () => decide('undo'), 'wide'),
          barLink('grid', t('board.open'), linkTo(board)),
          barButton('more', t('more'), more),
        ];
      return [
        barButton('check', t('decide.confirm'), () => decide('confirm'), 'primary'),
        barButton('cross', rejectName(i.finding.kind), () => decide('reject')),
        mayBeUnseen(i) ? barButton('unseen', t('decide.unseen'), () => decide('unseen')) : null,
        barButton('more', t('more'), more),
      ];
    });
  }

  /** @param {string} decision @param {string} [note] */
  function decide(decision, note) {
    const i = item();
    if (!i) return;
    const asOf = Math.max(i.finding.seq, i.ruling ? i.ruling.seq : 0);
    post(
      '/boards/' + encodeURIComponent(board) + '/decisions',
      { finding: id, decision, note: note || '', as_of: asOf, journal: store.open ? store.open.journal : '', ...knownWait(board, id) },
      board,
      id,
    );
    announce(t('decide.' + decision));
    update();
  }

  function more() {
    const i = item();
    if (!i) return;
    sheet(t('more'), t('close'), (close) => {
      const note = /** @type {HTMLTextAreaElement} */ (h('textarea', { id: 'note', rows: 2, maxlength: 400 }));
      const choose = (/** @type {string} */ d) =>
        h(
          'button',
          {
            type: 'button',
            class: 'choice',
            onclick: () => {
              close();
              decide(d, note.value.trim());
            },
          },
          h('strong', { text: d === 'reject' ? rejectName(i.finding.kind) : t('decide.' + d) }),
          h('span', { class: 'muted', text: t('explain.' + d) }),
        );
      const words = ['confirm', 'reject', mayBeUnseen(i) ? 'unseen' : '', 'accident', 'sensor', 'later'].filter(
        Boolean,
      );
      return [
        h('label', { for: 'note', text: t('alert.note') }),
        note,
        ...(settledAs(i) ? ['undo'] : words).map(choose),
        h(
          'a',
          { class: 'choice', href: linkTo(board) },
          h('strong', { text: t('board.open') }),
          h('span', { class: 'muted', text: t('explain.board') }),
        ),
      ];
    });
  }

  function tick() {
    const i = item();
    if (!i) return false;
    const b = store.boards.get(board);
    const w = windowText(i, b);
    show(parts.window, !!w);
    if (w) {
      patch(parts.window, w.open, () =>
        h('p', { class: 'deadline ' + (w.open ? 'open' : 'closed') }, icon('clock'), h('span')),
      );
      setText(parts.window.querySelector('span'), w.text);
    }
    const age = parts.state.querySelector('.age');
    if (age) setText(age, since(Math.max(0, (serverNow() - pressWall(i, b)) / 1000)));
    let fast = false;
    const unheard = b ? clockAge(b) : 0;
    setAttr(parts.clocks, 'data-stale', unheard ? '' : null);
    setText(parts.clocks.querySelector('[data-when]'), unheard ? ago(unheard) : t('clocks.now'));
    for (const side of /** @type {('white'|'black')[]} */ (['white', 'black'])) {
      const sec = sameGame(i, b) ? clockNow(b, side) : null;
      setText(parts.clocks.querySelector('[data-now=' + side + ']'), sec === null ? '–' : clockTime(sec));
      if (sec !== null && sec < 10 && b && b.clock && b.clock.running === side) fast = true;
      showTimeToSet([parts.clocks, parts.steps], i, board, side, b && b.clock && b.clock.running ? sec : null);
    }
    return fast;
  }

  if (store.openName === board && store.open && !item()) loadOpen().catch(() => {});
  else openBoard(board);
  update();
  return { el: f.el, title: f.title, name: boardTitle(board), update, tick };
}

/** @param {string} name */
export const profileName = (name) => (has('profile.' + name) ? t('profile.' + name) : name);

/** Whether the board still shows the game of the finding. @param {Item} i @param {Summary|undefined} b @returns {b is Summary & {clock: {}}} */
const sameGame = (i, b) => !!b && !!b.clock && b.game === i.finding.game;

/** Whether moves were made since. @param {Item} i @param {Summary|undefined} b @returns {b is Summary} */
const goneOn = (i, b) => sameGame(i, b) && i.finding.ply > 0 && b.ply > i.finding.ply;

/** When the clock was pressed, by the wall. @param {Item} i @param {Summary|undefined} b */
function pressWall(i, b) {
  if (i.wall_ms) return i.wall_ms;
  const press = i.timeline.find((e) => e.what === 'press');
  return wallOf(b, press ? press.t : i.finding.window ? i.finding.window.hi : i.finding.t);
}

/** The instruction, prominent only if the finding needs an answer. @param {Item} i @param {Alert|null} a */
function stateLine(i, a) {
  const s = i.finding.state;
  const text =
    s === 'withdrawn'
      ? t('state.withdrawn')
      : s === 'expired'
        ? t('state.expired')
        : s === 'suspected'
          ? t('state.suspected')
          : t('state.look');
  return h(
    'div',
    { class: 'note ask' + (s === 'confirmed' && i.finding.alert !== 'advise' ? '' : ' calm') },
    icon(s === 'withdrawn' ? 'cross' : 'look'),
    h('strong', { class: 'grow', text }),
    h(
      'span',
      { class: 'meta' },
      a && a.step > 1 ? h('span', { class: 'muted', text: t('alert.step2') }) : null,
      s === 'confirmed' ? h('span', { class: 'age' }) : null,
    ),
  );
}

/** The observation. @param {Finding} f a finding */
function what(f) {
  const turn = f.fen_before ? f.fen_before.split(' ')[1] : '';
  const suspicion = isSuspicion(f);
  const [mover, over] = [f.ply % 2 ? 'white' : 'black', f.kind.startsWith('end.')]; // over: nobody has the move any more
  const made = over || turn && mover[0] !== turn ? 'alert.after' : 'alert.move'; // the last ply, or the one that is judged
  const percent = f.proof === 'report' ? '' : ' · ' + Math.round(f.confidence * 100) + '\u00a0%';
  return [
    h('h2', { class: 'offence', text: kindName(f.kind) }),
    lang === 'en' || f.say ? null : deed(f),
    h('p', { class: 'reason', ...saying(f.say, f.reason) }),
    h(
      'p',
      { class: 'facts' },
      f.articles.length ? h('span', { class: 'chip' }, t('alert.articles', f.articles.join(', '))) : null,
      h('span', { class: 'chip' }, suspicion ? weight(f) : t('proof.' + f.proof) + percent),
      turn && !over ? h('span', { class: 'chip' }, t(turn === 'w' ? 'turn.hadwhite' : 'turn.hadblack')) : null,
      f.ply ? h('span', { class: 'chip' }, t(made, Math.ceil(f.ply / 2), sideName(mover))) : null,
    ),
    f.proof === 'certain' ? null : h('p', { class: 'muted', text: t('proofmeans.' + (suspicion ? 'hint' : f.proof)) }),
  ];
}

/** The move in the page's language: the sentences of the rules are English. @param {Finding} f */
function deed(f) {
  const from = f.uci && f.fen_before && squaresOf(f.fen_before)[squareIndex(f.uci.slice(0, 2))];
  const text = from
    ? pieceName(from) + ' ' + /** @type {string} */ (f.uci).slice(0, 2) + '–' + /** @type {string} */ (f.uci).slice(2, 4)
    : f.squares.join(', ');
  return text ? h('p', { class: 'deed', text }) : null;
}

/** The time limit for an action. @param {Item} i @param {Summary|undefined} b @returns {{open: boolean, text: string}|null} */
function windowText(i, b) {
  const r = i.ruling;
  if (!r || i.finding.state === 'withdrawn' || settledAs(i)) return null;
  if (r.until === 'closed' || i.finding.state === 'expired')
    return { open: false, text: t(r.advice === 'wait' ? 'until.wait' : 'until.closed') };
  if (!r.until) return null;
  const by = r.until_side === 'black' ? 'black' : 'white';
  const age = clockTime(Math.max(0, (serverNow() - pressWall(i, b)) / 1000));
  const sec = sameGame(i, b) && !clockAge(b) ? clockNow(b, by) : null;
  if (r.until === 'reply') {
    return {
      open: true,
      text:
        t('until.reply', sideName(by), age) +
        (sec === null ? '' : ' · ' + t('until.clock', sideName(by), clockTime(sec))),
    };
  }
  if (r.until === 'touch') return { open: true, text: t('until.touch', sideName(by), age) };
  return { open: true, text: has('until.' + r.until) ? t('until.' + r.until) : r.deadline || '' };
}
