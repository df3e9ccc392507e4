package handtables

import "slices"

// A Style is one way of a manipulation.
type Style struct {
	Name    string
	PPM     int // of its hypothesis
	Two     bool
	Draws   int // number of manipulations that represent it
	perform func(h *hand, cm float64) []float64
}

// Perform makes one: it returns the changes in the order of the table (Scene.Events), in seconds after the first event
// of the list, which is the lift of the piece that moves.
func (s Style) Perform(src Source, cm float64) []float64 { return s.perform(newHand(src), cm) }

// captures return the lift of the victim and the placing, both after the lift of the attacker. cm is the attacker's
// way.
var captures = []Style{
	{Name: "swap", PPM: 431_000, Draws: 1200, perform: swap},
	{Name: "push", PPM: 140_000, Draws: 600, perform: push},
	{Name: "hold both", PPM: 110_000, Draws: 600, perform: holdBoth},
	{Name: "victim first, kept", PPM: 225_000, Draws: 2500, perform: victimFirst},
	{Name: "victim first, put aside", PPM: 93_000, Draws: 600, perform: victimAside},
	{Name: "scoop", PPM: 500, Draws: 300, perform: scoop},
	{Name: "knocked or misread", PPM: 500, Draws: 300, perform: knocked},

	{Name: "together", PPM: 250_000, Two: true, Draws: 800, perform: together},
	{Name: "other hand ahead", PPM: 300_000, Two: true, Draws: 800, perform: ahead},
	{Name: "other hand first", PPM: 200_000, Two: true, Draws: 700, perform: overlapped},
	{Name: "other hand late", PPM: 100_000, Two: true, Draws: 500, perform: late},
	{Name: "one after the other", PPM: 150_000, Two: true, Draws: 700, perform: sequential},
}

// spanCM is a generous limit of the distance of two pieces that one hand picks up together.
const spanCM = 12

// capturesOver returns the styles over this way. Pieces too far apart for one hand are rarely scooped: a small rest
// stands for unforeseen styles.
func capturesOver(cm float64) []Style {
	list := slices.Clone(captures)
	for i := range list {
		if list[i].Name == "scoop" && cm > spanCM {
			list[0].PPM += list[i].PPM * 9 / 10
			list[i].PPM -= list[i].PPM * 9 / 10
		}
	}
	return list
}

// swap: the hand comes with the attacking piece, picks the victim with the free fingers and sets down: 0.76 s from lift
// to place if the victim's absence is never reported (timing notes 1.2).
func swap(h *hand, cm float64) []float64 {
	victim := h.carry(cm) + h.about(0.42, 0.6)
	return []float64{victim, victim + h.about(0.05, 0.75)}
}

// push: the victim is pushed off by the arriving piece; it is not grasped.
func push(h *hand, cm float64) []float64 {
	victim := h.carry(cm)
	return []float64{victim, victim + h.about(0.06, 0.9)}
}

// holdBoth: both pieces are in the hand for a while before the attacker is set down.
func holdBoth(h *hand, cm float64) []float64 {
	victim := h.carry(cm) + h.grasp() + h.about(0.25, 0.65)
	return []float64{victim, victim + h.about(0.26, 0.6)}
}

func victimFirst(h *hand, cm float64) []float64 {
	attacker := h.about(0.13, 0.7) + h.reach(cm) + h.grasp() + h.pause()
	return []float64{-attacker, h.carry(cm) + h.about(0.05, 0.6)}
}

func victimAside(h *hand, cm float64) []float64 {
	attacker := h.carry(besideCM) + h.release() + h.reach(besideCM) + h.grasp() + h.pause()
	return []float64{-attacker, h.carry(cm) + h.about(0.05, 0.6)}
}

// scoop: one hand takes both at nearly the same time, in either order.
func scoop(h *hand, cm float64) []float64 {
	victim := h.normal(0.12)
	return []float64{victim, max(victim, 0) + h.carry(cm)}
}

// knocked: the victim is knocked over or misread, at any time about the lift.
func knocked(h *hand, cm float64) []float64 {
	place := h.carry(cm) + h.about(0.05, 0.6)
	return []float64{min(h.between(-0.8, 0.8), place), place}
}

// together: both hands start and end together, the easier one waits (Kelso 1979); the gaze moves from one to the other,
// so one in six grasps late.
func together(h *hand, cm float64) []float64 {
	victim := h.normal(1) * h.about(0.065, 0.5)
	if h.chance(0.16) {
		victim += h.normal(0.2)
	}
	return []float64{victim, max(1.1*h.carry(cm), victim+h.about(0.08, 0.5))}
}

func ahead(h *hand, cm float64) []float64 {
	return []float64{-h.about(0.17, 0.65), h.carry(cm) + h.about(0.04, 0.6)}
}

func overlapped(h *hand, cm float64) []float64 {
	return []float64{-h.about(0.29, 0.5), h.carry(cm) + h.about(0.04, 0.6)}
}

// late: the attacker is on its way when the other hand takes the victim away.
func late(h *hand, cm float64) []float64 {
	place := h.carry(cm) + h.about(0.06, 0.7)
	victim := place*h.between(0.4, 1)/h.pace + h.about(0.03, 0.8)
	return []float64{victim, max(place, victim+h.about(0.05, 0.7))}
}

func sequential(h *hand, cm float64) []float64 {
	attacker := h.about(0.62, 0.55) + h.grasp() + h.pause()
	return []float64{-attacker, h.carry(cm) + h.about(0.05, 0.6)}
}

// castlings: rook up, king down, rook down; after the lift of the king. cm is the rook's way: 11 short, 16.5 long; the
// king's is 11 always, and from king to rook it is 5.5 short and 11 long.
var castlings = []Style{
	{Name: "king, then rook", PPM: 959_000, Draws: 4000, perform: kingThenRook},
	{Name: "rook, then king", PPM: 30_000, Draws: 1000, perform: rookThenKing},
	{Name: "both in one hand", PPM: 10_000, Draws: 1500, perform: bothInOne},
	{Name: "rook knocked or misread", PPM: 1_000, Draws: 300, perform: rookKnocked},

	{Name: "together", PPM: 480_000, Two: true, Draws: 2000, perform: castleTogether},
	{Name: "staggered", PPM: 460_000, Two: true, Draws: 2000, perform: castleStaggered},
	{Name: "rook hand waits", PPM: 60_000, Two: true, Draws: 1000, perform: castleWaiting},
}

const squareCM = 5.5

func kingThenRook(h *hand, cm float64) []float64 {
	kingDown := h.carry(2 * squareCM)
	rookUp := kingDown + h.release() + h.reach(cm-squareCM) + h.grasp() + h.about(0.05, 0.9)
	if h.chance(0.05) {
		rookUp += h.about(0.5, 0.6)
	}
	return []float64{rookUp, kingDown, rookUp + h.carry(cm)}
}

func rookThenKing(h *hand, cm float64) []float64 {
	rookDown := -(h.release() + h.reach(squareCM) + h.grasp() + h.pause())
	return []float64{rookDown - h.carry(cm), h.carry(2 * squareCM), rookDown}
}

func bothInOne(h *hand, cm float64) []float64 {
	rookUp := h.reach(cm+squareCM) + h.grasp() + h.about(0.05, 0.8)
	first := rookUp + h.about(0.30, 0.35)
	second := first + h.about(0.12, 0.8)
	if h.chance(0.25) {
		return []float64{rookUp, second, first}
	}
	return []float64{rookUp, first, second}
}

func rookKnocked(h *hand, cm float64) []float64 {
	t := kingThenRook(h, cm)
	t[0] = h.between(-0.2, 1) * t[2] / h.pace
	return t
}

func castleTogether(h *hand, cm float64) []float64 {
	rookUp := 0.04 + h.normal(1)*h.about(0.07, 0.5)
	kingDown := 1.1 * h.carry(2*squareCM)
	return []float64{rookUp, kingDown, max(rookUp+1.05*h.carry(cm), kingDown*0.9) + h.about(0.04, 0.8)}
}

func castleStaggered(h *hand, cm float64) []float64 {
	kingDown := 1.05 * h.carry(2*squareCM)
	rookUp := kingDown * h.between(0.25, 1.5) / h.pace
	return []float64{rookUp, kingDown, rookUp + h.carry(cm)}
}

func castleWaiting(h *hand, cm float64) []float64 {
	kingDown := h.carry(2 * squareCM)
	rookUp := kingDown + h.about(0.12, 0.6)
	return []float64{rookUp, kingDown, rookUp + h.carry(cm)}
}
