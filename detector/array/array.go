package array

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// Wrong reports whether the board is set up for a game with an error in it: all 32 pieces are on their home ranks and
// the pawns in their places, but the other pieces are not in an array that the mode opens a game with. Squares are
// those that differ from the array that was meant: the orthodox one, or one that either side's own pieces show if fewer
// squares differ from it. A right to castle remains where king and rook are on their squares (FIDE Laws 7.2.1,
// A.5.1.2). The set-up is nearly always a Position and always a Standing one: with the queens exchanged both kings are
// in check.
//
// White must be at the near side; call it again with the placement rotated.
func Wrong(p *legal.Placement, mode Mode) (squares uint64, setup legal.Setup, ok bool) {
	if !complete(p) {
		return 0, legal.Setup{}, false
	}
	if n, is := Number(p); is && mode.Opens(n) {
		return 0, legal.Setup{}, false
	}
	return meant(p, mode)
}

// complete reports whether all pieces of a game are on the home ranks and the pawns in their places; the other pieces
// may be exchanged among each other.
func complete(p *legal.Placement) bool {
	if p[8] != legal.WhitePawn || p[48] != legal.BlackPawn {
		return false // decides nearly every call
	}
	for f := 0; f < 8; f++ {
		if p[8+f] != legal.WhitePawn || p[48+f] != legal.BlackPawn {
			return false
		}
	}
	for _, piece := range p[16:48] {
		if piece != legal.NoPiece {
			return false
		}
	}
	var left [16]int8
	orthodox := Orthodox()
	for f := 0; f < 8; f++ {
		for _, sq := range [...]int{f, 56 + f} {
			left[orthodox[sq]&15]++
			left[p[sq]&15]--
		}
	}
	return left == [16]int8{}
}

// Orthodox returns the orthodox array.
func Orthodox() legal.Placement {
	s := legal.StartSetup(OrthodoxNumber)
	return s.Placement
}

// meant compares a complete set with the array that was probably meant: the orthodox one, or the array of one side's
// own rank, if the mode opens a game with it and fewer squares are wrong.
func meant(p *legal.Placement, mode Mode) (wrong uint64, setup legal.Setup, ok bool) {
	array := legal.StartSetup(OrthodoxNumber)
	wrong = play.Difference(p, &array.Placement)
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		n, is := OfSide(p, side)
		if !is || !mode.Opens(n) {
			continue
		}
		own := legal.StartSetup(n)
		if d := play.Difference(p, &own.Placement); play.Count(d) < play.Count(wrong) {
			array, wrong = own, d
		}
	}
	setup = array
	setup.Placement = *p
	setup.Castling = play.KeptRights(&array, p)
	return wrong, setup, wrong != 0
}

// OfSide returns the Chess960 number of one side's back rank.
func OfSide(p *legal.Placement, side legal.Side) (int, bool) {
	home := 0
	if side == legal.Black {
		home = 56
	}
	var back [8]legal.Kind
	for f := range back {
		if p[home+f].Side() != side {
			return 0, false
		}
		back[f] = p[home+f].Kind()
	}
	return legal.Chess960Number(back)
}

// QuarterTurned reports whether the board lies turned by 90 degrees: White's pieces are on the a- and b-files or on the
// g- and h-files, as the board numbers them, and turned they are set up for a game, rightly or wrongly (FIDE Laws 2.1,
// 7.2.2). Turned is the placement as White sees it. A board turned by 180 degrees is no offence; see lookForStart.
func QuarterTurned(p *legal.Placement) (turned legal.Placement, ok bool) {
	switch {
	case p[1] == legal.WhitePawn && p[6] == legal.BlackPawn: // b1, g1
		turned = quarter(p)
	case p[1] == legal.BlackPawn && p[6] == legal.WhitePawn:
		once := quarter(p)
		turned = play.Rotated(once)
	default:
		return legal.Placement{}, false
	}
	return turned, complete(&turned)
}

// quarter turns a placement so that the a-file becomes the first rank.
func quarter(p *legal.Placement) (r legal.Placement) {
	for f := range 8 {
		for rank := range 8 {
			r[legal.SquareOf(7-rank, f)] = p[legal.SquareOf(f, rank)]
		}
	}
	return r
}

// Mode is the set of start arrays that open a game.
type Mode uint8

const (
	Auto   Mode = iota // any array of the 960 except the mirror image of the orthodox one
	Never              // the orthodox array only
	Always             // any array of the 960
)

// OrthodoxNumber and MirroredNumber are the Chess960 numbers of the orthodox array and of the one with king and queen
// exchanged on both sides. That one is nearly always a mistake: the board lay the other way round, or one player copied
// the other.
const (
	OrthodoxNumber = 518
	MirroredNumber = 534
)

// Opens reports whether an array is one that a game begins with.
func (m Mode) Opens(array int) bool {
	switch m {
	case Never:
		return array == OrthodoxNumber
	case Always:
		return true
	}
	return array != MirroredNumber
}

// Number returns the number of a start position, any of the 960, with White at the near side; ok is false where the
// placement is none.
func Number(p *legal.Placement) (n int, ok bool) {
	for f := legal.Square(0); f < 8; f++ {
		if p[8+f] != legal.WhitePawn || p[48+f] != legal.BlackPawn {
			return 0, false
		}
	}
	for sq := 16; sq < 48; sq++ {
		if p[sq] != legal.NoPiece {
			return 0, false
		}
	}
	var back [8]legal.Kind
	for f := range back {
		w, b := p[f], p[56+f]
		if w.Side() != legal.White || b.Side() != legal.Black || w.Kind() != b.Kind() {
			return 0, false
		}
		back[f] = w.Kind()
	}
	return legal.Chess960Number(back)
}

// Rights returns the most generous orthodox castling rights that a placement allows.
func Rights(p *legal.Placement) legal.Rights {
	start := legal.StartSetup(OrthodoxNumber)
	return play.KeptRights(&start, p)
}
