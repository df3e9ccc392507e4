package hands

import "slices"

const (
	lineLeastUS = 6_000  // from the visit of a square to the report's arrival: timing notes 1.4, ε
	lineMostUS  = 25_000 // with the 16 ms of a USB serial adapter
	latticeUS   = 60_000 // faster scans are not worth the lattice: the kernel is wider than the jitter
)

// place finds the visit of the scan that saw each stage. With a known order the visits of two squares differ by whole
// scans and by the way between the squares, so the line's jitter can be removed, without the phase itself. It returns
// false where the reports of this handling do not fit the lattice; their arrivals are then used.
func (s *stages) place(d *Handling, sensor Sensor) bool {
	for i := range s.list[:s.n] {
		st := &s.list[i]
		st.scan, st.slot = st.at, sensor.Order.Slot(Field(st.square, d.Reversed))
	}
	if sensor.Order == UnknownOrder || sensor.PeriodUS < latticeUS {
		return false
	}
	period, base := sensor.PeriodUS, s.list[0]
	var visits [4]int64
	var sum int64
	for i, st := range s.list[:s.n] {
		way := (st.slot - base.slot) * period / 64
		k := nearest(st.at-base.at-way, period)
		visits[i] = base.at + way + k*period
		rest := st.at - visits[i]
		if max(rest, -rest) > max(period/4, lineMostUS) {
			return false
		}
		sum += rest
	}
	for i := range s.list[:s.n] {
		s.list[i].scan = visits[i] + sum/int64(s.n) // the first report's own jitter is shared out
	}
	return true
}

// nearest returns n/d rounded to the nearest whole number.
func nearest(n, d int64) int64 {
	n += d / 2
	if n < 0 {
		n -= d - 1
	}
	return n / d
}

// windows returns the time line that the page draws.
func (s *stages) windows(sensor Sensor) []Window {
	back := sensor.PeriodUS + lineMostUS
	if sensor.Order == Batch {
		back += sensor.PeriodUS // reported at the end of a scan, perhaps seen at its beginning
	}
	list := make([]Window, 0, s.n)
	for _, st := range s.list[:s.n] {
		list = append(list, Window{Square: st.square, Piece: st.piece, Lift: st.lift, Hidden: st.hidden,
			LoUS: st.scan - back, HiUS: st.scan - lineLeastUS})
	}
	slices.SortStableFunc(list, func(a, b Window) int {
		switch {
		case a.HiUS != b.HiUS:
			return int(min(max(a.HiUS-b.HiUS, -1), 1))
		case a.Lift != b.Lift && a.Lift:
			return -1
		case a.Lift != b.Lift:
			return 1
		}
		return 0
	})
	return list
}

// air returns whether king and rook were off the board at one instant. A piece whose lift was seen at visit v is off
// from v at the latest; one whose placement was seen at v is on from a period before v at the earliest.
func (s *stages) air(sensor Sensor, onLattice bool) Air {
	kingUp, kingDown, rookUp, rookDown := s.list[0].scan, s.list[2].scan, s.list[1].scan, s.list[3].scan
	slack := int64(0)
	if !onLattice {
		slack = lineMostUS - lineLeastUS
	}
	if sensor.Order == Batch || sensor.Order == UnknownOrder {
		slack += sensor.PeriodUS / 8 // the squares of one rank may lie this far apart in a scan
	}
	period := sensor.PeriodUS
	switch {
	case rookUp <= kingDown-period-slack && kingUp <= rookDown-period-slack:
		return Together
	case kingDown <= rookUp-period-slack || rookDown <= kingUp-period-slack:
		return Apart
	}
	return MaybeTogether
}

// apart returns how far apart the two lifts are, in permille of the flight. It does not depend on the momentary speed:
// one hand that carries king and rook must reach the second of them first, and that takes a part of the whole
// (docs/hands.md). A quarter of a scan is added, because lifts that are seen in one scan may have been that far apart.
func (s *stages) apart(k Kind, totalUS, period int64) int32 {
	lifts, flight := s.list[1].scan-s.list[0].scan, totalUS
	if k == Castling {
		flight = s.list[2].scan - s.list[0].scan
	}
	return permille(max(lifts, -lifts)+period/4, flight)
}

// follows returns how far the rook's lift is from the king's landing, in permille of the king's flight; a whole scan is
// added. One hand must come back for the rook after that landing, or, if it carries both, has had the rook long before.
func (s *stages) follows(period int64) int32 {
	gap := s.list[1].scan - s.list[2].scan
	return permille(max(gap, -gap)+period, s.list[2].scan-s.list[0].scan)
}

// uneven returns how much longer one of king and rook flew than the other, in permille; a quarter of a scan is added to
// the shorter flight. Two hands carry one piece each, for about as long; one hand that carries both holds the king
// while it reaches for the rook, at any pace.
func (s *stages) uneven(period int64) int32 {
	king, rook := s.list[2].scan-s.list[0].scan, s.list[3].scan-s.list[1].scan
	return permille(max(king, rook), min(king, rook)+period/4)
}

func permille(part, of int64) int32 {
	const least = 50_000 // µs
	return int32(min(part*1000/max(of, least), 100_000))
}

// sameLanding reports whether king and rook were first seen on their squares in the same scan.
func (s *stages) sameLanding(sensor Sensor) bool {
	king, rook := s.list[2], s.list[3]
	way := (rook.slot - king.slot) * sensor.PeriodUS / 64
	return nearest(rook.scan-king.scan-way, sensor.PeriodUS) == 0
}
