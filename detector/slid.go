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
	was, ok := onePly(&before.pos, &base.place)
	if !ok || !samePiece(was, base, before) {
		return
	}
	k := t.slidUntil(was, base)
	slid := func(c change) bool { return c.showsOnly(base.place[was.To()]) }
	if k == 0 {
		return
	}
	place := t.b.origin
	for _, c := range t.b.changes[:k] {
		if slid(c) {
			place[c.sq] = c.is
		}
	}
	m, ok := onePly(&before.pos, &place)
	if !ok || place != t.b.live && !t.repliedTo(before.pos.After(m), s) {
		return
	}
	if _, ok := onePly(&base.pos, &t.b.live); ok || place[base.pos.KingSquare(base.pos.Turn())].Kind() != legal.King {
		return
	}
	t.note("move_corrected", words.Say("row.move_slid"))
	*base = node{pos: before.pos.After(m), place: place, ply: base.ply, clock: base.clock, by: ByPress}
	t.b.rebase(t.b.bringForward(k, slid))
	t.fault = fault{}
	t.emit(Moved{Stamp: t.now, Game: t.games, Ply: base.ply, Before: before.pos, Move: m, Clock: base.clock, By: ByPress, Corrects: true})
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
func (t *Tracker) slidUntil(m legal.Move, base *node) (k int) {
	piece, b := base.place[m.To()], t.bound()
	replied := int64(0)
	left, early, on := t.b.origin[m.To()] != piece, t.b.origin[m.To()] != piece, legal.NoSquare
	for i := range t.b.changes {
		c := &t.b.changes[i]
		switch {
		case !c.showsOnly(piece) && !c.healed && c.of(base.pos.Turn()):
			if c.is != legal.NoPiece && !left {
				replied = c.win.Hi
			}
			continue // the reply has begun
		case !c.showsOnly(piece):
			return k
		case !early && b.after(t.turnSince, c):
			return k // it was moved after the press
		case c.sq == m.To() && c.is == legal.NoPiece && replied != 0 && c.win.Lo >= replied:
			return k // or after the reply
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
