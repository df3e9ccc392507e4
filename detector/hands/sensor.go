package hands

// Phase is when the scans of these reports began, modulo the period: the mean over the reports, so that the scatter of
// a single one counts for less. It is taken anew for each move, because a period known to half a percent is out of
// step after a hundred scans.
func (s Sensor) Phase(reports []Report, reversed bool) int64 {
	if len(reports) == 0 || s.PeriodUS <= 0 {
		return 0
	}
	first := s.begin(reports[0], reversed)
	var off int64
	for _, r := range reports[1:] {
		off += wrap(s.begin(r, reversed)-first, s.PeriodUS)
	}
	return mod(first+off/int64(len(reports)), s.PeriodUS)
}

// begin is when the scan that made a report began, give or take its jitter.
func (s Sensor) begin(r Report, reversed bool) int64 {
	return r.At - s.Order.Slot(Field(r.Square, reversed))*s.PeriodUS/64
}

// mod is the remainder in 0 … m-1.
func mod(a, m int64) int64 {
	a %= m
	if a < 0 {
		a += m
	}
	return a
}

// wrap is the remainder nearest to 0.
func wrap(a, m int64) int64 {
	a = mod(a, m)
	if 2*a >= m {
		a -= m
	}
	return a
}
