package populations

import (
	"cmp"
	"math"
	"slices"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// Board is a board with its line. The zero value scans in 225 ms, row by row, over a USB converter.
type Board struct {
	PeriodUS int64       // 0: 225 ms
	Order    hands.Order // unknown: raster
	Reversed bool        // White at the far side
	JitterUS int64       // 0: 16 ms, the latency timer of ftdi_sio
}

// moment is one physical change: from this time on this piece, or none, is above that coil. Seconds.
type moment struct {
	at float64
	sq legal.Square
	is legal.Piece
}

const messageUS = 5_208 // five bytes at 9,600 baud

// scanner visits the squares in order. Times in µs.
type scanner struct {
	Board
	chance  chance
	period  float64
	begin   float64 // of a scan
	arrived float64 // time of the last report
}

func newScanner(b Board, c chance) scanner {
	b.PeriodUS = cmp.Or(b.PeriodUS, 225_000)
	b.Order = cmp.Or(b.Order, hands.Raster)
	b.JitterUS = cmp.Or(b.JitterUS, 16_000)
	return scanner{Board: b, chance: c, period: float64(b.PeriodUS), begin: -c.Float64() * float64(b.PeriodUS)}
}

// sighting is a visit that finds a change.
type sighting struct {
	at     float64
	slot   int64
	report hands.Report
}

// see runs the scan over the moments of one move, in any order, and returns the reports received by the host. Before
// the first of them the squares are those of table.
func (s *scanner) see(moments []moment, table *legal.Placement) []hands.Report {
	slices.SortStableFunc(moments, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	var seen []sighting
	known := *table
	for i, m := range moments {
		visit, slot := s.next(m)
		// The visit may find a later change.
		covered := slices.ContainsFunc(moments[i+1:], func(later moment) bool { return later.sq == m.sq && later.at*1e6 <= visit })
		if covered || known[m.sq] == m.is {
			continue
		}
		seen = append(seen, sighting{visit, slot, hands.Report{Square: m.sq, Was: known[m.sq], Is: m.is}})
		known[m.sq] = m.is
	}
	slices.SortStableFunc(seen, func(a, b sighting) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.slot, b.slot)) })
	return s.transmit(seen)
}

// next returns the first visit of a moment's square at or after it, and the place of the square in the scan.
func (s *scanner) next(m moment) (at float64, slot int64) {
	n := hands.Field(m.sq, s.Reversed)
	slot = s.Order.Slot(n)
	first := s.begin + float64(slot)*s.period/64
	at = first + math.Ceil((m.at*1e6-first)/s.period)*s.period
	if s.Order == hands.Batch {
		slot = int64(n) // reported one after another
	}
	return at, slot
}

// transmit simulates the line: one message after the other, with a random delay of the driver, in order.
func (s *scanner) transmit(seen []sighting) []hands.Report {
	reports := make([]hands.Report, len(seen))
	sent := 0.0
	for i, v := range seen {
		sent = max(sent, v.at) + messageUS
		s.arrived = max(s.arrived, sent+s.chance.Float64()*float64(s.JitterUS))
		reports[i] = v.report
		reports[i].At = int64(s.arrived)
	}
	return reports
}
