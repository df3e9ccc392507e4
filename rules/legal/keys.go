package legal

// Keys identify positions (Zobrist): the exclusive-or of one constant per fact. They are the same
// in every run and on every machine, because journals and tests may hold them.
var (
	pieceKeys     [16][64]uint64 // by Piece
	rightKeys     [16]uint64     // by the set of castling rights
	enPassantKeys [8]uint64      // by file, only while the capture is legal
	blackKey      uint64         // Black has the move
)

// keySeed starts the generator of the constants. Changing it changes every key.
const keySeed = 0x626F617264776174

// splitMix is the 64-bit finaliser of Steele, Lea and Flood (SplitMix64): integers only, no state
// but the counter.
func splitMix(state *uint64) uint64 {
	*state += 0x9E3779B97F4A7C15
	z := *state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func fillKeys() {
	state := uint64(keySeed)
	for piece := WhitePawn; piece <= BlackKing; piece++ {
		if piece.Kind() == NoKind || piece.Kind() > King {
			continue
		}
		for s := range pieceKeys[piece] {
			pieceKeys[piece][s] = splitMix(&state)
		}
	}
	var right [4]uint64
	for i := range right {
		right[i] = splitMix(&state)
	}
	for set := range rightKeys {
		for i := range right {
			if set>>i&1 != 0 {
				rightKeys[set] ^= right[i]
			}
		}
	}
	for f := range enPassantKeys {
		enPassantKeys[f] = splitMix(&state)
	}
	blackKey = splitMix(&state)
}
