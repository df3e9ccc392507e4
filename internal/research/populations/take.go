package populations

import "boardwatchd/rules/legal"

// capture draws one capture.
func (d *deed) capture(two bool) Style {
	style := d.captureStyle(two)
	var gone, up, down float64 // victim's end, mover's lift and landing
	switch style {
	case Swap:
		gone = d.carried() + 2.7*d.grasped() // the fingers hold something already
		down = gone + d.exchange()
	case Push:
		down = 1.6 * d.carried()
		gone = down - d.between(0, 0.05)
		down += d.between(0, 0.03)
	case HoldFirst:
		up = 1.3*d.released() + 1.1*d.reached(d.span()) + 1.5*d.grasped() // into the palm, and on
		down = up + 1.1*d.carried()
	case PutAside:
		side := d.between(10, 35)
		up = d.body.carry(d.chance, side) + d.released() + d.reached(side) + d.grasped()
		down = up + d.carried()
	case Scoop:
		gone = d.between(-0.05, 0.15)
		down = max(gone, 0) + d.between(0.06, 0.25)
	case Knock:
		down = d.carried() + 2*d.grasped()
		gone = d.between(-0.4, down)
	case Together:
		gone = d.lagged()
		down = max(1.1*d.carried(), gone+d.between(0.03, 0.12))
	case Ahead:
		up = 0.15 * d.spread(0.55) / d.swift
		down = up + max(1.05*d.carried(), 0.1)
	case First:
		up = 0.30 * d.spread(0.35) / d.swift
		down = up + d.carried()
	case Late:
		gone = d.carried() + 0.05 + 0.09*d.NormFloat64()
		down = gone + d.exchange()
	case Sequential:
		up = d.released() + d.reached(d.span()) + d.grasped() + d.gamma(2, 0.2)
		down = up + d.carried()
	}
	d.off(gone, d.victim)
	d.off(up, d.from)
	d.on(down, d.to, d.put)
	if style != Push && style != Scoop {
		d.graze(up, down)
	}
	d.drag(style, gone)
	return style
}

func (d *deed) captureStyle(two bool) Style {
	if two {
		return Together + Style(d.pick(d.person.two))
	}
	if d.happens(d.rates.Nuisance) {
		if d.happens(0.5) && d.span() < 2.3*fieldCM {
			return Scoop // one hand spans no more
		}
		return Knock
	}
	return Swap + Style(d.pick(d.person.one))
}

// drag: the captured piece is read on a square beside its own while it is taken away.
func (d *deed) drag(style Style, gone float64) {
	p := 0.4 * d.rates.Transient
	if style == Push {
		p *= 3
	}
	if !d.happens(p) {
		return
	}
	beside := d.victim + 1
	if d.victim&7 == 7 {
		beside = d.victim - 1
	}
	if d.table[beside] != legal.NoPiece {
		return
	}
	d.on(gone+d.between(0.02, 0.1), beside, d.taken)
	d.off(gone+d.between(0.15, 0.5), beside)
}

// queenWay is how far away the new piece stands.
func (d *deed) queenWay() float64 { return d.between(15, 40) }

// promotion draws one promotion, with or without a capture.
func (d *deed) promotion(two bool) Style {
	style := d.promotionStyle(two)
	d.off(0, d.from)
	var pawnOff, down float64
	eighth := -1.0 // the pawn is put down there
	switch style {
	case SwapOnEighth:
		eighth = d.carried()
		pawnOff = eighth + d.released() + d.body.fetch(d.chance, d.queenWay()) + 1.5*d.grasped()
		down = pawnOff + d.exchange()
	case PawnOff:
		down = d.between(0.3, 0.7)*d.carried() + d.released() + d.body.fetch(d.chance, d.queenWay()) + 0.06*d.spread(0.5)
	case PreHeld:
		// The same fingers must take the pawn, carry both, and turn the queen down: 0.3 s at least (timing notes, 2.2).
		down = d.carried() + 2.2*d.grasped() + d.exchange()
		if d.happens(0.3) {
			eighth = d.carried()
			pawnOff = eighth + 1.5*d.grasped()
			down = pawnOff + d.grasped() + d.exchange()
		}
	case QueenReady:
		if d.happens(0.4) {
			eighth = d.carried()
			pawnOff = eighth + d.grasped()
		}
		down = pawnOff + 0.21*d.spread(0.5)/d.swift
	case OtherFetches:
		if d.happens(0.5) {
			eighth = d.carried()
			pawnOff = eighth + d.released() + 1.2*d.grasped()
		}
		down = max(pawnOff+0.03, 0.75*d.body.fetch(d.chance, d.queenWay())/d.swift)
	}
	if eighth >= 0 {
		d.on(eighth, d.to, d.mover)
		d.off(pawnOff, d.to)
	}
	d.on(down, d.to, d.put)
	if d.taken != legal.NoPiece {
		landing := down
		if eighth >= 0 {
			landing = eighth
		}
		d.off(min(d.takenFirst(two), landing-0.01), d.victim)
	}
	return style
}

func (d *deed) promotionStyle(two bool) Style {
	switch {
	case two && d.happens(0.65):
		return QueenReady
	case two:
		return OtherFetches
	case d.happens(d.rates.PreHeld):
		return PreHeld
	}
	return SwapOnEighth + Style(d.pick(d.person.pawn))
}

// takenFirst is when the captured piece leaves: mostly before the pawn is touched.
func (d *deed) takenFirst(two bool) float64 {
	if two && d.happens(0.5) {
		return d.lagged()
	}
	return -(d.released() + d.reached(d.span()) + d.grasped())
}
