package hands

// What a board must show before its timing says anything: timing notes 1.4.
const (
	FitLeast    = 800     // permille
	PeriodMost  = 300_000 // µs; slower boards: castling is logged, the rest is off
	PeriodLeast = 10_000
	MovesLeast  = 20
	MovesSure   = 60 // give the period to 1 ms: what is not found by then is not there

	slowestUS = 2_000_000 // no scan
	// A fast scan may fit less: the fit measures the jitter against the period. The 16 ms of a serial adapter leave 0.97 at 225 ms, 0.91 at 100
	// and 0.70 at 50, although the windows are as good or better there and the kernel is wider than that jitter anyway (timing notes 1.1:
	// no measurable difference). Fifty pairs without any regularity are never taken for a scan at these, however often one looks
	// (scan_test.go); twenty reach more at some moment of every third game.
	fastUS   = 100_000
	fastFit  = 600
	fastLead = 200
	// Of sixty moves that slow hands make, so many have a pair that counts (maxGapUS).
	fastMoves = 50
	// People whose moves all take about as long as a batch's period look like one: they reach 0.8 in twenty moves, and not more.
	batchFit = 880
	// A line is never on time to this: batches that are were made by the clock of a bridge or of a recording, with an unknown scan behind it.
	tickUS = 150
)

// Trusted: windows can be made of the reports.
func (s Sensor) Trusted() bool { return s.unfit() == Spoke }

// unfit says why a sensor cannot be used at all. A slow scan can, for the record.
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

// follows: the reports follow a scan, and it is known which.
func (s Sensor) follows() bool {
	switch {
	case s.Order == UnknownOrder || s.PeriodUS > slowestUS:
		return false
	case s.Order == Batch:
		return s.Fit >= batchFit && s.JitterUS >= tickUS
	case s.PeriodUS < fastUS && s.Moves >= fastMoves && s.Lead >= fastLead:
		return s.Fit >= fastFit
	}
	return s.Fit >= FitLeast
}
