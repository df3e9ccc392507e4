// @ts-check
// One alert: what was observed, how well, until when something can be done, what the rules propose, and the arbiter's
// answer. Before that answer nothing here says that anybody did wrong.
import { h, icon, setText, show, patch, sheet, announce } from './dom.js';
import { t, has, kindName, sideName, clockTime, since, dayTime } from './i18n.js';
import { store, openBoard, itemOf, canDecide, serverNow, wallOf, clockNow, loadOpen } from './store.js';
import { frame, linkTo, barButton, barLink } from './frame.js';
import { post, pendingFor, cancel, refused, keyOf } from './outbox.js';
import { Diagram, figure, differing } from './diagram.js';
import { timeline } from './timeline.js';
import { steps, clockRows } from './steps.js';
import { prefs } from './prefs.js';

/** @param {string} board @param {string} id of the finding */
export function alertScreen(board, id) {
  const alertNow = () => [...store.alerts.values()].find((a) => a.board === board && a.finding === id) || null;
  const f = frame(t('board.title', board), linkTo(board), linkTo(board, id), 'alert');
  const box = (/** @type {string} */ cls) => h('section', { class: cls });
  const parts = {
    gone: box('state'),
    names: h('p', { class: 'names' }),
    state: box('state'),
    what: box('what'),
    window: box('window'),
    boards: box('pair'),
    clocks: box('clocks-box'),
    strikes: box('strikes'),
    steps: box('steps'),
    line: box('line'),
    unseen: box('unseen'),
    full: box('full'),
    log: box('log'),
  };
  const before = new Diagram(t('alert.before'), 'small'),
    at = new Diagram(t('alert.atpress'), 'small');
  parts.boards.append(
    enlarge(before, t('alert.before'), () => item().finding.fen_before),
    enlarge(at, t('alert.atpress'), () => item().finding.fen_at),
  );
  f.main.append(...Object.values(parts));
  const item = () => itemOf(board, id);
  let seen = false;

  /** @param {Diagram} d @param {string} name @param {() => string} fen */
  function enlarge(d, name, fen) {
    return h(
      'button',
      { type: 'button', class: 'plain', 'data-k': name, onclick: () => large(name, fen()) },
      figure(d, h('figcaption', null, name, icon('zoom'))),
    );
  }

  /** @param {string} name @param {string} fen */
  function large(name, fen) {
    const i = item();
    const d = new Diagram(name, 'large', true);
    d.show({ fen, diff: differing(i.finding.fen_before, i.finding.fen_at), ring: i.finding.squares, flip: flipped() });
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
      const text = store.openError === 'no_answer' || !store.open ? t('alert.loading') : t('alert.gone');
      patch(parts.gone, text, () => h('p', { class: 'empty', role: 'status', text }));
      patch(f.bar, 'none', () => barLink('grid', t('hall.title'), '#/'));
      return;
    }
    const { finding, ruling } = i;
    const a = i.alert ? store.alerts.get(i.alert.id) || i.alert : alertNow();
    if (!seen && a && a.state === 'open') {
      seen = true;
      if (canDecide()) post('/alerts/' + a.id + '/seen', {}, board, id, true);
    }
    stateBox(i, a);
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
    before.show({ fen: finding.fen_before, diff, ring: finding.squares, flip: flipped() });
    at.show({ fen: finding.fen_at, diff, ring: finding.squares, flip: flipped() });
    patch(
      parts.clocks,
      [i.clock_at, ruling && ruling.clocks_to_set, ruling && ruling.run_clock, b && b.clock ? 1 : 0],
      () => clockRows(i),
    );
    patch(
      parts.strikes,
      [
        ruling && ruling.kind,
        ruling && ruling.strikes_after,
        ruling && ruling.strikes_before,
        ruling && ruling.strikes_to_lose,
        decidedOf(i),
      ],
      () => strikes(i),
    );
    patch(parts.steps, [ruling, finding.state], () => steps(i));
    patch(parts.line, i.timeline, () => timeline(i));
    patch(parts.unseen, finding.kind, () => [
      h('h2', { text: t('alert.notseen') }),
      h('p', { class: 'muted', text: t('unseen.hands') + ' ' + t('unseen.words') }),
    ]);
    patch(parts.full, ruling && [ruling.text, ruling.deadline], () =>
      ruling && ruling.text
        ? h(
            'details',
            { 'data-k': 'full' },
            h('summary', { text: t('alert.full') }),
            h('p', { lang: 'en', text: ruling.text }),
            ruling.deadline ? h('p', { lang: 'en', class: 'muted', text: ruling.deadline }) : null,
            h('p', {
              class: 'muted',
              text: [finding.kind, finding.edition, ruling.profile].filter(Boolean).join(' · '),
            }),
          )
        : null,
    );
    patch(parts.log, i.decisions, () =>
      i.decisions.length
        ? [
            h('h2', { text: t('alert.decisions') }),
            h(
              'ul',
              null,
              i.decisions.map((/** @type {any} */ d) =>
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
    bar(i);
    tick();
  }

  /** The head: neutral, with the names, which stand nowhere else. @param {any} i @param {any} b */
  function head(i, b) {
    const round = store.session && store.session.round;
    setText(f.title, t('board.title', board) + (round ? ' · ' + t('hall.round', round) : ''));
    const who = b && b.names ? (b.names.white || '?') + ' – ' + (b.names.black || '?') : '';
    const profile = (i.ruling && i.ruling.profile) || (b && b.profile) || '';
    setText(parts.names, [who, profile ? profileName(profile) : ''].filter(Boolean).join(' · '));
  }

  /** What has become of it. @param {any} i @param {any} a */
  function stateBox(i, a) {
    const wait = pendingFor(board, id);
    const no = refused.get(keyOf(board, id));
    const word = decidedOf(i);
    const d = word ? lastDecision(i) : null;
    patch(
      parts.state,
      [
        word,
        i.finding.state,
        a && [a.state, a.seen_by, a.step, a.level],
        wait && [wait.request, wait.problem],
        !!no,
        d,
        store.conn.state,
      ],
      () => [
        wait
          ? h(
              'div',
              { class: 'note pend', role: 'status' },
              icon('clock'),
              h(
                'div',
                { class: 'grow' },
                h('strong', { text: t('pending.notsaved', t('decide.' + wait.body.decision)) }),
                h('div', {
                  text: wait.problem || (store.conn.state === 'live' ? t('pending.sending') : t('pending.willsend')),
                }),
              ),
              h(
                'button',
                { type: 'button', class: 'button', 'data-k': 'cancel', onclick: () => cancel(wait.request) },
                t('pending.cancel'),
              ),
            )
          : null,
        no ? changedBox(i, no) : null,
        d && !wait
          ? h(
              'div',
              { class: 'note done' },
              icon('check'),
              h(
                'div',
                null,
                h('strong', { text: t('decided.' + word) }),
                h('div', { text: [d.by, dayTime(d.wall_ms, true), t('decided.saved')].filter(Boolean).join(' · ') }),
              ),
            )
          : null,
        !d && !wait ? stateLine(i, a) : null,
      ],
    );
  }

  /** @param {any} i @param {{was: any, error: any}} no */
  function changedBox(i, no) {
    const changed = no.error.status === 409;
    return h(
      'div',
      { class: 'note warn', role: 'alert' },
      icon('look'),
      h(
        'div',
        { class: 'grow' },
        h('strong', { text: changed ? t('changed.title') : t('changed.refused') }),
        changed
          ? h(
              'ul',
              null,
              whatChanged(no.was, i).map((x) => h('li', { text: x })),
            )
          : h('div', { text: no.error.message + ' ' + no.error.remedy }),
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          'data-k': 'seen-change',
          onclick: () => {
            refused.delete(keyOf(board, id));
            update();
          },
        },
        t('changed.ok'),
      ),
    );
  }

  /** @param {any} i */
  function bar(i) {
    const wait = pendingFor(board, id);
    const decided = decidedOf(i) && decidedOf(i) !== 'later';
    patch(f.bar, [canDecide(), decided, !!wait, i.finding.state, i.finding.kind], () => {
      if (!canDecide()) return [barLink('grid', t('board.open'), linkTo(board))];
      if (wait)
        return [
          barButton('cross', t('pending.cancel'), () => cancel(wait.request)),
          barLink('grid', t('board.open'), linkTo(board)),
        ];
      if (decided)
        return [
          barButton('undo', t('decide.undo'), () => decide('undo'), 'wide'),
          barLink('grid', t('board.open'), linkTo(board)),
          barButton('more', t('more'), more),
        ];
      return [
        barButton('check', t('decide.confirm'), () => decide('confirm'), 'primary'),
        barButton('cross', rejectName(i.finding.kind), () => decide('reject')),
        barButton('unseen', t('decide.unseen'), () => decide('unseen')),
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
      { finding: id, decision, note: note || '', as_of: asOf },
      board,
      id,
    );
    announce(t('decide.' + decision));
    update();
  }

  function more() {
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
          h('strong', { text: d === 'reject' ? rejectName(item().finding.kind) : t('decide.' + d) }),
          h('span', { class: 'muted', text: t('explain.' + d) }),
        );
      const decided = decidedOf(item()) && decidedOf(item()) !== 'later';
      return [
        h('label', { for: 'note', text: t('alert.note') }),
        note,
        ...(decided ? ['undo'] : ['confirm', 'reject', 'unseen', 'accident', 'sensor', 'later']).map(choose),
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
    for (const side of /** @type {('white'|'black')[]} */ (['white', 'black'])) {
      const sec = b ? clockNow(b, side) : null;
      setText(parts.clocks.querySelector('[data-now=' + side + ']'), sec === null ? '–' : clockTime(sec));
      if (sec !== null && sec < 10 && b.clock && b.clock.running === side) fast = true;
    }
    return fast;
  }

  if (store.openName === board && store.open && !item()) loadOpen().catch(() => {});
  else openBoard(board);
  update();
  return { el: f.el, title: f.title, name: t('board.title', board), update, tick };
}

/** What is refused: an offence, or a fact. @param {string} kind */
const rejectName = (kind) => t(/^(illegal|irreg|suspect)\./.test(kind) ? 'decide.reject' : 'decide.notso');

/** @param {string} name */
export const profileName = (name) => (has('profile.' + name) ? t('profile.' + name) : name);

/** What the arbiter has decided; "" if nothing, or it was taken back. @param {any} i @returns {string} */
function decidedOf(i) {
  if (i.finding.decided !== undefined) return i.finding.decided || '';
  const d = i.decisions[i.decisions.length - 1];
  return d && d.decision !== 'undo' ? d.decision : '';
}

/** @param {any} i */
const lastDecision = (i) => i.decisions[i.decisions.length - 1] || { by: '', wall_ms: serverNow() };

/** When the clock was pressed, by the wall. @param {any} i @param {any} b */
function pressWall(i, b) {
  if (i.wall_ms) return i.wall_ms;
  const press = i.timeline.find((/** @type {any} */ e) => e.what === 'press');
  return wallOf(b, press ? press.t : i.finding.window ? i.finding.window.hi : i.finding.t);
}

/** @param {any} i @param {any} a */
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
    { class: 'note ask' + (s === 'confirmed' ? '' : ' calm') },
    icon(s === 'withdrawn' ? 'cross' : 'look'),
    h('strong', { class: 'grow', text }),
    a && a.step > 1 ? h('span', { class: 'muted', text: t('alert.step2') }) : null,
    s === 'confirmed' ? h('span', { class: 'age' }) : null,
  );
}

/** The observation. @param {any} f a finding */
function what(f) {
  const turn = f.fen_before ? f.fen_before.split(' ')[1] : '';
  const percent = Math.round(f.confidence * 100);
  return [
    h('h2', { class: 'offence', text: kindName(f.kind) }),
    h('p', { class: 'reason', lang: 'en', text: f.reason }),
    h(
      'p',
      { class: 'facts' },
      f.articles.length ? h('span', { class: 'chip' }, t('alert.articles', f.articles.join(', '))) : null,
      h('span', { class: 'chip' }, t('proof.' + f.proof) + (f.proof === 'report' ? '' : ' · ' + percent + ' %')),
      turn ? h('span', { class: 'chip' }, t(turn === 'w' ? 'turn.hadwhite' : 'turn.hadblack')) : null,
      f.ply ? h('span', { class: 'chip' }, t('alert.move', Math.ceil(f.ply / 2) + (f.ply % 2 ? '' : ' …'))) : null,
    ),
    f.proof === 'certain' ? null : h('p', { class: 'muted', text: t('proofmeans.' + f.proof) }),
  ];
}

/** Until when something can be done. @param {any} i @param {any} b @returns {{open: boolean, text: string}|null} */
function windowText(i, b) {
  const r = i.ruling;
  if (!r || i.finding.state === 'withdrawn') return null;
  if (r.until === 'closed' || i.finding.state === 'expired') return { open: false, text: t('until.closed') };
  if (!r.until) return null;
  const by = r.until_side === 'black' ? 'black' : 'white';
  const age = clockTime(Math.max(0, (serverNow() - pressWall(i, b)) / 1000));
  const sec = b ? clockNow(b, by) : null;
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

/** The ledger, now and if it is confirmed. @param {any} i */
function strikes(i) {
  const r = i.ruling;
  if (!r || !r.strikes_before || r.kind === 'none') return null;
  const n = r.strikes_to_lose;
  const rows = ['white', 'black'].filter((s) => r.strikes_after[s] !== r.strikes_before[s]);
  if (!rows.length)
    return n
      ? h('p', { class: 'muted', text: t('strikes.none', r.strikes_before.white, r.strikes_before.black, n) })
      : null;
  return [
    h('h2', { text: t('strikes.title') }),
    ...rows.map((s) =>
      h(
        'p',
        { class: 'strike' },
        h('b', { text: sideName(s) + ' ' + r.strikes_before[s] + ' → ' + r.strikes_after[s] }),
        ' ' + (n ? t('strikes.of', n) : '') + ' ' + t('strikes.if'),
      ),
    ),
  ];
}

/** What is not as it was when the arbiter looked. @param {any} was @param {any} is @returns {string[]} */
function whatChanged(was, is) {
  if (!was) return [t('changed.something')];
  /** @type {string[]} */ const list = [];
  const a = was.finding,
    b = is.finding,
    p = was.ruling || {},
    q = is.ruling || {};
  if (a.state !== b.state) list.push(t('changed.state', t('findingstate.' + b.state)));
  if (a.kind !== b.kind) list.push(t('changed.kind', kindName(b.kind)));
  if (decidedOf(was) !== decidedOf(is) && decidedOf(is))
    list.push(t('changed.decided', t('decide.' + decidedOf(is)), lastDecision(is).by || '?'));
  if (p.until !== q.until && q.until === 'closed') list.push(t('until.closed'));
  if (JSON.stringify(p.clocks_to_set) !== JSON.stringify(q.clocks_to_set)) list.push(t('changed.clocks'));
  if (p.position_fen !== q.position_fen || p.result !== q.result || String(p.must_play) !== String(q.must_play))
    list.push(t('changed.ruling'));
  return list.length ? list : [t('changed.something')];
}
