package legal

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/words"
)

// castlingAttempt recognises a transfer meant as castling, possible or not: the king from its home
// to the c- or g-file, two squares or more, with a rook of its own further out; in orthodox chess from the
// e-file with a rook in the corner. In Chess960 also the king put on its own rook. A king that lands on
// another piece of its own is not castling but an own capture.
func (p *Position) castlingAttempt(from, to Square) (Move, bool) {
	home := p.turn.homeRank()
	if p.PieceAt(from) != PieceOf(p.turn, King) || from.Rank() != home || to.Rank() != home || from == to {
		return NoMove, false
	}
	kingside := to > from
	if p.chess960 && p.board[to] == PieceOf(p.turn, Rook) {
		return newCastling(from, castlingTarget(p.turn, kingside), to), true
	}
	if to != castlingTarget(p.turn, kingside) || abs(to.File()-from.File()) < 2 || p.board[to].Side() == p.turn || p.board[to].Kind() == King {
		return NoMove, false
	}
	rook := p.rookBeyond(from, kingside)
	if rook == NoSquare || (!p.chess960 && from.File() != fileE) {
		return NoMove, false
	}
	return newCastling(from, to, rook), true
}

// rookBeyond returns the rook that the player can mean: the one that has the right, else the one in the corner or, in
// Chess960, the outermost.
func (p *Position) rookBeyond(king Square, kingside bool) Square {
	index := castlingIndex(p.turn, kingside)
	if p.rights>>index&1 != 0 {
		return p.rooks[index]
	}
	s := Setup{Placement: p.board}
	file := s.outermostRook(p.turn, kingside)
	if file < 0 || (!p.chess960 && file != fileA && file != fileH) {
		return NoSquare
	}
	return SquareOf(file, king.Rank())
}

func castlingIndex(s Side, kingside bool) int {
	index := 2 * int(s-White)
	if !kingside {
		index++
	}
	return index
}

// castlingFault checks the right first, because no other fact matters once it is lost (FIDE Laws 3.8.2.1); then the
// check on the king; then pieces in the way, because a blocked way is not crossed; then the squares crossed and
// reached.
func (p *Position) castlingFault(m Move) fault {
	kingside := m.To().File() == fileG
	index := castlingIndex(p.turn, kingside)
	rook := m.RookFrom()
	if p.rights>>index&1 == 0 || p.rooks[index] != rook {
		return p.rightLost(rook, index)
	}
	var v view
	p.look(&v)
	if v.checkers != 0 {
		by := v.checkers.first()
		return faultOf(kinds.IllegalCastleOutOfCheck, "castle.check", p.turn, m.From(), p.board[by].Kind(), by)
	}
	others := v.occupied &^ (bit(m.From()) | bit(rook))
	way := between[m.From()][m.To()] | between[rook][m.RookTo()] | bit(m.To()) | bit(m.RookTo())
	if barred := way & others; barred != 0 {
		return faultOf(kinds.IllegalCastleBlocked, "castle.blocked", p.turn, p.board[barred.first()].Kind(), barred.first())
	}
	for b := between[m.From()][m.To()]; b != 0; b &= b - 1 {
		s := b.first()
		if by := p.attackers(s, v.them, v.occupied&^bit(v.king)); by != 0 {
			return faultOf(kinds.IllegalCastleThroughCheck, "castle.through", p.turn, s, p.board[by.first()].Kind(), by.first())
		}
	}
	if by := p.attackers(m.To(), v.them, others|bit(m.To())|bit(m.RookTo())); by != 0 {
		return faultOf(kinds.IllegalCastleIntoCheck, "castle.into", p.turn, m.To(), p.board[by.first()].Kind(), by.first())
	}
	return fault{}
}

// rightLost names the piece that has moved. A position shows that only if the other right still exists; a History knows
// more.
func (p *Position) rightLost(rook Square, index int) fault {
	f := faultOf(kinds.IllegalCastleRightLost, "castle.lost", p.turn, rook)
	if p.rights>>(index^1)&1 != 0 {
		f.articles = []string{"3.8.2.1.2"}
		f.reason = words.Say("why.castle.rook_moved", p.turn, rook)
	}
	return f
}

// Explain is Position.Explain, with the game's own evidence on a lost castling right.
func (h *History) Explain(uci string) Verdict {
	p := h.Position()
	v := p.Explain(uci)
	if v.Kind != kinds.IllegalCastleRightLost {
		return v
	}
	side, ply := p.turn, 0
	for i := range h.moves {
		before := &h.positions[i]
		if before.turn == side && before.board[h.moves[i].From()].Kind() == King {
			ply = i + 1
			break
		}
	}
	switch {
	case ply > 0:
		v.Articles = []string{"3.8.2.1.1"}
		v.Reason = words.Say("why.castle.king_moved", side,
			h.positions[ply-1].SAN(h.moves[ply-1]), h.positions[ply-1].full)
	case h.positions[0].rights&rightBits(side) != 0:
		v.Articles = []string{"3.8.2.1.2"}
		v.Reason = words.Say("why.castle.rook_gone", side)
	}
	return v
}
