package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file corrects a promotion whose piece could not be read at the press: the record has an assumed piece (a queen,
// or the piece that was read there before) until the board shows another one. Reports have no checksum: two that agree
// are required, or a dump, and the square counts as assumed until then, or until the piece is captured. A game that
// only the assumed piece has ended goes on. A pawn that stays on the last rank because the opponent has answered the
// move becomes the piece for which it is exchanged later.

// A promotion is the move that led to a node whose piece was assumed.
type promotion struct {
	move  legal.Move     // 0: nothing was assumed
	clock evidence.Times // as reported with the move
	by    CommittedBy

	read  legal.Piece // the piece that the square last reported
	agree bool        // a second report or a dump has agreed
}

// assume notes that the piece of the promotion that led to the last node was not read at the press.
func (t *Tracker) assume(m legal.Move) {
	at := t.g.last()
	at.assumedPromotion = promotion{move: m, clock: t.c.Times(), by: ByPress}
	if sq := m.To(); t.b.Live[sq] != at.place[sq] && t.promotable(at, t.b.Live[sq]) {
		t.countAs(sq, t.b.Live[sq], at.place[sq])
		at.assumedPromotion.read = t.b.Live[sq]
		t.b.Live[sq], t.b.Origin[sq] = at.place[sq], at.place[sq]
		t.wantDump = true
	}
}

// promotable reports whether the piece can be on the promotion square of a node.
func (t *Tracker) promotable(at *node, p legal.Piece) bool {
	return p.Side() == at.place[at.assumedPromotion.move.To()].Side() && offence.CanPromoteTo(p.Kind())
}

func (t *Tracker) countAs(sq legal.Square, reads, counts legal.Piece) {
	t.b.Readings[sq] = evidence.Reading{Differs: true, Reads: reads, Counts: counts}
}

// promotionReported enters a report of a promotion square whose piece was assumed. It returns true where the square
// counts as before.
func (t *Tracker) promotionReported(sq legal.Square, p legal.Piece) (counts bool) {
	t.assumedPromotions(func(n int) bool {
		at := &t.g.nodes[n]
		g := &at.assumedPromotion
		if !t.promotable(at, p) {
			return false
		}
		if g.move.To() != sq {
			t.wantDump = t.wantDump || t.b.Readings[g.move.To()].Differs // it may be the piece that was not read
			return false
		}
		g.agree = g.read == p
		g.read = p
		t.wantDump = t.wantDump || !g.agree
		if a := &t.b.Readings[sq]; a.Differs && !g.agree && p != a.Counts {
			a.Reads, counts = p, true
			t.quietAt = t.now.At + t.p.QuietUS
		}
		return true
	})
	return counts
}

// promotionsDumped enters the pieces on promotion squares from a dump.
func (t *Tracker) promotionsDumped(pl *legal.Placement) {
	t.assumedPromotions(func(n int) bool {
		at := &t.g.nodes[n]
		if p := pl[at.assumedPromotion.move.To()]; t.promotable(at, p) {
			at.assumedPromotion.read, at.assumedPromotion.agree = p, true
		}
		return false
	})
}

// assumedPromotions calls f with the index of each node, the latest first, whose piece was assumed and has been on its
// square since, until f returns true.
func (t *Tracker) assumedPromotions(f func(n int) bool) {
	for n := len(t.g.nodes) - 1; n > 0 && len(t.g.nodes)-n <= maxBack; n-- {
		if at := &t.g.nodes[n]; at.assumedPromotion.move != 0 && t.stoodSince(n, at.assumedPromotion.move.To()) && f(n) {
			return
		}
	}
}

// stoodSince reports whether the record has the same piece on the square from a node to the last one.
func (t *Tracker) stoodSince(n int, sq legal.Square) bool {
	was := t.g.nodes[n].place[sq]
	for i := n + 1; i < len(t.g.nodes); i++ {
		if t.g.nodes[i].place[sq] != was {
			return false
		}
	}
	return true
}

// readAtLast corrects a promotion once the board reads its piece. A captured piece gets no second report.
func (t *Tracker) readAtLast() {
	t.assumedPromotions(func(n int) bool {
		at := &t.g.nodes[n]
		sq := at.assumedPromotion.move.To()
		is, was := at.assumedPromotion.read, at.place[sq]
		taken := t.b.Reads(sq).Side() == was.Side().Other()
		switch {
		case is == legal.NoPiece, !taken && (t.b.Reads(sq) != is || !at.assumedPromotion.agree && was.Kind() != legal.Pawn):
			return false // not read yet, or only once
		case is == was:
			at.assumedPromotion = promotion{} // as it was assumed
			return false
		}
		if a := &t.b.Readings[sq]; a.Differs {
			a.Differs = false
			t.b.Live[sq], t.b.Origin[sq] = is, is
		} else if taken {
			t.b.AssumeAtStart(sq, is)
		}
		t.promotionRead(n, is)
		return true
	})
}

// readAsItMoves corrects a promotion whose piece is read on another square, for the first time or again: the record
// leads to the board by one legal move of that piece, and by none of the assumed piece. A piece that was never read
// before counts once a dump has agreed, or at the last look.
func (t *Tracker) readAsItMoves(s legal.Side, final bool) {
	base := t.g.last()
	if s != base.pos.Turn() {
		return
	}
	if _, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		return
	}
	t.assumedPromotions(func(n int) bool { return t.movedBesides(n, s) || t.movedOn(n, s, final) })
}

// movedOn corrects the promotion that led to node n, whose piece has moved.
func (t *Tracker) movedOn(n int, s legal.Side, final bool) bool {
	at, base := &t.g.nodes[n], t.g.last()
	sq := at.assumedPromotion.move.To()
	a := &t.b.Readings[sq]
	never, gone := a.Differs && a.Reads == legal.NoPiece, !a.Differs && t.b.Live[sq] == legal.NoPiece
	if at.place[sq].Side() != s || !never && !gone || never && !final && t.b.Verified < t.b.LastAt {
		return false
	}
	live := t.b.Live
	live[sq] = legal.NoPiece
	for _, kind := range [...]legal.Kind{legal.Queen, legal.Rook, legal.Bishop, legal.Knight} {
		is := legal.PieceOf(s, kind)
		if !never && is != at.assumedPromotion.read || !movesFrom(base, sq, is, &live) {
			continue
		}
		if never {
			a.Differs = false
			t.b.Live[sq], t.b.Origin[sq] = legal.NoPiece, legal.NoPiece
			t.b.CountedUnread &^= 1 << sq
		}
		if is != at.place[sq] {
			t.promotionRead(n, is)
		}
		return true
	}
	return false
}

// movesFrom reports whether a legal move of a piece on a square of a node leads to live.
func movesFrom(n *node, sq legal.Square, is legal.Piece, live *legal.Placement) bool {
	pos, ok := withPiece(n, sq, is)
	if !ok {
		return false
	}
	m, one := play.OnePly(&pos, live)
	return one && m.From() == sq
}

// movedBesides corrects the promotion that led to node n, whose piece was read once, where the record leads to the
// board by a legal move of another piece with the piece that was read, and by none with the assumed one: that move is
// the second evidence.
func (t *Tracker) movedBesides(n int, s legal.Side) bool {
	at := &t.g.nodes[n]
	sq, is := at.assumedPromotion.move.To(), at.assumedPromotion.read
	a := &t.b.Readings[sq]
	if is == legal.NoPiece || is == at.place[sq] || !a.Differs || a.Reads != is {
		return false
	}
	pos, ok := withPiece(t.g.last(), sq, is)
	live := t.b.Live
	live[sq] = is
	if _, one := play.OnePly(&pos, &live); !ok || !one || pos.Turn() != s {
		return false
	}
	a.Differs = false
	t.b.Live[sq], t.b.Origin[sq] = is, is
	t.promotionRead(n, is)
	return true
}

// promotionRead reports the move again with the piece that was read, and puts that piece into the positions since.
func (t *Tracker) promotionRead(n int, is legal.Piece) {
	at := &t.g.nodes[n]
	sq := at.assumedPromotion.move.To()
	why := words.Say("row.promotion_read", sq, is.Kind(), at.place[sq].Kind())
	if at.wrong.on {
		why, at.wrong = words.Say("row.promotion_made", sq, is.Kind()), wrong{}
	}
	t.promotionIs(n, is, why)
}

// promotionIs is promotionRead, with the sentence that says how the piece is known.
func (t *Tracker) promotionIs(n int, is legal.Piece, why words.Sentence) {
	at := &t.g.nodes[n]
	told := at.assumedPromotion
	sq := told.move.To()
	for i := n; i < len(t.g.nodes); i++ {
		node := &t.g.nodes[i]
		if pos, ok := withPiece(node, sq, is); ok {
			node.pos = pos
		}
		node.place[sq] = is
	}
	t.b.CountedUnread &^= 1 << sq
	at.assumedPromotion = promotion{}
	t.note("promotion_read", why)
	before := t.g.nodes[n-1].pos
	if m, ok := before.FindUCI(offence.UCI(told.move.From(), sq, is.Kind())); ok {
		t.emit(Moved{
			Stamp: t.now, Game: t.games, Ply: at.ply, Before: before, Move: m, Clock: told.clock, By: told.by, Corrects: true,
		})
	}
	t.endWith(n)
}

// endWith ends the game, or withdraws its end, where the changed piece of the promotion that led to node n decides
// that.
func (t *Tracker) endWith(n int) {
	if n != len(t.g.nodes)-1 {
		return
	}
	pos := t.g.pos()
	mated, ends := t.g.proved.By == "mate" || t.g.proved.By == "stalemate", pos.Outcome() != legal.Ongoing
	switch {
	case t.phase == playing && ends && t.g.last().place == t.b.Live:
		t.checkEnd()
	case t.phase == over && mated && !ends:
		t.takeResultBack()
	}
}

// endedByAssumption withdraws the end of a game that only an assumed promotion piece has caused, where the board shows
// a legal move after a promotion to another piece. That piece is assumed from now on.
func (t *Tracker) endedByAssumption() bool {
	if n := len(t.g.nodes) - 1; n < 1 || t.phase != over || t.g.proved.By != "mate" && t.g.proved.By != "stalemate" || t.g.nodes[n].assumedPromotion.move == 0 {
		return false
	}
	n := len(t.g.nodes) - 1
	at := &t.g.nodes[n]
	told, sq := at.assumedPromotion, at.assumedPromotion.move.To()
	was := at.place[sq]
	if told.agree && told.read == was {
		return false
	}
	for _, is := range [...]legal.Piece{told.read, legal.PieceOf(was.Side(), legal.Rook), legal.PieceOf(was.Side(), legal.Bishop), legal.PieceOf(was.Side(), legal.Knight)} {
		if is == was || is == legal.NoPiece {
			continue
		}
		pos, ok := withPiece(at, sq, is)
		live := t.b.Live
		if live[sq] == was {
			live[sq] = is
		}
		if _, one := play.OnePly(&pos, &live); !ok || !one {
			continue
		}
		if a := &t.b.Readings[sq]; a.Differs {
			a.Counts = is
			t.b.Live[sq], t.b.Origin[sq] = is, is
		}
		t.promotionIs(n, is, words.Say("row.promotion_assumed", sq, is.Kind(), was.Kind()))
		at.assumedPromotion = told // until it is read
		return t.phase == playing
	}
	return false
}

// withPiece returns the position of a node with another piece on a square.
func withPiece(n *node, sq legal.Square, is legal.Piece) (legal.Position, bool) {
	s := n.pos.Setup()
	s.Placement = n.place
	s.Placement[sq] = is
	pos, err := s.Standing()
	return pos, err == nil
}
