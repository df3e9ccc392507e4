package populations

import (
	"math"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// Style is how somebody does it.
type Style uint8

// The styles. With one hand up to TwoFirst, from there with two.
const (
	Plain     Style = iota // a move that two hands cannot share
	Swap                   // capture: the piece is carried there, the same fingers take the captured one, and put it down
	Push                   // the captured piece is pushed off
	HoldFirst              // the captured piece is taken first and kept in the hand
	PutAside               // … taken first and put beside the board
	Scoop                  // both are gathered in one go
	Knock                  // the captured piece falls or is not read, at any time
	KingThenRook
	BothInOne // king and rook in one hand
	SwapOnEighth
	PawnOff // the pawn goes off the board, then the queen is fetched
	PreHeld // the queen is in the same hand already

	Together // both hands at once
	Ahead    // the other hand is a little ahead
	First    // the other hand takes first, and the first one has begun to reach
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
	if int(s) < len(styleNames) {
		return styleNames[s]
	}
	return "no style"
}

// Two tells whether both hands are used.
func (s Style) Two() bool { return s >= twoFirst }

// shape is what is done, without its time.
type shape struct {
	kind              hands.Kind
	from, to          legal.Square
	victim            legal.Square
	rookFrom, rookTo  legal.Square
	mover, taken, put legal.Piece
	rook              legal.Piece
}

// cm is the distance of two squares' middles.
func cm(a, b legal.Square) float64 {
	file, rank := float64(a&7)-float64(b&7), float64(a>>3)-float64(b>>3)
	return fieldCM * math.Hypot(file, rank)
}

// task is what somebody is to do, and, when it is done, how.
type task struct {
	chance
	shape
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

// fromZero counts the times from the first moment.
func (t *task) fromZero() {
	first := t.moments[0].at
	for _, m := range t.moments {
		first = min(first, m.at)
	}
	for i := range t.moments {
		t.moments[i].at -= first
	}
}

// span is how far the piece goes.
func (t *task) span() float64 { return cm(t.from, t.to) }

// deed is one manipulation of a person while it is being drawn. Times in seconds at the person's pace, 0 where the piece that
// moves leaves its square.
type deed struct {
	*task
	person
	slow float64 // what all times will be multiplied with
}

func (d *deed) carried() float64           { return d.body.carry(d.chance, max(d.span(), fieldCM)) }
func (d *deed) grasped() float64           { return d.body.grasp(d.chance) }
func (d *deed) released() float64          { return d.body.release(d.chance) }
func (d *deed) reached(cm float64) float64 { return d.body.reach(d.chance, max(cm, 4)) }

// lagged is how far apart two hands are. A game that is three times slower does not make them three times more apart.
func (d *deed) lagged() float64 {
	return d.body.lag(d.chance) / d.swift / math.Pow(d.slow, 0.6)
}

// exchange: one piece out of the way, the other set down, by the same fingers. It hardly takes longer in a slow game
// (timing notes, 2.2: 47 ms and 52 ms).
func (d *deed) exchange() float64 {
	return (0.008 + 0.032*d.spread(0.65)) / math.Pow(d.slow, 0.8)
}

// plain is a move of one piece.
func (d *deed) plain() Style {
	end := d.carried()
	d.off(0, d.from)
	d.on(end, d.to, d.put)
	d.graze(0, end)
	return Plain
}

// graze: now and then a piece is read on a square that it only crosses (timing notes, 1.1: 7 % of the moves).
func (d *deed) graze(start, end float64) {
	if !d.happens(d.rates.Transient) || d.span() < 1.9*fieldCM {
		return
	}
	file, rank := int(d.to&7)-int(d.from&7), int(d.to>>3)-int(d.from>>3)
	if file != 0 && rank != 0 && file != rank && file != -rank {
		return // a knight's way is through the air
	}
	steps := max(file, -file, rank, -rank)
	step := 1 + d.IntN(steps-1)
	at := legal.Square(int(d.from) + step*(file/steps) + 8*step*(rank/steps))
	enter := start + (end-start)*float64(step)/float64(steps)
	d.on(enter-0.03, at, d.mover)
	d.off(enter+d.between(0.01, 0.12), at)
}

// draw chooses a style and fills in the moments.
func (d *deed) draw(two bool) Style {
	switch d.kind {
	case hands.Capture:
		return d.capture(two)
	case hands.Castling:
		return d.castling(two)
	case hands.Promotion:
		return d.promotion(two)
	}
	return d.plain()
}

// castling: the king first, as the Laws want it (FIDE Laws 4.4.2).
func (d *deed) castling(two bool) Style {
	style := KingThenRook
	switch {
	case two && d.happens(d.person.castle):
		style = Together
	case two:
		style = Staggered
	case d.happens(d.rates.BothInOne):
		style = BothInOne
	}
	rookWay := cm(d.rookFrom, d.rookTo)
	kingDown := d.carried()
	var rookUp, rookDown float64
	switch style {
	case KingThenRook:
		rookUp = kingDown + d.released() + d.reached(cm(d.to, d.rookFrom)) + d.grasped()
		rookDown = rookUp + d.body.carry(d.chance, rookWay)
	case BothInOne:
		rookUp = d.reached(cm(d.from, d.rookFrom)) + 0.6*d.grasped()
		kingDown = rookUp + d.body.carry(d.chance, cm(d.rookFrom, d.to)+3)
		rookDown = kingDown + d.between(0.02, 0.3)
	case Together:
		kingDown *= 1.1 // two at once are a little slower than one
		rookUp = d.lagged()
		rookDown = kingDown + 0.8*d.lagged()
		rookDown = max(rookDown, rookUp+0.6*d.body.carry(d.chance, rookWay))
	case Staggered:
		rookUp = kingDown + (-0.08+0.14*d.NormFloat64())/d.swift
		rookDown = rookUp + d.body.carry(d.chance, rookWay)
	}
	d.off(0, d.from)
	d.on(kingDown, d.to, d.mover)
	d.off(rookUp, d.rookFrom)
	d.on(rookDown, d.rookTo, d.rook)
	return style
}
