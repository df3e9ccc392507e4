package players

import "boardwatchd/rules/legal"

// Habits are the frequencies, in permille, of the ways of performing an action. The rest of 1,000 in a group is its
// first way.
type Habits struct {
	// Captures. First way: the swap, the captured piece removed and replaced in one movement, too fast for the scan
	// nine times in ten.
	VictimFirst  int // victim off the board, then the capturer is lifted
	PushOff      int // capturer slid in, victim pushed off over a neighbour
	VictimDrag   int // the captured piece is dragged low over an empty neighbour, where a coil detects it
	EnPassantPre int // en passant: the captured pawn is removed first instead of last

	// Moves along a line. First way: through the air.
	Slide int

	// Castling. First way: king up, king down, rook up, rook down.
	RookFirst int
	BothInAir int
	KingStops int // the king stops on the square it crosses, then goes to its target

	// Promotion. First way: the pawn goes to the last rank and is exchanged there.
	PawnOffFirst int // the pawn is removed, then the piece is put on the last rank
	QueenFirst   int // the piece is put there first, then the pawn is removed
	DirectSwap   int // pawn and piece change places too fast for the scan

	// Both hands for one move (FIDE Laws 7.5.4): captures, castlings and promotions. Honest players never do it.
	TwoHands int

	// Before and around the move.
	Hesitate   int // the piece is lifted, put back, and moved after all
	TouchOther int // another own piece is lifted and put back first
	Adjust     int // a piece is adjusted during the opponent's time
	ChangeMind int // the piece is released on another square, then moved on
	EarlyReply int // the opponent answers before the press
	LongThink  int
	SlowPress  int // the clock is forgotten for a second or two
}

// The three sets of habits.
var (
	// AsRecorded reproduces the rates of reconstruction notes 1.
	AsRecorded = Habits{
		VictimFirst: 195, PushOff: 35, VictimDrag: 215, EnPassantPre: 250,
		Slide:        230,
		PawnOffFirst: 350, QueenFirst: 80, DirectSwap: 150,
		LongThink: 30, SlowPress: 8,
	}
	// Tidy is a pair of careful players: pieces through the air, no ghosts.
	Tidy = Habits{VictimFirst: 500, PawnOffFirst: 500}
	// Restless does often all that honest players do occasionally.
	Restless = Habits{
		VictimFirst: 200, PushOff: 80, VictimDrag: 250, EnPassantPre: 400,
		Slide:     300,
		RookFirst: 60, BothInAir: 40, KingStops: 100,
		PawnOffFirst: 300, QueenFirst: 200, DirectSwap: 200,
		Hesitate: 60, TouchOther: 40, Adjust: 30, ChangeMind: 40, EarlyReply: 20,
		LongThink: 50, SlowPress: 20,
	}
)

// Transfer is a move as hands perform it.
type Transfer struct {
	From, To         legal.Square
	Put              legal.Piece  // the piece on To afterwards, if it is not the moved piece (promotion); else NoPiece
	Victim           legal.Square // the captured piece's square, or NoSquare
	RookFrom, RookTo legal.Square // castling, else NoSquare
}

const (
	// Measured: capturer lifted to placed 0.76 s; captured piece lifted to capturer lifted 0.71 s; captured piece
	// lifted to capturer placed in a swap: the square was read empty in 3 of 28 swaps.
	swapReachUS  = 600_000
	swapGapUS    = 20_000
	victimGapUS  = 600_000
	dragUS       = 140_000 // over the neighbour square
	fetchUS      = 750_000 // a queen from beside the board
	exchangeUS   = 450_000 // from the pawn's arrival to its exchange
	castlingUS   = 500_000 // from the king's release to the rook
	hesitationUS = 500_000
)

// Move performs an ordinary move, with one hand unless the habits choose otherwise.
func (h *Hands) Move(t Transfer, hab Habits) {
	switch {
	case hab.TwoHands > 0 && h.rng.Permille(hab.TwoHands) && h.twoHanded(t):
	case t.RookFrom != legal.NoSquare:
		h.castle(t, hab)
	case t.Put != legal.NoPiece:
		h.promote(t, hab)
	case t.Victim == t.To && t.Victim != legal.NoSquare:
		h.capture(t, hab)
	case t.Victim != legal.NoSquare:
		h.enPassant(t, hab)
	default:
		h.step(t, hab)
	}
}

// step moves a piece to an empty square.
func (h *Hands) step(t Transfer, hab Habits) {
	path := line8(t.From, t.To)
	if len(path) > 0 && h.rng.Permille(hab.Slide) && h.free(path) {
		h.Slide(t.From, t.To)
		return
	}
	h.fly(t.From, t.To)
}

// fly moves a piece through the air.
func (h *Hands) fly(from, to legal.Square) {
	h.Lift(from)
	h.Wait(h.carry(from, to))
	h.Put(to)
}

func (h *Hands) free(path []legal.Square) bool {
	for _, sq := range path {
		if h.table[sq] != legal.NoPiece {
			return false
		}
	}
	return true
}

// capture captures a piece on the target square.
func (h *Hands) capture(t Transfer, hab Habits) {
	way := h.rng.Below(1000)
	drag := h.rng.Permille(hab.VictimDrag)
	switch {
	case way < int64(hab.VictimFirst):
		h.Lift(t.Victim)
		if drag {
			h.drag(t.Victim, t.From)
		}
		h.Wait(h.scaled(h.rng.Around(victimGapUS, &spreadHand)))
		h.Drop()
		h.fly(t.From, t.To)
	case way < int64(hab.VictimFirst+hab.PushOff) && h.free(line8(t.From, t.To)):
		h.pushOff(t)
	default:
		h.Lift(t.From)
		h.Wait(h.scaled(h.rng.Around(swapReachUS, &spreadHand)))
		h.swapIn(t.Victim)
		if drag {
			h.drag(t.To, t.From)
		}
		h.Drop()
	}
}

// swapIn lifts the captured piece with the hand that holds the capturer and puts the capturer down at once: most scans
// never read the square empty.
func (h *Hands) swapIn(sq legal.Square) {
	mover := h.release()
	h.Lift(sq)
	h.Wait(h.rng.Around(swapGapUS, &spreadSlow))
	h.stand(sq, mover)
	h.Wait(h.scaled(60_000)) // the other piece is still in the hand
}

// pushOff slides the capturer in; the captured piece is pushed to a neighbouring square and lifted there, so that the
// last event of the move is a lift.
func (h *Hands) pushOff(t Transfer) {
	out := h.neighbour(t.Victim, t.From)
	if out == legal.NoSquare {
		h.Lift(t.From)
		h.Wait(h.scaled(h.rng.Around(swapReachUS, &spreadHand)))
		h.swapIn(t.Victim)
		h.Drop()
		return
	}
	victim := h.table[t.Victim]
	h.table[t.Victim] = legal.NoPiece
	h.Slide(t.From, t.To)
	h.sense(h.Now-h.rng.Between(0, borderUS), out, victim)
	h.table[out] = victim
	h.Wait(h.scaled(h.rng.Around(300_000, &spreadHand)))
	h.Lift(out)
	h.Drop()
}

// drag carries the piece in the hand low over an empty neighbour of sq.
func (h *Hands) drag(sq, avoid legal.Square) {
	over := h.neighbour(sq, avoid)
	if over == legal.NoSquare || h.Held() == legal.NoPiece {
		return
	}
	h.Wait(h.scaled(h.rng.Around(80_000, &spreadHand)))
	h.sense(h.Now, over, h.Held())
	h.Wait(h.scaled(h.rng.Around(dragUS, &spreadHand)))
	h.sense(h.Now, over, legal.NoPiece)
}

// neighbour draws an empty square beside sq, NoSquare when there is none.
func (h *Hands) neighbour(sq, avoid legal.Square) legal.Square {
	var empty [8]legal.Square
	n := 0
	for df := -1; df <= 1; df++ {
		for dr := -1; dr <= 1; dr++ {
			near := legal.SquareOf(sq.File()+df, sq.Rank()+dr)
			if near != legal.NoSquare && near != sq && near != avoid && h.table[near] == legal.NoPiece {
				empty[n] = near
				n++
			}
		}
	}
	if n == 0 {
		return legal.NoSquare
	}
	return empty[h.rng.Below(int64(n))]
}

func (h *Hands) enPassant(t Transfer, hab Habits) {
	if h.rng.Permille(hab.EnPassantPre) {
		h.Lift(t.Victim)
		h.Wait(h.scaled(h.rng.Around(victimGapUS, &spreadHand)))
		h.Drop()
		h.fly(t.From, t.To)
		return
	}
	h.fly(t.From, t.To) // recorded: h5 empty, g6 pawn, g5 empty
	h.Wait(h.scaled(h.rng.Around(victimGapUS, &spreadHand)))
	h.Lift(t.Victim)
	if h.rng.Permille(hab.VictimDrag) {
		h.drag(t.Victim, t.To)
	}
	h.Drop()
}

// castle moves king and rook, in Chess960 perhaps only one of them.
func (h *Hands) castle(t Transfer, hab Habits) {
	kingStays, rookStays := t.From == t.To, t.RookFrom == t.RookTo
	crossed := t.To == t.RookFrom || t.RookTo == t.From
	way := h.rng.Below(1000)
	switch {
	case kingStays:
		h.fly(t.RookFrom, t.RookTo)
	case rookStays:
		h.fly(t.From, t.To)
	case crossed || way < int64(hab.BothInAir):
		h.castleInAir(t)
	case way < int64(hab.BothInAir+hab.RookFirst):
		h.fly(t.RookFrom, t.RookTo)
		h.Wait(h.scaled(h.rng.Around(castlingUS, &spreadHand)))
		h.fly(t.From, t.To)
	default:
		if path := line8(t.From, t.To); len(path) > 0 && h.rng.Permille(hab.KingStops) && h.free(path) {
			h.fly(t.From, path[0])
			h.Wait(h.scaled(h.rng.Around(castlingUS, &spreadHand)))
			h.fly(path[0], t.To)
		} else {
			h.fly(t.From, t.To)
		}
		h.Wait(h.scaled(h.rng.Around(castlingUS, &spreadHand)))
		h.fly(t.RookFrom, t.RookTo)
	}
}

// castleInAir has king and rook off the board together: one hand can hold two pieces, and it must if the two exchange
// squares.
func (h *Hands) castleInAir(t Transfer) {
	king, rook := h.table[t.From], h.table[t.RookFrom]
	h.Lift(t.From)
	h.Wait(h.carry(t.From, t.RookFrom))
	h.Lift(t.RookFrom)
	h.Wait(h.carry(t.RookFrom, t.To))
	h.PutPiece(t.To, king)
	h.Wait(h.carry(t.To, t.RookTo))
	h.PutPiece(t.RookTo, rook)
}

// promote brings a pawn to the last rank and replaces it by a piece.
func (h *Hands) promote(t Transfer, hab Habits) {
	way := h.rng.Below(1000)
	takes := t.Victim != legal.NoSquare
	fetch := func() { h.Wait(h.scaled(h.rng.Around(fetchUS, &spreadHand))) }
	clear := func() { // the captured piece goes first
		if takes {
			h.Lift(t.Victim)
			h.Wait(h.scaled(h.rng.Around(victimGapUS, &spreadHand)))
			h.Drop()
		}
	}
	switch {
	case way < int64(hab.PawnOffFirst):
		if h.rng.Permille(500) {
			clear()
			takes = false
		}
		h.Lift(t.From)
		h.Wait(h.scaled(h.rng.Around(victimGapUS, &spreadHand)))
		h.Drop()
		clear()
		fetch()
		h.PutPiece(t.To, t.Put)
	case way < int64(hab.PawnOffFirst+hab.QueenFirst):
		clear()
		h.PutPiece(t.To, t.Put)
		h.Wait(h.scaled(h.rng.Around(victimGapUS, &spreadHand)))
		h.Lift(t.From)
		h.Drop()
	default:
		direct := way < int64(hab.PawnOffFirst+hab.QueenFirst+hab.DirectSwap)
		h.Move(Transfer{From: t.From, To: t.To, Victim: t.Victim, RookFrom: legal.NoSquare, RookTo: legal.NoSquare}, hab)
		h.Wait(h.scaled(h.rng.Around(exchangeUS, &spreadHand)))
		if direct {
			h.Hold(t.Put)
			h.swapIn(t.To)
			h.Drop()
			return
		}
		h.Lift(t.To)
		h.Drop()
		fetch()
		h.PutPiece(t.To, t.Put)
	}
}
