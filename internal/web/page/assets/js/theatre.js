// @ts-check
// The games of one or more recordings: a chooser, the player of the one that is chosen, and what would be different under other rules.
import { h, setText, show, patch } from './dom.js';
import { t, has, kindName, saying, resultText } from './i18n.js';
import { player } from './player.js';

/**
* The name of a recording in a chooser. @param {Recording} rec @param {Played} g @param {number} n of games in it
 */
function nameOf(rec, g, n) {
  const who = [g.white, g.black].some(Boolean) ? (g.white || '?') + ' – ' + (g.black || '?') : '';
  return [t('board.title', rec.board), n > 1 ? t('replay.game', g.game) : '', who, g.result ? resultText(g.result) : ''].filter(Boolean).join(' · ');
}

/**
 * The chooser, and the player of the game that is chosen.
 * @param {Recording[]} recs @param {(i: number, k: number) => ReplayGame} load @param {number} rate @param {[number, number]} first
 */
export function theatre(recs, load, rate, first) {
  /** @type {ReturnType<typeof player>|null} */ let now = null;
  const games = recs.flatMap((rec, i) => rec.games.map((g, k) => ({ rec, i, k, name: nameOf(rec, g, rec.games.length) })));
  const stage = h('div', { class: 'rp-stage' }),
    differ = h('section', { class: 'rp-whatif' }),
    damage = h('p', { class: 'note warn rp-note', hidden: true });
  const choose = /** @type {HTMLSelectElement} */ (
    h('select', { 'aria-label': t('replay.choose'), onchange: () => open(+choose.value) }, games.map((g, n) => h('option', { value: n, text: g.name })))
  );
  const el = h('div', { class: 'rp-theatre' }, games.length > 1 ? h('div', { class: 'rp-choose' }, choose) : null, damage, stage, differ);

  /** @param {number} n */
  function open(n) {
    if (now) now.close();
    const { rec, i, k } = games[n];
    now = player(load(i, k), rec, rate);
    stage.replaceChildren(now.el);
    show(damage, rec.damage.length > 0);
    setText(damage, t('replay.damaged') + ' ' + rec.damage.slice(0, 3).join('; '));
    compared(rec.what_if, rec.games[k].game);
  }

  /** @param {WhatIf|null} w @param {number} game */
  function compared(w, game) {
    patch(differ, [w, game], () => w && whatIf(w, game, (at) => now && now.go(at)));
  }

  const at = games.findIndex((g) => g.i === first[0] && g.k === first[1]);
  choose.value = String(Math.max(at, 0));
  open(Math.max(at, 0));
  return { el, compared, game: () => games[+choose.value], close: () => now && now.close() };
}

/** What would be different under other rules. @param {WhatIf} w @param {number} game @param {(at: number) => void} go */
function whatIf(w, game, go) {
  const list = w.differences.filter((d) => d.game === game);
  const name = has('profile.' + w.profile) ? t('profile.' + w.profile) : w.profile;
  const said = (/** @type {Sight|null} */ x) => {
    if (!x) return { text: t('replay.nothing') };
    if (!x.finding) return { text: x.result ? resultText(x.result) : t('replay.nothing') };
    if (x.finding.state === 'withdrawn') return { text: t('findingstate.withdrawn') };
    return x.ruling ? saying(x.ruling.say, x.ruling.text) : { text: t('findingstate.' + x.finding.state) };
  };
  return [
    h('h2', { text: t('replay.whatif', name) }),
    list.length ? null : h('p', { class: 'muted', text: t('replay.same') }),
    h(
      'ul',
      { class: 'rows' },
      list.map((d) =>
        h(
          'li',
          { class: 'row rp-differs' },
          h('button', { type: 'button', class: 'button', onclick: () => go(d.t) }, (d.kind ? kindName(d.kind) : t('result.title')) + (d.ply ? ' · ' + Math.ceil(d.ply / 2) + (d.ply % 2 ? '.' : '…') : '')),
          h('dl', null, h('dt', { text: t('replay.own') }), h('dd', said(d.was)), h('dt', { text: name }), h('dd', said(d.now))),
        ),
      ),
    ),
  ];
}
