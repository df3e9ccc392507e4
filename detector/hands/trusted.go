package hands

// What a board must show before its timing counts: timing notes 1.4.
const (
	FitLeast    = 800     // permille
	PeriodMost  = 300_000 // µs; slower boards: castling is logged, the rest is off
	PeriodLeast = 10_000
	MovesLeast  = 8
	MovesSure   = 60 // they give the period to 1 ms: a scan that is not found by then is not there

	slowestUS = 2_000_000 // a longer period is no scan
	// A fast scan may fit less: the fit measures the jitter against the period. The 16 ms of a serial adapter leave
	// 0.97 at 225 ms, 0.91 at 100 and 0.70 at 50, although the windows are as good or better there and the kernel is
	// wider than that jitter anyway (timing notes 1.1: no measurable difference).
	fastUS = 100_000
	// People whose moves all take about as long as a batch's period look like one: within 15 %, one in 1,000 reaches
	// 0.88 in twenty moves, and 0.92 at most. In fewer moves they reach anything.
	batchFit      = 880
	batchFitFirst = 930
	batchMoves    = 20
	batchSure     = 35
	// A line is never as punctual as this: batches that are were made by the clock of a bridge or of a recording, with
	// an unknown scan behind it.
	tickUS = 150
)

// evidence is what a number of moves must show: how well the order fits, and how far ahead of every other.
type evidence struct {
	moves     int
	fit, lead int32
}

// proofs are sufficient each by itself. A test after every move finds a scan in anything, and the fewer the moves, the
// better the fit that it finds: these bounds are beyond what boards without a scan reach, at any move, in fewer than
// one of 10,000 (scan_none_test.go). The hardest such case is people whose hands take exactly the time that the
// distance requires: the distance in the order of the scan is related to that on the board.
var proofs = [...]evidence{
	{8, 990, 100}, {9, 988, 100}, {10, 980, 100}, {11, 965, 100}, {12, 955, 100}, {14, 950, 100}, {16, 920, 100}, {20, 880, 100},
	{24, 840, 100}, {28, 815, 100}, {35, FitLeast, 100},
	// Further ahead than most, it may fit less.
	{16, 870, 250}, {18, 845, 250}, {20, 825, 250}, {24, FitLeast, 250},
	// A fast scan through a line with jitter.
	{28, 740, 250}, {35, 700, 250}, {40, 680, 250}, {50, 600, 200},
}

// Trusted reports whether windows can be made of the reports.
func (s Sensor) Trusted() bool { return s.unfit() == Spoke }

// unfit returns why a sensor cannot be used at all. A slow scan can be, for the record.
func (s Sensor) unfit() Abstention {
	switch {
	case s.Moves < MovesLeast || s.PeriodUS < PeriodLeast:
		return NoSensor
	case s.follows():
		return Spoke
	case s.Moves < MovesSure:
		return NoSensor
	}
	return PoorFit
}

// follows reports whether the reports follow a known scan.
func (s Sensor) follows() bool {
	switch {
	case s.Order == UnknownOrder || s.PeriodUS > slowestUS:
		return false
	case s.Order == Batch:
		return s.JitterUS >= tickUS && (s.Moves >= batchMoves && s.Fit >= batchFitFirst || s.Moves >= batchSure && s.Fit >= batchFit)
	case s.PeriodUS >= fastUS && s.Fit < FitLeast:
		return false
	}
	for _, p := range proofs {
		if s.Moves >= p.moves && s.Fit >= p.fit && s.Lead >= p.lead {
			return true
		}
	}
	return false
}
