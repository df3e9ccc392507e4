package detector

import "boardwatchd/rules/legal"

// Exact or not known: where more than one row of plies leads to the board and nothing that was seen tells them apart,
// the plies on which the rows differ are a span of the record that is not known. The game goes on behind it from a
// position that all rows share. Nothing is invented.

// commitFitting commits the first n plies of a row. Those on which the rows that fit as well differ from it are told as
// not known.
func (t *Tracker) commitFitting(r *row, n int, last CommittedBy) {
	if len(r.moves) > 1 && !r.seen {
		defer t.markChosen(t.g.last().ply)
	}
	first, behind := r.shared()
	if first == len(r.moves) {
		t.commitRow(r.moves[:n], last)
		return
	}
	t.movesUntilTrusted = soundMoves
	base := t.g.last()
	pos, ply := r.before(base.pos, behind), base.ply
	t.commitRow(r.moves[:min(first, n)], ByReply)
	if t.phase != playing {
		return
	}
	t.pushNotKnown(pos, ply+behind, ply+first+1, ply+behind)
	t.movedHome = true
	if t.b.folded = true; behind < n {
		t.commitRow(r.moves[behind:n], last)
		return
	}
	t.b.clear()
	t.settled()
	t.checkEnd()
}

// shared returns how many plies all fitting rows begin with, and from which ply on they are the same again.
func (r *row) shared() (first, behind int) {
	n := len(r.moves)
	first, behind = n, 0
	for _, o := range r.also {
		i, j := 0, n
		for i < n && o[i] == r.moves[i] {
			i++
		}
		for j > 0 && o[j-1] == r.moves[j-1] {
			j--
		}
		first, behind = min(first, i), max(behind, j)
	}
	return first, behind
}

// before is the position from which the n-th ply is played and those behind it. A right that one of the rows leaves is
// not taken away: nobody is accused of a castling on the ground of plies that are not known.
func (r *row) before(from legal.Position, n int) legal.Position {
	pos := after(from, r.moves[:n])
	s := pos.Setup()
	for _, o := range r.also {
		other := after(from, o[:n])
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

func after(pos legal.Position, moves []legal.Move) legal.Position {
	for _, m := range moves {
		pos = pos.After(m)
	}
	return pos
}

// rebaseOn goes on from a position that no legal move of the record leads to, at the given ply at least. Lost says that
// more plies may have been played than that.
func (t *Tracker) rebaseOn(pos legal.Position, ply int, lost bool) {
	t.strange = Found{} // it is the game now: what was told stays
	base := t.g.last().ply
	to := plyFor(&pos, ply)
	t.b.folded = true
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

// pushNotKnown appends a position at a ply to the record, behind plies that are not known; last is 0 where not even
// their number is known.
func (t *Tracker) pushNotKnown(pos legal.Position, ply, first, last int) {
	before := t.g.pos()
	t.g.grow(node{pos: pos, place: pos.Placement(), ply: ply, unseen: notKnown})
	t.holes = true
	if t.gapLately() {
		t.sync.surePly = max(t.sync.surePly, ply+gapPlies)
	}
	t.emit(NotKnown{Stamp: t.now, Game: t.games, From: first, To: last, Before: before, Position: pos})
}
