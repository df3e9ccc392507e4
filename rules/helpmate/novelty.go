package helpmate

import (
	"math/bits"

	"boardwatchd/rules/legal"
)

// novelty counts the earlier visits to each shape, which is pawns and material, and to each shape with the squares of
// both kings. Rare ones are tried first: locked boards are decided by changes of the pawns, often by sacrifices, which
// the compasses do not look for.
type novelty struct{ shapes, places counter }

func (v *novelty) reset() {
	v.shapes.reset()
	v.places.reset()
}

// cost counts the position and prices it; the value is the first compass's estimate of the position before. The weights
// were chosen on the test material: with half or none of either count more questions stay open.
func (v *novelty) cost(pos *legal.Position, shape uint64, depth, value int) int {
	kings := uint64(pos.KingSquare(legal.White))<<8 ^ uint64(pos.KingSquare(legal.Black))
	shapes, places := v.shapes.next(shape), v.places.next(shape^kings<<32)
	return bucket(middle + 8*bits.Len16(shapes) + 8*bits.Len16(places) + value + depth/4)
}

// shapeOf is a hash of the pawns and the material. Two shapes may share it, since it decides only the order.
func shapeOf(pos *legal.Position, mat material) uint64 {
	x := pos.Pieces(legal.White, legal.Pawn)*0x9E3779B97F4A7C15 ^ bits.RotateLeft64(pos.Pieces(legal.Black, legal.Pawn)*0xC2B2AE3D27D4EB4F, 31)
	return (x^x>>29)*0xBF58476D1CE4E5B9 ^ uint64(mat)*0x94D049BB133111EB
}
