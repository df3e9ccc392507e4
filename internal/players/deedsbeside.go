package players

import "boardwatchd/rules/legal"

// This file contains the offences that are not transfers. The fault is the exchange of a pawn, the time, or a piece
// other than the one that moved.

// planned returns a legal move for which fits is true: the next one of the game, else any if the game is generated.
func (p *pair) planned(fits func(legal.Move) bool) (legal.Move, bool) {
	if m := p.game.moves[p.ply].move; m != legal.NoMove && fits(m) {
		return m, true
	}
	if p.game.scripted {
		return legal.NoMove, false
	}
	return p.someMove(fits)
}

func toQueen(m legal.Move) bool { return m.Promotion() == legal.Queen }

// plainMove reports whether a move is one piece to another square, perhaps with a capture there.
func plainMove(m legal.Move) bool {
	return !m.IsCastling() && !m.IsEnPassant() && m.Promotion() == legal.NoKind
}

func (p *pair) promotionOffence(m legal.Move) possibleOffence {
	return possibleOffence{
		side: p.pos.Turn(), uci: m.From().String() + m.To().String(), touched: m.From(), queen: m, extra: legal.NoSquare,
	}
}

// pawnStays leaves the pawn on the last rank.
func pawnStays(p *pair) (possibleOffence, bool) {
	m, ok := p.planned(toQueen)
	if !ok {
		return possibleOffence{}, false
	}
	t := plainTransfer(m.From(), m.To())
	if m.Captured() != legal.NoKind {
		t.Victim = m.To()
	}
	d := p.transferOffence(t, m.From().String()+m.To().String())
	d.queen = m
	return d, true
}

// pieceLater removes the pawn, presses, and puts the new piece on the board after that.
func pieceLater(kind legal.Kind) func(p *pair) (possibleOffence, bool) {
	return func(p *pair) (possibleOffence, bool) {
		m, ok := p.planned(toQueen)
		if !ok {
			return possibleOffence{}, false
		}
		h, c := p.hands, p.conduct
		d := p.promotionOffence(m)
		piece := legal.PieceOf(d.side, kind)
		d.do = func() {
			if m.Captured() != legal.NoKind {
				h.Lift(m.To())
				h.Wait(h.scaled(h.rng.Around(victimGapUS, &spreadHand)))
				h.Drop()
			}
			if c.rng.Permille(500) { // the pawn goes there first
				h.fly(m.From(), m.To())
				h.Wait(h.scaled(h.rng.Around(exchangeUS, &spreadHand)))
				h.Lift(m.To())
			} else {
				h.Lift(m.From())
			}
			h.Drop()
			h.Wait(h.scaled(h.rng.Around(pieceGapUS, &spreadHand)))
		}
		d.late = func() {
			h.Wait(c.rng.Between(800_000, 3*second))
			h.PutPiece(m.To(), piece)
		}
		place := h.table
		place[m.From()], place[m.To()] = legal.NoPiece, piece
		d.stands = standing(&p.pos, place)
		return d, true
	}
}

// wrongColour exchanges the pawn for a queen of the opponent's.
func wrongColour(p *pair) (possibleOffence, bool) {
	m, ok := p.planned(toQueen)
	if !ok {
		return possibleOffence{}, false
	}
	d := p.promotionOffence(m)
	d.uci, d.legalMove, d.extra = p.pos.UCI(m), m, m.To()
	t := transferOf(&p.pos, m)
	t.Put = legal.PieceOf(d.side.Other(), legal.Queen)
	d.do = func() { p.hands.promote(t, p.habits) }
	return d, true
}

// twoPieces exchanges the pawn for a queen and puts another piece beside it.
func twoPieces(p *pair) (possibleOffence, bool) {
	m, ok := p.planned(toQueen)
	if !ok {
		return possibleOffence{}, false
	}
	beside := p.hands.neighbour(m.To(), m.From())
	if beside == legal.NoSquare {
		return possibleOffence{}, false
	}
	d := p.promotionOffence(m)
	d.uci, d.legalMove, d.extra = p.pos.UCI(m), m, beside
	t := transferOf(&p.pos, m)
	d.do = func() {
		p.hands.promote(t, p.habits)
		p.hands.Wait(p.hands.scaled(p.hands.rng.Around(pieceGapUS, &spreadHand)))
		p.hands.PutPiece(beside, t.Put)
	}
	return d, true
}

const pieceGapUS = 500_000 // from one piece to the next

// withLegalMove begins an offence that leaves a legal move on the board.
func (p *pair) withLegalMove(fits func(legal.Move) bool) (possibleOffence, Transfer, bool) {
	m, ok := p.planned(fits)
	if !ok {
		return possibleOffence{}, Transfer{}, false
	}
	d := possibleOffence{side: p.pos.Turn(), uci: p.pos.UCI(m), touched: m.From(), legalMove: m, extra: legal.NoSquare}
	return d, transferOf(&p.pos, m), true
}

// inTheAir presses while the piece is in the hand.
func inTheAir(p *pair) (possibleOffence, bool) {
	d, t, ok := p.withLegalMove(plainMove)
	h, c := p.hands, p.conduct
	d.do = func() {
		if t.Victim != legal.NoSquare {
			h.Lift(t.Victim)
			h.Wait(h.scaled(h.rng.Around(victimGapUS, &spreadHand)))
			h.Drop()
		}
		h.Lift(t.From)
	}
	d.late = func() {
		h.Wait(c.rng.Between(lateMinUS, lateMaxUS))
		h.Put(t.To)
	}
	return d, ok
}

// The time after the press at which a move is finished.
const (
	lateMinUS = 500_000
	lateMaxUS = 1_200_000
)

// victimLate captures en passant and removes the captured pawn after the press.
func victimLate(p *pair) (possibleOffence, bool) {
	d, t, ok := p.withLegalMove(legal.Move.IsEnPassant)
	h, c := p.hands, p.conduct
	d.do = func() { h.fly(t.From, t.To) }
	d.late = func() {
		h.Wait(c.rng.Between(lateMinUS, lateMaxUS))
		h.Lift(t.Victim)
		h.Drop()
	}
	return d, ok
}

// displaced pushes another piece off its square, to a square that it cannot reach by a move.
func displaced(p *pair) (possibleOffence, bool) {
	d, t, ok := p.withLegalMove(plainMove)
	if !ok {
		return d, false
	}
	after := p.pos.After(d.legalMove)
	place := after.Placement()
	h := p.hands
	var nudges [][2]legal.Square
	for from := legal.A1; from < legal.NoSquare; from++ {
		if place[from] == legal.NoPiece || from == t.To || distance(from, t.To) > 2 && distance(from, t.From) > 2 {
			continue
		}
		for to := legal.A1; to < legal.NoSquare; to++ {
			if max(spanOf(from.File(), to.File()), spanOf(from.Rank(), to.Rank())) == 1 && to != t.From &&
				place[to] == legal.NoPiece && h.table[to] == legal.NoPiece && cannotGo(place[from], from, to) {
				nudges = append(nudges, [2]legal.Square{from, to})
			}
		}
	}
	if len(nudges) == 0 {
		return d, false
	}
	nudge := nudges[p.conduct.rng.Below(int64(len(nudges)))]
	d.extra = nudge[1]
	d.do = func() {
		h.Move(t, p.habits)
		h.Wait(h.rng.Between(50_000, 300_000))
		h.Nudge(nudge[0], nudge[1])
	}
	return d, true
}

// cannotGo reports whether a piece never moves to that neighbouring square: a pawn may go straight or diagonally ahead.
func cannotGo(piece legal.Piece, from, to legal.Square) bool {
	straight := from.File() == to.File() || from.Rank() == to.Rank()
	switch piece.Kind() {
	case legal.Knight:
		return true
	case legal.Bishop:
		return straight
	case legal.Rook:
		return !straight
	case legal.Pawn:
		back := to.Rank() - from.Rank()
		if piece.Side() == legal.White {
			back = -back
		}
		return to.Rank() != 0 && to.Rank() != 7 && back >= 0
	}
	return false
}

// knockedOver leaves a piece lying near the move: its square reads empty.
func knockedOver(p *pair) (possibleOffence, bool) {
	d, t, ok := p.withLegalMove(plainMove)
	if !ok {
		return d, false
	}
	sq := p.near(t)
	if sq == legal.NoSquare {
		return d, false
	}
	h := p.hands
	d.extra = sq
	d.do = func() {
		h.Move(t, p.habits)
		h.Wait(h.rng.Between(20_000, 200_000))
		h.Knock(sq)
	}
	return d, true
}

// near draws a piece that is close to a move and has no part in it. It is never a king, because a king laid down means
// resignation.
func (p *pair) near(t Transfer) legal.Square {
	var list []legal.Square
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		piece := p.hands.table[sq]
		if piece == legal.NoPiece || piece.Kind() == legal.King || sq == t.From || sq == t.To || sq == t.Victim || sq == t.RookFrom {
			continue
		}
		if distance(sq, t.To) <= 2 || distance(sq, t.From) <= 1 {
			list = append(list, sq)
		}
	}
	if len(list) == 0 {
		return legal.NoSquare
	}
	return list[p.conduct.rng.Below(int64(len(list)))]
}

// outOfTurn makes a move by the player who has just pressed, in the opponent's time.
func outOfTurn(p *pair) (possibleOffence, bool) {
	if p.ply < 1 {
		return possibleOffence{}, false
	}
	s := p.pos.Setup()
	s.Turn, s.EnPassant = s.Turn.Other(), legal.NoSquare
	pos, err := s.Standing()
	if err != nil {
		return possibleOffence{}, false
	}
	var list legal.MoveList
	pos.Moves(&list)
	var quiet []legal.Move
	for _, m := range list.Slice() {
		if plainMove(m) && m.Captured() == legal.NoKind {
			quiet = append(quiet, m)
		}
	}
	if len(quiet) == 0 {
		return possibleOffence{}, false
	}
	m := quiet[p.conduct.rng.Below(int64(len(quiet)))]
	d := possibleOffence{side: s.Turn, uci: pos.UCI(m), touched: m.From(), extra: m.To()}
	d.do = func() { p.hands.Move(plainTransfer(m.From(), m.To()), p.habits) }
	return d, true
}
