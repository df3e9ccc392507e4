package hands

import (
	"slices"

	"boardwatchd/rules/legal"
)

// A Tempo learns how fast a player's hands are from the player's simple moves, in permille of the standard time
// (fittsUS).
//
// It averages the middle half of the ratios and not the median: at a slow scan nearly all lifts and places are 0, 1 or
// 2 scans apart, and the median would be one of three numbers. Timing notes 3.6.
type Tempo struct {
	class int32 // the tempo of the class of play, permille of the standard time
	all   []int32
}

// The tempos of the classes of play, in permille: timing notes 3.6; rapid lies between.
const (
	BlitzTempo     = 750
	RapidTempo     = 1150
	ClassicalTempo = 1700
)

const (
	tempoMoves  = 8   // from this number on the player's own moves count
	tempoRecent = 20  // moves
	tempoKept   = 256 // moves
	tempoShrink = 5   // number of moves that the class counts as

	quickerPercent = 85 // percentage of their usual time that people take for some moves at any time: docs/hands.md
)

// NewTempo begins with the class of play.
func NewTempo(class int32) Tempo { return Tempo{class: max(class, 100)} }

// Add adds a simple move: two reports and nothing else, no capture. It leaves out a time that cannot be that of a plain
// move (the player held the piece and thought).
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

// Known reports whether the player's own moves count.
func (t *Tempo) Known() bool { return len(t.all) >= tempoMoves }

// Pace returns the pace to judge by. Hurried means that the player may have been short of time, when people are faster
// than before; a player with too few moves counts as hurried.
func (t *Tempo) Pace(hurried bool) Pace {
	class := int64(max(t.class, 100))
	usual := shrunk(t.all, class)
	fast := min(usual, shrunk(t.all[max(0, len(t.all)-tempoRecent):], class))
	if hurried || !t.Known() {
		return Pace{Usual: int32(usual), Fastest: int32(min(fast, class) / 2)}
	}
	return Pace{Usual: int32(usual), Fastest: int32(fast * quickerPercent / 100)}
}

// shrunk returns the middle of the ratios, drawn towards the class in logarithms, and never beyond half or double of
// it.
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

// middleHalf returns the mean of the ratios between the quartiles.
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
