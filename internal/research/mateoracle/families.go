package mateoracle

import "math/rand/v2"

// A Family makes boards of one kind for which the possible outcomes are hard to determine. Make sometimes fails; then
// ok is false.
type Family struct {
	Name string
	Make func(r *rand.Rand) (b Board, ok bool)
}

// Families are all kinds. The answers are not known.
var Families = []Family{
	{"chain", chain},
	{"chain and extra pawns", chainAndPawns},
	{"chain and pieces", chainAndPieces},
	{"chain, hardly a move", withFewMoves(chainAndPieces, 3)},
	{"bishops of one colour", bishopsOfOneColour},
	{"crowd of bishops", crowdOfBishops},
	{"king shut in", kingShutIn},
	{"pieces in a corner", immured},
	{"both kings shut in, pawns to spare", ladder},
	{"wrong corner", wrongCorner},
	{"few pieces", fewPieces},
	{"one move only", withFewMoves(fewPieces, 1)},
	{"minor pieces against anything", minorPieces},
	{"a helper must be promoted", helper},
	{"en passant at the lock", passant},
	{"castling behind the lock", castling},
	{"check behind the lock", checked(chainAndPieces)},
	{"check, few pieces", checked(fewPieces)},
	{"dense", dense},
	{"dense, hardly a move", withFewMoves(dense, 4)},
	{"end of a random game", randomGame},
	{"mutant", mutant},
	{"mutant, hardly a move", withFewMoves(mutant, 2)},
	{"check on a mutant", checked(mutant)},
}

// Sound reports whether the board can be examined: numbers of pieces and pawns within their limits, no pawn on an end
// rank, the side not to move not in check.
func (b *Board) Sound() bool {
	for s, m := range b.at {
		if m != 0 && upper(m) == 'P' && (s < 8 || s >= 56) {
			return false
		}
	}
	return b.numbers(8) && !b.attacked(b.king(b.turn.Other()), b.turn)
}

// numbers reports whether no side has more pieces than at the start, and no more pawns than given.
func (b *Board) numbers(most int) bool {
	var pieces, pawns [3]int
	for _, m := range b.at {
		side := sideOf(m)
		pieces[side]++
		if m != 0 && upper(m) == 'P' {
			pawns[side]++
		}
	}
	for _, s := range []Side{White, Black} {
		if pieces[s] > 16 || pawns[s] > most || b.king(s) < 0 {
			return false
		}
	}
	return true
}

// done returns the board with either side to move, if it is sound.
func done(b Board, r *rand.Rand) (Board, bool) {
	b.turn = White + Side(r.IntN(2))
	if b.king(White) < 0 || b.king(Black) < 0 {
		return b, false
	}
	if !b.Sound() {
		b.turn = b.turn.Other()
	}
	return b, b.Sound()
}

func empty() Board { return Board{ep: -1, turn: White} }

// drop puts a piece on a square if that is empty.
func (b *Board) drop(m piece, at int) bool {
	if at < 0 || at > 63 || b.at[at] != 0 || upper(m) == 'P' && (at < 8 || at > 55) {
		return false
	}
	b.at[at] = m
	return true
}

// anywhere puts a piece on some empty square of the ranks.
func (b *Board) anywhere(r *rand.Rand, m piece, low, high int) {
	for range 20 {
		if b.drop(m, 8*(low+r.IntN(high-low+1))+r.IntN(8)) {
			return
		}
	}
}

// lock puts pawns face to face, as a wall: on the next file one rank higher or lower, or on the next but one at the
// same height, so that no pawn can take another and no king can pass. One in mishap files on average has an
// irregularity.
func (b *Board) lock(r *rand.Rand, mishap int) {
	rank := 1 + r.IntN(5)
	for f := r.IntN(2); f < 8; {
		b.drop('P', 8*rank+f)
		b.drop('p', 8*rank+8+f)
		switch {
		case r.IntN(mishap) == 0:
			f += 1 + r.IntN(3)
			rank = 1 + r.IntN(5)
		case r.IntN(2) == 0:
			f += 2
		default:
			f++
			if rank == 1 || rank < 5 && r.IntN(2) == 0 {
				rank++
			} else {
				rank--
			}
		}
	}
}

func (b *Board) kings(r *rand.Rand) {
	if r.IntN(8) > 0 {
		b.anywhere(r, 'K', 0, 1)
		b.anywhere(r, 'k', 6, 7)
		return
	}
	b.anywhere(r, 'K', 0, 7)
	b.anywhere(r, 'k', 0, 7)
}

func chain(r *rand.Rand) (Board, bool) {
	b := empty()
	b.lock(r, 20)
	b.kings(r)
	for range r.IntN(3) {
		b.anywhere(r, "Bb"[r.IntN(2)], 0, 7)
	}
	return done(b, r)
}

func chainAndPawns(r *rand.Rand) (Board, bool) {
	b := empty()
	b.lock(r, 15)
	b.kings(r)
	for range 1 + r.IntN(4) {
		b.anywhere(r, "Pp"[r.IntN(2)], 1, 6)
	}
	for range r.IntN(3) {
		b.anywhere(r, "Bb"[r.IntN(2)], 0, 7)
	}
	return done(b, r)
}

func chainAndPieces(r *rand.Rand) (Board, bool) {
	b := empty()
	b.lock(r, 20)
	b.kings(r)
	for range 1 + r.IntN(4) {
		b.anywhere(r, "BbBbBbNnBbBbRrQqPpPp"[r.IntN(20)], 0, 7)
	}
	return done(b, r)
}

func dark(s int) bool { return (s&7+s>>3)&1 == 0 }

func bishopsOfOneColour(r *rand.Rand) (Board, bool) {
	b := empty()
	b.lock(r, 12)
	b.kings(r)
	colour := r.IntN(2) == 0
	for range 1 + r.IntN(6) {
		if at := r.IntN(64); dark(at) == colour {
			b.drop("Bb"[r.IntN(2)], at)
		}
	}
	for range r.IntN(3) {
		b.anywhere(r, "Pp"[r.IntN(2)], 1, 6)
	}
	return done(b, r)
}

func crowdOfBishops(r *rand.Rand) (Board, bool) {
	b := empty()
	b.lock(r, 12)
	b.kings(r)
	for range 4 + r.IntN(8) {
		b.anywhere(r, "Bb"[r.IntN(2)], 0, 7)
	}
	return done(b, r)
}

// kingShutIn puts a king near a corner among its own pieces, with few other pieces that could move.
func kingShutIn(r *rand.Rand) (Board, bool) {
	b := empty()
	corner := []int{56, 63, 57, 62, 48, 55}[r.IntN(6)]
	b.drop('k', corner)
	for _, s := range kingSteps[corner] {
		if r.IntN(4) > 0 {
			b.drop("ppbbnrqP"[r.IntN(8)], int(s))
		}
	}
	b.lock(r, 10)
	b.anywhere(r, 'K', 0, 7)
	for range r.IntN(4) {
		b.anywhere(r, "PBNpb"[r.IntN(5)], 1, 6)
	}
	return orMirror(b, r)
}

func orMirror(b Board, r *rand.Rand) (Board, bool) {
	if r.IntN(2) == 0 {
		b = b.Mirror()
	}
	return done(b, r)
}

// immured makes pieces in a corner behind pawns, whose capture would release them.
func immured(r *rand.Rand) (Board, bool) {
	b := empty()
	b.lock(r, 15)
	at := []int{0, 1, 8, 7, 6, 15, 9, 14}[r.IntN(8)]
	b.drop("BRNQbrnq"[r.IntN(8)], at)
	for _, s := range kingSteps[at] {
		if r.IntN(3) > 0 {
			b.drop("PPPPBpNR"[r.IntN(8)], int(s))
		}
	}
	b.kings(r)
	for range r.IntN(4) {
		b.anywhere(r, "BbPpNn"[r.IntN(6)], 0, 7)
	}
	return orMirror(b, r)
}

// ladder makes a king with hardly a square, locks, and pawns that can still step.
func ladder(r *rand.Rand) (Board, bool) {
	b := empty()
	for f := range 8 {
		switch r.IntN(4) {
		case 0, 1:
			rank := 1 + r.IntN(4)
			b.drop('P', 8*rank+f)
			b.drop('p', 8*rank+8+f)
		case 2:
			low := 1 + r.IntN(2)
			b.drop('P', 8*low+f)
			b.drop('p', 8*min(low+2+r.IntN(3), 6)+f)
		}
	}
	corners := []int{0, 7, 56, 63, 1, 6, 57, 62, 24, 31, 32, 39}
	for _, k := range []byte("Kk") {
		at := corners[r.IntN(len(corners))]
		if !b.drop(k, at) {
			return b, false
		}
		for _, s := range kingSteps[at] {
			if r.IntN(3) > 0 {
				b.drop("PpBb"[r.IntN(4)], int(s))
			}
		}
	}
	return done(b, r)
}

// wrongCorner makes bishop and rook pawns against a king in the corner, with few other pieces.
func wrongCorner(r *rand.Rand) (Board, bool) {
	b := empty()
	file := []int{0, 7}[r.IntN(2)]
	b.drop('k', 56+file+(1-file&1*2)*r.IntN(2))
	for range 1 + r.IntN(2) {
		b.drop('P', 8*(1+r.IntN(6))+file)
	}
	b.anywhere(r, 'K', 0, 7)
	b.anywhere(r, 'B', 0, 7)
	for range r.IntN(3) {
		b.anywhere(r, "pbPB"[r.IntN(4)], 1, 6)
	}
	return orMirror(b, r)
}

func fewPieces(r *rand.Rand) (Board, bool) {
	b := empty()
	b.anywhere(r, 'K', 0, 7)
	b.anywhere(r, 'k', 0, 7)
	for range 1 + r.IntN(4) {
		b.anywhere(r, "PNBRQpnbrqPpBbNn"[r.IntN(16)], 0, 7)
	}
	return done(b, r)
}

// minorPieces gives one side a knight, or bishops of mostly one colour, and the other any material: it has to provide
// the pieces that block its own king.
func minorPieces(r *rand.Rand) (Board, bool) {
	b := empty()
	b.anywhere(r, 'K', 0, 7)
	b.anywhere(r, 'k', 0, 7)
	colour := r.IntN(2) == 0
	for range 1 + r.IntN(3) {
		at := r.IntN(64)
		switch {
		case dark(at) == colour || r.IntN(6) == 0:
			b.drop('B', at)
		case r.IntN(4) == 0:
			b.drop('N', at)
		}
	}
	for range 1 + r.IntN(4) {
		b.anywhere(r, "nnbbrqpp"[r.IntN(8)], 0, 7)
	}
	return orMirror(b, r)
}

// helper makes bishops of one colour against pawns and heavy pieces, so that no mate is possible before a pawn has
// become a knight or bishop.
func helper(r *rand.Rand) (Board, bool) {
	b := empty()
	b.anywhere(r, 'K', 0, 7)
	b.anywhere(r, 'k', 0, 7)
	colour := r.IntN(2) == 0
	for range 1 + r.IntN(3) {
		if at := r.IntN(64); dark(at) == colour {
			b.drop('B', at)
		}
	}
	for range 1 + r.IntN(4) {
		b.anywhere(r, 'p', 1, 6)
	}
	for range r.IntN(3) {
		b.anywhere(r, "qrP"[r.IntN(3)], 1, 6)
	}
	return orMirror(b, r)
}

// withFewMoves keeps the boards with at least one and at most the given number of moves.
func withFewMoves(make func(*rand.Rand) (Board, bool), most int) func(*rand.Rand) (Board, bool) {
	return keep(make, func(b *Board) bool {
		n := len(b.Moves(nil))
		return n > 0 && n <= most
	})
}

func checked(make func(*rand.Rand) (Board, bool)) func(*rand.Rand) (Board, bool) {
	return keep(make, func(b *Board) bool { return b.InCheck() && len(b.Moves(nil)) > 0 })
}

func keep(make func(*rand.Rand) (Board, bool), good func(*Board) bool) func(*rand.Rand) (Board, bool) {
	return func(r *rand.Rand) (Board, bool) {
		for range 400 {
			if b, ok := make(r); ok && good(&b) {
				return b, true
			}
		}
		return Board{}, false
	}
}

// passant makes a board with a double step just made at a lock, where the capture may open it.
func passant(r *rand.Rand) (Board, bool) {
	b := empty()
	b.turn = Black
	f := r.IntN(8)
	b.drop('P', 24+f)
	b.ep = int8(16 + f)
	beside := f + 1
	if f == 7 || f > 0 && r.IntN(2) == 0 {
		beside = f - 1
	}
	b.drop('p', 24+beside)
	if r.IntN(2) == 0 {
		b.drop('P', 16+beside)
	}
	if r.IntN(2) == 0 {
		b.drop('p', 32+f)
	}
	for g := range 8 {
		if g != f && g != beside && r.IntN(3) > 0 {
			rank := 1 + r.IntN(5)
			b.drop('P', 8*rank+g)
			b.drop('p', 8*rank+8+g)
		}
	}
	b.kings(r)
	for range r.IntN(3) {
		b.anywhere(r, "BbNnPp"[r.IntN(6)], 0, 7)
	}
	if b.at[b.ep] != 0 || b.at[b.ep-8] != 0 || b.king(White) < 0 || b.king(Black) < 0 || !b.Sound() {
		return b, false
	}
	if r.IntN(2) == 0 {
		b = b.Mirror()
	}
	b.dropEnPassant()
	return b, b.ep >= 0
}

func castling(r *rand.Rand) (Board, bool) {
	b := empty()
	b.drop('K', 4)
	b.drop('R', 7*r.IntN(2))
	b.lock(r, 20)
	b.anywhere(r, 'k', 4, 7)
	for range r.IntN(4) {
		b.anywhere(r, "BbPpNn"[r.IntN(6)], 0, 7)
	}
	b.castling = 3
	if r.IntN(2) == 0 {
		b = b.Mirror()
	}
	b.loseRights()
	return done(b, r)
}

func dense(r *rand.Rand) (Board, bool) {
	b := empty()
	b.lock(r, 20)
	b.kings(r)
	for range 8 + r.IntN(8) {
		b.anywhere(r, "BbBbNnRrQqBbPp"[r.IntN(14)], 0, 7)
	}
	return done(b, r)
}

func randomGame(r *rand.Rand) (Board, bool) {
	b, _ := Read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
	plies := 60 + r.IntN(240)
	var list []Move
	for range plies {
		list = b.Moves(list[:0])
		if len(list) == 0 {
			return b, false
		}
		m := list[r.IntN(len(list))]
		for range 4 {
			if b.at[m.to] != 0 || m.promotion != 0 {
				break
			}
			m = list[r.IntN(len(list))]
		}
		b.Play(m)
	}
	b.clock = 0
	return b, true
}
