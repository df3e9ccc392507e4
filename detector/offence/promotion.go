package offence

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A pawn has come to the last rank, or has left the board before it (FIDE Laws 3.7.3.3, 7.5.2): it was not exchanged,
// or exchanged for the wrong piece, for two, or for one that the board cannot read. The board at the press counts; a
// piece put there later changes nothing but the proof.
//
// Innocent look-alikes: the piece is there at the press, or is reported within one scan of it; a dump finds it; the
// promotion is wrong for another reason, which is then the offence.

func seePromotion(v *View) (Shape, bool) {
	if sh, ok := v.promotedOutOfReach(); ok {
		return sh, true
	}
	s := v.Mover()
	last, before := play.LastRank(s)
	pawn := legal.PieceOf(s, legal.Pawn)
	from, gone := legal.NoSquare, 0
	for f := 0; f < 8; f++ {
		if sq := legal.SquareOf(f, before); v.Base[sq] == pawn && v.At[sq] == legal.NoPiece {
			from = sq
			gone++
		}
	}
	if gone == 0 {
		return v.pawnStays()
	}
	if gone != 1 {
		return Shape{}, false
	}
	for f := max(from.File()-1, 0); f <= min(from.File()+1, 7); f++ {
		to := legal.SquareOf(f, last)
		if v.At[to] == v.Base[to] || v.At[to] == legal.NoPiece {
			continue
		}
		if sh, ok := v.promotedTo(from, to); ok {
			return sh, true
		}
	}
	return v.promotionMissing(from)
}

// promotedOutOfReach recognises a pawn that is missing, from any square, and a new piece on a square of the last rank
// that the pawn may not go to.
func (v *View) promotedOutOfReach() (Shape, bool) {
	s := v.Mover()
	last, _ := play.LastRank(s)
	from, to := legal.NoSquare, legal.NoSquare
	for set := v.Diff; set != 0; set &= set - 1 {
		switch sq := play.Lowest(set); {
		case v.Base[sq] == legal.PieceOf(s, legal.Pawn) && v.At[sq] == legal.NoPiece:
			from = sq
		case v.At[sq].Side() == s && CanPromoteTo(v.At[sq].Kind()) && sq.Rank() == last:
			to = sq
		}
	}
	if play.Count(v.Diff) != 2 || from == legal.NoSquare || to == legal.NoSquare {
		return Shape{}, false
	}
	uci := UCI(from, to, v.At[to].Kind())
	verdict := v.Pos.Explain(uci)
	return v.illegalShape(&verdict, uci, v.Diff)
}

// promotedTo judges a pawn that has left its square, with a piece on a square of the last rank.
func (v *View) promotedTo(from, to legal.Square) (Shape, bool) {
	s, is := v.Mover(), v.At[to]
	set := uint64(1)<<from | 1<<to
	rest := v.Diff &^ set
	parked, extra := v.parked(rest)
	extra = extra && v.Base[to].Side() != s // otherwise this piece has only left the last rank
	switch {
	case is == legal.PieceOf(s, legal.Pawn) && (rest == 0 || extra):
		return v.notExchanged(from, to, set|rest)
	case is.Kind() == legal.King && rest == 0:
		return v.kingPut(from, to, set)
	case rest == 0 && CanPromoteTo(is.Kind()):
		return v.wrongColour(from, to, set)
	case extra && is.Side() == s && CanPromoteTo(is.Kind()):
		return v.twoPieces(from, to, parked, set|rest)
	}
	return Shape{}, false
}

// parked returns the square of a new piece of the mover's beside the promotion square, which was empty before.
func (v *View) parked(rest uint64) (legal.Square, bool) {
	if play.Count(rest) != 1 {
		return legal.NoSquare, false
	}
	sq := play.Lowest(rest)
	is := v.At[sq]
	return sq, v.Base[sq] == legal.NoPiece && is.Side() == v.Mover() && CanPromoteTo(is.Kind())
}

// forced returns the position after a completed promotion: for a pawn that was not exchanged the queen counts (FIDE
// Laws 7.5.2).
func (v *View) forced(from, to legal.Square, k legal.Kind) (legal.Setup, bool) {
	verdict := v.Pos.Explain(UCI(from, to, k))
	if !verdict.Legal || verdict.Doubt {
		return legal.Setup{}, false
	}
	return v.Played(verdict.Move), true
}

// notExchanged judges a pawn that is on the last rank at the press. A piece beside it was fetched and not put in its
// place.
func (v *View) notExchanged(from, to legal.Square, set uint64) (Shape, bool) {
	uci := UCI(from, to, legal.NoKind)
	verdict := v.Pos.Explain(uci)
	sh, ok := v.illegalShape(&verdict, uci, set)
	if ok && sh.Kind == kinds.IllegalPromoIncomplete {
		b := v.strikeBound()
		if c := v.putLater(to); c != nil && CanPromoteTo(c.Is.Kind()) && !b.After(v.Press.Hi, c) {
			return Shape{}, false // it may have been there at the press
		}
		sh.MayBeCompleted = !v.Final && v.Now < v.Press.Hi+b.US
		sh.After, sh.Stands = v.forced(from, to, legal.Queen)
	}
	return sh, ok
}

// kingPut judges a second king, of either side, on the promotion square.
func (v *View) kingPut(from, to legal.Square, set uint64) (Shape, bool) {
	if _, ok := v.forced(from, to, legal.Queen); !ok {
		return v.pawnFault(from, to, set)
	}
	uci := UCI(from, to, legal.King)
	verdict := v.Pos.Explain(uci)
	return v.illegalShape(&verdict, uci, set)
}

// pawnFault judges a promotion that was already wrong as a pawn move.
func (v *View) pawnFault(from, to legal.Square, set uint64) (Shape, bool) {
	uci := UCI(from, to, legal.Queen)
	verdict := v.Pos.Explain(uci)
	return v.illegalShape(&verdict, uci, set)
}

// wrongColour judges a promotion piece of the right kind and the wrong colour: the piece is swapped (laws notes 1.4).
func (v *View) wrongColour(from, to legal.Square, set uint64) (Shape, bool) {
	kind := v.At[to].Kind()
	after, ok := v.forced(from, to, kind)
	if !ok {
		return v.pawnFault(from, to, set)
	}
	sh := v.ShapeOf(kinds.PromoWrongColour, rules.Certain, set)
	sh.UCI = UCI(from, to, kind)
	sh.Articles = []string{"3.7.3.3"}
	sh.Reason = words.Say("why.promo.colour", to, kind)
	sh.After, sh.Stands = after, true
	return sh, true
}

// twoPieces judges one new piece too many. The piece that first touched the promotion square counts (FIDE Laws 4.4.4).
func (v *View) twoPieces(from, to, parked legal.Square, set uint64) (Shape, bool) {
	kind := v.At[to].Kind()
	if c := v.firstPut(to); c != nil {
		kind = c.Is.Kind()
	}
	after, ok := v.forced(from, to, kind)
	if !ok {
		return Shape{}, false // wrong for more than one reason: nothing is certain
	}
	sh := v.ShapeOf(kinds.IllegalPromoTwo, rules.Certain, set)
	sh.UCI = UCI(from, to, kind)
	sh.Articles = []string{"3.7.3.3", "4.4.4"}
	sh.Reason = words.Say("why.promo.two", to, parked)
	sh.Note = words.Say("saw.parked", parked)
	sh.After, sh.Stands = after, true
	return sh, true
}

// firstPut returns the first report of a new piece of the mover's on the promotion square.
func (v *View) firstPut(to legal.Square) *evidence.Change {
	for i := range v.Changes {
		if c := &v.Changes[i]; c.Square == to && c.Is.Side() == v.Mover() && CanPromoteTo(c.Is.Kind()) {
			return c
		}
	}
	return nil
}

// promotionMissing judges a pawn that has left the seventh rank while the last rank shows no new piece.
func (v *View) promotionMissing(from legal.Square) (Shape, bool) {
	last, _ := play.LastRank(v.Mover())
	unread := legal.NoSquare
	for f := max(from.File()-1, 0); f <= min(from.File()+1, 7); f++ {
		to := legal.SquareOf(f, last)
		if !v.mayPromoteOn(from, to) {
			continue
		}
		if c := v.putLater(to); c != nil {
			return v.exchangedLater(from, to, c)
		}
		if v.At[to] == legal.NoPiece {
			unread = to // one at most: the square ahead, or that of the one piece that was taken off
		}
	}
	if unread == legal.NoSquare {
		return Shape{}, false
	}
	return v.pieceUnread(from, unread)
}

// mayPromoteOn reports whether the pawn may go there, nothing else differs, and the piece that it would capture, if
// any, is still there or was taken off.
func (v *View) mayPromoteOn(from, to legal.Square) bool {
	if v.Diff&^(1<<from|1<<to) != 0 || v.At[to] != legal.NoPiece && v.At[to] != v.Base[to] {
		return false
	}
	_, ok := v.forced(from, to, legal.Queen)
	return ok
}

// putLater returns the first report of a piece on that square after the press.
func (v *View) putLater(sq legal.Square) *evidence.Change {
	for i := range v.Later {
		if c := &v.Later[i]; c.Square == sq && c.Is != legal.NoPiece {
			if c.Was == legal.NoPiece || c.Is.Side() != c.Was.Side() {
				return c
			}
		}
	}
	return nil
}

// exchangedLater judges a new piece that was put down after the press. The proof is strong and not certain: the board
// may have failed to read the piece until then.
func (v *View) exchangedLater(from, to legal.Square, c *evidence.Change) (Shape, bool) {
	if !v.seenPromoting(from, to, c) {
		return Shape{}, false
	}
	sh := v.ShapeOf(kinds.IllegalPromoIncomplete, rules.Strong, 1<<from|1<<to)
	sh.Shown = c
	sh.UCI = UCI(from, to, legal.NoKind)
	sh.Reason = words.Say("why.promo.late", from, to)
	sh.Note = words.Say("saw.came_late", c.Is.Kind(), v.howLate(c))
	sh.After, sh.Stands = v.forced(from, to, legal.Queen)
	return sh, true
}

// seenPromoting reports whether nothing else explains why the new piece was read so late: see Bound.Unfinished.
func (v *View) seenPromoting(from, to legal.Square, c *evidence.Change) bool {
	verdict := v.Pos.Explain(UCI(from, to, legal.Queen))
	if v.ReportsDoubtful || !verdict.Legal {
		return false
	}
	changes := slices.Concat(v.Changes, v.Later)
	n := 1 + slices.IndexFunc(changes, func(o evidence.Change) bool { return o == *c })
	base := v.Pos.Placement()
	b := v.strikeBound()
	return b.After(v.Press.Hi, c) && b.placed(verdict.Move, changes[:n], v.Press.Hi) && steady(&base, verdict.Move, changes[:n])
}

// pieceUnread judges a promotion square that reads empty to the end: the new piece lies on its side, or has no chip.
func (v *View) pieceUnread(from, to legal.Square) (Shape, bool) {
	kind := legal.Queen
	if c := v.firstPut(to); c != nil {
		kind = c.Is.Kind()
	}
	sh := v.ShapeOf(kinds.Unreadable, rules.Certain, 1<<from|1<<to)
	sh.UCI = UCI(from, to, kind)
	sh.MayBeCompleted = !v.Final
	sh.After, sh.Stands = v.forced(from, to, kind)
	return sh, true
}

// pawnStays judges a promotion piece on the last rank while its pawn is still before it: the pawn is not exchanged
// until it is taken off.
func (v *View) pawnStays() (Shape, bool) {
	var list legal.MoveList
	v.Pos.Moves(&list)
	for _, m := range list.Slice() {
		if m.Promotion() == legal.NoKind {
			continue
		}
		want := play.PlacementAfter(v.Base, m)
		want[m.From()] = v.Base[m.From()]
		if want != v.At || !v.Final {
			continue
		}
		if _, done := v.doneLater(); done {
			break
		}
		s := v.ShapeOf(kinds.IllegalPromoIncomplete, rules.Certain, 1<<m.From()|1<<m.To())
		s.UCI = UCI(m.From(), m.To(), legal.NoKind)
		s.Reason = words.Say("why.promo.left", m.Promotion(), m.To(), m.From())
		s.Note = words.Say("saw.pawn_left")
		after := v.Pos.After(m)
		s.Stands, s.After = true, after.Setup()
		return s, true
	}
	return Shape{}, false
}

// CanPromoteTo reports whether a pawn may be exchanged for such a piece (FIDE Laws 3.7.3.3).
func CanPromoteTo(k legal.Kind) bool { return k >= legal.Knight && k <= legal.Queen }
