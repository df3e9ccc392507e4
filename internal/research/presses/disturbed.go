package presses

import "boardwatchd/rules/legal"

// Disturbance is what is wrong with one square of the board, to which no player pays attention.
type Disturbance uint8

// The disturbances.
const (
	Undisturbed    Disturbance = iota
	DeadSquare                 // the coil reads nothing, from the beginning
	FallenPiece                // a piece falls over: its square reads empty until another piece is put there
	LaidAside                  // a captured piece or a spare one is laid on an empty square and stays there
	DeadKingSquare             // a DeadSquare on which a king stands before the first move
)

func (d Disturbance) String() string {
	return [...]string{"undisturbed", "dead square", "fallen piece", "piece laid aside", "king's square dead"}[min(d, 4)]
}

// Disturbed is the square that is disturbed, and since when.
type Disturbed struct {
	Kind   Disturbance
	Square legal.Square
	At     int64
	Ply    int // index of the ply in whose think it happens; 0 where the square is dead from the beginning
}

func (d *Disturbed) dead(s legal.Square) bool { return d.Kind == DeadSquare && d.Square == s }

// chooseDisturbance draws the square that is dead, or the ply in whose think a square is disturbed.
func (p *planner) chooseDisturbance() {
	switch p.o.Disturbed {
	case Undisturbed:
		return
	case DeadSquare:
		// In the middle of the board, where pieces come and go.
		p.truth.Disturbed = Disturbed{Kind: DeadSquare, Square: legal.SquareOf(int(p.r.between(2, 6)), int(p.r.between(2, 6)))}
		return
	case DeadKingSquare:
		p.truth.Disturbed = Disturbed{Kind: DeadSquare, Square: [...]legal.Square{legal.E1, legal.E8}[p.r.between(0, 2)]}
		return
	}
	p.disturbAt = int(p.r.between(4, 24))
}

// disturb disturbs a square while a player thinks, and returns the instant at which the hand goes out for the move.
func (p *planner) disturb(start int64) int64 {
	side, piece := p.pos.Turn(), legal.NoPiece
	if p.r.chance(50, 100) {
		side = side.Other()
	}
	square, ok := p.anySquare(side)
	for ok && p.board[square].Kind() == legal.King {
		square, ok = p.anySquare(side) // a king that falls is put up
	}
	if p.o.Disturbed == LaidAside {
		kinds := [...]legal.Kind{legal.Pawn, legal.Pawn, legal.Knight, legal.Bishop, legal.Rook, legal.Queen}
		piece = legal.PieceOf(side, kinds[p.r.between(0, int64(len(kinds)))])
		for square = legal.Square(p.r.between(16, 48)); p.board[square] != legal.NoPiece; {
			square = legal.Square(p.r.between(16, 48))
		}
	}
	at := max(p.base+p.r.between(50*ms, 150*ms), p.lastAct+ms)
	p.lastAct = at
	p.acts = append(p.acts, act{at, square, piece}) // the players see the board as before
	p.truth.Disturbed = Disturbed{Kind: p.o.Disturbed, Square: square, At: at, Ply: len(p.truth.Plies)}
	return max(start, at+p.r.between(50*ms, 600*ms))
}
