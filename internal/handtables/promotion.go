package handtables

// promotions: new piece down, pawn on the last rank, pawn off it; after the pawn's lift from the rank before. Where the pawn
// never stood on the last rank the last two are the same instant as the first, and the style is Direct. cm is the pawn's way.
var promotions = []Style{
	{Name: "fetch, then swap", PPM: 300_000, Draws: 900, perform: fetchSwap},
	{Name: "pawn off, then fetch", PPM: 160_000, Draws: 700, perform: offThenFetch},
	{Name: "never put down", PPM: 341_000, Direct: true, Draws: 900, perform: neverDown},
	{Name: "queen in the palm", PPM: 110_000, Direct: true, Draws: 900, perform: palmDirect},
	{Name: "queen in the palm, swapped", PPM: 88_000, Draws: 900, perform: palmSwap},
	{Name: "pawn knocked or misread", PPM: 1_000, Direct: true, Draws: 300, perform: pawnKnocked},

	{Name: "other hand has the queen", PPM: 450_000, Two: true, Direct: true, Draws: 1200, perform: otherDirect},
	{Name: "other hand, swapped", PPM: 400_000, Two: true, Draws: 1200, perform: otherSwap},
	{Name: "other hand fetches", PPM: 150_000, Two: true, Draws: 800, perform: otherFetches},
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

func palmDirect(h *hand, cm float64) []float64 {
	down := h.carry(cm) + h.release() + h.about(0.40, 0.65)
	return []float64{down, down, down}
}

func palmSwap(h *hand, cm float64) []float64 {
	on := h.carry(cm)
	off := on + h.release() + h.about(0.38, 0.65)
	return []float64{off + h.about(0.09, 0.8), on, off}
}

func pawnKnocked(h *hand, cm float64) []float64 {
	down := h.between(0.02, 1.2)
	return []float64{down, down, down}
}

func otherDirect(h *hand, cm float64) []float64 {
	down := h.about(0.34, 0.65)
	return []float64{down, down, down}
}

func otherSwap(h *hand, cm float64) []float64 {
	on := h.carry(cm)
	off := on + h.about(0.16, 0.8)
	return []float64{off + h.about(0.07, 0.8), on, off}
}

// otherFetches: the other hand has gone for the queen while the first moved the pawn.
func otherFetches(h *hand, cm float64) []float64 {
	on := h.carry(cm)
	off := on + h.about(0.5, 0.6)
	return []float64{off + h.about(0.09, 0.8), on, off}
}
