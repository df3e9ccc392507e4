package helpmate

import (
	"math/bits"

	"boardwatchd/rules/legal"
)

// material counts the pieces of both sides, kings left out, in twelve fields of five bits: pawns, knights, bishops on
// light squares, bishops on dark squares, rooks and queens, first White's, then Black's. Thirty-one pieces of a sort
// are more than a side may have.
type material uint64

const (
	fieldPawn = iota
	fieldKnight
	fieldLightBishop
	fieldDarkBishop
	fieldRook
	fieldQueen
	fields

	fieldBits = 5
	sideBits  = fields * fieldBits
)

const (
	fieldMask material = 1<<fieldBits - 1

	pawns        = fieldMask << (fieldPawn * fieldBits)
	knights      = fieldMask << (fieldKnight * fieldBits)
	lightBishops = fieldMask << (fieldLightBishop * fieldBits)
	darkBishops  = fieldMask << (fieldDarkBishop * fieldBits)
	rooks        = fieldMask << (fieldRook * fieldBits)
	queens       = fieldMask << (fieldQueen * fieldBits)
	oneSide      = pawns | knights | lightBishops | darkBishops | rooks | queens
)

// isDark reports whether the square is dark; a1 is dark.
func isDark(s legal.Square) bool { return (s.File()+s.Rank())&1 == 0 }

// unit is one piece of the kind on the square, to be added or subtracted; 0 for a king.
func unit(side legal.Side, kind legal.Kind, at legal.Square) material {
	var field uint
	switch kind {
	case legal.Pawn:
		field = fieldPawn
	case legal.Knight:
		field = fieldKnight
	case legal.Bishop:
		field = fieldLightBishop
		if isDark(at) {
			field = fieldDarkBishop
		}
	case legal.Rook:
		field = fieldRook
	case legal.Queen:
		field = fieldQueen
	default:
		return 0
	}
	return 1 << (field*fieldBits + uint(side-legal.White)*sideBits)
}

// lightSquares are the squares of h1's colour.
const lightSquares = 0x55AA55AA55AA55AA

func materialOf(pos *legal.Position) material {
	return sideMaterial(pos, legal.White) | sideMaterial(pos, legal.Black)<<sideBits
}

func sideMaterial(pos *legal.Position, side legal.Side) material {
	bishops := pos.Pieces(side, legal.Bishop)
	return count(pos.Pieces(side, legal.Pawn))<<(fieldPawn*fieldBits) |
		count(pos.Pieces(side, legal.Knight))<<(fieldKnight*fieldBits) |
		count(bishops&lightSquares)<<(fieldLightBishop*fieldBits) |
		count(bishops&^lightSquares)<<(fieldDarkBishop*fieldBits) |
		count(pos.Pieces(side, legal.Rook))<<(fieldRook*fieldBits) |
		count(pos.Pieces(side, legal.Queen))<<(fieldQueen*fieldBits)
}

func count(pieces uint64) material { return material(bits.OnesCount64(pieces)) }

// of is the six fields of one side, shifted to the place of White's.
func (m material) of(side legal.Side) material {
	return m >> (uint(side-legal.White) * sideBits) & oneSide
}

// after is the material once the side's move has been played.
func (m material) after(move legal.Move, mover legal.Side) material {
	if captured := move.Captured(); captured != legal.NoKind {
		m -= unit(mover.Other(), captured, move.To()) // en passant captures a pawn; its square does not matter
	}
	if promotion := move.Promotion(); promotion != legal.NoKind {
		m += unit(mover, promotion, move.To()) - unit(mover, legal.Pawn, move.To())
	}
	return m
}

// barren reports whether no legal series of moves can end in mate by the side, wherever the pieces are:
//
//   - it has the bare king;
//   - it has one knight, and the other side no pawn, knight, bishop or rook;
//   - it has bishops of one square colour, and there is no bishop of the other colour, no knight and no pawn.
//
// The board must be one on which the other side's king, if attacked, has been attacked by the last move.
func (m material) barren(side legal.Side) bool {
	own, other := m.of(side), m.of(side.Other())
	switch {
	case own == 0:
		return true
	case own&^knights == 0:
		return own == 1<<(fieldKnight*fieldBits) && other&^queens == 0
	case own&^lightBishops == 0:
		return other&(pawns|knights|darkBishops) == 0
	case own&^darkBishops == 0:
		return other&(pawns|knights|lightBishops) == 0
	}
	return false
}
