package presses

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// drawOffence draws a kind of offence and searches a way to commit it.
func (p *planner) drawOffence() (possibleOffence, bool) {
	var total int64
	for _, w := range offenceWeights {
		total += w.weight
	}
	for range 16 {
		draw := p.r.between(0, total)
		var kind kinds.Kind
		for _, w := range offenceWeights {
			if draw < w.weight {
				kind = w.kind
				break
			}
			draw -= w.weight
		}
		if d, ok := p.possible(kind); ok {
			return d, true
		}
	}
	return possibleOffence{}, false
}

func (p *planner) possible(kind kinds.Kind) (possibleOffence, bool) {
	d := possibleOffence{kind: kind}
	var list legal.MoveList
	p.pos.Moves(&list)
	switch kind {
	case kinds.IllegalNoMove:
		return d, true
	case kinds.PressBeforeDone:
		d.move = list.At(int(p.r.between(0, int64(list.Len()))))
		return d, d.move.Promotion() == legal.NoKind
	case kinds.IllegalPromoIncomplete:
		for _, m := range list.Slice() {
			if m.Promotion() == legal.Queen {
				d.move, d.from, d.to = m, m.From(), m.To()
				return d, true
			}
		}
		return d, false
	case kinds.Displaced:
		return p.displacement(d, list.At(int(p.r.between(0, int64(list.Len())))))
	}
	return p.illegal(kind)
}

// displacement returns a piece that the move does not touch, and an adjacent empty square.
func (p *planner) displacement(d possibleOffence, m legal.Move) (possibleOffence, bool) {
	d.move = m
	after := p.pos.After(m)
	board := after.Setup().Placement
	offset := p.r.between(0, 64)
	for i := range int64(64) {
		s := legal.Square((offset + i) % 64)
		piece := board[s]
		if piece == legal.NoPiece || piece.Kind() == legal.King || s == m.To() || s == m.RookTo() {
			continue
		}
		step := [...][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}[p.r.between(0, 4)]
		f, r := s.File()+step[0], s.Rank()+step[1]
		if f < 0 || f > 7 || r < 0 || r > 7 || piece.Kind() == legal.Pawn && (r == 0 || r == 7) {
			continue
		}
		if to := legal.SquareOf(f, r); board[to] == legal.NoPiece {
			d.from, d.to = s, to
			return d, true
		}
	}
	return d, false
}

// illegal searches a transfer that breaks this rule first.
func (p *planner) illegal(kind kinds.Kind) (possibleOffence, bool) {
	mover := p.pos.Turn()
	offset := p.r.between(0, 4096)
	for i := range int64(4096) {
		pair := (offset + i*1231) % 4096 // 1231 and 4096 have no common divisor, so every pair comes once
		from, to := legal.Square(pair/64), legal.Square(pair%64)
		piece, target := p.board[from], p.board[to]
		if from == to || piece.Side() != mover || target.Kind() == legal.King || !p.conceivable(kind, from, to) {
			continue
		}
		aslant := from.File() != to.File() && target == legal.NoPiece
		if piece.Kind() == legal.Pawn && (to.Rank() == 0 || to.Rank() == 7 || aslant) {
			continue
		}
		if (target.Side() == mover) != (kind == kinds.IllegalOwnCapture) {
			continue
		}
		v := p.pos.Explain(from.String() + to.String())
		if !v.Legal && !v.Doubt && v.Kind == kind {
			return possibleOffence{kind: kind, from: from, to: to}, true
		}
	}
	return possibleOffence{}, false
}

// conceivable excludes transfers that cannot be an offence of this kind: only the others are checked against the rules.
func (p *planner) conceivable(kind kinds.Kind, from, to legal.Square) bool {
	mover := p.pos.Turn()
	piece := p.board[from].Kind()
	df, dr := to.File()-from.File(), to.Rank()-from.Rank()
	moves := legal.Reach(piece, from, p.pos.Occupied(mover)|p.pos.Occupied(mover.Other()))>>to&1 == 1
	if piece == legal.Pawn {
		moves = df >= -1 && df <= 1 && dr >= -2 && dr <= 2
	}
	switch kind {
	case kinds.IllegalExposesKing:
		return !p.pos.InCheck() && piece != legal.King && moves
	case kinds.IllegalLeftInCheck:
		return p.pos.InCheck() && moves
	case kinds.IllegalKingIntoCheck:
		return piece == legal.King && moves
	case kinds.IllegalOwnCapture:
		return moves
	case kinds.IllegalJump:
		return !moves && (df == 0 || dr == 0 || df == dr || df == -dr)
	case kinds.IllegalCastleRightLost, kinds.IllegalCastleOutOfCheck, kinds.IllegalCastleThroughCheck,
		kinds.IllegalCastleIntoCheck:
		return piece == legal.King && p.rookForCastling(from, to, mover)
	}
	return kind == kinds.Kind("illegal."+piece.String()) && !moves
}

// occasion returns how much more frequent an offence is here than elsewhere: in check and before a promotion, and most
// where castling looks possible and is not, which is rare.
func (p *planner) occasion() int {
	mover := p.pos.Turn()
	king := p.pos.KingSquare(mover)
	for _, file := range []int{2, 6} {
		to := legal.SquareOf(file, king.Rank())
		if _, ok := p.pos.FindUCI(king.String() + to.String()); !ok && p.rookForCastling(king, to, mover) {
			return 20
		}
	}
	if p.pos.InCheck() {
		return 5
	}
	var list legal.MoveList
	p.pos.Moves(&list)
	for _, m := range list.Slice() {
		if m.Promotion() != legal.NoKind {
			return 5
		}
	}
	return 1
}

// rookForCastling reports whether the king's step of two squares could be meant as castling: the rook is there, and the
// squares between are empty.
func (p *planner) rookForCastling(from, to legal.Square, side legal.Side) bool {
	home := 0
	if side == legal.Black {
		home = 7
	}
	if from != legal.SquareOf(4, home) || to.Rank() != home || (to.File() != 6 && to.File() != 2) {
		return false
	}
	corner := 7
	if to.File() == 2 {
		corner = 0
	}
	if p.board[legal.SquareOf(corner, home)] != legal.PieceOf(side, legal.Rook) {
		return false
	}
	for f := min(4, corner) + 1; f < max(4, corner); f++ {
		if p.board[legal.SquareOf(f, home)] != legal.NoPiece {
			return false
		}
	}
	return true
}
