package helpmate

import "boardwatchd/rules/legal"

// A piece is one piece of the position asked about, with everything that may happen to it in any play from there.
type piece struct {
	kind   legal.Kind
	side   legal.Side
	taken  bool    // it may ever be captured
	grown  bool    // a pawn that may promote: any piece, on any square
	home   squares // its square in that position
	reach  squares // every square that it may ever occupy, and perhaps more
	takes  squares // every square on which it may ever capture
	guards squares // the squares that it attacks at all times, wherever it is
}

// steady reports whether the piece never moves and is never captured.
func (m *piece) steady() bool { return m.reach == m.home && !m.taken }

// mobility holds, for every piece, a superset of its actions in any series of legal moves that ends in mate by the
// winner. It is the least fixpoint of rules of the form "this step needs these facts": nothing is assumed movable until
// a rule allows it. Each rule asks only for facts that are NECESSARY for a legal move in a position whose past obeys
// the facts so far. By induction over the moves of any such series, everything that happens in it is therefore
// included. The rules:
//
//  1. No piece passes or enters the square of a steady piece of its own side or of a steady king; none passes a
//     steady enemy.
//  2. A pawn steps ahead only onto a square without steady piece, and never past a pawn of its file that stays
//     (pawns.go).
//  3. A pawn captures only where an enemy piece other than the king may stand (en passant: where the victim's single
//     step would have ended, which is as possible as its double step; a capture that is possible at once is added by
//     hand).
//  4. A king never enters a square that is attacked at all times by an enemy piece which is never captured; a slider
//     attacks along squares that no other piece can ever occupy.
//  5. A pawn that may reach the last rank may then be any piece anywhere that rule 1 leaves to its side.
//  6. A king makes no move that must leave the other side without a move, unless it may mate by opening a line
//     (stalemate.go).
//  7. The winner's only piece beside the king is never taken: nothing could follow.
//  8. The loser's pieces give no check that the winner cannot answer (checks.go).
//  9. The winner's only piece beside the king gives no check that can only be answered by taking it (checks.go).
//
// Rules 6 to 9 leave out moves that are legal, but after which the winner cannot mate any more. Castling is in
// castle.go.
type mobility struct {
	winner   legal.Side
	count    int
	pieces   [32]piece // first the winner's king, then the loser's
	spare    int       // the piece of rule 7, or -1
	held     bool      // pieces that never moved are not captured: see split.go
	promotes bool      // a pawn of the winner may promote
	paced    bool      // one step at a time: see tempo.go
	rights   [4]right

	// The facts at the beginning of a round.
	steady      squares
	once, twice squares    // squares that at least one piece, and at least two, may ever occupy
	stands      [3]squares // by side: squares on which its pieces other than the king may ever be captured
	land        [3]squares // by side: squares on which its pieces may arrive
	stirs       [3]bool    // by side: a piece other than the king may ever move
	forbidden   [3]squares // by side: squares that its pieces attack at all times, king included
	watched     [3]squares // the same without the king
	homes       [3]squares // by side: squares of its steady pieces, without the king
	files       [8]uint32  // by file: the numbers of the pawns that begin there
}

const (
	winnerKing = iota // the winner's
	loserKing
	firstPiece
)

// survey computes the mobility of a position.
func (b *mobility) survey(pos *legal.Position, winner legal.Side) {
	b.set(pos, winner)
	for b.round() {
	}
}

// set puts the pieces on their squares; no facts are known yet.
func (b *mobility) set(pos *legal.Position, winner legal.Side) {
	b.winner, b.count, b.held, b.promotes = winner, 0, false, false
	b.files = [8]uint32{}
	b.add(pos, winner, legal.King)
	b.add(pos, winner.Other(), legal.King)
	for kind := legal.Pawn; kind < legal.King; kind++ {
		b.add(pos, legal.White, kind)
		b.add(pos, legal.Black, kind)
	}
	b.spare = b.lastPiece()
	b.castling(pos)
	b.passing(pos)
}

func (b *mobility) add(pos *legal.Position, side legal.Side, kind legal.Kind) {
	for x := squares(pos.Pieces(side, kind)); x != 0; x &= x - 1 {
		home := x & -x
		if kind == legal.Pawn {
			b.files[home.first().File()] |= 1 << b.count
		}
		b.pieces[b.count] = piece{kind: kind, side: side, home: home, reach: home}
		b.count++
	}
}

// lastPiece is the number of the winner's only piece beside the king, or -1.
func (b *mobility) lastPiece() int {
	last := -1
	for i := firstPiece; i < b.count; i++ {
		if b.pieces[i].side == b.winner {
			if last >= 0 {
				return -1
			}
			last = i
		}
	}
	return last
}

// round applies every rule once and reports whether anything was new.
func (b *mobility) round() (changed bool) {
	b.freeze()
	var takes [3]squares
	for i := range b.pieces[:b.count] {
		m := &b.pieces[i]
		before, grown := m.reach, m.grown
		b.move(m)
		takes[m.side] |= m.takes
		changed = changed || m.reach != before || m.grown != grown
	}
	if b.castle() {
		changed = true
	}
	return b.lose(takes) || changed
}

// lose finds the pieces that may be captured.
func (b *mobility) lose(takes [3]squares) (changed bool) {
	for i := firstPiece; i < b.count; i++ {
		m := &b.pieces[i]
		if !m.taken && m.reach&takes[m.side.Other()] != 0 && i != b.spare && !(b.held && m.reach == m.home) {
			m.taken, changed = true, true
		}
	}
	return changed
}

// freeze computes the consequences of the facts so far.
func (b *mobility) freeze() {
	b.steady, b.once, b.twice = 0, 0, 0
	b.stands, b.homes, b.stirs = [3]squares{}, [3]squares{}, [3]bool{}
	var capturable [3]squares // by side: its steady pieces that may be captured where they stand
	for i := range b.pieces[:b.count] {
		m := &b.pieces[i]
		b.twice |= b.once & m.reach
		b.once |= m.reach
		steady := m.steady()
		if steady {
			b.steady |= m.home
		}
		if i < firstPiece {
			continue
		}
		if m.reach != m.home {
			b.stirs[m.side] = true
		}
		if steady {
			b.homes[m.side] |= m.home
		}
		if steady && b.held || i == b.spare {
			continue
		}
		b.stands[m.side] |= m.reach
		if steady {
			capturable[m.side] |= m.home
		}
	}
	b.land[legal.White] = ^b.steady | capturable[legal.Black]
	b.land[legal.Black] = ^b.steady | capturable[legal.White]
	b.noteMovable()
	b.guard()
}

// noteMovable notes the pieces that have a legal move although their reach holds none: a move that rules 8 and 9 leave
// out, or a capture that is left for another case (split.go). Their side is then not without a move, as rule 6
// requires.
func (b *mobility) noteMovable() {
	for i := firstPiece; i < b.count; i++ {
		m := &b.pieces[i]
		if b.stirs[m.side] {
			continue
		}
		goals, steps := b.land[m.side], squares(0)
		if m.kind == legal.Pawn {
			goals, steps = b.stands[m.side.Other()], pawnSteps(m.reach, m.side)&^(b.steady|b.ahead(m))
		}
		if b.held {
			goals |= b.homes[m.side.Other()]
		}
		b.stirs[m.side] = steps|m.strikes(m.reach, ^b.steady)&goals != 0
	}
}

// guard finds the squares that are attacked at all times.
func (b *mobility) guard() {
	b.watched = [3]squares{}
	for i := range b.pieces[:b.count] {
		m := &b.pieces[i]
		m.guards = 0
		if !m.taken && !m.grown {
			m.guards = b.always(m, 0)
			if i >= firstPiece {
				b.watched[m.side] |= m.guards
			}
		}
	}
	b.forbidden = b.watched
	b.forbidden[b.winner] |= b.pieces[winnerKing].guards
	b.forbidden[b.winner.Other()] |= b.pieces[loserKing].guards
}

// always is the set that an uncaptured piece attacks from every square that it may occupy, wherever the other pieces
// are. The blockers are further squares to count as occupied.
func (b *mobility) always(m *piece, blockers squares) squares {
	open := ^(b.twice | b.once&^m.reach | blockers)
	if m.reach == m.home {
		return m.strikes(m.home, open)
	}
	if m.kind == legal.Pawn || m.reach.count() > 4 {
		return 0
	}
	all := ^squares(0)
	for x := m.reach; x != 0; x &= x - 1 {
		all &= m.strikes(x&-x, open)
	}
	return all
}

// strikes is what the piece attacks from any square of a set, looking through open squares.
func (m *piece) strikes(from, open squares) squares {
	switch m.kind {
	case legal.Pawn:
		return pawnStrikes(from, m.side)
	case legal.Knight:
		return leapsFrom(from)
	case legal.Bishop:
		return diagonals(from, open)
	case legal.Rook:
		return straights(from, open)
	case legal.Queen:
		return diagonals(from, open) | straights(from, open)
	case legal.King:
		return beside(from)
	}
	return 0
}

// move grows one piece's reach until nothing is new.
func (b *mobility) move(m *piece) {
	switch {
	case m.grown:
		m.reach |= b.land[m.side]
		m.takes = m.reach
	case m.kind == legal.Pawn:
		b.movePawn(m)
	case m.kind == legal.King:
		b.moveKing(m)
	default:
		b.movePiece(m)
	}
}

func (b *mobility) moveKing(m *piece) {
	land := b.land[m.side] &^ b.forbidden[m.side.Other()]
	for {
		more := around(m.reach) & land &^ m.reach
		if more != 0 && !b.paced {
			more = b.useful(m, more)
		}
		if more == 0 {
			break
		}
		m.reach |= more
		if b.paced {
			break
		}
	}
	if m.reach != m.home {
		m.takes = m.reach
	}
}

func (b *mobility) movePiece(m *piece) {
	more := m.strikes(m.reach, ^b.steady) & b.land[m.side] &^ m.reach
	if more == 0 {
		return
	}
	land := b.land[m.side] &^ b.pointless(m)
	for more &= land; more != 0; more = m.strikes(m.reach, ^b.steady) & land &^ m.reach {
		m.reach |= more
		if b.paced {
			break
		}
	}
	if m.reach != m.home {
		m.takes = m.reach
	}
}
