package hands

import (
	"slices"

	"boardwatchd/rules/legal"
)

// A Tempo learns how fast a player's hands are from his simple moves, in permille of the standard time (fittsUS).
//
// The middle half of the ratios is averaged, not the median taken: at a slow scan nearly all lifts and places are 0, 1
// or 2 scans apart, and the median would be one of three numbers. Timing notes 3.6.
type Tempo struct {
	class int32 // of the time control, permille
	all   []int32
}

// Tempos of the classes of play, permille: timing notes 3.6; rapid lies between.
const (
	BlitzTempo     = 750
	RapidTempo     = 1150
	ClassicalTempo = 1700
)

const (
	tempoMoves  = 8   // before the player's own moves count for anything
	tempoRecent = 20  // moves
	tempoKept   = 256 // moves
	tempoShrink = 5   // moves that the class counts for

	quickerPercent = 85 // of their usual time people take for some moves at any time: docs/hands.md
)

// NewTempo begins with the class of play.
func NewTempo(class int32) Tempo { return Tempo{class: max(class, 100)} }

// Add a simple move: two reports and nothing else, no capture. A time that cannot be of a plain move (the player kept
// the piece in his hand and thought) is left out.
func (t *Tempo) Add(from, to legal.Square, lift, place int64) {
	if t.class == 0 || from >= legal.NoSquare || to >= legal.NoSquare || from == to {
		return
	}
	took := place - lift
	ratio := took * 1000 / fittsUS(wayMM(from, to))
	if ratio < -int64(t.class) || ratio > 6*int64(t.class) {
		return
	}
	if len(t.all) == tempoKept {
		t.all = slices.Delete(t.all, 0, tempoKept/4)
	}
	t.all = append(t.all, int32(ratio))
}

// Known says whether the player's own moves count.
func (t *Tempo) Known() bool { return len(t.all) >= tempoMoves }

// Pace is what to judge by. hurried: the player may have been short of time, where people are faster than they were;
// whoever is not known may always have been in a hurry.
func (t *Tempo) Pace(hurried bool) Pace {
	class := int64(max(t.class, 100))
	usual := shrunk(t.all, class)
	fast := min(usual, shrunk(t.all[max(0, len(t.all)-tempoRecent):], class))
	if hurried || !t.Known() {
		return Pace{Usual: int32(usual), Fastest: int32(min(fast, class) / 2)}
	}
	return Pace{Usual: int32(usual), Fastest: int32(fast * quickerPercent / 100)}
}

// shrunk is the middle of the ratios drawn towards the class, in logarithms, and never beyond half or double of it.
func shrunk(ratios []int32, class int64) int64 {
	n := int64(len(ratios))
	if n < tempoMoves {
		return class
	}
	own := max(middleHalf(ratios), class/4)
	// The weighted mean of two logarithms, by halving between the two: 32 steps are exact to a permille.
	target := (n*lnMilli(uint64(own)<<20) + tempoShrink*lnMilli(uint64(class)<<20)) / (n + tempoShrink)
	lo, hi := min(own, class), max(own, class)
	for lo < hi {
		mid := (lo + hi) / 2
		if lnMilli(uint64(mid)<<20) < target {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return min(max(lo, class/2), 2*class)
}

// middleHalf is the mean of those between the quartiles.
func middleHalf(ratios []int32) int64 {
	sorted := slices.Clone(ratios)
	slices.Sort(sorted)
	n := len(sorted)
	sum := int64(0)
	inner := sorted[n/4 : n-n/4]
	for _, r := range inner {
		sum += int64(r)
	}
	return sum / int64(len(inner))
}
