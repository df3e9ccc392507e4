// @ts-check
// One board: the position as it is read now, both clocks, the moves, what was found, strikes, health, and what a person
// can tell.
import { h, icon, setText, setClass, show, patch, setAttr } from './dom.js';
import { t, clockTime, ago, kindName, moveText, word, dayTime, pieceName, resultText, saying, textsOf, boardTitle, moreTexts, has } from './i18n.js';
import { store, openBoard, canDecide, clockNow, clockAge, openAlerts, wallOf } from './store.js';
import { frame, linkTo, barButton, barLink, alertAge, alertName } from './frame.js';
import { Diagram, figure, differing, squaresOf, squareIndex } from './diagram.js';
import { healthText, remedyText, sentencesOf, turnText, finishDue, sidesText } from './boards.js';
import { moves } from './moves.js';
import { prefs, setPref } from './prefs.js';
import { waitingBox } from './waits.js';
import { switched, reportSheet, claimSheet, pauseSheet, resultSheet, tellResult } from './report.js';

const sides = /** @type {('white'|'black')[]} */ (['white', 'black']);

/** @param {string} name */
export function boardScreen(name) {
  const f = frame(boardTitle(name), '#/', linkTo(name), 'board');
  const sub = h('p', { class: 'names' });
  const trouble = h('p', { class: 'trouble', role: 'status', hidden: true });
  const diagram = new Diagram(t('board.live'), 'live', true);
  /** @type {Record<string, HTMLElement>} */ const digits = {};
  /** @type {Record<string, HTMLElement>} */ const heard = {};
  /** @type {Record<string, HTMLElement>} */ const bars = {};
  for (const s of sides) {
    digits[s] = h('b');
    heard[s] = h('span', { class: 'heard', hidden: true });
    bars[s] = h(
      'div',
      { class: 'sidebar' },
      h('i', { class: 'man ' + s, 'aria-hidden': 'true' }),
      h('span', { class: 'grow' }, h('span', { class: 'who' }), h('span', { class: 'pips' })),
      heard[s],
      digits[s],
    );
  }
  const flip = h(
    'button',
    { type: 'button', class: 'icon-button flip', 'aria-label': t('board.flip'), 'data-flip': '', onclick: turn },
    icon('flip'),
  );
  const read = h('p', { class: 'muted read', hidden: true });
  const under = h('div', { class: 'under' }, read, flip);
  const live = h('div', { class: 'live-board' }, bars.black, figure(diagram), bars.white);
  const lists = { waits: h('section'), alerts: h('section'), finish: h('section'), moves: h('section'), findings: h('section'), health: h('section') };
  f.main.append(sub, trouble, lists.waits, lists.alerts, lists.finish, live, under, lists.moves, lists.findings, lists.health);
  const flipped = () => !!prefs.flip[name];
  /** @type {{age: HTMLElement, alert: Alert}[]} */ let ages = [];
  let unfolded = false;

  function turn() {
    setPref('flip', { ...prefs.flip, [name]: !flipped() });
    update();
  }

  function update() {
    const b = store.boards.get(name);
    const o = store.open;
    for (const el of [sub, live, under, ...Object.values(lists)]) show(el, !!b);
    if (!b) {
      show(trouble, true);
      setText(trouble, store.loaded ? t('board.unknown') : t('boards.waiting'));
      return;
    }
    setText(sub, [turnText(b), b.last ? moveText(b.ply, b.last) : '', sidesText(b)].filter(Boolean).join(' · '));
    const problem = healthText(b);
    show(trouble, !!problem);
    const detail = problem && b.health_detail ? saying(b.health_say, b.health_detail).text : '';
    const remedy = problem && remedyText(b);
    setClass(trouble, 'trouble' + (remedy ? ' remedy' : ''));
    const more = [remedy, detail !== problem && detail].filter(Boolean).join(' ');
    setText(trouble, problem + (more ? ': ' + more : ''));
    textsOf(sentencesOf(b), update);
    const diff = differing(b.fen, b.placement);
    diagram.show({ fen: b.placement || b.fen, diff, flip: flipped() });
    show(read, diff.length > 0);
    if (diff.length)
      setText(
        read,
        t('board.differs') +
          ' ' +
          diff
            .slice(0, 6)
            .map((q) => compare(b, q))
            .join('; ') +
          (diff.length > 6 ? ' …' : ''),
      );
    setClass(live, 'live-board' + (flipped() ? ' flipped' : ''));
    for (const s of sides) {
      setClass(bars[s], 'sidebar' + (b.clock && b.clock.running === s ? ' runs' : '') + (b.turn === s ? ' turn' : ''));
      const n = b.strikes ? b.strikes[s] : 0;
      patch(/** @type {HTMLElement} */ (bars[s].querySelector('.pips')), [n, b.strikes_to_lose], () => [
        t('side.' + s),
        b.strikes_to_lose || n ? ' · ' + t('strikes.count', n, b.strikes_to_lose || '–') : null,
      ]);
      setText(bars[s].querySelector('.who'), (b.names && b.names[s]) || t('side.' + s));
    }
    // This includes decisions about an earlier journal, whose findings are not shown any more.
    patch(lists.waits, o && [o.waiting, canDecide()], () =>
      ((o && o.waiting) || []).map((w) => waitingBox(name, w, kindName(w.finding.slice(w.finding.indexOf(':') + 1)))),
    );
    const alerts = openAlerts().filter((a) => a.board === name);
    patch(
      lists.alerts,
      alerts.map((a) => [a.id, a.state, a.level]),
      () => alertList(alerts),
    );
    finish(b);
    patch(lists.moves, o && [b.game, canDecide(), o.moves.map((m) => [m.ply, m.san]), o.spans], () => moves(name, o, b.game));
    patch(
      lists.findings,
      o &&
        [b.game, o.findings.map((i) => [i.finding.id, i.finding.state, i.finding.decided, i.finding.alert])],
      () => findings(name, o, b.game),
    );
    patch(lists.health, o && [o.health, dayOf(b), b.scan, switched(b), has('tell.title')], () => [scanLine(b), switchedLine(b), healthLog(b, o), replayLink(name), roundsLink(name)]);
    bar(b);
    tick();
  }

  /** One line: the alert, or how many there are. @param {Alert[]} alerts */
  function alertList(alerts) {
    ages = [];
    const strips = alerts.map((a) => {
      const age = h('span', { class: 'age', text: alertAge(a) });
      ages.push({ age, alert: a });
      return h(
        'a',
        { class: 'strip ' + a.level + ' ' + a.state, href: linkTo(name, a.finding) },
        icon(a.state === 'seen' ? 'eye' : 'look'),
        h('span', { class: 'what', text: alertName(a, kindName) }),
        age,
      );
    });
    if (strips.length < 2) return strips;
    return h(
      'details',
      { class: 'several', open: unfolded, ontoggle: (/** @type {any} */ e) => (unfolded = e.target.open) },
      h(
        'summary',
        { class: 'strip ' + alerts[0].level + ' ' + alerts[0].state, 'data-k': 'alerts' },
        icon('look'),
        h('span', { class: 'what', text: t('boards.alerts', alerts.length) }),
        icon('down', 'fold'),
      ),
      strips,
    );
  }

  /** @param {Summary} b */
  function finish(b) {
    patch(lists.finish, [finishDue(b), b.finish, canDecide()], () =>
      finishCard(b, (result) => tellResult(name, result)),
    );
  }

  /** @param {Summary} b */
  function bar(b) {
    patch(f.bar, [canDecide(), b.result], () =>
      canDecide()
        ? [
            barButton('pen', t('report.title'), () => reportSheet(name), 'primary'),
            barButton('hand', t('claim.title'), () => claimSheet(name)),
            barButton('pause', t('pause.title'), () => pauseSheet(name)),
            barButton('flag', t('result.title'), () => resultSheet(name)),
          ]
        : [barLink('grid', t('boards.title'), '#/')],
    );
  }

  function tick() {
    const b = store.boards.get(name);
    if (!b) return false;
    let fast = false;
    const unheard = clockAge(b);
    setAttr(live, 'data-stale', unheard ? '' : null);
    for (const s of sides) {
      const sec = clockNow(b, s);
      setText(digits[s], sec === null ? '–' : clockTime(sec));
      show(heard[s], sec !== null && unheard > 0);
      if (unheard) setText(heard[s], ago(unheard));
      if (sec !== null && sec < 10 && /** @type {any} */ (b.clock).running === s) fast = true;
    }
    for (const a of ages) setText(a.age, alertAge(a.alert));
    finish(b);
    return fast;
  }

  openBoard(name);
  update();
  moreTexts('tell').then(update, () => {}); // for the switches; the sheets load them again
  return { el: f.el, title: f.title, name: boardTitle(name), update, tick };
}

/** @param {Summary} b */
const dayOf = (b) => Math.round((b.wall_ms - (b.t * 1000) / (b.rate || 1)) / 60000);

/** @param {Summary} b @param {string} q a square */
function compare(b, q) {
  const at = squareIndex(q);
  const called = (/** @type {string|null} */ fen) => {
    const p = squaresOf(fen)[at];
    return p ? pieceName(p) : t('piece.none');
  };
  return t('board.compare', q, called(b.placement), called(b.fen));
}

/** The sources of a result, by the kinds of findings. @type {Record<string, string>} */
const ends = {
  mate: 'end.checkmate',
  illegal_position: 'end.illegal_position_draw',
  flag: 'clock.flag',
  kings: 'end.result_signal',
  piece: 'end.result_signal',
};

/** The calm end of a game: what the board or the clock shows is filled in. @param {Summary} b @param {(result: string) => void} tell */
function finishCard(b, tell) {
  const f = b.finish;
  if (!f || !finishDue(b)) return null;
  return h(
    'div',
    { class: 'finish' },
    h('h2', { text: t('finish.title') }),
    h('p', { class: 'muted', text: f.by ? kindName(ends[f.by] || (f.by.includes('.') ? f.by : 'end.' + f.by)) : t('finish.stands') }),
    canDecide()
      ? h(
          'div',
          { class: 'results' },
          ['1-0', '1/2-1/2', '0-1'].map((r) =>
            h(
              'button',
              { type: 'button', class: 'button' + (r === f.result ? ' primary' : ''), 'data-k': r, onclick: () => tell(r) },
              resultText(r),
            ),
          ),
        )
      : f.result && h('p', { text: resultText(f.result) }),
  );
}

/**
* The findings of this game. Those that need no attention, and those of earlier games, have places of their own.
 * @param {string} name @param {State|null} o @param {number} game
 */
function findings(name, o, game) {
  if (!o) return null;
  const told = o.findings.filter((i) => i.finding.state !== 'suspected' && i.finding.alert !== 'none');
  const here = told.filter((i) => i.finding.game >= game);
  const quiet = (/** @type {Item} */ i) => !i.finding.decided && (i.finding.alert === 'log' || i.finding.state === 'withdrawn');
  const list = (/** @type {Item[]} */ items) => h('ul', { class: 'rows' }, items.map((i) => h('li', null, findingRow(name, i.finding))));
  const fold = (/** @type {string} */ key, /** @type {Item[]} */ items) =>
    items.length ? h('details', { 'data-k': key }, h('summary', { text: t(key, items.length) }), list(items)) : null;
  const open = here.filter((i) => !quiet(i));
  return [
    h('h2', { text: t('board.findings') }),
    open.length ? list(open) : h('p', { class: 'muted', text: t('board.nofindings') }),
    fold('board.quiet', here.filter(quiet)),
    fold('board.older', told.filter((i) => i.finding.game < game)),
  ];
}

/** @param {string} name @param {Finding} f */
function findingRow(name, f) {
  return h(
    'a',
    { class: 'row link', href: linkTo(name, f.id) },
    h(
      'span',
      { class: 'grow' },
      h('strong', { text: kindName(f.kind) }),
      h('span', { class: 'muted', text: f.decided ? t('decided.' + f.decided) : t('findingstate.' + f.state) }),
    ),
    f.ply ? h('span', { class: 'muted', text: Math.ceil(f.ply / 2) + (f.ply % 2 ? '.' : '…') }) : null,
  );
}

/** @param {string} name */
const replayLink = (name) => h('a', { class: 'button wide', href: '#/r/' + encodeURIComponent(name) }, icon('play'), t('board.replay'));

/** Its games of this round and earlier ones. @param {string} name */
const roundsLink = (name) => h('a', { class: 'button wide', href: '#/rounds/' + encodeURIComponent(name) }, icon('grid'), t('rounds.title'));

/** How the board scans, and whether hands are judged by it. @param {Summary} b */
function scanLine(b) {
  if (!b.scan) return null;
  const order = word('scanorder', b.scan.order.replace(/ /g, '_'));
  return h('p', {
    class: 'muted scan',
    text:
      t('scan.text', b.scan.period_ms, order, b.scan.fit.toFixed(2)) + ' ' + heldHands(b.scan),
  });
}

/** The rules that were switched off at this board. @param {Summary} b */
function switchedLine(b) {
  return has('tell.title') ? switched(b).map((name) => h('p', { class: 'muted', text: t('tell.' + name) })) : null;
}

/** Whether hands are judged at this board, or for which player findings are held back. @param {Scan} s */
function heldHands(s) {
  if (!s.held) return t('scan.' + s.hands);
  if (s.held === 'board') return t('scan.held_board');
  return (s.held === 'both' ? '' : t('side.' + s.held) + ': ') + t('scan.held');
}

/** @param {Summary} b @param {State|null} o */
function healthLog(b, o) {
  if (!o || !o.health.length) return null;
  return h(
    'details',
    { 'data-k': 'health' },
    h('summary', { text: t('board.health') }),
    h(
      'ul',
      { class: 'rows' },
      [...o.health]
        .reverse()
        .map((e) =>
          h(
            'li',
            { class: 'row' },
            h(
              'span',
              { class: 'grow' },
              word('health', e.what),
              e.detail ? h('span', { class: 'muted', ...saying(e.say, e.detail) }) : null,
            ),
            h('span', { class: 'muted', text: dayTime(wallOf(b, e.t), true) }),
          ),
        ),
    ),
  );
}
