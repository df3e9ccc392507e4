package watch

import (
	"boardwatchd/clockproto"
	"boardwatchd/detector/evidence"
	"boardwatchd/dgt"
	"boardwatchd/rules/legal"
)

// This file alone knows both the codes of the wire and the pieces of the game. Another board family would get its own
// such file.

// pieces maps the codes of the wire (protocol notes 5.1) to pieces. Result pieces read as empty squares.
var pieces = [16]legal.Piece{
	dgt.WhitePawn: legal.WhitePawn, dgt.WhiteRook: legal.WhiteRook, dgt.WhiteKnight: legal.WhiteKnight,
	dgt.WhiteBishop: legal.WhiteBishop, dgt.WhiteKing: legal.WhiteKing, dgt.WhiteQueen: legal.WhiteQueen,
	dgt.BlackPawn: legal.BlackPawn, dgt.BlackRook: legal.BlackRook, dgt.BlackKnight: legal.BlackKnight,
	dgt.BlackBishop: legal.BlackBishop, dgt.BlackKing: legal.BlackKing, dgt.BlackQueen: legal.BlackQueen,
}

// square converts the board's numbering (0 is the far left corner, in reading order) to a square, for White at the near
// side.
func square(n byte) legal.Square {
	n &= 63
	return legal.Square((7-n/8)*8 + n%8)
}

func placement(p *dgt.Placement) (pl legal.Placement) {
	for n, code := range p {
		pl[square(byte(n))] = pieces[code&15]
	}
	return pl
}

// resultOf returns the result that a special piece shows.
func resultOf(p dgt.Piece) string {
	switch p & 15 {
	case dgt.ResultDraw:
		return "1/2-1/2"
	case dgt.ResultWhite:
		return "1-0"
	case dgt.ResultBlack:
		return "0-1"
	}
	return ""
}

func reading(r clockproto.Reading) evidence.ClockReading {
	d := evidence.ClockReading{
		Left: r.Left.Seconds, Right: r.Right.Seconds,
		// The flag is also shown at the end of a period that is not the last; the time then runs on (protocol notes
		// 5.4). A flag with time left is such a flag, or a damaged byte.
		LeftFlag:  r.Left.Seconds == 0 && (r.Left.Fallen || r.Left.FlagShown),
		RightFlag: r.Right.Seconds == 0 && (r.Right.Fallen || r.Right.FlagShown),
		Running:   r.Running, Missing: r.NoClock,
	}
	switch r.Up {
	case clockproto.Left:
		d.Up = evidence.LeftSide
	case clockproto.Right:
		d.Up = evidence.RightSide
	}
	return d
}
