package detector

import (
	"slices"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A pawn has come to the last rank, or has left the board before it (FIDE Laws 3.7.3.3, 7.5.2): not exchanged,
// exchanged for the wrong piece, for two, or for one that the board cannot read. What counts is the board at the press;
// what is put there later changes nothing but the proof.
//
// Innocent look-alikes: the piece stands there at the press, or is reported within one scan of it; a dump finds it; the
// promotion is wrong for another reason, which then is the offence.

func seePromotion(v *view) (shape, bool) {
	if sh, ok := v.promotedOutOfReach(); ok {
		return sh, true
	}
	s := v.mover()
	last, before := lastRank(s)
	pawn := legal.PieceOf(s, legal.Pawn)
	from, gone := legal.NoSquare, 0
	for f := 0; f < 8; f++ {
		if sq := legal.SquareOf(f, before); v.base[sq] == pawn && v.at[sq] == legal.NoPiece {
			from = sq
			gone++
		}
	}
	if gone == 0 {
		return v.pawnStays()
	}
	if gone != 1 {
		return shape{}, false
	}
	for f := max(from.File()-1, 0); f <= min(from.File()+1, 7); f++ {
		to := legal.SquareOf(f, last)
		if v.at[to] == v.base[to] || v.at[to] == legal.NoPiece {
			continue
		}
		if sh, ok := v.promotedTo(from, to); ok {
			return sh, true
		}
	}
	return v.promotionMissing(from)
}

// promotedOutOfReach is a pawn that is gone, wherever it stood, and a new piece on a square of the last rank to which it
// may not go.
func (v *view) promotedOutOfReach() (shape, bool) {
	s := v.mover()
	last, _ := lastRank(s)
	from, to := legal.NoSquare, legal.NoSquare
	for set := v.diff; set != 0; set &= set - 1 {
		switch sq := legal.Square(lowest(set)); {
		case v.base[sq] == legal.PieceOf(s, legal.Pawn) && v.at[sq] == legal.NoPiece:
			from = sq
		case v.at[sq].Side() == s && canPromoteTo(v.at[sq].Kind()) && sq.Rank() == last:
			to = sq
		}
	}
	if squares(v.diff) != 2 || from == legal.NoSquare || to == legal.NoSquare {
		return shape{}, false
	}
	uci := uciOf(from, to, v.at[to].Kind())
	verdict := v.pos.Explain(uci)
	return v.illegalShape(&verdict, uci, v.diff)
}

// promotedTo looks at a pawn of which something has come to the last rank.
func (v *view) promotedTo(from, to legal.Square) (shape, bool) {
	s, is := v.mover(), v.at[to]
	set := uint64(1)<<from | 1<<to
	rest := v.diff &^ set
	parked, extra := v.parked(rest)
	extra = extra && v.base[to].Side() != s // else it is he who stood there, and who went away
	switch {
	case is == legal.PieceOf(s, legal.Pawn) && (rest == 0 || extra):
		return v.notExchanged(from, to, set|rest)
	case is.Kind() == legal.King && rest == 0:
		return v.kingPut(from, to, set)
	case rest == 0 && canPromoteTo(is.Kind()):
		return v.wrongColour(from, to, set)
	case extra && is.Side() == s && canPromoteTo(is.Kind()):
		return v.twoPieces(from, to, parked, set|rest)
	}
	return shape{}, false
}

// parked returns the square of a new piece of the mover's beside the promotion square: one square, empty before.
func (v *view) parked(rest uint64) (legal.Square, bool) {
	if squares(rest) != 1 {
		return legal.NoSquare, false
	}
	sq := legal.Square(lowest(rest))
	is := v.at[sq]
	return sq, v.base[sq] == legal.NoPiece && is.Side() == v.mover() && canPromoteTo(is.Kind())
}

// forced is the position after a promotion, complete: for an unexchanged pawn the queen (FIDE Laws 7.5.2).
func (v *view) forced(from, to legal.Square, k legal.Kind) (legal.Setup, bool) {
	verdict := v.pos.Explain(uciOf(from, to, k))
	if !verdict.Legal || verdict.Doubt {
		return legal.Setup{}, false
	}
	return v.played(verdict.Move), true
}

// notExchanged is a pawn that stands on the last rank at the press. A piece beside it is one that was brought and not
// put.
func (v *view) notExchanged(from, to legal.Square, set uint64) (shape, bool) {
	uci := uciOf(from, to, legal.NoKind)
	verdict := v.pos.Explain(uci)
	sh, ok := v.illegalShape(&verdict, uci, set)
	if ok && sh.kind == kinds.IllegalPromoIncomplete {
		b := v.strikeBound()
		if c := v.putLater(to); c != nil && canPromoteTo(c.is.Kind()) && !b.after(v.press.Hi, c) {
			return shape{}, false // it may have stood there at the press
		}
		sh.open = !v.final && v.now < v.press.Hi+b.us
		sh.after, sh.stands = v.forced(from, to, legal.Queen)
	}
	return sh, ok
}

// kingPut is a second king on the promotion square, whosever.
func (v *view) kingPut(from, to legal.Square, set uint64) (shape, bool) {
	if _, ok := v.forced(from, to, legal.Queen); !ok {
		return v.pawnFault(from, to, set)
	}
	uci := uciOf(from, to, legal.King)
	verdict := v.pos.Explain(uci)
	return v.illegalShape(&verdict, uci, set)
}

// pawnFault is a promotion that was wrong already as a pawn's move.
func (v *view) pawnFault(from, to legal.Square, set uint64) (shape, bool) {
	uci := uciOf(from, to, legal.Queen)
	verdict := v.pos.Explain(uci)
	return v.illegalShape(&verdict, uci, set)
}

// wrongColour is the right type in the other colour: the piece is swapped (laws notes 1.4).
func (v *view) wrongColour(from, to legal.Square, set uint64) (shape, bool) {
	kind := v.at[to].Kind()
	after, ok := v.forced(from, to, kind)
	if !ok {
		return v.pawnFault(from, to, set)
	}
	sh := v.shapeOf(kinds.PromoWrongColour, rules.Certain, set)
	sh.uci = uciOf(from, to, kind)
	sh.articles = []string{"3.7.3.3"}
	sh.reason = words.Say("why.promo.colour", to, kind)
	sh.after, sh.stands = after, true
	return sh, true
}

// twoPieces is one new piece too many. The first that touched the promotion square counts (FIDE Laws 4.4.4).
func (v *view) twoPieces(from, to, parked legal.Square, set uint64) (shape, bool) {
	kind := v.at[to].Kind()
	if c := v.firstPut(to); c != nil {
		kind = c.is.Kind()
	}
	after, ok := v.forced(from, to, kind)
	if !ok {
		return shape{}, false // wrong for more than one reason: nothing is certain
	}
	sh := v.shapeOf(kinds.IllegalPromoTwo, rules.Certain, set)
	sh.uci = uciOf(from, to, kind)
	sh.articles = []string{"3.7.3.3", "4.4.4"}
	sh.reason = words.Say("why.promo.two", to, parked)
	sh.note = words.Say("saw.parked", parked)
	sh.after, sh.stands = after, true
	return sh, true
}

// firstPut returns the first report of a new piece of the mover's on the promotion square.
func (v *view) firstPut(to legal.Square) *change {
	for i := range v.changes {
		if c := &v.changes[i]; c.sq == to && c.is.Side() == v.mover() && canPromoteTo(c.is.Kind()) {
			return c
		}
	}
	return nil
}

// promotionMissing is a pawn that has left the seventh rank while nothing of it is read on the last.
func (v *view) promotionMissing(from legal.Square) (shape, bool) {
	last, _ := lastRank(v.mover())
	unread := legal.NoSquare
	for f := max(from.File()-1, 0); f <= min(from.File()+1, 7); f++ {
		to := legal.SquareOf(f, last)
		if !v.mayPromoteOn(from, to) {
			continue
		}
		if c := v.putLater(to); c != nil {
			return v.exchangedLater(from, to, c)
		}
		if v.at[to] == legal.NoPiece {
			unread = to // one at most: the square ahead, or that of the one piece that was taken off
		}
	}
	if unread == legal.NoSquare {
		return shape{}, false
	}
	return v.pieceUnread(from, unread)
}

// mayPromoteOn says that the pawn may go there, that nothing else differs, and that its victim, if it has one, either
// still stands or was taken off.
func (v *view) mayPromoteOn(from, to legal.Square) bool {
	if v.diff&^(1<<from|1<<to) != 0 || v.at[to] != legal.NoPiece && v.at[to] != v.base[to] {
		return false
	}
	_, ok := v.forced(from, to, legal.Queen)
	return ok
}

// putLater returns the first report after the press of anything on that square, too late to belong to before it.
func (v *view) putLater(sq legal.Square) *change {
	for i := range v.later {
		if c := &v.later[i]; c.sq == sq && c.is != legal.NoPiece {
			if c.was == legal.NoPiece || c.is.Side() != c.was.Side() {
				return c
			}
		}
	}
	return nil
}

// exchangedLater is the new piece put after the press. Strong and not certain: until then the board cannot have read
// it.
func (v *view) exchangedLater(from, to legal.Square, c *change) (shape, bool) {
	if !v.seenPromoting(from, to, c) {
		return shape{}, false
	}
	sh := v.shapeOf(kinds.IllegalPromoIncomplete, rules.Strong, 1<<from|1<<to)
	sh.shown = c
	sh.uci = uciOf(from, to, legal.NoKind)
	sh.reason = words.Say("why.promo.late", from, to)
	sh.note = words.Say("saw.came_late", c.is.Kind(), v.howLate(c))
	sh.after, sh.stands = v.forced(from, to, legal.Queen)
	return sh, true
}

// seenPromoting says that nothing else explains why the new piece was read so late: see bound.unfinished.
func (v *view) seenPromoting(from, to legal.Square, c *change) bool {
	verdict := v.pos.Explain(uciOf(from, to, legal.Queen))
	if v.shaken || !verdict.Legal {
		return false
	}
	changes := slices.Concat(v.changes, v.later)
	n := 1 + slices.IndexFunc(changes, func(o change) bool { return o == *c })
	base := v.pos.Placement()
	b := v.strikeBound()
	return b.after(v.press.Hi, c) && b.placed(verdict.Move, changes[:n], v.press.Hi) && steady(&base, verdict.Move, changes[:n])
}

// pieceUnread is a promotion square that reads empty to the end: the new piece lies on its side, or has no chip.
func (v *view) pieceUnread(from, to legal.Square) (shape, bool) {
	kind := legal.Queen
	if c := v.firstPut(to); c != nil {
		kind = c.is.Kind()
	}
	sh := v.shapeOf(kinds.Unreadable, rules.Certain, 1<<from|1<<to)
	sh.uci = uciOf(from, to, kind)
	sh.open = !v.final
	sh.after, sh.stands = v.forced(from, to, kind)
	return sh, true
}

// pawnStays is a promotion piece put on the last rank while its pawn still stands before it: the pawn is not exchanged,
// as long as it is not taken off.
func (v *view) pawnStays() (shape, bool) {
	var list legal.MoveList
	v.pos.Moves(&list)
	for _, m := range list.Slice() {
		if m.Promotion() == legal.NoKind {
			continue
		}
		want := placementAfter(v.base, m)
		want[m.From()] = v.base[m.From()]
		if want != v.at || !v.final {
			continue
		}
		if _, done := v.doneLater(); done {
			break
		}
		s := v.shapeOf(kinds.IllegalPromoIncomplete, rules.Certain, 1<<m.From()|1<<m.To())
		s.uci = uciOf(m.From(), m.To(), legal.NoKind)
		s.reason = words.Say("why.promo.left", m.Promotion(), m.To(), m.From())
		s.note = words.Say("saw.pawn_left")
		after := v.pos.After(m)
		s.stands, s.after = true, after.Setup()
		return s, true
	}
	return shape{}, false
}
