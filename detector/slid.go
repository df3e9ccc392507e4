package detector

import (
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file corrects a move whose piece was slid: the board showed it on a square that it only passed, when the press
// was judged, and reports the square where it was put afterwards (a scan takes up to 450 ms, and a piece that stands
// off its centre is read later still).

// slidFurther corrects the last move of the record, where its piece has turned out to stand further on. Without a press
// the board must stand so and rest; at the press of s it shows the reply to that, and none to the move as it was
// recorded.
func (t *Tracker) slidFurther(s legal.Side) {
	n := len(t.g.nodes) - 1
	if n < 1 || t.turnSince == 0 || len(t.b.changes) == 0 || t.b.folded || t.held || t.doubtful() {
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
	place := t.b.after(k)
	m, ok := onePly(&before.pos, &place)
	if !ok || place != t.b.live && !t.repliedTo(before.pos.After(m), s) {
		return
	}
	if _, ok := onePly(&base.pos, &t.b.live); ok || place[base.pos.KingSquare(base.pos.Turn())].Kind() != legal.King {
		return
	}
	t.note("move_corrected", words.Say("row.move_slid"))
	base.made = t.b.reportedAt(k)
	t.b.rebase(k)
	t.fault = fault{}
	t.correctTo(base, before.pos, m)
	t.checkEnd()
}

// plainPly says that a position came of one move that was pressed, and that nothing about it is open.
func plainPly(base, before *node) bool {
	return base.by == ByPress && !base.wrong.on && !before.wrong.open() && base.guess.move == 0 && base.ply == before.ply+1
}

// repliedTo says that s has pressed and that the board is one legal move of s from a position.
func (t *Tracker) repliedTo(pos legal.Position, s legal.Side) bool {
	_, ok := onePly(&pos, &t.b.live)
	return ok && s == pos.Turn()
}

// slidUntil returns how many changes since the last move show its piece on its way to another square; 0 is none. Its
// square was left when the press was made, or as far as the board can tell.
func (t *Tracker) slidUntil(base, before *node) (k int) {
	m, ok := onePly(&before.pos, &base.place)
	if !ok || !samePiece(m, base, before) {
		return 0
	}
	piece, b := base.place[m.To()], t.bound()
	left, early, on := t.b.origin[m.To()] != piece, t.b.origin[m.To()] != piece, legal.NoSquare
	for i := range t.b.changes {
		c := &t.b.changes[i]
		switch {
		case !c.showsOnly(piece):
			return k
		case !early && b.after(t.turnSince, c):
			return k // it was moved after the press
		case c.sq == m.To() && c.is == legal.NoPiece:
			left, early = true, early || c.win.Hi <= t.turnSince
		default:
			on = c.standsOn(piece, m, on)
		}
		if left && on != legal.NoSquare {
			k = i + 1
		}
	}
	return k
}

// showsOnly says that the board has reported a change by which such a piece came to a square or left it.
func (c *change) showsOnly(piece legal.Piece) bool {
	return !c.healed && (c.was == piece || c.is == piece)
}

// standsOn returns where a piece stands beside the squares of its move, after a change: it stood on a square before.
func (c *change) standsOn(piece legal.Piece, m legal.Move, before legal.Square) legal.Square {
	switch {
	case c.is == piece && c.sq != m.To() && c.sq != m.From():
		return c.sq
	case c.sq == before:
		return legal.NoSquare
	}
	return before
}

// samePiece says that the mover's piece stands where the move has put it: it is no promotion.
func samePiece(m legal.Move, base, before *node) bool {
	piece := base.place[m.To()]
	return m.Promotion() == legal.NoKind && piece == before.place[m.From()] && piece.Side() == before.pos.Turn()
}

// mayGoOn says that the piece of a move has left its square again, and has been read further on, or so has a piece of
// the opponent's: that may be the reply, which captures it, or it goes on to capture that one. What is put down next
// tells.
func (t *Tracker) mayGoOn(pos *legal.Position, m legal.Move) bool {
	return t.b.live[m.To()] == legal.NoPiece && (t.wentOn(m) || anyMove(pos, func(o legal.Move) bool {
		return o.From() == m.From() && o.To() != m.To() && o.Captured() != legal.NoKind && t.b.live[o.To()] == legal.NoPiece
	}))
}

// wentOn says that the piece of a move left its square soon, and was read on another one then, or nowhere yet.
func (t *Tracker) wentOn(m legal.Move) bool {
	put, left := int64(0), false
	for i := range t.b.changes {
		switch c := &t.b.changes[i]; {
		case c.sq == m.To() && c.is == legal.NoPiece:
			left = c.win.Hi-put < stillUS
		case c.sq == m.To():
			put, left = c.win.Hi, false
		case left && c.sq != m.From() && c.is == t.b.origin[m.From()]:
			return true
		}
	}
	return left
}

// A stay is a square on which the piece of a move stood, where it could have gone, before it was put down elsewhere.
type stay struct {
	on    legal.Square
	until int64 // when it was reported to have left it; 0: there is none
}

// stayUS is how long a piece that slides is not read on a square.
const stayUS = 100_000

// stoodOn returns the last such square of a move of which the board has just been explained.
func (t *Tracker) stoodOn(m legal.Move) (s stay) {
	piece, put := t.b.origin[m.From()], int64(0)
	for i := range t.b.changes {
		switch c := &t.b.changes[i]; {
		case c.sq == m.To() || c.sq == m.From() || c.healed:
		case c.is == piece && c.was == legal.NoPiece:
			put = c.win.Hi
		case c.was == piece && c.is == legal.NoPiece && put != 0 && c.win.Hi-put >= stayUS:
			s = stay{on: c.sq, until: c.win.Hi}
		}
	}
	return s
}

// movedAgain: the piece of his last move had stood on another square until the opponent had replied. He has moved it
// twice, and this press completes the second move.
func (a *openPress) movedAgain() bool {
	n := len(a.g.nodes)
	if n < 3 || a.base.wrong.on || a.base.by != ByPress || a.b.live != a.base.place {
		return false
	}
	before, first := &a.g.nodes[n-3], &a.g.nodes[n-2]
	if first.via.until == 0 || !plainPly(first, before) || first.via.until <= a.base.made-a.bound().us {
		return false
	}
	whole, _ := onePly(&before.pos, &first.place)
	reply, _ := onePly(&first.pos, &a.base.place)
	pos, second := before.pos, [3]legal.Move{}
	for i, uci := range [...]string{uciOf(whole.From(), first.via.on, legal.NoKind), first.pos.UCI(reply), uciOf(first.via.on, whole.To(), legal.NoKind)} {
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

// correctTo makes a position of the record that to which a move leads, and tells it.
func (t *Tracker) correctTo(n *node, before legal.Position, m legal.Move) {
	pos := before.After(m)
	*n = node{pos: pos, place: pos.Placement(), ply: n.ply, clock: n.clock, by: n.by, made: n.made}
	t.emit(Moved{Stamp: t.now, Game: t.games, Ply: n.ply, Before: before, Move: m, Clock: n.clock, By: n.by, Corrects: true})
}
