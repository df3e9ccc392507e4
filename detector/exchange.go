package detector

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// This file recognises captures on one square that follow each other within a scan or two: the square may read empty
// from the first captured piece to the last capturing one. The pieces that have left their squares, one of each player
// in turn, show the plies.

// An exchange is a row of captures on one square, the last of which may still be under way.
type exchange struct {
	row   []legal.Move
	lifts []int // for each, the number of changes before its piece was lifted
}

// exchangeBegun returns the exchange of two captures or more that the board shows, if it shows nothing else.
func (t *Tracker) exchangeBegun() (x exchange, ok bool) {
	base := t.g.last()
	if !t.readWhole() {
		return x, false
	}
	differs := play.Difference(&base.place, &t.b.Live)
	for set := differs; set != 0; set &= set - 1 {
		sq := play.Lowest(set)
		if base.place[sq].Side() != base.pos.Turn().Other() {
			continue
		}
		if on := t.capturesOn(sq, differs&^(1<<sq)); len(on.row) > 1 {
			if ok {
				return x, false
			}
			x, ok = on, true
		}
	}
	return x, ok
}

// readWhole reports whether no report since the last commit is missing or doubtful.
func (t *Tracker) readWhole() bool {
	return !t.sync.active && !t.sync.pliesUnknown && !t.sync.reportsLost && !t.b.HistoryIncomplete && !t.b.Unreadable && t.b.CountedUnread == 0 && !t.g.last().wrong.open()
}

// judgeExchange judges a press by the side to move that completes the first capture of an exchange of at least the
// given number of plies.
func (t *Tracker) judgeExchange(s legal.Side, at int64, least int, final bool) (done, wait bool) {
	x, ok := t.exchangeBegun()
	if !ok || len(x.row) < least {
		return false, false
	}
	return final && t.pressed(s, "ok", at, x.row[0], x.lifts[1]), !final
}

// capturesOn returns the captures on a square by all the pieces that have left these squares, in the order of their
// lifts; nothing else was touched. The last of the pieces is on the square or in the hand; or the next one is on it,
// and its old square is not read as empty yet.
func (t *Tracker) capturesOn(to legal.Square, from uint64) (x exchange) {
	pos := t.g.pos()
	for i := range t.b.Changes {
		c := &t.b.Changes[i]
		if c.Square == to {
			continue
		}
		m, ok := captureBy(&pos, c.Square, to)
		if !ok || c.Unordered || c.Is != legal.NoPiece || from>>c.Square&1 == 0 {
			return exchange{}
		}
		x.row, x.lifts, pos = append(x.row, m), append(x.lifts, i), pos.After(m)
	}
	stands := t.b.Live[to]
	next := func(m legal.Move) bool { return m.Victim() == to && pos.PieceAt(m.From()) == stands }
	if len(x.row) != play.Count(from) || stands != legal.NoPiece && stands != pos.PieceAt(to) && !play.AnyMove(&pos, next) {
		return exchange{}
	}
	return x
}

// captureBy returns the legal capture from one square on another; promotions are excluded, because there is more than
// one.
func captureBy(pos *legal.Position, from, to legal.Square) (m legal.Move, ok bool) {
	ok = play.AnyMove(pos, func(o legal.Move) bool {
		m = o
		return o.From() == from && o.Victim() == to && o.Promotion() == legal.NoKind
	})
	return m, ok
}
