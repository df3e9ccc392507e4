package hands

import (
	"math/bits"

	"boardwatchd/rules/legal"
)

// lnFraction is 1,000,000·ln(1 + i/32).
var lnFraction = [33]int64{
	0, 30772, 60625, 89612, 117783, 145182, 171850, 197826, 223144, 247836, 271934, 295464, 318454, 340927, 362905,
	384412, 405465, 426084, 446287, 466090, 485508, 504556, 523248, 541597, 559616, 577315, 594707, 611802, 628609,
	645138, 661398, 677399, 693147,
}

// lnMilli returns 1000·ln x, exact to a tenth; x below 1 counts as 1.
func lnMilli(x uint64) int64 {
	x = max(x, 1)
	high := bits.Len64(x) - 1
	frac := x << (63 - high) << 1 // the digits after the first
	i := frac >> 59
	rest := int64(frac >> 27 & 0xffffffff)
	ln := int64(high)*693_147_181/1000 + lnFraction[i] + (lnFraction[i+1]-lnFraction[i])*rest>>32
	return ln / 1000
}

const squareMM = 55 // a tournament board's square is 5 to 6 cm

// wayMM returns the distance between the middles of two squares.
func wayMM(a, b legal.Square) int32 {
	df, dr := int64(a.File()-b.File()), int64(a.Rank()-b.Rank())
	return int32(root((df*df + dr*dr) * squareMM * squareMM))
}

// fittsUS returns the standard time of a simple move: 0.05 + 0.095·log2(2D / 3 cm) seconds, timing notes 3.6.
func fittsUS(mm int32) int64 {
	mm = max(mm, 22)
	// log2(2D/30) = (ln(2D) − ln 30) / ln 2
	log := (lnMilli(uint64(2*mm)<<16) - lnMilli(30<<16)) * 1_000_000 / 693_147
	return 50_000 + 95*log
}
