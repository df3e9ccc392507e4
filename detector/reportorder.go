package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// This file compares plies that nobody saw with the order of the board's reports. After a gap there is nearly always
// some row of legal plies that leads to the board, also where an illegal move or a press without a move was played. The
// board has gone on reporting since, and what it reports has an order: a row is an invention where a later ply was on
// the board before an earlier one, or where its plies have no room between the lift of a piece and what followed.

// contrary reports whether the order of the reports since a gap excludes that these plies were played from a position,
// one after the other, and that the next turn has begun after them.
func (t *Tracker) contrary(pos *legal.Position, moves []legal.Move) bool {
	if t.p.Passive || !t.gapLately() {
		return false
	}
	place := pos.Placement()
	earliest := int64(0) // when the piece of this ply can have been put down
	for i, m := range moves {
		if earliest > 0 && i > 0 {
			earliest += quickestPutUS * t.speed() / 1000
		}
		if l := t.liftOf(place[m.From()], moves, i); l != nil {
			earliest = max(earliest, l.Window.Lo)
		}
		place = play.PlacementAfter(place, m)
		first, last := t.putsOf(m.To(), place[m.To()])
		if last != nil && last.Window.Hi < earliest {
			return true
		}
		if first != nil && !first.FromDump {
			earliest = max(earliest, first.Window.Lo)
		}
	}
	next := pos.Turn()
	if len(moves)%2 == 1 {
		next = next.Other()
	}
	return t.putBefore(next, &place, earliest)
}

// putBefore reports whether a piece of s was put down before a time, and is on a square where it is not in a placement.
func (t *Tracker) putBefore(s legal.Side, place *legal.Placement, before int64) bool {
	return slices.ContainsFunc(t.b.Changes, func(c evidence.Change) bool {
		return c.Is.Side() == s && c.Is == t.b.Live[c.Square] && c.Is != place[c.Square] && c.Window.Hi < before
	})
}

// liftOf returns the report that the piece p left its square, from which only the i-th of these plies takes it; nil
// where there is none.
func (t *Tracker) liftOf(p legal.Piece, moves []legal.Move, i int) *evidence.Change {
	from := moves[i].From()
	for j, m := range moves {
		if m.To() == from || j != i && m.From() == from {
			return nil
		}
	}
	for k := range t.b.Changes {
		if c := &t.b.Changes[k]; c.Square == from {
			if c.Was == p && c.Is == legal.NoPiece && !c.FromDump {
				return c
			}
			return nil
		}
	}
	return nil
}

// putsOf returns the first and the last change that put a piece on a square; nil where there is none.
func (t *Tracker) putsOf(sq legal.Square, p legal.Piece) (first, last *evidence.Change) {
	for i := range t.b.Changes {
		if c := &t.b.Changes[i]; c.Square == sq && c.Is == p {
			if last = c; first == nil {
				first = c
			}
		}
	}
	return first, last
}

// refuteRow takes back a row of plies that nobody saw, whose last ply is on the board and was not pressed, where a
// press of the same player has found another move of theirs beside it: nobody moves twice. Those plies are then not
// known.
func (t *Tracker) refuteRow(s legal.Side, shown *legal.Placement) {
	base, k := t.g.last(), 0 // k plies of the row are in the record
	for k < len(t.g.nodes) && t.g.nodes[len(t.g.nodes)-1-k].ply > t.openAfter {
		k++
	}
	if !t.lastPlyOpen || k == 0 || k >= len(t.g.nodes) || base.pos.Turn() != s {
		return
	}
	played := play.PlacementAfter(base.place, t.openPly)
	if _, _, ok := t.moveFrom(&played, s, shown); !ok {
		return
	}
	t.takeBack(k)
	t.lastPlyOpen, t.b.HistoryIncomplete = false, true
	t.noteGuessedPlies()
}

// refuteGuess takes back the last plies of the record if nobody saw them, and a press that they do not explain came
// next: the game goes on from another board than they lead to, and they may have been others. Those that follow an
// illegal move or a press without a move look like that.
func (t *Tracker) refuteGuess() (refuted bool) {
	nodes, k := t.g.nodes, 0
	for k < len(nodes)-1 && nodes[len(nodes)-1-k].unseen == chosen {
		k++
	}
	if k == 0 || !t.gapLately() {
		return false
	}
	t.takeBackTo(k, 0)
	return true
}
