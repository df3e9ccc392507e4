package populations

import (
	"math"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// guest is somebody of the families stroke and coast. They were written by another person, who knew the timing notes and had
// seen neither the model nor take.go and deed.go: so these are the laws of how he draws a deed, and stay his. Times in seconds, at the tempo
// that the hands have just now; there is no common factor.
type guest struct {
	manners
	limbs limbs
}

// limbs are how the hands of a guest move. Distances in cm.
type limbs interface {
	at(pace Pace, haste float64) // what follows is done so fast
	tempo() float64              // against blitz
	step()                       // one more move: the tempo drifts

	carry(cm float64) float64
	reach(cm float64) float64
	grasp() float64
	release() float64
	inHand() float64  // from hovering with a piece until a second one has left
	swapGap() float64 // from there until the first is read
	pushGap() float64
	press(cm float64) float64
	lag(style Style, cm float64) float64 // of the moving piece behind the captured one, two hands
	castleLag(style Style) float64       // of the rook behind the king
	share() float64                      // how much slower a hand is when the other one moves too
}

func (g guest) step() { g.limbs.step() }

func (g guest) inclined(r *Rates, style Style) somebody {
	g.bend(r, style)
	return g
}

func (g guest) do(t *task, two bool) Style {
	g.limbs.at(t.pace, t.haste)
	style := g.draw(t, two)
	t.fromZero()
	return style
}

// press: the clock stands beside the h-file; with two hands either may press.
func (g guest) press(t *task, style Style) float64 {
	g.limbs.at(t.pace, t.haste)
	took := g.limbs.press(12 + 0.55*fieldCM*float64(t.to&7) + 4*t.Float64())
	if style.Two() && t.happens(0.5) {
		took = 0.3 * g.limbs.press(20)
	}
	return took
}

func (g guest) draw(t *task, two bool) Style {
	switch t.kind {
	case hands.Capture:
		return g.capture(t, two)
	case hands.Castling:
		return g.castling(t, two)
	case hands.Promotion:
		return g.promotion(t, two)
	}
	t.off(0, t.from)
	land := g.limbs.carry(t.span())
	switch t.mover.Kind() {
	case legal.Rook, legal.Bishop, legal.Queen:
		if t.happens(3 * t.rates.Transient) {
			t.slide(land)
		}
	}
	t.on(land, t.to, t.put)
	return Plain
}

// slide: the piece is seen on each square that it goes over.
func (t *task) slide(land float64) {
	file, rank := int(t.to&7)-int(t.from&7), int(t.to>>3)-int(t.from>>3)
	n := max(file, -file, rank, -rank)
	for i := 1; i < n; i++ {
		sq := legal.Square(int(t.from) + i*(file/n) + 8*i*(rank/n))
		middle, half := land*float64(i)/float64(n), 0.3*land/float64(n)
		t.on(middle-half, sq, t.mover)
		t.off(middle+half, sq)
	}
}

// capture draws one capture: gone, up and down are the captured piece's end, the mover's lift and its landing.
func (g guest) capture(t *task, two bool) Style {
	l, way := g.limbs, t.span()
	style := g.captureStyle(t, two)
	var gone, up, down float64
	switch style {
	case Swap:
		gone = l.carry(way) + l.inHand()
		down = gone + l.swapGap()
	case Push:
		end, gap := 1.15*l.carry(way), l.pushGap()
		gone, down = max(0.05, end-0.3*gap), end+0.7*gap
	case HoldFirst:
		up = 0.9*l.reach(way) + 1.15*l.grasp()
		down = up + l.carry(way)
	case PutAside:
		side := t.between(8, 22)
		up = 1.05*l.carry(side) + l.release() + l.reach(side) + l.grasp()
		down = up + l.carry(way)
	case Scoop:
		up = 0.12 * t.Float64() * math.Sqrt(l.tempo())
		down = up + l.carry(way)
	case Knock:
		gone = 0.15 * t.NormFloat64()
		down = max(l.carry(way), gone+0.02)
	case Late:
		end := l.carry(way)
		gone = end * t.between(0.8, 1.1)
		down = max(end, gone+0.02+0.13*t.Float64()*min(1.5, l.tempo()))
	default: // together, ahead, first, sequential
		up = l.lag(style, way)
		down = max(up+l.carry(way)*l.share(), 0.03)
	}
	t.off(gone, t.victim)
	t.off(up, t.from)
	t.on(down, t.to, t.put)
	g.drag(t, gone)
	return style
}

func (g guest) captureStyle(t *task, two bool) Style {
	switch {
	case two:
		return Together + Style(t.pick(g.two))
	case !t.happens(t.rates.Nuisance):
		return Swap + Style(t.pick(g.one))
	case t.happens(0.5):
		return Knock
	}
	return Scoop
}

// drag: the captured piece is seen on a neighbour's square while it is taken away.
func (g guest) drag(t *task, gone float64) {
	if !t.happens(0.6 * t.rates.Transient) {
		return
	}
	file, rank := int(t.victim&7)+t.IntN(3)-1, int(t.victim>>3)+t.IntN(3)-1
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return
	}
	if sq := legal.SquareOf(file, rank); sq != t.from && sq != t.to && t.table[sq] == legal.NoPiece {
		t.on(gone+0.02, sq, t.taken)
		t.off(gone+0.02+0.08*g.limbs.tempo(), sq)
	}
}

// castling: as rarely as a captured piece, the rook is knocked, or scooped up with the king.
func (g guest) castling(t *task, two bool) Style {
	l := g.limbs
	rookWay := cm(t.rookFrom, t.rookTo)
	down := l.carry(t.span())
	var up, rookUp, rookDown float64
	style := g.castlingStyle(t, two)
	switch style {
	case Together, Staggered:
		down *= 1.1 * l.share()
		rookUp = l.castleLag(style)
		rookDown = rookUp + 1.1*l.carry(rookWay)*l.share()
	case BothInOne:
		rookUp = 0.8*l.reach(cm(t.from, t.rookFrom)) + 0.6*l.inHand()
		down = rookUp + l.carry(t.span())
		rookDown = down + l.swapGap() + 0.1*l.tempo()*t.Float64()
	case Knock:
		rookUp = t.between(-0.1, 0.4) * l.tempo()
		rookDown = down + l.release() + l.reach(cm(t.to, t.rookFrom)) + l.grasp() + l.carry(rookWay)
	case Scoop:
		rookUp = 0.15 * t.Float64() * l.tempo()
		down += rookUp
		rookDown = down + l.swapGap()
	default: // king then rook
		rookUp = down + 0.5*l.release() + 0.75*l.reach(cm(t.to, t.rookFrom)) + 0.75*l.grasp()
		rookDown = rookUp + l.carry(rookWay)
	}
	t.off(up, t.from)
	t.on(down, t.to, t.mover)
	t.off(rookUp, t.rookFrom)
	t.on(rookDown, t.rookTo, t.rook)
	return style
}

func (g guest) castlingStyle(t *task, two bool) Style {
	switch {
	case two && t.happens(g.castle):
		return Together
	case two:
		return Staggered
	case t.happens(t.rates.BothInOne):
		return BothInOne
	case !t.happens(t.rates.Nuisance):
		return KingThenRook
	case t.happens(0.5):
		return Knock
	}
	return Scoop
}

// promotion: the way to the new piece is drawn once for there and back.
func (g guest) promotion(t *task, two bool) Style {
	l := g.limbs
	onto := t.happens(g.pawn[0] / (g.pawn[0] + g.pawn[1]))
	way := t.between(18, 32)
	var eighth, pawnOff, down float64 // the pawn's stay on the last rank, if onto
	if onto {
		eighth = l.carry(t.span())
	}
	style := g.promotionStyle(t, two, onto)
	switch {
	case two && onto:
		pawnOff = eighth + 0.3*l.release() + math.Abs(0.05*t.NormFloat64()) + l.grasp()
		down = pawnOff + t.between(0.03, 0.15) + 0.1*l.tempo()*t.ExpFloat64()
	case two:
		down = max(0.03, 0.34*l.tempo()*t.spread(0.45))
	case style == PreHeld && onto:
		pawnOff = eighth + l.inHand()
		down = pawnOff + l.swapGap() + 0.05
	case style == PreHeld:
		down = 0.5*l.inHand() + l.carry(6)
	case onto:
		pawnOff = eighth + 0.8*(l.release()+l.reach(way)+l.grasp()+l.carry(way)+0.6*l.inHand())
		down = pawnOff + l.swapGap() + 0.03
	default:
		down = 0.85 * (1.05*l.carry(way) + l.release() + l.reach(8) + l.grasp() + l.carry(way))
	}
	t.off(0, t.from)
	landing := down
	if onto {
		t.on(eighth, t.to, t.mover)
		t.off(pawnOff, t.to)
		landing = eighth
	}
	t.on(down, t.to, t.put)
	if t.taken != legal.NoPiece {
		t.off(min(g.takenFirst(two, t), landing-0.01), t.victim)
	}
	return style
}

// promotionStyle: with two hands there is one way of drawing it, and two names: where the pawn is put down, the other hand
// has the time to fetch.
func (g guest) promotionStyle(t *task, two, onto bool) Style {
	switch {
	case two && onto:
		return OtherFetches
	case two:
		return QueenReady
	case t.happens(t.rates.PreHeld):
		return PreHeld
	case onto:
		return SwapOnEighth
	}
	return PawnOff
}

// takenFirst is when a piece that the pawn captures leaves: it is put aside before, or the other hand takes it.
func (g guest) takenFirst(two bool, t *task) float64 {
	l := g.limbs
	if two && t.happens(0.5) {
		return -l.lag(Together, t.span())
	}
	return -(l.carry(20) + l.release() + l.reach(20) + l.grasp())
}
