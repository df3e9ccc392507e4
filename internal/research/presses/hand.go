package presses

import "boardwatchd/rules/legal"

// perform plays a legal move by hand, and returns the instants of the first and the last change of the board.
func (p *planner) perform(m legal.Move, start int64, t tempo) (first, placed int64) {
	first = max(start, p.lastAct+ms)
	piece := p.board[m.From()]
	if kind := m.Promotion(); kind != legal.NoKind {
		piece = legal.PieceOf(piece.Side(), kind)
	}
	placed = p.carry(start, m.From(), m.To(), m.Victim(), piece, t)
	if m.IsCastling() {
		at := placed + p.r.skewed(t.reach)
		placed = p.carry(at, m.RookFrom(), m.RookTo(), legal.NoSquare, p.board[m.RookFrom()], t)
	}
	return first, placed
}

// carry moves the piece on a square to another one, in one of the ways that people use.
func (p *planner) carry(at int64, from, to, victim legal.Square, piece legal.Piece, t tempo) int64 {
	grip, reach := p.r.skewed(t.grip), p.r.skewed(t.reach)
	style := p.r.between(0, 100)
	switch {
	case victim == legal.NoSquare:
		if style*100 < int64(p.o.Habits.Slide) && piece == p.board[from] {
			if last, ok := p.slide(at, from, to, piece); ok {
				return last
			}
		}
		at = p.lift(at, from) + grip
	case victim == to && style < 60, victim != to && style < 20: // one hand: the victim is removed first
		at = p.lift(at, from)
		at = p.lift(at+grip, victim) + p.r.between(30*ms, 200*ms)
	case victim == to && style < 85, victim != to && style < 50: // the victim first
		at = p.lift(at, victim) + reach
		at = p.lift(at, from) + grip
	case victim == to: // the piece is held, the victim put away, then the piece placed
		at = p.lift(at, from)
		at = p.lift(at+reach, victim) + grip + reach
	default: // en passant: the piece first, then the pawn
		at = p.lift(at, from)
		at = p.put(at+grip, to, piece)
		return p.lift(at+reach, victim)
	}
	if pawn := legal.PieceOf(piece.Side(), legal.Pawn); piece.Kind() != legal.Pawn && p.pawnComes(from, to, piece.Side()) {
		fetch := p.r.between(4, 12) * t.reach.hi / 4
		if p.r.chance(50, 100) { // the pawn stands on the last rank until the piece is found
			at = p.put(at, to, pawn)
			at = p.lift(at+fetch, to) + reach
		} else {
			at += fetch
		}
	}
	return p.put(at, to, piece)
}

// pawnComes reports whether the piece last lifted from the square was a pawn that goes to the last rank.
func (p *planner) pawnComes(from, to legal.Square, side legal.Side) bool {
	last := 7
	if side == legal.Black {
		last = 0
	}
	return to.Rank() == last && p.pos.PieceAt(from) == legal.PieceOf(side, legal.Pawn)
}

// slide pushes a piece along a free line: it is on every square for a moment (section 11.2, ghosts of sliding).
func (p *planner) slide(at int64, from, to legal.Square, piece legal.Piece) (int64, bool) {
	df, dr := to.File()-from.File(), to.Rank()-from.Rank()
	steps := max(df, -df, dr, -dr)
	if steps < 2 || df%steps != 0 || dr%steps != 0 {
		return 0, false
	}
	df, dr = df/steps, dr/steps
	for i := 1; i < steps; i++ {
		if p.board[legal.SquareOf(from.File()+i*df, from.Rank()+i*dr)] != legal.NoPiece {
			return 0, false
		}
	}
	at = p.lift(at, from)
	for i := 1; i < steps; i++ {
		square := legal.SquareOf(from.File()+i*df, from.Rank()+i*dr)
		at = p.put(at+p.r.between(5*ms, 40*ms), square, piece)
		at = p.lift(at+p.r.between(40*ms, 130*ms), square)
	}
	return p.put(at+p.r.between(5*ms, 40*ms), to, piece), true
}

// before plans possible events while a player thinks; it returns the instant at which the hand goes out for the move.
func (p *planner) before(start int64) int64 {
	h := p.o.Habits
	if p.per(h.PauseInThink) {
		start = p.pause(max(start, p.clock.at+300*ms), "pause while a player thinks") + p.r.between(500*ms, 3*sec)
	}
	if p.per(h.Touch) {
		if square, ok := p.anySquare(p.pos.Turn()); ok {
			start = p.touch(start, square, p.r.between(300*ms, 3*sec), "touched and put back") + p.r.between(300*ms, 4*sec)
		}
	}
	if p.per(h.Adjust) {
		side := p.pos.Turn()
		if p.r.chance(30, 100) {
			side = side.Other()
		}
		if square, ok := p.anySquare(side); ok {
			start = p.touch(start, square, p.r.between(100*ms, 600*ms), "adjusted") + p.r.between(200*ms, sec)
		}
	}
	return start
}

// anySquare returns a random square with a piece of the side.
func (p *planner) anySquare(side legal.Side) (legal.Square, bool) {
	from := p.r.between(0, 64)
	for i := range int64(64) {
		if s := legal.Square((from + i) % 64); p.board[s].Side() == side {
			return s, true
		}
	}
	return legal.NoSquare, false
}

func (p *planner) touch(at int64, square legal.Square, us int64, reason string) int64 {
	piece := p.board[square]
	at = p.lift(at, square)
	until := p.put(at+us, square, piece)
	p.truth.Touches = append(p.truth.Touches, Touch{at, until, square, reason})
	return until
}

// set sets up a position, square by square, and returns the instant of the last change.
func (p *planner) set(at int64, target legal.Placement) int64 {
	for square, piece := range p.board {
		if piece != target[square] && piece != legal.NoPiece {
			at = p.lift(at, legal.Square(square)) + p.r.between(200*ms, 700*ms)
		}
	}
	for square, piece := range target {
		if p.board[square] != piece {
			at = p.put(at, legal.Square(square), piece) + p.r.between(300*ms, 1200*ms)
		}
	}
	return p.lastAct
}
