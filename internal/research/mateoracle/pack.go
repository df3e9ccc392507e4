package mateoracle

import "math/bits"

// A packed board is exact: the occupied squares, and four bits for each piece in the order of the squares. Thirteen is
// a rook that may castle, fourteen a pawn that may be taken en passant, fifteen the king of the side to move; the
// colour of the first two follows from their rank, that of the third from the other king. The board may have at most 32
// pieces. The counter is left out.
type packed [3]uint64

const (
	codes       = "\x00PNBRQKpnbrqk"
	codeRook    = 13
	codePassant = 14
	codeTurn    = 15
)

var codeOf = func() (out [128]uint64) {
	for i := 1; i < len(codes); i++ {
		out[codes[i]] = uint64(i)
	}
	return out
}()

func (b *Board) pack() (p packed) {
	i := uint(0)
	rooks, victim := b.rooks(), -1
	if b.ep >= 0 {
		victim = int(b.ep) ^ 8 // from rank 3 to 4 and from rank 6 to 5
	}
	for s, m := range &b.at {
		if m == 0 {
			continue
		}
		code := codeOf[m]
		switch {
		case upper(m) == 'K' && sideOf(m) == b.turn:
			code = codeTurn
		case rooks>>s&1 != 0:
			code = codeRook
		case s == victim:
			code = codePassant
		}
		p[0] |= 1 << s
		p[1+i>>4] |= code << (i & 15 * 4)
		i++
	}
	return p
}

// rooks returns the squares of rooks that may castle.
func (b *Board) rooks() (out uint64) {
	for i := 0; b.castling>>i != 0; i++ {
		if b.castling>>i&1 != 0 {
			out |= 1 << castlings[i].rook
		}
	}
	return out
}

func (p *packed) unpack() (b Board) {
	b.ep = -1
	b.turn = White
	mover, i := 0, uint(0)
	for x := p[0]; x != 0; x &= x - 1 {
		s := bits.TrailingZeros64(x)
		code := p[1+i>>4] >> (i & 15 * 4) & 15
		i++
		switch code {
		case codeTurn:
			mover = s
		case codeRook:
			b.rookHome(s)
		case codePassant:
			b.at[s], b.ep = 'P', int8(s)^8
			if s>>3 == 4 {
				b.at[s] = 'p'
			}
		default:
			b.at[s] = codes[code]
			if b.at[s] == 'K' {
				b.turn = Black
			}
		}
	}
	b.at[mover] = ofSide('K', b.turn)
	return b
}

func (b *Board) rookHome(s int) {
	for i, c := range castlings {
		if c.rook == s {
			b.castling |= 1 << i
			b.at[s] = ofSide('R', c.side)
		}
	}
}

func (p *packed) hash() uint64 {
	h := p[0]*0x9E3779B97F4A7C15 ^ bits.RotateLeft64(p[1]*0xC2B2AE3D27D4EB4F, 23) ^ bits.RotateLeft64(p[2]*0x165667B19E3779F9, 41)
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	return h ^ h>>32
}
