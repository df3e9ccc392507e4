package detector

import (
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file corrects a move whose piece was slid: when the press was judged, the board showed it on a square that it
// only passed, and reports its final square afterwards (a scan takes up to 450 ms, and a piece that is off the centre
// of its square is read later still).

// slidFurther corrects the last move of the record, where its piece turns out to be further on. Without a press the
// board must be so and rest; at the press of s it must show the reply to the corrected move, and none to the recorded
// one.
func (t *Tracker) slidFurther(s legal.Side) {
	n := len(t.g.nodes) - 1
	if n < 1 || t.turnPressedAt == 0 || len(t.b.Changes) == 0 || t.b.HistoryIncomplete || t.judgementPaused || t.doubtful() {
		return
	}
	base, before := &t.g.nodes[n], &t.g.nodes[n-1]
	if !plainPly(base, before) {
		return
	}
	k := t.slidUntil(base, before)
	if k == 0 {
		return
	}
	place := t.b.After(k)
	m, ok := play.OnePly(&before.pos, &place)
	if !ok || place != t.b.Live && !t.repliedTo(before.pos.After(m), s) {
		return
	}
	if _, ok := play.OnePly(&base.pos, &t.b.Live); ok || place[base.pos.KingSquare(base.pos.Turn())].Kind() != legal.King {
		return
	}
	t.note("move_corrected", words.Say("row.move_slid"))
	base.made = t.b.ReportedAt(k)
	t.b.Rebase(k)
	t.fault = fault{}
	t.correctTo(base, before.pos, m)
	t.checkEnd()
}

// plainPly reports whether a position came about by one move that was pressed, with nothing open about it.
func plainPly(base, before *node) bool {
	return base.by == ByPress && !base.wrong.on && !before.wrong.open() && base.assumedPromotion.move == 0 && base.ply == before.ply+1
}

// repliedTo reports whether s has pressed and the board is one legal move of s after a position; the next piece may
// already be in the hand.
func (t *Tracker) repliedTo(pos legal.Position, s legal.Side) bool {
	from := pos.Placement()
	return s == pos.Turn() && play.AnyMove(&pos, func(r legal.Move) bool {
		next := play.PlacementAfter(from, r)
		rest := play.Difference(&next, &t.b.Live)
		sq := play.Lowest(rest)
		return rest == 0 || play.Count(rest) == 1 && t.b.Live[sq] == legal.NoPiece && next[sq].Side() == s.Other()
	})
}

// slidUntil returns how many changes since the last move show its piece on its way to another square; 0: none. Its
// square must have been left by the press, as far as the board can show.
func (t *Tracker) slidUntil(base, before *node) (k int) {
	m, ok := play.OnePly(&before.pos, &base.place)
	if !ok || !samePiece(m, base, before) {
		return 0
	}
	piece, b := base.place[m.To()], t.bound()
	left, early, on := t.b.Origin[m.To()] != piece, t.b.Origin[m.To()] != piece, legal.NoSquare
	for i := range t.b.Changes {
		c := &t.b.Changes[i]
		switch {
		case !c.ShowsOnly(piece):
			return k
		case !early && b.After(t.turnPressedAt, c):
			return k // it was moved after the press
		case c.Square == m.To() && c.Is == legal.NoPiece:
			left, early = true, early || c.Window.Hi <= t.turnPressedAt
		default:
			on = c.StandsOn(piece, m, on)
		}
		if left && on != legal.NoSquare {
			k = i + 1
		}
	}
	return k
}

// samePiece reports whether the mover's piece is where the move has put it, without a promotion.
func samePiece(m legal.Move, base, before *node) bool {
	piece := base.place[m.To()]
	return m.Promotion() == legal.NoKind && piece == before.place[m.From()] && piece.Side() == before.pos.Turn()
}

// mayGoOn reports whether the piece of a move has left its square again, and has been read further on, or a capturable
// piece of the opponent's has left its square. The opponent may be capturing the piece as a reply, or the piece may go
// on to capture the other. The next piece that is put down will show it.
func (t *Tracker) mayGoOn(pos *legal.Position, m legal.Move) bool {
	return t.b.Live[m.To()] == legal.NoPiece && (t.wentOn(m) || play.AnyMove(pos, func(o legal.Move) bool {
		return o.From() == m.From() && o.To() != m.To() && o.Captured() != legal.NoKind && t.b.Live[o.To()] == legal.NoPiece
	}))
}

// wentOn reports whether the piece of a move left its square soon, and was then read on another one, or nowhere yet.
func (t *Tracker) wentOn(m legal.Move) bool {
	put, left := int64(0), false
	for i := range t.b.Changes {
		switch c := &t.b.Changes[i]; {
		case c.Square == m.To() && c.Is == legal.NoPiece:
			left = c.Window.Hi-put < play.StillUS
		case c.Square == m.To():
			put, left = c.Window.Hi, false
		case left && c.Square != m.From() && c.Is == t.b.Origin[m.From()]:
			return true
		}
	}
	return left
}

// A stay is a square on which the piece of a move stayed before it was put down elsewhere.
type stay struct {
	on    legal.Square
	until int64 // when it was reported as gone from there; 0: there is none
}

// stoodOn returns the last such square of a move that has just explained the board.
func (t *Tracker) stoodOn(m legal.Move) (s stay) {
	piece, put := t.b.Origin[m.From()], int64(0)
	for i := range t.b.Changes {
		switch c := &t.b.Changes[i]; {
		case c.Square == m.To() || c.Square == m.From() || c.FromDump:
		case c.Is == piece && c.Was == legal.NoPiece:
			put = c.Window.Hi
		case c.Was == piece && c.Is == legal.NoPiece && put != 0 && c.Window.Hi-put >= stayUS:
			s = stay{on: c.Square, until: c.Window.Hi}
		}
	}
	return s
}

// movedAgain reports whether the piece of the player's last move had been on another square until the opponent had
// replied. It then corrects the record: the player has moved the piece twice, and this press completes the second move.
func (a *openPress) movedAgain() bool {
	n := len(a.g.nodes)
	if n < 3 || a.base.wrong.on || a.base.by != ByPress {
		return false
	}
	before, first := &a.g.nodes[n-3], &a.g.nodes[n-2]
	if first.stayedOn.until == 0 || !plainPly(first, before) || first.stayedOn.until <= a.base.made-a.bound().US {
		return false
	}
	whole, _ := play.OnePly(&before.pos, &first.place)
	reply, _ := play.OnePly(&first.pos, &a.base.place)
	pos, second := before.pos, [3]legal.Move{}
	for i, uci := range [...]string{offence.UCI(whole.From(), first.stayedOn.on, legal.NoKind), first.pos.UCI(reply), offence.UCI(first.stayedOn.on, whole.To(), legal.NoKind)} {
		m, ok := pos.FindUCI(uci)
		if !ok || m.Captured() != legal.NoKind && i != 1 {
			return false
		}
		second[i], pos = m, pos.After(m)
	}
	if pos.Placement() != a.base.place {
		return false
	}
	a.note("move_corrected", words.Say("row.moved_again"))
	a.correctTo(first, before.pos, second[0])
	a.correctTo(a.base, first.pos, second[1])
	return a.pressed(a.by, "ok", a.pend.at, second[2], 0)
}

// correctTo replaces a position of the record by the one that a move leads to, and reports it.
func (t *Tracker) correctTo(n *node, before legal.Position, m legal.Move) {
	pos := before.After(m)
	*n = node{pos: pos, place: pos.Placement(), ply: n.ply, clock: n.clock, by: n.by, made: n.made}
	t.emit(Moved{Stamp: t.now, Game: t.games, Ply: n.ply, Before: before, Move: m, Clock: n.clock, By: n.by, Corrects: true})
}
