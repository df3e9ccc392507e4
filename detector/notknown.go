package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// This file keeps the record exact or marks it as not known. Where more than one row of plies leads to the board and
// nothing that was seen decides between them, the plies on which the rows differ are a span of the record that is not
// known. The game goes on after it from a position that all rows share. Nothing is invented.

// commitFitting commits the first n plies of a row. The plies on which other fitting rows differ from it are reported
// as not known.
func (t *Tracker) commitFitting(r *row, n int, last CommittedBy) {
	if len(r.moves) > 1 && !r.seen {
		defer t.markChosen(t.g.last().ply)
	}
	first, again := r.shared()
	if first == len(r.moves) {
		t.commitRow(r.moves[:n], last)
		return
	}
	t.trust.movesUntilTrusted = movesUntilSound
	base := t.g.last()
	ply := base.ply
	to := ply + again
	if len(r.moves) > longestSure {
		first, again, to = 0, max(again, n), 0
	}
	pos := r.before(base.pos, again)
	t.commitRow(r.moves[:min(first, n)], ByReply)
	if t.phase != playing {
		return
	}
	t.pushNotKnown(pos, ply+again, ply+first+1, to)
	t.trust.castlingRightsDoubtful = true
	if t.b.HistoryIncomplete = true; again < n {
		t.commitRow(r.moves[again:n], last)
		return
	}
	t.b.Clear()
	t.clearDoubts()
	t.checkEnd()
}

// longestSure is the length of the longest row of which those plies are known that all fitting rows share. A longer row
// moves a piece twice: an illegal move, or a press without a move, may have had the same effect by fewer plies, none of
// them the row's.
const longestSure = 3

// shared returns the number of plies with which all fitting rows begin, and the ply from which on they are the same
// again.
func (r *row) shared() (first, again int) {
	n := len(r.moves)
	first, again = n, 0
	for _, o := range r.also {
		i, j := 0, n
		for i < n && o[i] == r.moves[i] {
			i++
		}
		for j > 0 && o[j-1] == r.moves[j-1] {
			j--
		}
		first, again = min(first, i), max(again, j)
	}
	return first, again
}

// before returns the position from which the n-th ply is played, and those after it. A right to castle that one of the
// rows leaves is kept: no castling is judged illegal because of plies that are not known.
func (r *row) before(from legal.Position, n int) legal.Position {
	pos := play.After(from, r.moves[:n])
	s := pos.Setup()
	for _, o := range r.also {
		other := play.After(from, o[:n])
		as := other.Setup()
		s.Castling |= as.Castling
		if as.EnPassant != legal.NoSquare {
			s.EnPassant = as.EnPassant
		}
	}
	if merged, err := s.Standing(); err == nil {
		return merged
	}
	return pos
}

// rebaseOn goes on from a position that no legal move of the record leads to, at the given ply at least. Lost means
// that more plies may have been played than that; the same follows from a board that has changed by more than one ply
// more.
func (t *Tracker) rebaseOn(pos legal.Position, ply int, lost bool) {
	t.unexplainedPress = Found{} // it is the game now: the report stays
	last := t.g.last()
	base, to, place := last.ply, plyFor(&pos, ply), pos.Placement()
	lost = lost || play.TooDifferent(&last.place, &place, to-base)
	t.b.HistoryIncomplete = true
	switch {
	case to <= base:
		t.g.grow(node{pos: pos, place: pos.Placement(), ply: to})
		t.noteBreak("row.broken_position", &pos)
	case lost || to != ply:
		t.pushNotKnown(pos, to, base+1, 0)
	default:
		t.pushNotKnown(pos, to, base+1, to)
	}
}

// pushNotKnown appends a position at a ply to the record, after plies that are not known; last is 0 where not even
// their number is known.
func (t *Tracker) pushNotKnown(pos legal.Position, ply, first, last int) {
	before := t.g.pos()
	pos = numbered(pos, before.FullMoves()+ply/2-t.g.last().ply/2)
	t.g.grow(node{pos: pos, place: pos.Placement(), ply: ply, unseen: notKnown})
	t.holesUnread = true
	if t.gapLately() {
		t.sync.gapPastFromPly = max(t.sync.gapPastFromPly, ply+gapPlies)
	}
	t.emit(NotKnown{Stamp: t.now, Game: t.games, From: first, To: last, Before: before, Position: pos})
}

// numbered returns a position with the given move number: until then it has the number of the last known ply.
func numbered(pos legal.Position, move int) legal.Position {
	s := pos.Setup()
	s.FullMoves = move
	if same, err := s.Standing(); err == nil {
		return same
	}
	return pos
}

// notKnownAtEnd reports, where a game ends, that the plies after the last one of the record are not known.
func (t *Tracker) notKnownAtEnd() {
	if t.phase != playing || !t.playUnseen() && t.alt.presses < bothPressed || !t.showsPlies() {
		return
	}
	if pos, ok := t.stoodLast(); ok {
		base := t.g.last().ply
		t.pushNotKnown(pos, plyFor(&pos, base+1), base+1, 0)
		return
	}
	t.endNotKnown()
}

// bothPressed is the number of unexplained presses in a row that are those of both players.
const bothPressed = 2

// endNotKnown reports the same where no position after those plies is known either.
func (t *Tracker) endNotKnown() {
	t.emit(NotKnown{Stamp: t.now, Game: t.games, From: t.g.last().ply + 1, Before: t.g.pos()})
	t.sync.gapPastFromPly = 0 // it is reported once
}

// playUnseen reports whether plies may have been played since the last one of the record without any report, and the
// boards since then have not shown them.
func (t *Tracker) playUnseen() bool {
	if !t.cutSinceLastPly() || t.stoodInGap() {
		return false
	}
	ran := t.sync.beforeAt == 0 || t.sync.before.Running
	return t.trust.boardUnexplained || t.sync.pliesUnknown || ran && (t.sync.active && t.g.last().ply > 0 || t.follower != nil && t.sync.reportsLost)
}

// stoodInGap reports whether the clock has been stopped since before the last gap, and had not been pressed since the
// last ply of the record.
func (t *Tracker) stoodInGap() bool {
	base := t.g.last()
	was, is := base.clock, t.c.Times()
	if t.sync.beforeAt == 0 || t.sync.before.Running || t.c.Running() || !was.Known || !is.Known || t.c.Turn() != base.pos.Turn() {
		return false
	}
	change := is.White - was.White
	if base.pos.Turn() == legal.White {
		change = is.Black - was.Black
	}
	return change >= -1 && change <= 1
}

// showsPlies reports whether a piece is on another square than in the record. Kings that signal a result do not count,
// nor do the pieces that were in their way or were taken off the board.
func (t *Tracker) showsPlies() bool {
	place, live := t.g.last().place, &t.b.Live
	_, kings := kingsResult(live)
	var aside [legal.BlackKing + 1]int
	moved := false
	for sq, is := range live {
		if kings && is.Kind() == legal.King && place[sq] != legal.NoPiece {
			aside[place[sq]]++
		}
	}
	for sq, is := range live {
		switch {
		case is == place[sq] || is == legal.NoPiece || kings && is.Kind() == legal.King:
		case aside[is] > 0:
			aside[is]--
		default:
			moved = true
		}
	}
	return moved
}

// stoodLast returns the last position that was on the board for a while, before the kings signalled the result. A board
// that a lift has led to is left out.
func (t *Tracker) stoodLast() (pos legal.Position, ok bool) {
	turn := t.c.Turn()
	for n := len(t.b.Changes); n > 0 && n >= t.b.GapToChange && turn != legal.NoSide; n-- {
		c, place := &t.b.Changes[n-1], t.b.After(n)
		if _, kings := kingsResult(&place); kings || t.b.Stood(n) < evidence.StoodUS || !c.FromDump && c.Is == legal.NoPiece {
			continue
		}
		if pos, ok = t.positionFrom(place, turn); ok {
			return pos, true
		}
	}
	return pos, false
}
