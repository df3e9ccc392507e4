package handtables

// promotions: new piece down, pawn on the last rank, pawn off it; after the pawn's lift from the rank before. Where the pawn
// never stood on the last rank the last two are the same instant as the first, and the style is Direct. cm is the pawn's way.
//
// A queen in the palm of the hand that moves the pawn is what two hands are mistaken for: a quarter of one-handed
// promotions in blitz, 8 % in classical play (timing notes 3.3).
var promotions = []Style{
	{Name: "fetch, then swap", PPM: 280_000, Slow: 64_000, Draws: 3000, perform: fetchSwap},
	{Name: "pawn off, then fetch", PPM: 150_000, Slow: 34_000, Draws: 3000, perform: offThenFetch},
	{Name: "never put down", PPM: 319_000, Slow: 72_000, Direct: true, Draws: 1500, perform: neverDown},
	{Name: "queen in the palm", PPM: 140_000, Slow: -95_000, Direct: true, Draws: 3000, perform: palmDirect},
	{Name: "queen in the palm, swapped", PPM: 75_000, Slow: -51_000, Draws: 3000, perform: palmSwap},
	{Name: "queen in the palm, pawn off", PPM: 35_000, Slow: -24_000, Draws: 3000, perform: palmOff},
	{Name: "pawn knocked or misread", PPM: 1_000, Direct: true, Draws: 300, perform: pawnKnocked},

	{Name: "other hand has the queen", PPM: 420_000, Two: true, Direct: true, Draws: 3000, perform: otherDirect},
	{Name: "other hand, swapped", PPM: 180_000, Two: true, Draws: 3000, perform: otherSwap},
	{Name: "other hand, pawn off", PPM: 180_000, Two: true, Draws: 3000, perform: otherOff},
	{Name: "other hand fetches", PPM: 110_000, Two: true, Direct: true, Draws: 1500, perform: otherBrings},
	{Name: "other hand fetches, then swap", PPM: 110_000, Two: true, Draws: 3000, perform: otherFetches},
}

// fromThePawn are those that put the pawn down.
func fromThePawn() (list []Style) {
	for _, s := range promotions {
		if !s.Direct {
			s.perform = afterPawn(s.perform)
			list = append(list, s)
		}
	}
	return list
}

// afterPawn is a promotion as it looks from the pawn's place on the last rank on: new piece down, pawn off.
func afterPawn(perform func(h *hand, cm float64) []float64) func(h *hand, cm float64) []float64 {
	return func(h *hand, cm float64) []float64 {
		t := perform(h, cm)
		return []float64{t[0] - t[1], t[2] - t[1]}
	}
}

// fetch is to the reserve and back to the square.
func (h *hand) fetch() float64 {
	return h.reach(besideCM) + h.grasp() + h.carry(besideCM) + h.about(0.06, 0.8)
}

// searching: the right queen is not always the first.
func (h *hand) searching() float64 {
	if h.chance(0.3) {
		return h.about(0.5, 0.8)
	}
	return 0
}

func fetchSwap(h *hand, cm float64) []float64 {
	on := h.carry(cm)
	off := on + h.release() + h.fetch() + h.searching()
	return []float64{off + h.about(0.09, 0.8), on, off}
}

func offThenFetch(h *hand, cm float64) []float64 {
	on := h.carry(cm)
	off := on + h.about(0.20, 0.8)
	return []float64{off + h.release() + h.fetch() + h.searching(), on, off}
}

func neverDown(h *hand, cm float64) []float64 {
	down := h.carry(besideCM) + h.release() + h.about(0.6, 0.3)*h.fetch()/h.pace + h.searching()
	return []float64{down, down, down}
}

// turned is the time until the queen from the palm is between the fingers, and the pawn out of them: with the way before it hardly
// ever less than 0.3 s after the pawn's lift (timing notes 2.2), and spread as every grasp is.
func (h *hand) turned() float64 { return h.about(0.42, 0.40) }

func palmDirect(h *hand, cm float64) []float64 {
	down := h.carry(cm) + h.release() + h.turned()
	return []float64{down, down, down}
}

// palmSwap takes what it takes to swap a captured piece (swap).
func palmSwap(h *hand, cm float64) []float64 {
	on := h.carry(cm)
	off := on + h.about(0.42, 0.60)
	return []float64{off + h.about(0.09, 0.8), on, off}
}

// palmOff: the pawn is taken up again before the queen is turned.
func palmOff(h *hand, cm float64) []float64 {
	on := h.carry(cm)
	off := on + h.about(0.20, 0.6)
	return []float64{off + h.turned(), on, off}
}

func pawnKnocked(h *hand, cm float64) []float64 {
	down := h.between(0.02, 1.2)
	return []float64{down, down, down}
}

// ready is how long the other hand, with the queen in it, is behind the pawn.
func (h *hand) ready() float64 { return h.about(0.34, 0.65) }

func otherDirect(h *hand, cm float64) []float64 {
	down := h.ready()
	return []float64{down, down, down}
}

func otherSwap(h *hand, cm float64) []float64 {
	on := h.carry(cm)
	off := on + h.about(0.16, 0.8)
	return []float64{off + h.about(0.07, 0.8), on, off}
}

// otherOff: the first hand clears the square, and the other one has waited for it.
func otherOff(h *hand, cm float64) []float64 {
	on := h.carry(cm)
	off := on + h.about(0.16, 0.8)
	return []float64{off + h.ready(), on, off}
}

// otherBrings: the other hand fetches the queen, and has set out before the first one lifts the pawn or soon after.
func otherBrings(h *hand, cm float64) []float64 {
	down := h.between(0.4, 1.1) * h.fetch() / h.pace
	return []float64{down, down, down}
}

func otherFetches(h *hand, cm float64) []float64 {
	on := h.carry(cm)
	off := on + max(h.about(0.12, 0.6), h.between(0.4, 1.1)*h.fetch()/h.pace-on)
	return []float64{off + h.about(0.09, 0.8), on, off}
}
