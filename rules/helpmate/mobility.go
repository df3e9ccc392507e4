package helpmate

import "boardwatchd/rules/legal"

// A man is one piece of the board asked about, and what may become of it in any play from there.
type man struct {
	kind  legal.Kind
	side  legal.Side
	home  squares
	reach squares // every square it may ever stand on, and perhaps more
	takes squares // every square on which it may ever capture
	taken bool    // it may ever be captured
	grown bool    // a pawn that may promote: anything, anywhere
}

// steady: it never moves and is never captured.
func (m *man) steady() bool { return m.reach == m.home && !m.taken }

// mobility holds, for every man, a superset of what it can do in any series of legal moves. It is the least fixpoint of rules of
// the form "such a step needs such facts": nothing is assumed movable until a rule allows it. Each rule asks only for what is NECESSARY for a
// legal move in a position whose past is described by the facts so far; so, by induction over the moves of any play, whatever
// happens is in here. The rules:
//
//  1. No piece passes or enters the square of a steady man of its own side or of a steady king; none passes a steady enemy.
//  2. A pawn steps ahead only onto a square without steady man.
//  3. A pawn captures only where an enemy man other than the king may stand (en passant: where the victim's single step
//     would have ended, which is as possible as its double step).
//  4. A king never enters a square that a steady enemy man attacks; a slider attacks along squares nobody can ever stand on.
//  5. A pawn that may reach the last rank may then be any piece anywhere.
//  6. A king makes no move that must leave the other side without a move, unless it may mate by opening a line (stalemate.go).
//  7. The winner's only man beside the king is never taken: nothing could follow.
//
// Rules 6 and 7 leave out moves that are legal, but after which the winner cannot mate any more. Not for boards with a castling right
// or a possible capture en passant.
type mobility struct {
	winner legal.Side
	men    [32]man
	count  int
	steady squares
	spare  int // the man of rule 7, or -1
	// By side: what its steady men attack, without its king and with it.
	watched, forbidden [3]squares
}

// survey fills in the men of a position; false if mobility does not apply.
func (b *mobility) survey(pos *legal.Position, winner legal.Side) bool {
	b.winner, b.count = winner, 0
	if pos.EnPassant() != legal.NoSquare || pos.Castling() != 0 {
		return false
	}
	for s := legal.A1; s < legal.NoSquare; s++ {
		if p := pos.PieceAt(s); p != legal.NoPiece {
			b.men[b.count] = man{kind: p.Kind(), side: p.Side(), home: set(s), reach: set(s)}
			b.count++
		}
	}
	b.spare = b.lastMan()
	for b.round() {
	}
	return true
}

// lastMan is the index of the winner's only man beside the king, or -1.
func (b *mobility) lastMan() int {
	last := -1
	for i := range b.men[:b.count] {
		if m := &b.men[i]; m.side == b.winner && m.kind != legal.King {
			if last >= 0 {
				return -1
			}
			last = i
		}
	}
	return last
}

// round applies every rule once and tells whether anything was new.
func (b *mobility) round() (changed bool) {
	b.freeze()
	var stands, takes [3]squares // by side: men other than kings; all men
	for i := range b.men[:b.count] {
		if m := &b.men[i]; m.kind != legal.King {
			stands[m.side] |= m.reach
		}
	}
	for i := range b.men[:b.count] {
		m := &b.men[i]
		before := m.reach
		b.move(m, stands[m.side.Other()])
		takes[m.side] |= m.takes
		changed = changed || m.reach != before
	}
	for i := range b.men[:b.count] {
		m := &b.men[i]
		if m.kind != legal.King && i != b.spare && !m.taken && m.reach&takes[m.side.Other()] != 0 {
			m.taken, changed = true, true
		}
	}
	return changed
}

// freeze works out which men are steady so far, and what they attack.
func (b *mobility) freeze() {
	b.steady = 0
	b.watched, b.forbidden = [3]squares{}, [3]squares{}
	ever := squares(0)
	for i := range b.men[:b.count] {
		m := &b.men[i]
		ever |= m.reach
		if m.steady() {
			b.steady |= m.home
		}
	}
	for i := range b.men[:b.count] {
		m := &b.men[i]
		if !m.steady() {
			continue
		}
		strikes := m.strikes(m.home, ^ever)
		b.forbidden[m.side] |= strikes
		if m.kind != legal.King {
			b.watched[m.side] |= strikes
		}
	}
}

// strikes is what the man attacks from any square of a set, looking through open squares.
func (m *man) strikes(from, open squares) squares {
	switch m.kind {
	case legal.Pawn:
		return pawnStrikes(from, m.side)
	case legal.Knight:
		return leapsFrom(from)
	case legal.Bishop:
		return slides(from, open, &diagonal)
	case legal.Rook:
		return slides(from, open, &straight)
	case legal.Queen:
		return slides(from, open, &diagonal) | slides(from, open, &straight)
	case legal.King:
		return around(from) &^ from
	}
	return 0
}

// move grows one man's reach until nothing is new.
func (b *mobility) move(m *man, prey squares) {
	if m.grown {
		return
	}
	if m.kind == legal.Pawn {
		b.movePawn(m, prey)
		return
	}
	barred := b.barred(m.side)
	if m.kind == legal.King {
		barred |= b.forbidden[m.side.Other()]
	}
	for {
		more := m.strikes(m.reach, ^b.steady) &^ barred &^ m.reach
		if m.kind == legal.King {
			more = b.useful(m, more)
		}
		if more == 0 {
			break
		}
		m.reach |= more
	}
	if m.reach != m.home {
		m.takes = m.reach
	}
}

// barred is where no man of the side ever goes: steady men of its own, and steady kings.
func (b *mobility) barred(side legal.Side) (out squares) {
	for i := range b.men[:b.count] {
		if m := &b.men[i]; (m.side == side || m.kind == legal.King) && m.steady() {
			out |= m.home
		}
	}
	return out
}

func (b *mobility) movePawn(m *man, prey squares) {
	for {
		takes := pawnStrikes(m.reach, m.side) & prey
		next := m.reach | takes | pawnSteps(m.reach, m.side)&^b.steady
		if next&(rank1|rank8) != 0 {
			m.reach, m.takes, m.grown = ^squares(0), ^squares(0), true
			return
		}
		m.takes |= takes
		if next == m.reach {
			return
		}
		m.reach = next
	}
}
