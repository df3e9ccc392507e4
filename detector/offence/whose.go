package offence

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file decides whose hand displaced a piece. The player in whose turn a piece is displaced puts it right (FIDE
// Laws 7.4.1). The turn ends with the press, whose report may be a second late, while the opponent's hand is already
// over the board: a piece that its sleeve pushes then is displaced on the board of that press.

// sameHandUS is how soon after a piece was displaced the same hand lifts a piece of its own, and withdrawnUS how long
// after a press the sleeve of the player who pressed may still push a piece.
const (
	sameHandUS  = 1_000_000
	withdrawnUS = 2_000_000
)

// inTurn reports whether the pieces on the squares in rest were displaced in the turn of the player who pressed, whose
// move m has left this placement. It was not before the turn began, nor while the opponent's hand was withdrawn after
// the press before, nor while the opponent may have had the turn and a hand on the board. Where one reading of the
// clock has shown this press and others, it is unknown whose turn it was.
func (v *View) inTurn(m legal.Move, placement *legal.Placement, rest uint64) bool {
	if v.PressMerged || v.putBeforeTurn() {
		return false
	}
	done, began := v.FinishedAt(placement, rest), v.turnBegan(rest)
	var last [64]*evidence.Change
	for i := range v.Changes {
		if c := &v.Changes[i]; rest>>c.Square&1 != 0 && c.Was == placement[c.Square] {
			last[c.Square] = c
		}
	}
	for set := rest; set != 0; set &= set - 1 {
		c := last[play.Lowest(set)]
		switch {
		case c == nil:
		case c.Window.Lo < began || c.Window.Hi > v.Press.Hi, v.withdrawing(c, play.Count(rest) == 1), c.Window.Hi > done.Lo && v.mayBeOpponents(m, c, placement, rest, done.Hi):
			return false
		}
	}
	return true
}

// turnBegan returns when the turn had surely begun: when the press before it was reported, or, where there was none,
// when the player to move lifted the first piece that has a part in the move.
func (v *View) turnBegan(rest uint64) int64 {
	if began := max(v.Since, v.Answered); began > 0 || v.Line.Len() <= 1 {
		return began
	}
	for i := range v.Changes {
		if c := &v.Changes[i]; c.Was.Side() == v.Mover() && rest>>c.Square&1 == 0 {
			return c.Window.Hi
		}
	}
	return 1 << 62
}

// withdrawing reports whether a change came so soon after the press before that the withdrawn sleeve of its player may
// have caused it: the player to move had not lifted a piece yet. A sleeve does not bring a piece to a square alone.
func (v *View) withdrawing(c *evidence.Change, alone bool) bool {
	if v.Since == 0 || c.Window.Lo >= v.Since+withdrawnUS || alone {
		return false
	}
	for i := range v.Changes {
		switch o := &v.Changes[i]; {
		case o == c:
			return true
		case o.Was.Side() == v.Mover() && o.Window.Hi >= v.Since:
			return false
		}
	}
	return true
}

// mayBeOpponents reports whether the opponent may have made a change that came after the move was finished.
func (v *View) mayBeOpponents(m legal.Move, c *evidence.Change, placement *legal.Placement, rest uint64, done int64) bool {
	// With one or two of the opponent's pieces on other squares, their own player can have moved one and pushed the
	// other.
	own := play.Count(rest) <= 4 && placement[c.Square].Side() == v.Mover().Other() && oneSide(placement, rest)
	if own && play.Count(rest) == 2 {
		to := play.Lowest(rest &^ (1 << c.Square))
		if v.carried(c, placement, to) || c.Window.Hi > done+sameHandUS && goesOneSquare(placement[c.Square], c.Square, to) {
			return true // the opponent may have replied before the press
		}
	}
	if own && v.OpponentPressed && !v.handOfOpponent(m, rest, done, v.Now) {
		return true // the opponent has pressed since, and moved nothing else
	}
	return c.Window.Hi > v.Press.Lo && (own || v.handOfOpponent(m, rest, done, c.Window.Hi+sameHandUS))
}

// goesOneSquare reports whether a piece moves to a neighbouring empty square as its kind does, whatever that does to the
// king.
func goesOneSquare(p legal.Piece, from, to legal.Square) bool {
	if p.Kind() == legal.Pawn {
		return from.File() == to.File() && to.Rank()-from.Rank() == play.Ahead(p.Side())
	}
	return legal.Reach(p.Kind(), from, 0)>>to&1 != 0
}

// carried reports whether the lifted piece was put on an empty square later than a sleeve pushes it there.
func (v *View) carried(lift *evidence.Change, placement *legal.Placement, to legal.Square) bool {
	put := v.Latest(to, lift.Was)
	return put != nil && placement[to] == legal.NoPiece && put.Window.Hi-lift.Window.Hi > PushUS
}

// FinishedAt returns when the last square of a move changed to what placement has, and was reported.
func (v *View) FinishedAt(placement *legal.Placement, rest uint64) (at evidence.Window) {
	for i := range v.Changes {
		c := &v.Changes[i]
		if rest>>c.Square&1 == 0 && c.Is == placement[c.Square] && v.Base[c.Square] != placement[c.Square] {
			at = c.Window
		}
	}
	return at
}

// handOfOpponent reports whether a piece of the opponent's, other than a displaced or captured one, was lifted or put
// down between two times.
func (v *View) handOfOpponent(m legal.Move, rest uint64, from, to int64) bool {
	o := v.Mover().Other()
	taken := legal.NoPiece
	if sq := m.Victim(); sq < legal.NoSquare {
		taken = v.Base[sq]
	}
	for _, list := range [...][]evidence.Change{v.Changes, v.Later} {
		for i := range list {
			c := &list[i]
			if c.Window.Hi <= from || c.Window.Hi > to || rest>>c.Square&1 != 0 || c.Square == m.Victim() {
				continue
			}
			if carried := v.Base[c.Square] == legal.NoPiece && taken != legal.NoPiece && (c.Is == taken || c.Was == taken); carried {
				continue
			}
			if c.Is.Side() == o || c.Is == legal.NoPiece && c.Was.Side() == o {
				return true
			}
		}
	}
	return false
}

// NameNeither makes a shape accuse neither player: it is unknown whose hand displaced the pieces.
func (s *Shape) NameNeither() {
	s.Proof, s.Permille, s.Side = rules.Hint, HintPermille, legal.NoSide
}

// seePushedByWhom recognises a legal move that was on the board and whose own piece was then pushed to the next square,
// while the opponent may have had the turn and a hand on the board. The board at the press looks like an illegal move,
// or like two moves, of the player who pressed: it is neither.
func seePushedByWhom(v *View) (best Shape, found bool) {
	if play.Count(v.Diff) > play.MaxReplySquares {
		return Shape{}, false
	}
	var list legal.MoveList
	v.Pos.Moves(&list)
	for _, m := range list.Slice() {
		placement := play.PlacementAfter(v.Base, m)
		t, one := OneTransfer(&placement, &v.At)
		if !one || PutBy(m)>>t.From&1 == 0 || !t.Neighbouring() || t.Victim != legal.NoPiece || v.shown(&placement) < play.StillUS {
			continue
		}
		if took := v.Took(t); took < 0 || took > PushUS || v.inTurn(m, &placement, t.squares()) {
			continue
		}
		if found {
			return Shape{}, false
		}
		best, found = v.ShapeOf(kinds.Displaced, rules.Strong, v.Diff|t.squares()), true
		best.UCI = v.Pos.UCI(m)
		best.After, best.Stands = v.Played(m), true
		best.NameNeither()
	}
	return best, found
}
