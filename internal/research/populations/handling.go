package populations

import (
	"math"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// Style is the way of a manipulation.
type Style uint8

// The styles. Those up to twoFirst use one hand, the others two.
const (
	Plain     Style = iota // a move that two hands cannot share
	Swap                   // capture: the fingers with the piece take the captured one, and put the piece down
	Push                   // the captured piece is pushed off
	HoldFirst              // the captured piece is taken first and kept in the hand
	PutAside               // the captured piece is taken first and put beside the board
	Scoop                  // both are gathered in one movement
	Knock                  // the captured piece, or the rook, falls or is not read, at any time
	KingThenRook
	BothInOne // king and rook in one hand
	SwapOnEighth
	PawnOff // the pawn is removed, then the queen is fetched
	PreHeld // the queen is in the same hand already

	Together // both hands at once
	Ahead    // the other hand is a little ahead
	First    // the other hand takes first, after the first one has begun to reach
	Late     // the piece waits over the square until the other hand has cleared it
	Sequential
	Staggered  // castling: the second hand follows while the king is set down
	QueenReady // promotion: the other hand waits with the queen
	OtherFetches

	twoFirst = Together
)

var styleNames = [...]string{
	"plain", "swap", "push", "hold first", "put aside", "scoop", "knock", "king then rook", "both in one hand", "swap on the eighth",
	"pawn off", "queen pre-held", "together", "ahead", "first", "late", "sequential", "staggered", "queen ready", "other hand fetches",
}

func (s Style) String() string {
	return styleNames[min(int(s), len(styleNames)-1)]
}

// Two reports whether both hands are used.
func (s Style) Two() bool { return s >= twoFirst }

// StyleOf returns the style with this name, Plain if there is none.
func StyleOf(name string) Style {
	for i, n := range styleNames {
		if n == name {
			return Style(i)
		}
	}
	return Plain
}

// fieldCM is the side of a square of a tournament board.
const fieldCM = 5.5

// cm returns the distance between the centres of two squares.
func cm(a, b legal.Square) float64 {
	return fieldCM * math.Hypot(float64(a.File()-b.File()), float64(a.Rank()-b.Rank()))
}

// task is a manipulation to be made, and afterwards its moments: seconds after the first.
type task struct {
	hands.Handling
	pace    Pace
	haste   float64 // multiplies all times
	rates   Rates
	table   *legal.Placement
	moments []moment
}

func (t *task) off(at float64, sq legal.Square) {
	t.moments = append(t.moments, moment{at, sq, legal.NoPiece})
}

func (t *task) on(at float64, sq legal.Square, p legal.Piece) {
	t.moments = append(t.moments, moment{at, sq, p})
}

// span returns the length of the piece's way.
func (t *task) span() float64 { return cm(t.From, t.To) }

// somebody is one pair of hands.
type somebody interface {
	step()                          // before each move
	choose(t *task, two bool) Style // a way of the manipulation
	do(t *task, style Style)        // fills in the moments, at any time
	press() float64                 // from the last placement until the lever is down, in seconds
}

// choose draws a style. The frequencies of two-handed styles are a guess of the timing notes (3.3) for everybody.
func (p *person) choose(t *task, two bool) Style {
	switch t.Kind {
	case hands.Capture:
		switch {
		case two:
			return Together + Style(p.pick([]float64{25, 30, 20, 10, 15}))
		case !p.happens(t.rates.Nuisance):
			return Swap + Style(p.pick(p.one))
		case p.happens(0.5) && t.span() < 2.3*fieldCM: // one hand cannot span more
			return Scoop
		}
		return Knock
	case hands.Castling:
		switch {
		case two:
			return []Style{Together, Staggered}[p.IntN(2)]
		case p.happens(t.rates.BothInOne):
			return BothInOne
		case p.happens(t.rates.Nuisance):
			return Knock
		}
		return KingThenRook
	case hands.Promotion:
		switch {
		case two:
			return []Style{QueenReady, OtherFetches}[p.IntN(2)]
		case p.happens(t.rates.PreHeld):
			return PreHeld
		case p.happens(p.far):
			return SwapOnEighth
		}
		return PawnOff
	}
	return Plain
}

func (p *person) do(t *task, style Style) {
	p.at(t.pace, t.haste)
	switch t.Kind {
	case hands.Capture:
		p.capture(t, style)
	case hands.Castling:
		p.castling(t, style)
	case hands.Promotion:
		p.promotion(t, style)
	default:
		p.plain(t)
	}
}

// share is the factor by which a hand is slower while the other one moves too.
const share = 1.1

// plain is a move of one piece. Sometimes the piece is read on squares on its way (timing notes, 1.1: 7 % of the
// moves).
func (p *person) plain(t *task) {
	t.off(0, t.From)
	land := p.carry(t.span())
	if k := t.Mover.Kind(); k != legal.Knight && k != legal.Pawn && p.happens(2*t.rates.Transient) {
		file, rank := t.To.File()-t.From.File(), t.To.Rank()-t.From.Rank()
		n := max(file, -file, rank, -rank)
		for i := 1; i < n; i++ {
			sq := legal.SquareOf(t.From.File()+i*file/n, t.From.Rank()+i*rank/n)
			middle, half := land*float64(i)/float64(n), 0.3*land/float64(n)
			t.on(middle-half, sq, t.Mover)
			t.off(middle+half, sq)
		}
	}
	t.on(land, t.To, t.Put)
}

// capture: gone, up and down are the end of the captured piece, the mover's lift and its landing.
func (p *person) capture(t *task, style Style) {
	way := t.span()
	var gone, up, down float64
	switch style {
	case Swap:
		gone = p.carry(way) + p.times(p.inHand)
		down = gone + p.times(p.swap)
	case Push:
		end, gap := p.shove*p.carry(way), p.times(p.push)
		gone, down = max(0.05, end-0.3*gap), end+0.7*gap
	case HoldFirst:
		up = p.times(p.release) + p.reached(way) + 1.3*p.times(p.grasp)
		down = up + 1.05*p.carry(way)
	case PutAside:
		side := p.between(8, 30)
		up = p.carry(side) + p.times(p.release) + p.reached(side) + p.times(p.grasp)
		down = up + p.carry(way)
	case Scoop:
		gone = p.between(-0.1, 0.12) * math.Sqrt(p.now)
		down = max(gone, 0) + p.between(0.5, 1)*p.carry(way)
	case Knock:
		gone = 0.15 * p.NormFloat64()
		down = max(p.carry(way)+2*p.times(p.grasp)*p.Float64(), gone+0.02)
	case Late:
		end := p.carry(way)
		gone = end * p.between(0.8, 1.1)
		down = max(end, gone+0.02+0.13*p.Float64()*min(1.5, p.now))
	default:
		up = p.times(map[Style]dist{Together: p.together, Ahead: p.ahead, First: p.first, Sequential: p.sequential}[style])
		down = max(up+p.carry(way)*share, 0.03)
	}
	t.off(gone, t.Victim)
	t.off(up, t.From)
	t.on(down, t.To, t.Put)
	p.drag(t, gone)
}

// drag: the captured piece is read on a neighbouring square while it is removed.
func (p *person) drag(t *task, gone float64) {
	file, rank := t.Victim.File()+p.IntN(3)-1, t.Victim.Rank()+p.IntN(3)-1
	if !p.happens(0.6*t.rates.Transient) || file < 0 || file > 7 || rank < 0 || rank > 7 {
		return
	}
	if sq := legal.SquareOf(file, rank); sq != t.From && sq != t.To && t.table[sq] == legal.NoPiece {
		t.on(gone+0.02, sq, t.Taken)
		t.off(gone+0.02+0.08*p.now, sq)
	}
}

// castling: the king first, as the Laws require (FIDE Laws 4.4.2).
func (p *person) castling(t *task, style Style) {
	rookWay := cm(t.RookFrom, t.RookTo)
	down := p.carry(t.span())
	var rookUp, rookDown float64
	switch style {
	case Together, Staggered:
		down *= share
		rookUp = p.times(map[Style]dist{Together: p.together, Staggered: p.staggered}[style])
		rookDown = rookUp + p.carry(rookWay)*share
	case BothInOne:
		rookUp = p.turn*p.reached(cm(t.From, t.RookFrom)) + p.gather*p.times(p.inHand)
		down = rookUp + p.carry(cm(t.RookFrom, t.To)+3)
		rookDown = down + (0.02+p.apart*p.Float64())*p.now
	case Knock:
		rookUp = p.between(-0.1, 0.4) * p.now
		rookDown = down + p.times(p.release) + p.reached(cm(t.To, t.RookFrom)) + p.times(p.grasp) + p.carry(rookWay)
	default:
		rookUp = down + p.turn*(p.times(p.release)+p.reached(cm(t.To, t.RookFrom))+p.times(p.grasp))
		rookDown = rookUp + p.carry(rookWay)
	}
	t.off(0, t.From)
	t.on(down, t.To, t.Mover)
	t.off(rookUp, t.RookFrom)
	t.on(rookDown, t.RookTo, legal.PieceOf(t.Mover.Side(), legal.Rook))
}

// promotion: in some styles, and by some people, the pawn is put down on the last rank first.
func (p *person) promotion(t *task, style Style) {
	onto := style == SwapOnEighth || style != PawnOff && p.happens(0.4)
	way := p.between(18, 32)
	fetch := p.times(p.release) + p.reached(way) + p.times(p.grasp) + p.carry(way)
	var pawnOff, down float64
	eighth := p.carry(t.span())
	switch {
	case style.Two() && onto:
		pawnOff = eighth + p.times(p.release) + p.times(p.grasp)
		down = pawnOff + p.between(0.03, 0.15) + 0.1*p.now*p.ExpFloat64()
	case style == QueenReady:
		down = max(0.03, 0.3*p.now*p.spread(0.45))
	case style == OtherFetches:
		down = max(0.1, 0.75*fetch)
	case style == PreHeld && onto:
		pawnOff = eighth + p.times(p.inHand)
		down = pawnOff + p.times(p.swap) + 0.05
	case style == PreHeld: // the same fingers must take the pawn, carry both, and put the queen down
		down = eighth + 0.7*p.times(p.inHand) + p.times(p.swap)
	case onto:
		pawnOff = eighth + fetch + p.times(p.inHand)/2
		down = pawnOff + p.times(p.swap) + 0.03
	default:
		down = p.carry(way)/2 + fetch
	}
	t.off(0, t.From)
	landing := down
	if onto {
		t.on(eighth, t.To, t.Mover)
		t.off(pawnOff, t.To)
		landing = eighth
	}
	t.on(down, t.To, t.Put)
	if t.Taken != legal.NoPiece { // put aside before, or removed by the other hand
		taken := -(p.carry(20) + p.times(p.release) + p.reached(20) + p.times(p.grasp))
		if style.Two() && p.happens(0.5) {
			taken = -p.times(p.together)
		}
		t.off(min(taken, landing-0.01), t.Victim)
	}
}
