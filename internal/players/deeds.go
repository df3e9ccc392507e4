package players

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A possibleOffence is an offence that the present position allows. It is found in the position, so that its name is
// exact.
type possibleOffence struct {
	row       *offenceRow
	side      legal.Side // the offender
	uci       string     // "" if it is not a transfer
	touched   legal.Square
	do        func()       // the hands' acts before the press
	late      func()       // the hands' acts after it; nil: none
	legalMove legal.Move   // the legal move that counts nevertheless, or NoMove
	queen     legal.Move   // the promotion into which the Laws turn it (FIDE Laws 7.5.2), or NoMove
	stands    legal.Setup  // the position from which the game continues if the offence is not noticed
	extra     legal.Square // a misplaced piece, or NoSquare
}

// transferOffence returns an offence that is an ordinary transfer.
func (p *pair) transferOffence(t Transfer, uci string) possibleOffence {
	place := p.hands.table
	piece := place[t.From]
	if t.Victim != legal.NoSquare {
		place[t.Victim] = legal.NoPiece
	}
	place[t.From] = legal.NoPiece
	if t.RookFrom != legal.NoSquare {
		place[t.RookTo], place[t.RookFrom] = place[t.RookFrom], legal.NoPiece
	}
	place[t.To] = piece
	d := possibleOffence{side: p.pos.Turn(), uci: uci, touched: t.From, stands: standing(&p.pos, place), extra: legal.NoSquare}
	d.do = func() { p.hands.Move(t, p.habits) }
	return d
}

// standing returns the set-up after a turn that left this placement, with the opponent to move. Castling rights are
// lost with their pieces; en passant is impossible.
func standing(pos *legal.Position, place legal.Placement) legal.Setup {
	s := pos.Setup()
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		king := pos.KingSquare(side)
		if place[king] != legal.PieceOf(side, legal.King) {
			s.Castling = s.Castling.Without(side)
			continue
		}
		for file := range 8 {
			if place[legal.SquareOf(file, king.Rank())] != legal.PieceOf(side, legal.Rook) {
				s.Castling &^= legal.Rights(0).With(side, file)
			}
		}
	}
	s.Placement, s.EnPassant = place, legal.NoSquare
	s.HalfMoves++
	if s.Turn == legal.Black {
		s.FullMoves++
	}
	s.Turn = s.Turn.Other()
	return s
}

func plainTransfer(from, to legal.Square) Transfer {
	return Transfer{From: from, To: to, Victim: legal.NoSquare, RookFrom: legal.NoSquare, RookTo: legal.NoSquare}
}

// illegalTransfer finds a transfer for which Explain gives exactly this kind.
func illegalTransfer(kind kinds.Kind) func(p *pair) (possibleOffence, bool) {
	return func(p *pair) (possibleOffence, bool) {
		pairs := p.pairs(kind)
		for i := range pairs {
			j := i + int(p.conduct.rng.Below(int64(len(pairs)-i)))
			pairs[i], pairs[j] = pairs[j], pairs[i]
			from, to := pairs[i][0], pairs[i][1]
			uci := from.String() + to.String()
			if v := p.pos.Explain(uci); v.Doubt || v.Kind != kind {
				continue
			}
			t := plainTransfer(from, to)
			if p.hands.table[to] != legal.NoPiece {
				t.Victim = to
			}
			return p.transferOffence(t, uci), true
		}
		return possibleOffence{}, false
	}
}

// movers gives the kind of piece for offences against a piece's own way of moving.
var movers = map[kinds.Kind]legal.Kind{
	kinds.IllegalPawn: legal.Pawn, kinds.IllegalKnight: legal.Knight, kinds.IllegalBishop: legal.Bishop,
	kinds.IllegalRook: legal.Rook, kinds.IllegalQueen: legal.Queen, kinds.IllegalKing: legal.King,
	kinds.IllegalKingIntoCheck: legal.King,
}

// pairs returns the transfers among which an offence is searched: those whose result has no other explanation.
func (p *pair) pairs(kind kinds.Kind) (list [][2]legal.Square) {
	side := p.pos.Turn()
	only := movers[kind]
	enemyKing, ownKing := p.pos.KingSquare(side.Other()), p.pos.KingSquare(side)
	if p.pos.InCheck() != (kind == kinds.IllegalLeftInCheck) && (kind == kinds.IllegalLeftInCheck || kind == kinds.IllegalExposesKing) {
		return nil
	}
	for from := legal.A1; from < legal.NoSquare; from++ {
		piece := p.hands.table[from]
		if piece.Side() != side || only != legal.NoKind && piece.Kind() != only {
			continue
		}
		if kind == kinds.IllegalExposesKing && !aligned(from, ownKing) {
			continue
		}
		for to := legal.A1; to < legal.NoSquare; to++ {
			there := p.hands.table[to]
			own := there.Side() == side
			switch {
			case from == to, own != (kind == kinds.IllegalOwnCapture), (to == enemyKing) != (kind == kinds.IllegalKingCapture):
				continue
			case own && (there.Kind() == piece.Kind() || there.Kind() == legal.King):
				continue // otherwise it would look as if only one piece had disappeared
			case piece.Kind() == legal.Pawn && (to.Rank() == 0 || to.Rank() == 7):
				continue // one fault at a time: no promotion
			case piece.Kind() == legal.Pawn && kind != kinds.IllegalPawn && spanOf(from.Rank(), to.Rank()) == 2:
				continue // it could be captured en passant
			case kind == kinds.IllegalJump && (!aligned(from, to) || p.hands.free(line8(from, to))):
				continue
			case reaching[kind] && !p.reaches(from, to):
				continue
			}
			list = append(list, [2]legal.Square{from, to})
		}
	}
	return list
}

// aligned reports whether two squares lie on one rank, file or diagonal.
func aligned(a, b legal.Square) bool {
	df, dr := spanOf(a.File(), b.File()), spanOf(a.Rank(), b.Rank())
	return df == 0 || dr == 0 || df == dr
}

// reaching are the offences in which the piece moves in its own way.
var reaching = map[kinds.Kind]bool{
	kinds.IllegalOwnCapture: true, kinds.IllegalKingCapture: true, kinds.IllegalExposesKing: true,
	kinds.IllegalLeftInCheck: true, kinds.IllegalKingIntoCheck: true,
}

// reaches reports whether a piece moves in this way, regardless of its own king and of the side of a piece on the
// target.
func (p *pair) reaches(from, to legal.Square) bool {
	df, dr := spanOf(from.File(), to.File()), spanOf(from.Rank(), to.Rank())
	piece := p.hands.table[from]
	switch piece.Kind() {
	case legal.Knight:
		return df*dr == 2
	case legal.King:
		return max(df, dr) == 1
	case legal.Pawn:
		ahead := to.Rank() - from.Rank()
		if piece.Side() == legal.Black {
			ahead = -ahead
		}
		return ahead == 1 && df <= 1 && (df == 1) == (p.hands.table[to] != legal.NoPiece)
	case legal.Rook:
		return df*dr == 0 && p.hands.free(line8(from, to))
	case legal.Bishop:
		return df == dr && p.hands.free(line8(from, to))
	}
	return aligned(from, to) && p.hands.free(line8(from, to))
}

// castling finds a castling that is wrong in exactly this way and that hands can perform.
func castling(kind kinds.Kind) func(p *pair) (possibleOffence, bool) {
	return func(p *pair) (possibleOffence, bool) {
		side := p.pos.Turn()
		king := p.pos.KingSquare(side)
		if p.pos.Chess960() || king != legal.SquareOf(4, homeRankOf(side)) {
			return possibleOffence{}, false
		}
		for _, wing := range [...]struct{ to, rook, rookTo int }{{6, 7, 5}, {2, 0, 3}} {
			at := func(file int) legal.Square { return legal.SquareOf(file, king.Rank()) }
			t := Transfer{From: king, To: at(wing.to), Victim: legal.NoSquare, RookFrom: at(wing.rook), RookTo: at(wing.rookTo)}
			table := &p.hands.table
			if table[t.RookFrom] != legal.PieceOf(side, legal.Rook) || table[t.To] != legal.NoPiece || table[t.RookTo] != legal.NoPiece {
				continue
			}
			if kind != kinds.IllegalCastleBlocked && !p.hands.free(line8(king, t.RookFrom)) {
				continue
			}
			uci := king.String() + t.To.String()
			if v := p.pos.Explain(uci); !v.Doubt && v.Kind == kind {
				return p.transferOffence(t, uci), true
			}
		}
		return possibleOffence{}, false
	}
}

func homeRankOf(s legal.Side) int {
	if s == legal.Black {
		return 7
	}
	return 0
}

// someMove draws a legal move for which fits is true, by the weights of play.
func (p *pair) someMove(fits func(legal.Move) bool) (legal.Move, bool) {
	var list legal.MoveList
	p.pos.Moves(&list)
	var sum int64
	for _, m := range list.Slice() {
		if fits(m) {
			sum += weigh(&p.pos, m)
		}
	}
	at := p.conduct.rng.Below(sum)
	for _, m := range list.Slice() {
		if fits(m) {
			if at -= weigh(&p.pos, m); at < 0 {
				return m, true
			}
		}
	}
	return legal.NoMove, false
}

// kingOnly castles without moving the rook.
func kingOnly(p *pair) (possibleOffence, bool) {
	m, ok := p.someMove(func(m legal.Move) bool { return m.IsCastling() })
	if !ok || p.pos.Chess960() {
		return possibleOffence{}, false
	}
	return p.transferOffence(plainTransfer(m.From(), m.To()), p.pos.UCI(m)), true
}

// pawnLeft captures en passant and leaves the captured pawn on the board.
func pawnLeft(p *pair) (possibleOffence, bool) {
	m, ok := p.someMove(legal.Move.IsEnPassant)
	if !ok {
		return possibleOffence{}, false
	}
	return p.transferOffence(plainTransfer(m.From(), m.To()), p.pos.UCI(m)), true
}

// lateEnPassant captures en passant a pawn whose double step was not the last move, or that made two single steps.
func lateEnPassant(p *pair) (possibleOffence, bool) {
	side := p.pos.Turn()
	forward, rank := 1, 4
	if side == legal.Black {
		forward, rank = -1, 3
	}
	for file := range 8 {
		from := legal.SquareOf(file, rank)
		if p.hands.table[from] != legal.PieceOf(side, legal.Pawn) {
			continue
		}
		for _, df := range [...]int{-1, 1} {
			to := legal.SquareOf(file+df, rank+forward)
			if to == legal.NoSquare || p.hands.table[to] != legal.NoPiece {
				continue
			}
			uci := from.String() + to.String()
			if v := p.pos.Explain(uci); v.Doubt || v.Kind != kinds.IllegalEPLate {
				continue
			}
			t := plainTransfer(from, to)
			t.Victim = legal.SquareOf(to.File(), rank)
			return p.transferOffence(t, uci), true
		}
	}
	return possibleOffence{}, false
}

// noMove presses without a move. It is not offered at the start, nor directly after the clock was started, where a
// press is part of starting.
func noMove(p *pair) (possibleOffence, bool) {
	if p.ply < 2 {
		return possibleOffence{}, false
	}
	d := possibleOffence{side: p.pos.Turn(), touched: legal.NoSquare, extra: legal.NoSquare, do: func() {}}
	d.stands = standing(&p.pos, p.hands.table)
	return d, true
}
